//! `tandem fleet status`.

use tandem_fleet::Plan;
use tandem_fleet::status::status;

use crate::Outcome;
use crate::output::{out, outln};

/// The words after `tandem fleet status`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    folder: super::Folder,
    /// Print one JSON object instead of sentences
    #[arg(long)]
    json: bool,
}

/// Says how far the plan has come.
pub fn run(args: &Args) -> Outcome {
    let status = status(&Plan::load(&args.folder.folder)?)?;
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&status)?);
    } else {
        out!("{status}");
    }
    Ok(())
}
