//! Short names for files by what they hold, so that a summary says which ones were used.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};

use tandem_engine::Digest;

/// The first twelve digits of a file's SHA-256.
#[must_use]
pub fn of_file(path: impl AsRef<Path>) -> Option<String> {
    let digest = Digest::of_reader(File::open(path).ok()?).ok()?;
    Some(digest.to_string()[..12].to_owned())
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
