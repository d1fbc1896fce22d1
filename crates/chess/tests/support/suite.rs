//! The perft data files.

use std::path::PathBuf;
use std::{fs, iter};

/// One position of the suite with its known counts.
pub struct Entry {
    /// File and line, for messages.
    pub place: String,
    pub fen: String,
    /// Pairs of depth and number of leaves.
    pub counts: Vec<(u32, u64)>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft")
}

/// The data files without their endings, in alphabetical order.
pub fn names() -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder())
        .expect("the data folder is there")
        .filter_map(|file| Some(file.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

/// Every position of one file.
pub fn entries(name: &str) -> Vec<Entry> {
    let file = folder().join(name).with_extension("epd");
    let text = fs::read_to_string(&file).expect("a data file is text");
    iter::zip(1.., text.lines())
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let mut parts = line.split(';');
            let fen = parts.next().unwrap_or_default().trim().to_owned();
            let place = format!("{name}.epd:{number}");
            Entry { place, fen, counts: parts.map(count).collect() }
        })
        .collect()
}

/// Every position of every file.
pub fn all_entries() -> Vec<Entry> {
    names().iter().flat_map(|name| entries(name)).collect()
}

/// Reads `D3 8902`.
fn count(part: &str) -> (u32, u64) {
    part.trim()
        .strip_prefix('D')
        .and_then(|part| part.split_once(' '))
        .and_then(|(depth, count)| Some((depth.parse().ok()?, count.parse().ok()?)))
        .unwrap_or_else(|| panic!("'{part}' is not of the form 'D3 8902'"))
}
