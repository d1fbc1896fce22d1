//! `tandem bench mcts`: the hybrid paper's Table 5 with real evaluations.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tandem_chess::{Game, Position};
use tandem_engine::{
    Backend, Batches, Control, Gpu, LeafKind, Params, Phase, Policy, Profile, Settings,
};
use tandem_gpu::Preference;
use tandem_nnue::{BatchEvaluator, Networks, PolicyEvaluator};

use super::{STOPS, processes};
use crate::Outcome;
use crate::output::outln;

/// The positions of the paper's benchmarks.
const POSITIONS: &str = include_str!("../../crates/engine/data/paper32.fens");
/// What the paper reports: playouts a second, and the share of time in each phase in percent.
const PAPER_RATE: f64 = 294_000.0;
const PAPER_SELECTION: f64 = 96.3;

/// The words after `tandem bench mcts`.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds for the start position; each of the paper's 32 positions gets a tenth of it
    #[arg(long, default_value_t = 3.0, value_parser = super::seconds)]
    time: f64,
    /// How many threads search
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// MiB for tree and table
    #[arg(long, default_value = "256", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Priors: by a policy network if there is one, heuristic or uniform
    #[arg(long, default_value = "network", value_parser = ["network", "heuristic", "uniform"])]
    policy: String,
    /// The policy network, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    policy_net: String,
    /// What is asked at a leaf
    #[arg(long, default_value = "static", value_parser = ["static", "quiescence"])]
    leaf: String,
    /// Where leaves are evaluated: on the CPU, or in batches on the GPU
    #[arg(long, default_value = "cpu", value_parser = ["cpu", "gpu"])]
    backend: String,
    /// Positions that a thread gathers at the most; 0 chooses, 1 evaluates at once
    #[arg(long, default_value = "0", value_parser = clap::value_parser!(u32).range(0..=4096))]
    batch: u32,
    /// The network to evaluate with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Measures the start position and the paper's 32.
pub fn run(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, "")?;
    let settings = Settings {
        hash: args.hash as usize,
        threads: args.threads as usize,
        move_overhead: Duration::ZERO,
        ..Settings::default()
    };
    let policy_network = tandem_engine::networks::load_policy(&args.policy_net)?;
    let (policy, priors) = match args.policy.as_str() {
        "uniform" => (Policy::Uniform, "uniform".to_owned()),
        "network" if let Some(network) = &policy_network => {
            (Policy::Network, network.network().digest().policy_name())
        }
        _ => (Policy::Heuristic, "heuristic".to_owned()),
    };
    let params = Params { policy, batch: args.batch as usize, ..Params::default() };
    let leaf = if args.leaf == "quiescence" { LeafKind::Quiescence } else { LeafKind::Static };
    let batches = batches(args, &settings, &params, networks.as_ref(), policy_network.as_ref())?;
    let mut search = tandem_engine::mcts(&settings, &params, leaf, networks.as_ref(), batches)
        .with_policy(policy_network);
    let mut measure = |position: Position, seconds: f64| {
        let time = Duration::from_secs_f64(seconds);
        Profile::of(&mut search, &Game::new(position), time, &Control::default())
    };
    // What the first search has to build is not part of it.
    measure(Position::startpos(), 0.05);
    let start = measure(Position::startpos(), args.time);
    let mut paper = Profile::default();
    for fen in POSITIONS.lines() {
        paper += measure(fen.parse()?, args.time / 10.0);
    }
    let stops = super::time_stops(&mut search);
    let memory = search.bytes() >> 20;
    // What the processes beside us need is theirs.
    drop(search);
    let processes = (args.threads > 1).then(|| independent_processes(args)).transpose()?;
    let rows = [("start position", &start), ("the paper's 32 positions", &paper)];
    if args.json {
        let rows: Vec<Value> = rows.map(|(name, row)| as_json(name, row)).into();
        let network = tandem_engine::networks::names(&args.net, "");
        outln!(
            "{}",
            json!({ "threads": args.threads, "memory_mib": memory, "policy": priors,
                    "backend": args.backend, "batch": args.batch,
                    "leaf": args.leaf, "network": network, "rows": rows,
                    "stop_median_ms": stops[STOPS / 2], "stop_worst_ms": stops[STOPS - 1],
                    "independent_processes_playouts_per_second": processes })
        );
        return Ok(());
    }
    outln!(
        "{} threads, {memory} MiB, {} priors, {} leaves, {}, batch size {}, {}",
        args.threads,
        priors,
        args.leaf,
        args.backend,
        args.batch,
        tandem_engine::networks::names(&args.net, "")
    );
    for (name, row) in rows {
        outln!("\n{name}\n{row}");
    }
    outln!(
        "\nstopped within {:.2} ms in half of {STOPS} searches, {:.2} ms at the most",
        stops[STOPS / 2],
        stops[STOPS - 1]
    );
    if let Some(sum) = processes {
        outln!(
            "{0} threads from the start position: {1:.0} playouts a second, {0} independent processes: {sum:.0}, \
             ratio {2:.3}",
            args.threads,
            start.rate(),
            start.rate() / sum
        );
    }
    outln!(
        "the paper: {PAPER_RATE:.0} playouts a second, {PAPER_SELECTION} % of the time in selection, and no \
         leaf evaluated"
    );
    Ok(())
}

