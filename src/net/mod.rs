//! `tandem net`: what network files hold.

mod policy;

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Subcommand, ValueEnum};
use serde_json::json;
use tandem_engine::networks;
use tandem_nnue::{Digest, Encoding, Network};
use tandem_train::{Config, Settings as _, learning};

use crate::Outcome;
use crate::output::outln;

/// The words after `tandem net`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Show a network's architecture, description, hashes and sizes
    Info {
        /// The network, for values or for policies; without this the one in the program, with its card
        file: Option<PathBuf>,
        /// The policy network in the program
        #[arg(long, conflicts_with = "file")]
        policy: bool,
        /// Print one JSON object instead
        #[arg(long)]
        json: bool,
    },
    /// Write a network again, compressed or not
    Export {
        /// The network
        file: PathBuf,
        /// Where to write it; an existing file is replaced
        target: PathBuf,
        /// How to store the numbers; without this, as they are
        #[arg(long)]
        encoding: Option<Form>,
    },
    /// Write a network of random numbers, as a training begins with
    Random {
        /// Where it goes
        target: PathBuf,
        /// Neurons per side in the first layer, a multiple of 128
        #[arg(long, default_value_t = 512)]
        l1: usize,
        /// Write a policy network instead, with so many neurons in its hidden layer, a multiple of 64
        #[arg(long, value_name = "NEURONS", conflicts_with = "l1")]
        policy: Option<usize>,
        /// Where chance begins
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Check that networks are whole: hashes, sizes, name, and that writing gives the same bytes
    Verify {
        /// The networks
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// As they lie in memory
    Raw,
    /// As signed LEB128, about half the size
    Leb128,
}

impl From<Form> for Encoding {
    fn from(form: Form) -> Self {
        match form {
            Form::Raw => Self::Raw,
            Form::Leb128 => Self::Leb128,
        }
    }
}

/// Carries out the task.
pub fn run(args: &Args) -> Outcome {
    match &args.task {
        Task::Info { file: None, policy: true, json } => policy::info(None, *json),
        Task::Info { file: Some(file), json, .. } if policy::is_one(file) => {
            policy::info(Some(file), *json)
        }
        Task::Info { file, json, .. } => info(file.as_deref(), *json),
        Task::Export { file, target, encoding } => export(file, target, *encoding),
        Task::Random { target, policy: Some(hidden), seed, .. } => {
            policy::random(target, *hidden, *seed)
        }
        Task::Random { target, l1, seed, .. } => random(target, *l1, *seed),
        Task::Verify { files } => files.iter().try_for_each(|file| {
            if policy::is_one(file) { policy::verify(file) } else { verify(file) }
        }),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: cannot be read ({error})", file.display()))
}

fn info(file: Option<&Path>, as_json: bool) -> Outcome {
    let start = Instant::now();
    let missing = "there is no network in this program: name a file";
    let network = match file {
        Some(file) => Arc::new(Network::load(file)?),
        None => networks::load("", "")?.ok_or(missing)?.large().clone(),
    };
    let seconds = start.elapsed().as_secs_f64();
    let (bytes, card) = match file {
        Some(file) => (Cow::from(read(file)?), ""),
        None => {
            networks::EMBEDDED.map_or_else(Default::default, |own| (own.bytes.into(), own.card))
        }
    };
    let (shape, digest) = (network.architecture(), Digest::of(&bytes));
    if as_json {
        outln!(
            "{}",
            json!({
                "file": file, "architecture": shape.to_string(),
                "features": shape.features.to_string(), "l1": shape.l1,
                "description": network.description(), "sha256": digest.to_string(),
                "hash": format!("{:08x}", shape.hash()), "encoding": network.encoding().to_string(),
                "parameters": shape.parameters(), "file_bytes": bytes.len(),
                "memory_bytes": network.memory(), "shared": network.is_shared(),
                "load_seconds": seconds, "card": card,
            })
        );
        return Ok(());
    }
    let rows = [
        ("file", file.map_or("in the program".into(), |file| file.display().to_string())),
        ("architecture", shape.to_string()),
        ("description", network.description()),
        ("SHA-256", format!("{digest} ({})", digest.network_name())),
        (
            "hashes",
            format!(
                "network {:08x}, transformer {:08x}, layers {:08x}",
                shape.hash(),
                shape.transformer_hash(),
                shape.stack_hash()
            ),
        ),
        ("numbers", format!("{}, {}", shape.parameters(), network.encoding())),
        ("size", format!("{:.1} MB", bytes.len() as f64 / 1e6)),
        (
            "memory",
            format!(
                "{:.1} MB, {}",
                network.memory() as f64 / 1e6,
                if network.is_shared() { "shared with other processes" } else { "private" }
            ),
        ),
        ("loaded in", format!("{seconds:.3} s")),
    ];
    for (name, value) in rows {
        outln!("{name:13} {value}");
    }
    if !card.is_empty() {
        outln!("\n{}", card.trim_end());
    }
    Ok(())
}

fn export(file: &Path, target: &Path, encoding: Option<Form>) -> Outcome {
    let network = Network::load(file)?;
    write(&network, target, encoding.map_or(network.encoding(), Encoding::from))
}

fn random(target: &Path, l1: usize, seed: u64) -> Outcome {
    let config = Config::default().with([format!("model.l1={l1}").as_str()])?;
    let bytes = learning::random_value(config.model.l1, seed)?;
    write(&Network::from_bytes(&bytes)?, target, Encoding::Leb128)
}

fn write(network: &Network, target: &Path, encoding: Encoding) -> Outcome {
    let bytes = network.to_bytes(encoding);
    write_whole(&bytes, target)?;
    outln!(
        "{}: {} bytes, {encoding}, {}",
        target.display(),
        bytes.len(),
        Digest::of(&bytes).network_name()
    );
    Ok(())
}

/// Whole or not at all, also where source and target are the same file.
fn write_whole(bytes: &[u8], target: &Path) -> Result<(), String> {
    let part = target.with_extension("part");
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, target)).map_err(|error| {
        let _ = fs::remove_file(&part);
        format!("{}: cannot be written ({error})", target.display())
    })
}

fn verify(file: &Path) -> Outcome {
    let network = Network::load(file)?;
    if network.to_bytes(network.encoding()) != read(file)? {
        return Err(format!(
            "{}: readable, but not in the shortest encoding: writing it gives other bytes",
            file.display()
        )
        .into());
    }
    outln!("{}: whole, {}", file.display(), network.architecture());
    Ok(())
}
