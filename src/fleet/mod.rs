//! `tandem fleet`: one work on many machines.

mod merge;
mod plan;
mod run;
mod status;

use std::path::PathBuf;

use clap::Subcommand;

use crate::Outcome;

/// The words after `tandem fleet`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make a folder with everything that HyperQueue or Slurm needs, from a description
    Plan(plan::Args),
    /// Do one task of a plan (what the schedulers start)
    Run(run::Args),
    /// Say how far a plan has come
    Status(status::Args),
    /// Check all shards of a plan and put them together
    Merge(merge::Args),
}

/// A plan's folder.
#[derive(clap::Args)]
struct Folder {
    /// The folder of the plan
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Does what is asked for.
pub fn run(args: &Args) -> Outcome {
    match &args.task {
        Task::Plan(args) => plan::run(args),
        Task::Run(args) => run::run(args),
        Task::Status(args) => status::run(args),
        Task::Merge(args) => merge::run(args),
    }
}
