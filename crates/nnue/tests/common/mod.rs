//! What the tests of this crate share.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::PathBuf;

/// The threat network of Stockfish 18.
pub const THREATS: &str = "nn-c288c895ea92";
/// The small network of Stockfish 18.
pub const SMALL: &str = "nn-37f18f62d772";
/// The network of Stockfish 15.1.
pub const L1_1024: &str = "nn-ad9b42354671";
/// The network of Stockfish 16.
pub const L1_1536: &str = "nn-5af11540bbfe";
/// All four.
pub const NAMES: [&str; 4] = [SMALL, L1_1024, L1_1536, THREATS];

/// Where a real network lies. The tests cannot do without: a missing one is a failure.
pub fn path(name: &str) -> PathBuf {
    let path = folder().join(format!("{name}.nnue"));
    assert!(
        path.exists(),
        "{} is missing: run scripts/networks",
        path.display()
    );
    path
}

fn folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || {
        variable("XDG_CACHE_HOME")
            .or_else(|| Some(variable("HOME")?.join(".cache")))
            .expect("HOME is set")
            .join("tandem/nets")
    };
    variable("TANDEM_NETS").unwrap_or_else(cache)
}
