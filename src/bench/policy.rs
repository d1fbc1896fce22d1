//! `tandem bench policy`: how fast the moves of real games are judged.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tandem_nnue::bench::Lines;
use tandem_nnue::policy::bench::{Judged, Measurement, measure};
use tandem_nnue::{Kernel, PolicyEvaluator, PolicyNetwork};

use crate::Outcome;
use crate::output::outln;

/// The words after `tandem bench policy`.
#[derive(clap::Args)]
pub struct Args {
    /// The policy networks to measure; without any, the one in the program
    networks: Vec<PathBuf>,
    /// How often the positions are gone through; the best round counts
    #[arg(long, default_value = "50", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Measures each network on every kernel that this processor can run.
pub fn run(args: &Args) -> Outcome {
    let judged = Judged::of(&Lines::bundled());
    let moves = judged.moves() as f64 / judged.positions() as f64;
    if !args.json {
        outln!(
            "one thread, {} positions of games that a strong engine played against itself, in random order, \
             {moves:.1} legal moves each",
            judged.positions()
        );
    }
    let mut report = Vec::new();
    if args.networks.is_empty() {
        let embedded = tandem_engine::networks::load_policy("")?
            .ok_or("there is no policy network in this program: name one or more files")?;
        report.push(network("in the program", embedded.network(), &judged, args)?);
    }
    for path in &args.networks {
        let loaded = Arc::new(PolicyNetwork::load(path)?);
        report.push(network(&path.display().to_string(), &loaded, &judged, args)?);
    }
    if args.json {
        outln!(
            "{}",
            json!({
                "positions": judged.positions(), "moves_per_position": moves, "networks": report,
            })
        );
    }
    Ok(())
}

/// Measures one network and, for people, prints its table.
fn network(
    name: &str,
    network: &Arc<PolicyNetwork>,
    judged: &Judged,
    args: &Args,
) -> Result<Value, Box<dyn std::error::Error>> {
    let on = |kernel: Kernel| -> Result<Measurement, Box<dyn std::error::Error>> {
        let mut evaluator = PolicyEvaluator::with_kernel(Arc::clone(network), kernel)?;
        // The scalar kernel is several times slower and only a yardstick.
        let part = if kernel == Kernel::Scalar { 10 } else { 1 };
        Ok(measure(&mut evaluator, judged, (args.rounds as usize).div_ceil(part)))
    };
    let scalar = on(Kernel::Scalar)?;
    if !args.json {
        let (id, memory) = (network.digest().policy_name(), network.memory() as f64 / 1e6);
        outln!("\n{name}: {id}, {} neurons, {memory:.1} MB in memory", network.hidden());
        outln!("{:8} {:>12} {:>12} {:>11}", "kernel", "us/position", "judgements", "to scalar");
    }
    let mut rows = Vec::new();
    for kernel in Kernel::available() {
        let row = if kernel == Kernel::Scalar { scalar } else { on(kernel)? };
        if row.checksum != scalar.checksum {
            return Err(format!("{name}: {kernel} and scalar differ").into());
        }
        let (microseconds, judgements) = (row.microseconds, row.judgements);
        let ratio = scalar.microseconds / microseconds;
        if !args.json {
            let kernel = kernel.to_string();
            outln!("{kernel:8} {microseconds:12.3} {judgements:12} {ratio:10.1}x");
        }
        rows.push(json!({
            "kernel": kernel.to_string(), "microseconds_per_position": microseconds,
            "judgements": judgements, "ratio_to_scalar": ratio,
            "checksum": format!("{:016x}", row.checksum),
        }));
    }
    Ok(json!({
        "network": name, "name": network.digest().policy_name(), "hidden": network.hidden(),
        "memory_bytes": network.memory(), "kernels": rows,
    }))
}
