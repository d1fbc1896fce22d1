//! `tandem doctor`: what this machine offers, and the settings that suit it.

mod advice;
mod gpu;
mod machine;
mod measure;

use serde_json::{Value, json};
use tandem_nnue::{Kernel, Networks};

use self::advice::Advice;
use self::gpu::Gpu;
use self::machine::Machine;
use self::measure::{Measured, Subject};
use crate::Outcome;
use crate::output::outln;

/// The words after `tandem doctor`.
#[derive(clap::Args)]
pub struct Args {
    /// The network to measure with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// Measure both searches with different settings, for half a minute, and recommend what was fast
    #[arg(long)]
    measure: bool,
    /// Measure for a quarter of that time, less exactly
    #[arg(long, requires = "measure")]
    quick: bool,
    /// Seconds a move that Hash is to be enough for
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds, requires = "measure")]
    think: f64,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Looks at processor, memory, GPUs, networks and caches, and measures if that is asked for.
pub fn run(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, "")?;
    let machine = Machine::look();
    let kernel = Kernel::chosen()?;
    let policy = tandem_engine::networks::load_policy("")?;
    let gpu = Gpu::look(networks.as_ref(), policy.as_ref(), machine.cores);
    let subject = Subject {
        networks: networks.as_ref(),
        policy: policy.as_ref(),
        machine: &machine,
        most_memory: advice::most_memory(&machine),
        has_gpu: gpu.has_adapter(),
        is_quick: args.quick,
    };
    let measured = args.measure.then(|| Measured::take(&subject)).transpose()?;
    let advice = match &measured {
        Some(measured) => Advice::by_speed(measured, args.think, &machine, &gpu),
        None => Advice::by_looks(&machine, &gpu),
    };
    if args.json {
        let mut report = as_json(args, &machine, kernel, networks.as_ref(), &gpu, &advice);
        report["measured"] = measured.as_ref().map(Measured::as_json).into();
        outln!("{report}");
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
    match &measured {
        Some(measured) => {
            let think = args.think;
            outln!("\n{measured}\n\nRecommended by these speeds, for {think} s a move:");
        }
        None => outln!("\nBy what there is (--measure finds out by speed):"),
    }
    outln!("{advice}");
    Ok(())
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
        "settings": advice.as_json(),
    })
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=100_000.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.01 to 100000".into()),
    }
}
