//! `tandem bench eval`: how fast networks are evaluated on real games.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use tandem_nnue::bench::{Lines, Measurement, Order, measure};
use tandem_nnue::{Kernel, Network, Networks};

use crate::Outcome;
use crate::output::outln;

/// The words after `tandem bench eval`.
#[derive(clap::Args)]
pub struct Args {
    /// The networks to measure; without any, the one in the program
    networks: Vec<PathBuf>,
    /// How often the games are gone through; the best round counts
    #[arg(long, default_value = "50", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Measures each network on the best kernel and on the scalar one.
pub fn run(args: &Args) -> Outcome {
    let lines = Lines::bundled();
    let mut report = Vec::new();
    if !args.json {
        outln!(
            "one thread, {} positions of games that a strong engine played against itself; refresh: \
             every position from nothing; incremental: along the games; shuffled: in random order",
            lines.positions()
        );
    }
    if args.networks.is_empty() {
        let embedded = tandem_engine::networks::load("", "")?
            .ok_or("there is no network in this program: name one or more files")?;
        report.push(network("the network in the program", &embedded, None, &lines, args)?);
    }
    for path in &args.networks {
        let start = Instant::now();
        let loaded = Arc::new(Network::load(path)?);
        let seconds = start.elapsed().as_secs_f64();
        let networks = Networks::new(loaded, None)?;
        let name = path.display().to_string();
        report.push(network(&name, &networks, Some(seconds), &lines, args)?);
    }
    if args.json {
        outln!("{}", json!({ "positions": lines.positions(), "networks": report }));
    }
    Ok(())
}

/// Measures one network and, for people, prints its table.
fn network(
    name: &str,
    networks: &Networks,
    load_seconds: Option<f64>,
    lines: &Lines,
    args: &Args,
) -> Result<serde_json::Value, Box<dyn std::error::Error>> {
    let scalar = networks.clone().with_kernel(Kernel::Scalar)?;
    // The scalar kernel is many times slower and only a yardstick.
    let (rounds, few) = (args.rounds as usize, (args.rounds as usize).div_ceil(10));
    if !args.json {
        outln!("\n{name}: {}", networks.large().architecture());
        if let Some(seconds) = load_seconds {
            let shared = networks.large().is_shared();
            outln!("loaded in {seconds:.3} s{}", if shared { ", shared" } else { "" });
        }
        outln!(
            "{:8} {:12} {:>8} {:>12} {:>9} {:>8} {:>8}  {:>9}",
            "kernel",
            "order",
            "us/eval",
            "evals/s",
            "bytes",
            "pieces",
            "threats",
            "to scalar"
        );
    }
    let mut rows = Vec::new();
    for order in Order::ALL {
        let best = measure(networks, lines, order, rounds);
        let plain = measure(&scalar, lines, order, few);
        if best.checksum != plain.checksum {
            return Err(format!("{name}: {} and scalar differ in {order}", best.kernel).into());
        }
        let ratio = plain.seconds / best.seconds;
        if !args.json {
            print_row(&best, ratio);
        }
        rows.push(json!({
            "kernel": best.kernel.to_string(), "order": order.to_string(),
            "microseconds": best.microseconds(), "evaluations_per_second": best.per_second(),
            "bytes_per_evaluation": best.bytes, "scalar_microseconds": plain.microseconds(),
            "ratio_to_scalar": ratio, "checksum": format!("{:016x}", best.checksum),
        }));
    }
    Ok(json!({
        "network": name, "architecture": networks.large().architecture().to_string(),
        "load_seconds": load_seconds, "orders": rows,
    }))
}

fn print_row(row: &Measurement, ratio: f64) {
    let per_evaluation = |count: u64| count as f64 / row.evaluations as f64;
    outln!(
        "{:8} {:12} {:8.3} {:12.0} {:9.0} {:8.1} {:8.1}  {:8.1}x",
        row.kernel.to_string(),
        row.order.to_string(),
        row.microseconds(),
        row.per_second(),
        row.bytes,
        per_evaluation(row.work.piece_rows),
        per_evaluation(row.work.threat_rows),
        ratio
    );
}
