//! `tandem bench`: how fast this machine is, and the papers' tables.

mod perft;

use clap::Subcommand;

use crate::Outcome;

/// The words after `tandem bench`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    table: Option<Table>,
}

#[derive(Subcommand)]
enum Table {
    /// Move generation: perft, beside cozy-chess and on several threads
    Perft(perft::Args),
}

/// Runs the asked benchmark.
pub fn run(args: &Args) -> Outcome {
    match &args.table {
        Some(Table::Perft(args)) => perft::run(args),
        None => Ok(()),
    }
}
