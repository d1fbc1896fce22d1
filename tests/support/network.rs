//! Real networks, which `scripts/networks` obtains.

use std::path::PathBuf;

/// The small network of Stockfish 18.
pub const SMALL: &str = "nn-37f18f62d772";
/// The network of Stockfish 15.1.
pub const LARGE: &str = "nn-ad9b42354671";

/// Where a network lies. The tests cannot do without: a missing one is a failure.
pub fn network(name: &str) -> String {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || {
        variable("XDG_CACHE_HOME")
            .or_else(|| Some(variable("HOME")?.join(".cache")))
            .expect("HOME is set")
            .join("tandem/nets")
    };
    let folder = variable("TANDEM_NETS").unwrap_or_else(cache);
    let path = folder.join(format!("{name}.nnue"));
    assert!(path.exists(), "{} is missing: run scripts/networks", path.display());
    path.to_str().expect("a plain path").to_owned()
}