/// Who evaluates batches. A GPU that is asked for is waited for, and missed.
fn batches(
    args: &Args,
    settings: &Settings,
    params: &Params,
    networks: Option<&Networks>,
    policy: Option<&PolicyEvaluator>,
) -> Result<Option<Arc<dyn BatchEvaluator>>, String> {
    if args.backend == "cpu" {
        return Ok(tandem_engine::batches(Backend::Cpu, settings, params, networks, policy));
    }
    let networks = networks.ok_or("the GPU evaluates networks, and there is none")?;
    let policy = policy.filter(|_| params.policy == Policy::Network);
    let (threads, always) = (settings.threads, params.batch > 1);
    let gpu = Gpu::shared(networks, policy, threads, Preference::Gpu, always);
    if gpu.wait() {
        return Ok(Some(gpu));
    }
    Err(gpu.take_notice().unwrap_or_else(|| "the GPU did not open in time".into()))
}

/// Playouts a second from the start position of as many processes as there are threads, each with one
/// thread and its share of the memory.
fn independent_processes(args: &Args) -> Result<f64, String> {
    let time = args.time.to_string();
    let hash = (args.hash / args.threads).max(1).to_string();
    let mut words = vec!["bench", "mcts", "--json", "--time", &time, "--hash", &hash];
    words.extend(["--policy", &args.policy, "--policy-net", &args.policy_net]);
    words.extend(["--leaf", &args.leaf, "--net", &args.net]);
    let batch = args.batch.to_string();
    words.extend(["--backend", &args.backend, "--batch", &batch]);
    let speed = |output: &String| {
        let report: Value = serde_json::from_str(output).ok()?;
        report["rows"][0]["playouts_per_second"].as_f64()
    };
    let outputs = processes::outputs(args.threads as usize, &words)?;
    let speeds: Option<Vec<f64>> = outputs.iter().map(speed).collect();
    Ok(speeds.ok_or("another process printed no speed")?.iter().sum())
}

fn batches_as_json(batches: &Batches) -> Value {
    json!({
        "batches": batches.batches, "positions_per_batch": batches.fill(),
        "share_of_wanted": batches.fullness(), "positions_judged": batches.judged,
        "lost": batches.lost,
        "collisions": batches.collisions, "in_flight_per_thread": batches.in_flight(),
        "overlap": batches.overlap(),
    })
}

fn as_json(name: &str, row: &Profile) -> Value {
    let counts = &row.counts;
    let share = |phase: Phase| (phase.name().to_owned(), json!(counts.share(phase)));
    json!({
        "position": name, "seconds": row.time.as_secs_f64(), "playouts": counts.playouts,
        "playouts_per_second": row.rate(), "network_evaluations": counts.evaluations(),
        "new_values": counts.evaluated, "table_hits": counts.table_hits,
        "finished": counts.finished, "hit_rate": counts.hit_rate(),
        "average_depth": counts.average_depth(), "deepest": counts.deepest,
        "batches": batches_as_json(&counts.batches),
        "shares": Value::Object(Phase::ALL.map(share).into_iter().collect()),
    })
}
