//! The positions of a run: what the files hold, and what in them cannot be used.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tandem_chess::Position;

use super::goal::{Defect, Goal};
use crate::digest;
use crate::epd::{Epd, EpdError};

/// A file of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// As it was named.
    pub file: String,
    /// The first digits of its SHA-256.
    pub sha256: Option<String>,
    /// How many of its positions can be used.
    pub positions: usize,
    /// How many cannot.
    pub unusable: usize,
}

/// A position to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its `id`, or its file and line.
    pub name: String,
    /// The place of its file among the sources.
    pub source: usize,
    /// Its line there, from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// What is asked for.
    pub goal: Goal,
}

/// A line that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub defect: Defect,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.file, self.line, self.defect)
    }
}

/// All positions of some files.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The files.
    pub sources: Vec<Source>,
    /// What can be used, in the files' order.
    pub problems: Vec<Problem>,
    /// What cannot.
    pub unusable: Vec<Unusable>,
}

impl Collection {
    /// Reads files one after the other. Lines that make no sense are kept as unusable.
    ///
    /// # Errors
    /// A file cannot be read or is empty.
    pub fn read(paths: &[PathBuf]) -> Result<Self, EpdError> {
        let mut collection = Self::default();
        for path in paths {
            collection.add(path)?;
        }
        Ok(collection)
    }

    fn add(&mut self, path: &Path) -> Result<(), EpdError> {
        let file = path.display().to_string();
        let source = self.sources.len();
        let before = (self.problems.len(), self.unusable.len());
        for (line, entry) in Epd::read_lines(path)? {
            let entry = entry.map_err(|error| Defect::Position(error.to_string()));
            match entry.and_then(|epd| Goal::read(&epd).map(|goal| (epd, goal))) {
                Ok((epd, goal)) => {
                    let id = epd.operation("id").filter(|id| !id.is_empty());
                    let name = id.map_or_else(|| nameless(path, line), str::to_owned);
                    let position = epd.position;
                    self.problems.push(Problem { name, source, line, position, goal });
                }
                Err(defect) => self.unusable.push(Unusable { file: file.clone(), line, defect }),
            }
        }
        self.sources.push(Source {
            sha256: digest::of_file(path),
            file,
            positions: self.problems.len() - before.0,
            unusable: self.unusable.len() - before.1,
        });
        Ok(())
    }

    /// How many lines cannot be used for which reason.
    #[must_use]
    pub fn defects(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for unusable in &self.unusable {
            *counts.entry(unusable.defect.kind()).or_default() += 1;
        }
        counts
    }
}

fn nameless(path: &Path, line: usize) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    format!("{}:{line}", name.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_and_bad_lines_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mixed.epd");
        let lines = [
            "# a comment",
            "7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7#; id \"one\";",
            "7k/8/5K2/8/8/8/8/6Q1 w - - dm 1;",
            "",
            "7k/8/5K2/8/8/8/8/6Q1 w - - bm Nf3;",
            "7k/8/5K2/8/8/8/8 w - - bm Qg7;",
            "7k/8/5K2/8/8/8/8/6Q1 w - - draw;",
            "7k/8/5K2/8/8/8/8/6Q1 w - - am Nf3;",
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let collection = Collection::read(&[path.clone(), path.clone()]).unwrap();
        let names: Vec<&str> = collection.problems.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["one", "mixed.epd:3", "one", "mixed.epd:3"]);
        let bad: Vec<usize> = collection.unusable.iter().map(|bad| bad.line).collect();
        assert_eq!(bad, [5, 6, 7, 8, 5, 6, 7, 8]);
        let source = &collection.sources[1];
        assert_eq!((source.positions, source.unusable), (2, 4));
        assert_eq!(source.sha256, collection.sources[0].sha256);
        let defects: Vec<_> = collection.defects().into_iter().collect();
        assert_eq!(
            defects,
            [("bad move text", 4), ("no legal position", 2), ("nothing to solve", 2)]
        );
        let sentence = collection.unusable[0].to_string();
        assert!(sentence.contains("mixed.epd, line 5: bm: 'Nf3'"), "{sentence}");
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        assert!(Collection::read(&[PathBuf::from("/nonexistent.epd")]).is_err());
    }
}
