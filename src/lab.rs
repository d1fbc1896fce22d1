//! `tandem lab`: the papers' experiments, from the first game to the report.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Subcommand;
use serde_json::json;
use tandem_fleet::{Counts, Work, Yield};
use tandem_games::Shard;
use tandem_lab::{Common, Laboratory, Name, Part, Shared, catalogue};

use crate::output::{out, outln};
use crate::progress::GamesBar;
use crate::{Outcome, interrupt, shard};

/// The words after `tandem lab`.
#[derive(clap::Args)]
#[command(subcommand_value_name = "NAME", subcommand_help_heading = "Experiments")]
pub struct Args {
    #[command(subcommand)]
    choice: Option<Choice>,
    #[command(flatten)]
    common: Common,
    /// Play only part i of n of the games, parts counted from 1, into a folder of its own within --out
    #[arg(long, global = true, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,
    /// The folder of the same experiment with games of all parts, which need not be played again
    #[arg(long, global = true, value_name = "FOLDER", requires = "shard")]
    known: Option<PathBuf>,
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
    if let (Some(shard), Some(out)) = (args.shard, &args.common.out) {
        return share(args, laboratory, shard, out, &stop);
    }
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

/// Plays a part of the games.
fn share(
    args: &Args,
    laboratory: Laboratory,
    shard: Shard,
    out: &Path,
    stop: &AtomicBool,
) -> Outcome {
    let settings = json!({ "command": laboratory.command(), "known": args.known });
    let work = Work { job: "lab".to_owned(), shard, seed: args.common.seed, settings };
    shard::run(out, &work, stop, |folder| {
        let bar = GamesBar::new();
        let part = Part { shard, known: args.known.clone() };
        let shared = laboratory.share(folder, part, stop, &mut |progress| {
            bar.show(progress.games, progress.total, progress.is_first, || {
                progress.title.to_owned()
            });
        });
        bar.finish();
        Ok(shared?.map(|Shared { results, plies, engines }| {
            let counts = Counts {
                games: results.games(),
                positions: plies,
                results: [results.wins, results.draws, results.losses],
            };
            Yield { counts, engines, ..Yield::default() }
        }))
    })
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
