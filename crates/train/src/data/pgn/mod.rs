//! From PGN collections to records.

mod excursions;
mod import;
mod parse;
mod reader;
mod report;
mod worker;

pub use excursions::Excursions;
pub use import::{Import, ImportError};
pub use reader::{PgnGame, PgnReader};
pub use report::ImportReport;
pub use worker::ImportSettings;

use std::fmt;

/// A game that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The byte of the file at which something is wrong.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} at byte {}: {}", self.number, self.offset, self.reason)
    }
}
