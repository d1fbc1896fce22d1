//! `tandem doctor`: what this machine offers, and the settings that suit it.

mod gpu;
mod machine;

use serde_json::{Value, json};
use tandem_nnue::{Kernel, Networks};

use self::gpu::Gpu;
use self::machine::Machine;
use crate::Outcome;
use crate::output::outln;

/// The words after `tandem doctor`.
#[derive(clap::Args)]
pub struct Args {
    /// The network to measure with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Looks at processor, memory, GPUs, networks and caches.
pub fn run(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, "")?;
    let machine = Machine::look();
    let kernel = Kernel::chosen()?;
    let policy = tandem_engine::networks::load_policy("")?;
    let gpu = Gpu::look(networks.as_ref(), policy.as_ref(), machine.cores);
    let advice = Advice::new(&machine, &gpu);
    if args.json {
        outln!("{}", as_json(args, &machine, kernel, networks.as_ref(), &gpu, &advice));
        return Ok(());
    }
    outln!("processor        {}", machine.processor);
    outln!("instructions     {}", machine.features.join(" "));
    outln!("kernel           {kernel}{}", networks.as_ref().map_or("", |_| " for the networks"));
    outln!("cores            {}", machine.cores);
    outln!("memory           {}", machine.memory_text());
    outln!("network          {}", network_text(args, networks.as_ref()));
    outln!("policy network   {}", tandem_engine::networks::describe_policy("", policy.as_ref()));
    outln!("caches           {}", caches().join(", "));
    outln!("{gpu}");
    outln!(
        "settings         Threads {}, Hash {}, Backend {}",
        advice.threads,
        advice.hash,
        advice.backend
    );
    Ok(())
}

/// The settings that suit this machine.
struct Advice {
    threads: usize,
    hash: u64,
    backend: &'static str,
}

impl Advice {
    fn new(machine: &Machine, gpu: &Gpu) -> Self {
        // A quarter of the memory leaves room for everything else that runs here.
        let hash = machine.memory.map_or(256, |mib| (mib / 4).clamp(16, 65_536));
        let backend = if gpu.wins() { "gpu" } else { "cpu" };
        Self { threads: machine.cores, hash, backend }
    }
}

fn network_text(args: &Args, networks: Option<&Networks>) -> String {
    networks.map_or("none in the program: name one with EvalFile".into(), |networks| {
        let name = tandem_engine::networks::names(&args.net, "");
        let place = if args.net.is_empty() { "in the program" } else { "from a file" };
        format!("{name} ({place}), {}", networks.large().architecture())
    })
}

/// The folders in which something is kept between runs.
fn caches() -> Vec<String> {
    let cache = tandem_nnue::cache_folder();
    let folder = |name: &str| cache.as_ref().map(|cache| cache.join("tandem").join(name));
    ["images", "gpu"].into_iter().filter_map(folder).map(|f| f.display().to_string()).collect()
}

fn as_json(
    args: &Args,
    machine: &Machine,
    kernel: Kernel,
    networks: Option<&Networks>,
    gpu: &Gpu,
    advice: &Advice,
) -> Value {
    json!({
        "processor": machine.processor, "instructions": machine.features,
        "kernel": kernel.to_string(), "cores": machine.cores, "memory_mib": machine.memory,
        "network": networks.map(|_| tandem_engine::networks::names(&args.net, "")),
        "policy_network":
            tandem_engine::networks::EMBEDDED_POLICY.map(|own| own.digest.policy_name()),
        "caches": caches(), "gpu": gpu.as_json(),
        "settings": { "Threads": advice.threads, "Hash": advice.hash, "Backend": advice.backend },
    })
}
