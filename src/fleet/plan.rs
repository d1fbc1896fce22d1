//! `tandem fleet plan`.

use std::path::PathBuf;

use clap::Parser as _;
use tandem_fleet::{Description, Plan};
use tandem_games::Shard;

use crate::output::{out, outln};
use crate::{Cli, Outcome};

/// A description with everything that can be said.
const EXAMPLE: &str = include_str!("example.toml");

/// The words after `tandem fleet plan`.
#[derive(clap::Args)]
pub struct Args {
    /// The description of the work
    #[arg(value_name = "FILE.toml", required_unless_present = "example")]
    description: Option<PathBuf>,
    /// The folder to make, which all machines see under the same name; the description's name without ending
    /// if not said
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print a description with all keys and what they mean
    #[arg(long)]
    example: bool,
    /// Print one JSON object instead of sentences
    #[arg(long)]
    json: bool,
}

/// Makes the plan and says how to run it.
pub fn run(args: &Args) -> Outcome {
    let Some(file) = args.description.as_ref().filter(|_| !args.example) else {
        out!("{EXAMPLE}");
        return Ok(());
    };
    let description = Description::load(file)?;
    try_out(&description)?;
    let folder = args.out.clone().unwrap_or_else(|| file.with_extension(""));
    let plan = Plan::make(&description, &folder, &std::env::current_exe()?)?;
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&plan)?);
        return Ok(());
    }
    let place = plan.folder.display();
    let stages = match plan.stages.len() {
        1 => String::new(),
        count => format!(" in {count} stages"),
    };
    outln!("{place}: {} tasks{stages}", plan.task_count());
    outln!("HyperQueue  hq job submit-file {place}/job.toml");
    if plan.stages.len() == 1 {
        outln!("Slurm       sbatch {place}/slurm.sh");
    } else {
        outln!("Slurm       sh {place}/slurm-submit.sh");
    }
    outln!("by hand     tandem fleet run {place} --task 1");
    outln!("then        tandem fleet status {place}; tandem fleet merge {place}");
    Ok(())
}

/// Looks whether the command understands its words, before anything is made.
fn try_out(description: &Description) -> Outcome {
    if description.config.is_some() {
        return Ok(());
    }
    let words = Plan::draft(description).command(Shard::default());
    let words = std::iter::once("tandem".to_owned()).chain(words);
    match Cli::try_parse_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.render().to_string();
            let said = text.trim_start_matches("error: ").lines().next().unwrap_or_default();
            Err(format!("arguments: {said}").into())
        }
    }
}
