//! Builds networks into the program: the project's own, `networks/default.nnue` and
//! `networks/default.policy`, unless the variables `TANDEM_EVALFILE` and `TANDEM_POLICYFILE` name others
//! (as `make EVALFILE=…` does) or are `none`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::Digest as _;

/// A kind of network.
struct Kind {
    /// The variable that names another one.
    variable: &'static str,
    /// The project's own, in the folder `networks`.
    file: &'static str,
    /// What its makers say about it, in the same folder.
    card: &'static str,
    /// How every such file begins.
    magic: [u8; 4],
    /// What its copies for the program are called.
    name: &'static str,
    /// What is set where there is one.
    flag: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        variable: "TANDEM_EVALFILE",
        file: "default.nnue",
        card: "README.md",
        magic: 0x7AF3_2F20_u32.to_le_bytes(),
        name: "network",
        flag: "embedded_network",
    },
    Kind {
        variable: "TANDEM_POLICYFILE",
        file: "default.policy",
        card: "policy.md",
        magic: *b"TDP1",
        name: "policy",
        flag: "embedded_policy",
    },
];

fn main() {
    for kind in &KINDS {
        println!("cargo::rerun-if-env-changed={}", kind.variable);
        println!("cargo::rustc-check-cfg=cfg({})", kind.flag);
        let named = env::var_os(kind.variable).filter(|file| !file.is_empty());
        let chosen = match named {
            Some(word) if word == "none" => Ok(None),
            Some(file) => Ok(Some((PathBuf::from(file), String::new()))),
            None => kind.own(),
        };
        if let Err(problem) = chosen.and_then(|chosen| chosen.map_or(Ok(()), |c| kind.embed(c))) {
            println!("cargo::error={problem}");
        }
    }
}

impl Kind {
    /// The project's own network and its card. A copy of the sources that has neither is built without.
    fn own(&self) -> Result<Option<(PathBuf, String)>, String> {
        let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        let folder = root.join("../../networks");
        if !folder.exists() {
            return Ok(None);
        }
        println!("cargo::rerun-if-changed={}", folder.display());
        let network = folder.join(self.file);
        let card = fs::read_to_string(folder.join(self.card));
        match (network.exists(), card) {
            (true, card) => Ok(Some((network, card.unwrap_or_default()))),
            (false, Err(_)) => Ok(None),
            (false, Ok(_)) => Err(format!(
                "{} is missing, though its card is there: get it back (git checkout networks), or build \
                 without it ({}=none)",
                network.display(),
                self.variable
            )),
        }
    }

    fn embed(&self, (file, card): (PathBuf, String)) -> Result<(), String> {
        println!("cargo::rerun-if-changed={}", file.display());
        let bytes = fs::read(&file)
            .map_err(|error| format!("cannot read the network {}: {error}", file.display()))?;
        if !bytes.starts_with(&self.magic) {
            return Err(format!(
                "{} is no such network as {} names",
                file.display(),
                self.variable
            ));
        }
        let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
        let write = |suffix: &str, bytes: &[u8]| {
            let path: &Path = &folder.join(format!("{}.{suffix}", self.name));
            fs::write(path, bytes)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))
        };
        // So that no program has to hash its own network when it starts.
        write("sha256", &sha2::Sha256::digest(&bytes))?;
        write("bytes", &bytes)?;
        write("md", card.as_bytes())?;
        println!("cargo::rustc-cfg={}", self.flag);
        Ok(())
    }
}
