//! `tandem suite`: test positions, and what players find in them.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tandem_games::pace::{Pace, above_zero};
use tandem_games::suite::{Attempt, Collection, Progress, Suite};
use tandem_games::{PlayerSpec, tell_apart};

use crate::output::outln;
use crate::{Outcome, interrupt};

/// Attempts between notes on standard error where there is no terminal to draw on.
const NOTE_EVERY: usize = 100;

/// The words after `tandem suite`.
#[derive(clap::Args)]
pub struct Args {
    /// Positions with what is to be found in them: bm, am, dm (or bm #N), points in c0 or c7 to c9
    #[arg(value_name = "FILE.epd", required = true)]
    files: Vec<PathBuf>,

    /// A player, as key=value words: cmd (a UCI engine; without it the engine of this program), name,
    /// arg, dir, option.NAME, movetime, nodes, depth, restart. Several are compared; without any the
    /// engine of this program solves with default options
    #[arg(long = "player", value_name = "SETTINGS")]
    players: Vec<PlayerSpec>,

    /// Seconds a position for players without a limit of their own
    #[arg(long, value_parser = above_zero)]
    movetime: Option<Duration>,
    /// Nodes a position for players without a limit of their own
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a position for players without a limit of their own
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Positions side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// The positions are of Chess960
    #[arg(long)]
    chess960: bool,
    /// Seconds an engine may be silent after its time is over; where no time limits it, thirty times
    /// as long in all
    #[arg(long, default_value = "10", value_parser = above_zero)]
    patience: Duration,

    /// Print a line for each position and player
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// Has the players solve the positions and prints what they found.
pub fn run(args: &Args) -> Outcome {
    let collection = Collection::read(&args.files)?;
    for unusable in &collection.unusable {
        eprintln!("{unusable}; skipped");
    }
    let suite = Suite {
        collection,
        players: players(args)?,
        concurrency: args.concurrency.into(),
        patience: args.patience,
        chess960: args.chess960,
    };
    let stop = interrupt::signal()?;
    let display = Display::new(args.verbose);
    let report = suite.run(&stop, &mut |suite, progress, attempt| {
        display.show(suite, progress, attempt);
    });
    display.finish();
    let report = report?;
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        outln!("{report}");
    }
    Ok(())
}

fn players(args: &Args) -> Result<Vec<PlayerSpec>, Box<dyn std::error::Error>> {
    let all = Pace { tc: None, movetime: args.movetime, nodes: args.nodes, depth: args.depth };
    let mut players = args.players.clone();
    if players.is_empty() {
        players.push("name=tandem".parse()?);
    }
    tell_apart(&mut players);
    for player in &mut players {
        player.pace = player.pace.or(all);
    }
    Ok(players)
}

/// What is shown while the players think.
struct Display {
    bar: Option<ProgressBar>,
    verbose: bool,
}

impl Display {
    fn new(verbose: bool) -> Self {
        let style = "{bar:20} {pos}/{len} attempts, {elapsed} gone, {eta} left: {msg}";
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(style).expect("the template is sound");
            ProgressBar::new(0).with_style(style)
        });
        Self { bar, verbose }
    }

    fn show(&self, suite: &Suite, progress: &Progress, attempt: &Attempt) {
        if self.verbose {
            self.suspended(|| outln!("{}", suite.describe(attempt)));
        } else if attempt.outcome.is_err() {
            self.suspended(|| eprintln!("{}", suite.describe(attempt)));
        }
        match &self.bar {
            Some(bar) => {
                bar.set_length(progress.total as u64);
                bar.set_position(progress.done as u64);
                bar.set_message(line(suite, progress));
            }
            None if progress.done.is_multiple_of(NOTE_EVERY) => {
                let Progress { done, total, .. } = progress;
                eprintln!("{done}/{total} attempts: {}", line(suite, progress));
            }
            None => {}
        }
    }

    /// Prints something beside the bar.
    fn suspended(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How many each player has solved so far.
fn line(suite: &Suite, progress: &Progress) -> String {
    let solved = suite.players.iter().zip(&progress.solved);
    let parts: Vec<String> = solved.map(|(player, n)| format!("{} {n}", player.name)).collect();
    format!("solved {}", parts.join(", "))
}
