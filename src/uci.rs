//! `tandem uci`.

use crate::Outcome;

/// The words after `tandem uci`.
#[derive(clap::Args)]
pub struct Args {
    /// Commands to carry out in order, each quoted; without any, standard input is read
    pub commands: Vec<String>,
}

/// Speaks UCI.
pub fn run(_args: &Args) -> Outcome {
    Ok(())
}
