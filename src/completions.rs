//! `tandem completions`: what a shell needs to complete the words of `tandem`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::Outcome;
use crate::output::out;

/// The words after `tandem completions`.
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script of that shell.
pub fn run(args: &Args) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "tandem", &mut script);
    out!("{}", String::from_utf8(script)?);
    Ok(())
}
