//! `tandem uci`: the engine for GUIs, and for a person at a terminal.

use std::io::{self, IsTerminal as _};

use tandem_uci::Session;

use crate::Outcome;

/// The words after `tandem uci`.
#[derive(clap::Args)]
pub struct Args {
    /// Commands to carry out in order, each quoted; without any, standard input is read
    pub commands: Vec<String>,
}

/// Carries out the given commands, or speaks UCI on standard input and output.
pub fn run(args: &Args) -> Outcome {
    let mut session = Session::new(Box::new(io::stdout()));
    if !args.commands.is_empty() {
        session.run_commands(args.commands.iter().map(String::as_str));
        return Ok(());
    }
    if io::stdin().is_terminal() {
        eprintln!("{}", Session::greeting());
    }
    session.run(io::stdin().lock()).map_err(|error| format!("cannot read input: {error}").into())
}
