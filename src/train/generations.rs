//! `tandem train loop`: networks that learn from their own games, generation after generation.

use std::path::PathBuf;

use tandem_train::learning::{LearningLoop, LoopConfig, News};
use tandem_train::{Finish, Settings as _};

use super::course::Bar;
use crate::output::{out, outln};
use crate::progress::GamesBar;
use crate::{Outcome, interrupt};

/// The words after `tandem train loop`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("aim").required(true)))]
pub struct Args {
    /// Begin a loop with the settings in that file, or go on with it
    #[arg(long, value_name = "FILE", group = "aim")]
    config: Option<PathBuf>,
    /// Go on with the loop in that folder
    #[arg(long, value_name = "DIR", group = "aim", conflicts_with = "out")]
    resume: Option<PathBuf>,
    /// Print all settings with their defaults and what they mean
    #[arg(long, group = "aim")]
    example_config: bool,
    /// The folder for games, networks, matches and the curve of Elo
    #[arg(long, value_name = "DIR", default_value = "loop")]
    out: PathBuf,
    /// Change a setting: table.key=value
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Goes on with the loop to its end, or prints what can be set.
pub fn run(args: &Args) -> Outcome {
    if args.example_config {
        out!("{}", LoopConfig::EXAMPLE);
        return Ok(());
    }
    let (config, folder) = match (&args.resume, &args.config) {
        (Some(folder), _) => (LearningLoop::settings(folder)?, folder),
        (None, Some(file)) => (LoopConfig::load(file)?, &args.out),
        (None, None) => (LoopConfig::default(), &args.out),
    };
    let config = config.with(args.set.iter().map(String::as_str))?;
    let stop = interrupt::signal()?;
    let mut generations = LearningLoop::open(folder, config)?;
    let mut display = Display::default();
    let finish = generations.run(&stop, &mut |news| display.show(&news));
    display.end();
    if finish? == Finish::Interrupted {
        let (number, folder) = (generations.finished() + 1, folder.display());
        eprintln!(
            "stopped in generation {number}; go on with the same command or --resume {folder}"
        );
        return Ok(());
    }
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&generations.chronicle().json())?);
    } else {
        out!("{}", generations.chronicle());
        eprintln!("kept in {}", folder.display());
    }
    Ok(())
}

/// What is seen while the loop goes on: a line for each step, and a bar for what takes long.
#[derive(Default)]
struct Display {
    games: Option<GamesBar>,
    training: Option<Bar>,
}

impl Display {
    fn show(&mut self, news: &News<'_>) {
        match news {
            News::Begin(what) => {
                self.end();
                eprintln!("{what}");
            }
            News::Games { games, total, is_first, line } => {
                let bar = self.games.get_or_insert_with(GamesBar::new);
                bar.show(*games, *total, *is_first, || line.clone());
            }
            News::Learning(progress) => {
                let bar = || Bar::new(progress.step, progress.steps);
                self.training.get_or_insert_with(bar).show(progress);
            }
            News::Done(what) => {
                self.end();
                eprintln!("  {what}");
            }
        }
    }

    /// Leaves the terminal clean.
    fn end(&mut self) {
        if let Some(bar) = self.games.take() {
            bar.finish();
        }
        if let Some(bar) = self.training.take() {
            bar.finish();
        }
    }
}
