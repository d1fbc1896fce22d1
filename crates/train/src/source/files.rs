//! Files of samples: training data in any of its formats, games with visits, or lines of text.

use std::path::{Path, PathBuf};

use super::{Samples, Source, SourceError, games, text, visits};
use crate::data::Filter;

/// Files, each a shard. Games are filtered; the lines of a text are taken as they are.
#[derive(Clone, Debug)]
pub struct Files {
    files: Vec<PathBuf>,
    filter: Filter,
}

impl Files {
    /// The files that a list names, in the list's order. A folder stands for the files of samples in
    /// it, in the order of their names.
    ///
    /// # Errors
    /// Where a folder cannot be read, or a file does not exist or is of no known kind.
    pub fn find(list: &[PathBuf], filter: &Filter) -> Result<Self, SourceError> {
        let check = |file: &Path| {
            let is_known = is_text(file) || visits::is_visits(file);
            if is_known { Ok(()) } else { games::format(file).map(drop) }
        };
        Ok(Self { files: find(list, check)?, filter: filter.clone() })
    }
}

/// The files that a list names, in the list's order. A folder stands for the files in it that pass the
/// check, in the order of their names; of other files the check says why they do not.
pub(crate) fn find(
    list: &[PathBuf],
    check: impl Fn(&Path) -> Result<(), SourceError>,
) -> Result<Vec<PathBuf>, SourceError> {
    let mut files = Vec::new();
    for path in list {
        let failure = |error: std::io::Error| SourceError {
            path: path.clone(),
            place: None,
            reason: format!("cannot be read ({error})"),
        };
        if path.metadata().map_err(failure)?.is_dir() {
            let mut found = Vec::new();
            for entry in path.read_dir().map_err(failure)? {
                found.push(entry.map_err(failure)?.path());
            }
            found.retain(|file| check(file).is_ok());
            found.sort();
            files.extend(found);
        } else {
            check(path)?;
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Whether a file holds lines of text.
pub(crate) fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "txt")
}

impl Source for Files {
    fn shards(&self) -> usize {
        self.files.len()
    }

    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_>, SourceError> {
        let path = &self.files[shard];
        let mut samples = if is_text(path) {
            text::open(path)?
        } else if visits::is_visits(path) {
            visits::open(path, &self.filter)?
        } else {
            games::open(path, &self.filter)?
        };
        for _ in 0..skip {
            samples.next().transpose()?;
        }
        Ok(samples)
    }
}
