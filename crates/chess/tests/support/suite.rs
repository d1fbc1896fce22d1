//! The perft data files.

use std::path::PathBuf;
use std::{fs, iter};

/// One position of the suite with its known counts.
pub struct Entry {
    /// Where it stands, for messages.
    pub place: String,
    pub fen: String,
    /// Pairs of depth and number of leaves.
    pub counts: Vec<(u32, u64)>,
}

/// Every position of every file in `tests/data/perft`.
pub fn entries() -> Vec<Entry> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the data folder is there")
        .map(|file| file.expect("the data folder can be read").path())
        .collect();
    files.sort();
    files.iter().flat_map(|file| entries_of(file)).collect()
}

fn entries_of(file: &PathBuf) -> Vec<Entry> {
    let name = file.file_name().unwrap_or_default().display();
    let text = fs::read_to_string(file).expect("a data file is text");
    iter::zip(1.., text.lines())
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let mut parts = line.split(';');
            let fen = parts.next().unwrap_or_default().trim().to_owned();
            Entry { place: format!("{name}:{number}"), fen, counts: parts.map(count).collect() }
        })
        .collect()
}

/// Reads `D3 8902`.
fn count(part: &str) -> (u32, u64) {
    part.trim()
        .strip_prefix('D')
        .and_then(|part| part.split_once(' '))
        .and_then(|(depth, count)| Some((depth.parse().ok()?, count.parse().ok()?)))
        .unwrap_or_else(|| panic!("'{part}' is not of the form 'D3 8902'"))
}
