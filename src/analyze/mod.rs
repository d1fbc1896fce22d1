//! `tandem analyze`: what both searches make of a position, of questions in JSON, or of whole games.

mod graph;
mod pgn;
mod position;
mod table;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::ValueEnum;
use tandem_analysis::session::Session;
use tandem_analysis::{Defaults, Pool, PoolSettings, request};
use tandem_chess::Position;
use tandem_engine::{Limits, SearchMode};
use tandem_games::Shard;

use crate::{Outcome, interrupt};

const MORE: &str = "Questions in JSON are read from standard input, one a line, and answered one a line: \
    {\"id\":\"a\",\"moves\":[\"e2e4\"],\"movetime\":500}. docs/analysis.md describes every field.";

/// The words after `tandem analyze`.
#[derive(Clone, clap::Args)]
#[command(after_help = MORE)]
pub struct Args {
    /// Games to annotate, or - to read questions in JSON from standard input, also from a terminal
    #[arg(value_name = "FILE.pgn", conflicts_with_all = ["fen", "moves"])]
    files: Vec<PathBuf>,
    /// The position, instead of the start position
    #[arg(long)]
    fen: Option<Position>,
    /// Moves from there, as UCI or as people write them
    #[arg(long, num_args = 1.., value_delimiter = ' ')]
    moves: Vec<String>,

    /// Time for each position: seconds, or with a unit, as in 100ms [default: 1, for games 100ms]
    #[arg(long, value_parser = time)]
    movetime: Option<Duration>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
    /// How many best lines are shown
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Which search answers
    #[arg(long, value_enum, ignore_case = true, default_value_t)]
    mode: Mode,
    /// An option of the engine, as UCI names it; can be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// How many threads search, together [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// MiB for tables and trees, together
    #[arg(long, default_value = "256", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// How many positions are looked at side by side, each with its share of threads and memory; for games
    /// and questions in JSON [default: as many as threads]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Print JSON: one object for the position, or for each game
    #[arg(long)]
    json: bool,

    /// Where the annotated games go, instead of standard output; a FOLDER/ gets them as a part of a larger work
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Analyse only part I of N of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true)]
    shard: Shard,
    /// A picture of each game's chances; of several games, each picture's name gets the number of its game
    #[arg(long, value_name = "FILE.svg")]
    graph: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Mode {
    #[value(name = "alphabeta")]
    AlphaBeta,
    #[value(name = "mcts")]
    Mcts,
    #[default]
    #[value(name = "hybrid")]
    Hybrid,
}

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::AlphaBeta => Self::AlphaBeta,
            Mode::Mcts => Self::Mcts,
            Mode::Hybrid => Self::Hybrid,
        }
    }
}

/// Analyses what the words ask for.
pub fn run(args: &Args) -> Outcome {
    let stop = interrupt::signal()?;
    let is_session = matches!(args.files.as_slice(), [file] if file.as_os_str() == "-");
    if !args.files.is_empty() && !is_session {
        return pgn::run(args, &stop);
    }
    if args.out.is_some() || args.graph.is_some() || !args.shard.is_whole() {
        return Err("--out, --graph and --shard are for games; name a PGN file".into());
    }
    let has_position = args.fen.is_some() || !args.moves.is_empty();
    if !is_session && (has_position || io::stdin().is_terminal()) {
        return position::run(args, &stop);
    }
    session(args, &stop)
}

/// Answers questions in JSON.
fn session(args: &Args, stop: &AtomicBool) -> Outcome {
    let defaults = Defaults {
        limits: args.limits(Duration::from_secs(1)),
        multi_pv: args.multipv.into(),
        mode: args.mode.into(),
        chess960: args.chess960,
    };
    let pool = Pool::new(&args.pool(args.threads()))?;
    let input = io::BufReader::new(io::stdin());
    Session::new(pool, defaults, Box::new(io::stdout())).run(input, stop)?;
    Ok(())
}

impl Args {
    /// What a position may take; that time if nothing else is said.
    fn limits(&self, usual: Duration) -> Limits {
        let limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
            ..Limits::default()
        };
        if limits == Limits::default() { Limits::movetime(usual) } else { limits }
    }

    /// What decides what is found, in words.
    fn said(&self) -> serde_json::Value {
        let limits = self.limits(pgn::USUAL);
        let options: Vec<String> =
            self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        serde_json::json!({
            "files": self.files,
            "movetime": limits.movetime.map(|time| time.as_secs_f64()),
            "nodes": limits.nodes,
            "depth": limits.depth,
            "mode": format!("{:?}", SearchMode::from(self.mode)),
            "options": options,
            "threads": self.threads(),
            "concurrency": self.concurrency,
            "hash": self.hash,
        })
    }

    fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// What so many engines share, unless another number is asked for.
    fn pool(&self, workers: usize) -> PoolSettings {
        PoolSettings {
            workers: self.concurrency.map_or(workers, usize::from),
            threads: self.threads(),
            hash: self.hash as usize,
            options: self.options.clone(),
        }
    }
}

/// A time: seconds, or a number with its unit.
fn time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .or_else(|| humantime::parse_duration(text).ok())
        .filter(|time| *time >= Duration::from_millis(1))
        .ok_or_else(|| "expected a time of at least 1ms, as in 0.5, 100ms or 2m".to_owned())
}

/// Name and value of an option that may be set here.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    request::check_option(name.trim(), value)?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
