//! Builds a network into the program: the project's own, `networks/default.nnue`, unless the variable
//! `TANDEM_EVALFILE` names another one (as `make EVALFILE=…` does) or is `none`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::Digest as _;

/// How every network file begins: the version of the format.
const VERSION: [u8; 4] = 0x7AF3_2F20_u32.to_le_bytes();

fn main() {
    println!("cargo::rerun-if-env-changed=TANDEM_EVALFILE");
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    let named = env::var_os("TANDEM_EVALFILE").filter(|file| !file.is_empty());
    let chosen = match named {
        Some(word) if word == "none" => Ok(None),
        Some(file) => Ok(Some((PathBuf::from(file), String::new()))),
        None => own(),
    };
    if let Err(problem) = chosen.and_then(|chosen| chosen.map_or(Ok(()), embed)) {
        println!("cargo::error={problem}");
    }
}

/// The project's own network and its card. A copy of the sources that has neither is built without.
fn own() -> Result<Option<(PathBuf, String)>, String> {
    let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let folder = root.join("../../networks");
    if !folder.exists() {
        return Ok(None);
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let (network, card) = (folder.join("default.nnue"), folder.join("README.md"));
    let card = fs::read_to_string(card);
    match (network.exists(), card) {
        (true, card) => Ok(Some((network, card.unwrap_or_default()))),
        (false, Err(_)) => Ok(None),
        (false, Ok(_)) => Err(format!(
            "{} is missing, though its card is there: get it back (git checkout networks), or build \
             without a network (TANDEM_EVALFILE=none)",
            network.display()
        )),
    }
}

fn embed((file, card): (PathBuf, String)) -> Result<(), String> {
    println!("cargo::rerun-if-changed={}", file.display());
    let bytes = fs::read(&file)
        .map_err(|error| format!("cannot read the network {}: {error}", file.display()))?;
    if !bytes.starts_with(&VERSION) {
        return Err(format!("{} is no network", file.display()));
    }
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let write = |name: &str, bytes: &[u8]| {
        let path: &Path = &folder.join(name);
        fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    // So that no program has to hash its own network when it starts.
    write("network.sha256", &sha2::Sha256::digest(&bytes))?;
    write("network.nnue", &bytes)?;
    write("card.md", card.as_bytes())?;
    println!("cargo::rustc-cfg=embedded_network");
    Ok(())
}
