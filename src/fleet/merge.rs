//! `tandem fleet merge`.

use tandem_fleet::Plan;
use tandem_fleet::merge::merge;
use tandem_games::statistics::EloModel;

use crate::output::{out, outln};
use crate::{Code, Outcome, matches};

/// The words after `tandem fleet merge`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    folder: super::Folder,
    /// Write what there is although shards are missing or damaged
    #[arg(long)]
    partial: bool,
    /// Judge a match by a sequential probability ratio test of these two Elo values, ELO0:ELO1
    #[arg(long, value_name = "ELO0:ELO1", num_args = 0..=1, default_missing_value = "0:5")]
    sprt: Option<String>,
    /// Print one JSON object instead of sentences
    #[arg(long)]
    json: bool,
}

/// Checks every shard and puts all of them together; fails where one is missing or damaged.
pub fn run(args: &Args) -> Outcome {
    let plan = Plan::load(&args.folder.folder)?;
    let test = |bounds: &String| matches::test(bounds, (0.05, 0.05), EloModel::Logistic);
    let sprt = args.sprt.as_ref().map(test).transpose()?;
    let report = merge(&plan, args.partial, sprt)?;
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&report.json())?);
    } else {
        out!("{report}");
    }
    if report.problems.is_empty() {
        return Ok(());
    }
    for problem in &report.problems {
        eprintln!("tandem: {problem}");
    }
    Err(Code(1).into())
}
