//! `tandem perft`: counting the leaves of the game tree.

use std::num::NonZeroUsize;
use std::time::Instant;

use tandem_chess::{CastlingNotation, Position, perft, perft_divide, perft_parallel};

use crate::output::outln;

/// The words after `tandem perft`.
#[derive(clap::Args)]
pub struct Args {
    /// How many half-moves deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// The position to start from, instead of the start position
    #[arg(long, default_value = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")]
    fen: Position,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Show the count below each first move
    #[arg(long)]
    divide: bool,
    /// How many threads count
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Counts and prints; the last line is `nodes N time S nps N`.
pub fn run(args: &Args) {
    let notation =
        if args.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
    let (position, depth, threads) = (&args.fen, args.depth, args.threads.get());
    let start = Instant::now();
    let moves = if args.divide { perft_divide(position, depth, threads) } else { Vec::new() };
    let nodes = match (args.divide && depth > 0, threads) {
        (true, _) => moves.iter().map(|&(_, nodes)| nodes).sum(),
        (false, 1) => perft(position, depth),
        (false, _) => perft_parallel(position, depth, threads),
    };
    let seconds = start.elapsed().as_secs_f64();
    let nps = nodes as f64 / seconds.max(1e-9);
    let named = moves.iter().map(|&(m, nodes)| (position.uci(m, notation), nodes));
    if args.json {
        let divide: serde_json::Map<_, _> =
            named.map(|(name, nodes)| (name, nodes.into())).collect();
        outln!(
            "{}",
            serde_json::json!({
                "fen": position.to_string(), "depth": depth, "threads": threads,
                "nodes": nodes, "seconds": seconds, "nps": nps.round(), "divide": divide,
            })
        );
    } else {
        for (name, nodes) in named {
            outln!("{name}: {nodes}");
        }
        outln!("nodes {nodes} time {seconds:.3} nps {nps:.0}");
    }
}
