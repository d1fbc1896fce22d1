//! Real networks, tablebases and books. The tests cannot do without them: a missing one is a
//! failure that says how to get it.

use std::env::var_os;
use std::path::PathBuf;

/// The small network of Stockfish 18.
pub const SMALL: &str = "nn-37f18f62d772";
/// The network of Stockfish 15.1.
pub const LARGE: &str = "nn-ad9b42354671";

/// A network by its name.
pub fn network(name: &str) -> String {
    let name = format!("{name}.nnue");
    let folder = folder("TANDEM_NETS", "nets", &name, "scripts/networks");
    folder.join(name).display().to_string()
}

/// The folder with all Syzygy tables of three and four pieces.
pub fn tablebases() -> String {
    folder("TANDEM_SYZYGY", "syzygy", "KBNvK.rtbz", "scripts/tablebases").display().to_string()
}

/// A Polyglot book with the usual openings.
pub fn book() -> String {
    let name = "performance.bin";
    folder("TANDEM_BOOKS", "books", name, "scripts/tablebases").join(name).display().to_string()
}

/// The folder in the variable, or that part of the user's cache; `witness` shows that it is filled.
fn folder(variable: &str, part: &str, witness: &str, script: &str) -> PathBuf {
    let home = || PathBuf::from(var_os("HOME").expect("HOME is set")).join(".cache");
    let cache = || var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty());
    let usual = || cache().map_or_else(home, PathBuf::from).join("tandem").join(part);
    let folder = var_os(variable).map_or_else(usual, PathBuf::from);
    let missing = folder.join(witness);
    assert!(missing.is_file(), "{} is missing: run {script}", missing.display());
    folder
}
