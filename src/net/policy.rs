//! Files with policy networks.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tandem_engine::networks;
use tandem_nnue::PolicyNetwork;
use tandem_nnue::policy::MAGIC;

use super::{read, write_whole};
use crate::Outcome;
use crate::output::outln;

/// Whether a file is a policy network, or claims to be one.
pub fn is_one(file: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let is_read = File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    (is_read && start == MAGIC) || file.extension().is_some_and(|extension| extension == "policy")
}

/// Shows a policy network; without a file the one in the program, with its card.
pub fn info(file: Option<&Path>, as_json: bool) -> Outcome {
    let missing = "there is no policy network in this program: name a file";
    let network = match file {
        Some(file) => Arc::new(PolicyNetwork::load(file)?),
        None => networks::load_policy("")?.ok_or(missing)?.network().clone(),
    };
    let own = networks::EMBEDDED_POLICY.filter(|_| file.is_none());
    let card = own.map_or("", |own| own.card);
    let size = match (file, own) {
        (Some(file), _) => read(file)?.len(),
        (None, own) => own.map_or(0, |own| own.bytes.len()),
    };
    let digest = network.digest();
    if as_json {
        outln!(
            "{}",
            json!({
                "file": file, "hidden": network.hidden(), "description": network.description(),
                "temperature": network.temperature(), "sha256": digest.to_string(),
                "name": digest.policy_name(), "file_bytes": size,
                "memory_bytes": network.memory(), "card": card,
            })
        );
        return Ok(());
    }
    let rows = [
        ("file", file.map_or("in the program".into(), |file| file.display().to_string())),
        ("policy", network.architecture()),
        ("temperature", network.temperature().to_string()),
        ("description", network.description().to_owned()),
        ("SHA-256", format!("{digest} ({})", digest.policy_name())),
        ("size", format!("{:.1} MB", size as f64 / 1e6)),
        ("memory", format!("{:.1} MB", network.memory() as f64 / 1e6)),
    ];
    for (name, value) in rows {
        outln!("{name:13} {value}");
    }
    if !card.is_empty() {
        outln!("\n{}", card.trim_end());
    }
    Ok(())
}

/// Writes a policy network of random numbers.
pub fn random(target: &Path, hidden: usize, seed: u64) -> Outcome {
    let network = PolicyNetwork::random(hidden, seed)?;
    let bytes = network.to_bytes();
    write_whole(&bytes, target)?;
    let name = network.digest().policy_name();
    outln!("{}: {} bytes, {name}", target.display(), bytes.len());
    Ok(())
}

/// Checks that a policy network is whole, and that writing it gives the same bytes.
pub fn verify(file: &Path) -> Outcome {
    let network = PolicyNetwork::load(file)?;
    if network.to_bytes() != read(file)? {
        return Err(format!(
            "{}: readable, but not in the shortest encoding: writing it gives other bytes",
            file.display()
        )
        .into());
    }
    outln!("{}: whole, {}", file.display(), network.architecture());
    Ok(())
}
