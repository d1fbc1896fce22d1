//! `tandem bench perft`: the speed of the rules core.
//!
//! Rounds of the compared programs alternate, so that a noisy machine disturbs all alike; each
//! figure is the best round.

use std::num::NonZeroUsize;
use std::time::Instant;

use serde_json::json;
use tandem_chess::attacks::{Indexing, force_indexing, indexing};
use tandem_chess::{Position, perft, perft_parallel};

use super::processes;
use crate::Outcome;
use crate::output::{out, outln};

/// The words after `tandem bench perft`.
#[derive(clap::Args)]
pub struct Args {
    /// How many rounds each program runs; the best counts
    #[arg(long, default_value = "7")]
    rounds: NonZeroUsize,
    /// How many threads the parallel part uses
    #[arg(long, default_value = "2")]
    threads: NonZeroUsize,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

const CASES: [Case; 2] = [
    Case {
        name: "start position",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        nodes: 119_060_324,
    },
    Case {
        name: "Kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
];

/// Runs the comparison and prints speeds and ratios.
pub fn run(args: &Args) -> Outcome {
    let chosen = indexing();
    let mut report = Vec::new();
    if !args.json {
        outln!("one thread, best of {} rounds in turns, million leaves a second", args.rounds);
        outln!("{:16} {:>5} {:>12}  speeds and ratios", "position", "depth", "leaves");
    }
    for case in &CASES {
        let row = compare(case, args.rounds.get(), chosen)?;
        if !args.json {
            print_row(case, &row, chosen);
        }
        report.push(json!({
            "position": case.name, "fen": case.fen, "depth": case.depth, "nodes": case.nodes,
            "nps": row.ours, "magic_nps": row.magic, "cozy_chess_nps": row.cozy,
            "ratio_to_cozy_chess": row.cozy.map(|cozy| row.ours / cozy),
        }));
    }
    let threads = args.threads.get();
    let parallel = compare_threads(&CASES[1], args.rounds.get(), threads)?;
    let ratio = parallel.threads / parallel.processes;
    if args.json {
        let threads = json!({
            "threads": threads, "nps": parallel.threads,
            "independent_processes_nps": parallel.processes, "ratio": ratio,
        });
        outln!(
            "{}",
            json!({ "indexing": format!("{chosen:?}"), "one_thread": report, "parallel": threads })
        );
    } else {
        outln!(
            "{threads} threads on {}: {:.1}, {threads} independent processes: {:.1}, ratio {ratio:.3}",
            CASES[1].name,
            parallel.threads / 1e6,
            parallel.processes / 1e6,
        );
    }
    Ok(())
}

/// Leaves a second.
struct Row {
    ours: f64,
    /// With magics, where PEXT is what was chosen.
    magic: Option<f64>,
    cozy: Option<f64>,
}

fn compare(case: &Case, rounds: usize, chosen: Indexing) -> Result<Row, String> {
    let position = Position::from_fen(case.fen).map_err(|error| error.to_string())?;
    let mut row = Row { ours: 0.0, magic: None, cozy: None };
    for _ in 0..rounds {
        row.ours = row.ours.max(speed(case, || perft(&position, case.depth))?);
        if chosen == Indexing::Pext {
            force_indexing(Indexing::Magic);
            let magic = speed(case, || perft(&position, case.depth))?;
            force_indexing(chosen);
            row.magic = Some(row.magic.unwrap_or(0.0).max(magic));
        }
        #[cfg(feature = "yardstick")]
        {
            let board = case.fen.parse().map_err(|error| format!("cozy-chess: {error}"))?;
            let cozy = speed(case, || yardstick::perft(&board, case.depth))?;
            row.cozy = Some(row.cozy.unwrap_or(0.0).max(cozy));
        }
    }
    Ok(row)
}

fn print_row(case: &Case, row: &Row, chosen: Indexing) {
    out!(
        "{:16} {:>5} {:>12}  tandem ({chosen:?}) {:.1}",
        case.name,
        case.depth,
        case.nodes,
        row.ours / 1e6
    );
    if let Some(magic) = row.magic {
        out!(", with magics {:.1}", magic / 1e6);
    }
    match row.cozy {
        Some(cozy) => {
            outln!(", cozy-chess {:.1}, ratio {:.3}", cozy / 1e6, row.ours / cozy);
        }
        None => outln!(" (built without the yardstick feature: no cozy-chess beside it)"),
    }
}

/// Leaves a second of one run, which must count what is known to be right.
fn speed(case: &Case, count: impl FnOnce() -> u64) -> Result<f64, String> {
    let start = Instant::now();
    let nodes = count();
    let seconds = start.elapsed().as_secs_f64();
    if nodes == case.nodes {
        Ok(nodes as f64 / seconds)
    } else {
        Err(format!("{}: counted {nodes} leaves instead of {}", case.name, case.nodes))
    }
}

/// Leaves a second of all together.
struct Parallel {
    threads: f64,
    processes: f64,
}

/// One process with several threads against as many processes with one thread each.
fn compare_threads(case: &Case, rounds: usize, threads: usize) -> Result<Parallel, String> {
    let position = Position::from_fen(case.fen).map_err(|error| error.to_string())?;
    let mut best = Parallel { threads: 0.0, processes: 0.0 };
    for _ in 0..rounds {
        let together = speed(case, || perft_parallel(&position, case.depth, threads))?;
        best.threads = best.threads.max(together);
        best.processes = best.processes.max(independent_processes(case, threads)?);
    }
    Ok(best)
}

/// Runs `tandem perft` several times at once and adds up the speeds that they report.
fn independent_processes(case: &Case, count: usize) -> Result<f64, String> {
    let depth = case.depth.to_string();
    let outputs = processes::outputs(count, &["perft", &depth, "--fen", case.fen])?;
    let speed = |output: &String| output.trim_end().rsplit(' ').next()?.parse::<f64>().ok();
    let speeds: Option<Vec<f64>> = outputs.iter().map(speed).collect();
    Ok(speeds.ok_or("another process printed no speed")?.iter().sum())
}

/// Another well-known move generator, compiled with the same flags.
#[cfg(feature = "yardstick")]
mod yardstick {
    use cozy_chess::Board;

    pub fn perft(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for m in moves {
                    let mut next = board.clone();
                    next.play_unchecked(m);
                    nodes += perft(&next, depth - 1);
                }
            }
            false
        });
        nodes
    }
}
