//! Short names for files by what they hold, so that a summary says which ones were used.

use std::collections::BTreeMap;
use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tandem_engine::Digest;

/// What a file was when it was last read: its name, length and time of change.
type State = (PathBuf, u64, SystemTime);

/// Digests by state. Engines are started often, and their programs are large.
static KNOWN: Mutex<BTreeMap<State, String>> = Mutex::new(BTreeMap::new());

/// The first twelve digits of a file's SHA-256.
#[must_use]
pub fn of_file(path: impl AsRef<Path>) -> Option<String> {
    let file = File::open(&path).ok()?;
    let metadata = file.metadata().ok()?;
    let state = (path.as_ref().to_owned(), metadata.len(), metadata.modified().ok()?);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(digits) = known.get(&state) {
        return Some(digits.clone());
    }
    let digits = Digest::of_reader(file).ok()?.to_string()[..12].to_owned();
    known.insert(state, digits.clone());
    Some(digits)
}

/// The customary name of a network file.
#[must_use]
pub fn of_network(path: &str) -> Option<String> {
    of_file(path).map(|digits| format!("nn-{digits}"))
}

/// The digest of a program, wherever the search path has it.
#[must_use]
pub fn of_program(command: &str) -> Option<String> {
    of_file(find(command)?)
}

fn find(command: &str) -> Option<PathBuf> {
    let path = Path::new(command);
    if path.components().count() > 1 {
        return Some(path.to_owned());
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(command)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_search_path() {
        assert_eq!(of_program("sh"), of_program(find("sh").unwrap().to_str().unwrap()));
        assert_eq!(of_program("sh").unwrap().len(), 12);
        assert_eq!(of_program("a-program-that-is-not-there"), None);
    }
}
