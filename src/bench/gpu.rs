//! `tandem bench gpu`: the hybrid paper's Tables 8 to 12 on this machine's GPU.

use std::path::PathBuf;

use serde_json::{Value, json};
use tandem_gpu::bench::{Judging, JudgingRow, LatencyRow, Quantiles, Report};

use super::gpu_plot;
use crate::Outcome;
use crate::output::outln;

/// The words after `tandem bench gpu`.
#[derive(clap::Args)]
pub struct Args {
    /// How often everything is measured, after as many rounds to warm up
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: u32,
    /// The network to evaluate with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// The policy network, instead of the one in the program; none for no moves
    #[arg(long, value_name = "FILE", default_value = "")]
    policy_net: String,
    /// Draw the time a position takes by batch size, as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Measures and prints the tables.
pub fn run(args: &Args) -> Outcome {
    let is_svg = |file: &PathBuf| file.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
    if let Some(file) = args.plot.as_ref().filter(|file| !is_svg(file)) {
        let place = file.display();
        return Err(format!(
            "cannot draw {place}: plots are SVG, so name a file that ends in .svg"
        )
        .into());
    }
    let networks = tandem_engine::networks::load(&args.net, "")?
        .ok_or("there is no network in this program: name one with --net FILE")?;
    let policy = tandem_engine::networks::load_policy(&args.policy_net)?;
    let progress = indicatif::ProgressBar::new_spinner();
    let name = tandem_engine::networks::names(&args.net, "");
    let iterations = args.iterations as usize;
    let show = |step: &str| {
        progress.set_message(step.to_owned());
        progress.tick();
        true
    };
    let report = tandem_engine::gpu_bench(&networks, &name, policy.as_ref(), iterations, show);
    progress.finish_and_clear();
    let report = report?.ok_or("the bench was stopped")?;
    if let Some(file) = &args.plot {
        let picture = gpu_plot::draw(&report)?;
        std::fs::write(file, picture)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    if args.json {
        outln!("{}", as_json(&report));
    } else {
        outln!("{report}");
    }
    Ok(())
}

fn as_json(report: &Report) -> Value {
    let quantiles = |q: Quantiles| json!({ "median": q.median, "p95": q.p95, "p99": q.p99 });
    let stage = |row: &tandem_gpu::bench::StageRow| {
        json!({
            "batch": row.size, "pack": row.pack, "upload": row.upload, "submit": row.submit,
            "device": row.device, "score": row.score,
        })
    };
    let latency = |row: &LatencyRow| {
        json!({
            "batch": row.size, "plain": quantiles(row.plain),
            "subgroup": row.subgroup.map(quantiles), "cpu": quantiles(row.cpu),
        })
    };
    let batching = |row: &tandem_gpu::bench::BatchingRow| json!({ "batch": row.size, "sequential": row.sequential, "batched": row.batched });
    let source = |row: &tandem_gpu::bench::SourceRow| json!({ "batch": row.size, "boards": row.boards, "lists": row.lists });
    let (info, limits, c) = (&report.adapter.info, &report.adapter.limits, &report.consistency);
    json!({
        "adapter": {
            "name": info.name, "backend": info.backend.to_string(), "driver": info.driver,
            "driver_info": info.driver_info, "unified_memory": report.adapter.is_unified,
            "max_buffer": limits.max_buffer_size,
            "max_binding": limits.max_storage_buffer_binding_size,
            "max_workgroup": limits.max_compute_invocations_per_workgroup,
            "max_workgroup_memory": limits.max_compute_workgroup_storage_size,
        },
        "network": report.network, "network_bytes": report.memory, "cpu_kernel": report.kernel,
        "iterations": report.iterations, "unit": "us",
        "dispatch": quantiles(report.dispatch),
        "stages": report.stages.iter().map(stage).collect::<Vec<_>>(),
        "latency": report.latencies.iter().map(latency).collect::<Vec<_>>(),
        "batching": report.batching.iter().map(batching).collect::<Vec<_>>(),
        "features": report.sources.iter().map(source).collect::<Vec<_>>(),
        "children": {
            "parents": report.children.parents, "children": report.children.children,
            "fresh": report.children.fresh, "from_parent": report.children.from_parent,
        },
        "consistency": {
            "positions": c.positions, "runs": c.runs, "nonzero": c.nonzero,
            "consistent": c.consistent, "equal_to_cpu": c.exact, "mean": c.mean,
            "lowest": c.range.0, "highest": c.range.1,
        },
        "judging": report.judging.as_ref().map(judging_as_json),
        "gpu_wins_from": report.crossover(), "evaluations": report.evaluations,
    })
}

fn judging_as_json(judging: &Judging) -> Value {
    let row = |row: &JudgingRow| {
        json!({
            "batch": row.size, "moves": row.moves, "values": row.values, "both": row.both,
            "listing": row.listing, "cpu": row.cpu,
        })
    };
    json!({
        "network": judging.network, "network_bytes": judging.memory,
        "rows": judging.rows.iter().map(row).collect::<Vec<_>>(),
        "moves": judging.moves, "equal_to_cpu": judging.exact,
        "positions_judged": judging.judgements,
    })
}
