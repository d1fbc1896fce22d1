//! `tandem bench`: how fast this machine is, and the papers' tables.

mod contempt;
mod eval;
mod gpu;
mod gpu_plot;
mod hpc;
mod hybrid;
mod live;
mod mcts;
mod perft;
mod policy;
mod processes;

use std::time::{Duration, Instant};

use clap::Subcommand;
use tandem_chess::{Game, Position};
use tandem_engine::{Control, Limits, Search};

use crate::Outcome;
use crate::output::outln;

/// The words after `tandem bench`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// How many half-moves deep each position is searched
    #[arg(default_value_t = tandem_engine::BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// The network to evaluate with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// MiB for the transposition table
    #[arg(long, default_value = "16", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    table: Option<Table>,
}

#[derive(Subcommand)]
enum Table {
    /// Move generation: perft, beside cozy-chess and on several threads
    Perft(perft::Args),
    /// Networks: evaluations a second along real games, on this processor's kernel and the scalar one
    Eval(eval::Args),
    /// Policy networks: how long judging the legal moves of a position takes, on every kernel
    Policy(policy::Args),
    /// The GPU: dispatch, stages, latency by batch size, consistency; the hybrid paper's Tables 8 to 12
    Gpu(gpu::Args),
    /// Monte Carlo tree search: playouts a second and where their time goes, the hybrid paper's Table 5
    Mcts(mcts::Args),
    /// Both searches in tandem: modes and ablation, the hybrid paper's Tables 4 and 6
    Hybrid(hybrid::Args),
    /// What it costs that a search tells of every move while it thinks
    Live(live::Args),
    /// What search-contempt costs: the frozen positions beside plain PUCT
    Contempt(Box<contempt::Args>),
    /// The HPC paper's plain alpha-beta beside its Table 1, and what a table and more would save
    Hpc(hpc::Args),
}

/// Runs the asked benchmark.
pub fn run(args: &Args) -> Outcome {
    match &args.table {
        Some(Table::Perft(args)) => perft::run(args),
        Some(Table::Eval(args)) => eval::run(args),
        Some(Table::Policy(args)) => policy::run(args),
        Some(Table::Gpu(args)) => gpu::run(args),
        Some(Table::Mcts(args)) => mcts::run(args),
        Some(Table::Hybrid(args)) => hybrid::run(args),
        Some(Table::Live(args)) => live::run(args),
        Some(Table::Contempt(args)) => contempt::run(args),
        Some(Table::Hpc(args)) => hpc::run(args),
        None => signature(args),
    }
}

/// Fixed work on one thread; the last line is what `OpenBench` reads.
fn signature(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, "")?;
    let bench = tandem_engine::bench(
        args.depth,
        args.hash as usize,
        networks.as_ref(),
        &Control::default(),
    )
    .ok_or("the bench was stopped")?;
    if args.json {
        outln!(
            "{}",
            serde_json::json!({
                "depth": args.depth, "positions": bench.positions, "nodes": bench.nodes,
                "seconds": bench.time.as_secs_f64(), "nps": bench.nps(),
            })
        );
    } else {
        outln!("{} positions to depth {}", bench.positions, args.depth);
        outln!("{} nodes {} nps", bench.nodes, bench.nps());
    }
    Ok(())
}

/// Seconds that a measurement may take.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.01 to 3600".into()),
    }
}

/// How often a search is told to stop.
const STOPS: usize = 50;

/// Milliseconds from the word to stop to the answer, the shortest first.
fn time_stops(search: &mut dyn Search) -> Vec<f64> {
    let (game, limits) = (Game::new(Position::startpos()), Limits::default());
    let mut times: Vec<f64> = (0..STOPS)
        .map(|_| {
            let control = Control::default();
            std::thread::scope(|scope| {
                let thread = scope.spawn(|| search.search(&game, &limits, &control, &mut |_| {}));
                std::thread::sleep(Duration::from_millis(20));
                let start = Instant::now();
                control.stop();
                let _ = thread.join();
                start.elapsed().as_secs_f64() * 1e3
            })
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}
