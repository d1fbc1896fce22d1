//! Where the tests find real files.

use std::path::PathBuf;

/// The folder with all tables of three and four pieces.
pub fn tables_folder() -> String {
    real("TANDEM_SYZYGY", "syzygy", "KRvKN.rtbz")
}

/// A Polyglot book by its file name.
pub fn book(name: &str) -> String {
    let folder = PathBuf::from(real("TANDEM_BOOKS", "books", name));
    folder.join(name).display().to_string()
}

/// The folder in the variable, or that part of the cache; `witness` shows that it is filled.
fn real(variable: &str, part: &str, witness: &str) -> String {
    let folder = std::env::var_os(variable).map_or_else(|| cache().join(part), PathBuf::from);
    assert!(
        folder.join(witness).is_file(),
        "{witness} is not in {}; run scripts/tablebases to fetch it or set {variable}",
        folder.display()
    );
    folder.display().to_string()
}

fn cache() -> PathBuf {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache");
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty());
    cache.map_or_else(home, PathBuf::from).join("tandem")
}
