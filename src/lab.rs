//! `tandem lab`: the papers' experiments, from the first game to the report.

use clap::Subcommand;
use tandem_lab::{Common, Laboratory, Name, catalogue};

use crate::output::{out, outln};
use crate::progress::GamesBar;
use crate::{Outcome, interrupt};

/// The words after `tandem lab`.
#[derive(clap::Args)]
#[command(subcommand_value_name = "NAME", subcommand_help_heading = "Experiments")]
pub struct Args {
    #[command(subcommand)]
    choice: Option<Choice>,
    #[command(flatten)]
    common: Common,
    /// Print the report as JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Choice {
    #[command(flatten)]
    Experiment(Name),
    /// Say what experiments there are (what happens without a name)
    List,
}

/// Does the experiment and prints its report, or lists all experiments.
pub fn run(args: &Args) -> Outcome {
    let Some(Choice::Experiment(name)) = &args.choice else {
        list(args.json);
        return Ok(());
    };
    let laboratory = Laboratory::new(name, &args.common)?;
    let stop = interrupt::signal()?;
    let bar = GamesBar::new();
    let completed = laboratory.run(&stop, &mut |progress| {
        bar.show(progress.games, progress.total, progress.is_first, || progress.title.to_owned());
    });
    bar.finish();
    let completed = completed?;
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&completed.json)?);
    } else {
        out!("{}", completed.text);
        eprintln!("kept in {}", completed.folder.display());
    }
    Ok(())
}

fn list(json: bool) {
    let experiments = catalogue::list();
    if json {
        let entry = |(name, about)| serde_json::json!({ "name": name, "about": about });
        let entries: Vec<_> = experiments.into_iter().map(entry).collect();
        outln!("{}", serde_json::Value::from(entries));
        return;
    }
    let width = experiments.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, about) in experiments {
        outln!("{name:width$}  {about}");
    }
}
