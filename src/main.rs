//! Tandem: a chess engine in which alpha-beta and Monte Carlo tree search work together.
//!
//! Without arguments it speaks UCI; the subcommands measure, explain and test.

// Whether a device can be sent to another thread is proven through many layers of wgpu's types.
#![recursion_limit = "256"]

mod analyze;
mod bench;
mod classify;
mod completions;
mod cpu;
mod datagen;
mod doctor;
mod ends;
mod eval;
mod fens;
mod fleet;
mod interrupt;
mod lab;
mod man;
mod matches;
mod net;
mod options;
mod output;
mod perft;
mod progress;
mod selfplay;
mod serve;
mod shard;
mod suite;
mod train;
mod uci;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

/// What a subcommand ends with: nothing, or a sentence for the user.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A subcommand that has said everything ends with a code of its own.
#[derive(Debug)]
struct Code(u8);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {}", self.0)
    }
}

impl std::error::Error for Code {}

#[derive(Parser)]
#[command(name = "tandem", version, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// UCI commands to carry out in order, each quoted: tandem "position startpos" "go depth 10"
    #[arg(value_name = "UCI COMMAND")]
    uci: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCI on standard input and output (what happens without a subcommand)
    Uci(uci::Args),
    /// Count the leaves of the game tree
    Perft(Box<perft::Args>),
    /// Measure this machine's speed
    Bench(Box<bench::Args>),
    /// Explain the static evaluation of a position
    Eval(Box<eval::Args>),
    /// Say what both searches make of a position, of questions in JSON, or of whole games
    Analyze(Box<analyze::Args>),
    /// Say what kind of position it is, why, and how both searches share the work
    Classify(Box<classify::Args>),
    /// Play games between this engine, its settings, and any UCI engines
    Match(Box<matches::Args>),
    /// Have this engine play itself, count what the games are like, and keep what it thought
    Selfplay(Box<selfplay::Args>),
    /// Do one of the papers' experiments, from the first game to a report with plots
    Lab(Box<lab::Args>),
    /// Open a local page to analyse and play in a browser
    Serve(serve::Args),
    /// Find out what players solve of the test positions in EPD files, and how soon
    Suite(Box<suite::Args>),
    /// Look into network files
    Net(net::Args),
    /// Make, count, look at and convert training data
    Datagen(datagen::Args),
    /// Train a network, and have it play for the place of the old one
    Train(Box<train::Args>),
    /// Plan work for many machines, see how far it has come, and put it together
    Fleet(fleet::Args),
    /// Say what this machine offers (CPU, GPUs, memory, networks) and which settings suit it
    Doctor(doctor::Args),
    /// Print every UCI option with its default, its values and what it means
    Options(options::Args),
    /// Print the script with which a shell completes these words
    Completions(completions::Args),
    /// Print the manual page, or write one for each subcommand
    Man(man::Args),
}

fn main() -> ExitCode {
    cpu::require_features();
    run()
}

/// Kept apart from `main`, which must not begin with an instruction that the processor lacks.
#[inline(never)]
fn run() -> ExitCode {
    let cli = Cli::parse();
    // What is neither a subcommand nor a UCI command is a slip of the hand.
    if let Some(word) = cli.uci.iter().find(|line| !tandem_uci::is_command(line)) {
        let problem = format!(
            "'{word}' is neither a subcommand nor a UCI command (in quotes, if it has several words)"
        );
        Cli::command().error(clap::error::ErrorKind::InvalidSubcommand, problem).exit();
    }
    let outcome = carry_out(cli.command.unwrap_or(Command::Uci(uci::Args { commands: cli.uci })));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if let Some(&Code(code)) = error.downcast_ref::<Code>() => ExitCode::from(code),
        Err(error) => {
            eprintln!("tandem: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does what a command says.
fn carry_out(command: Command) -> Outcome {
    match command {
        Command::Uci(args) => uci::run(&args),
        Command::Perft(args) => {
            perft::run(&args);
            Ok(())
        }
        Command::Bench(args) => bench::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Classify(args) => classify::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Net(args) => net::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Fleet(args) => fleet::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Options(args) => options::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
