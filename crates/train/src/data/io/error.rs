//! What can go wrong with data files.

use std::fmt;
use std::io;
use std::sync::Arc;

use thiserror::Error;

/// A stretch of a file that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: Arc<str>,
    /// Where the damaged part begins.
    pub offset: u64,
    /// Where sound data begin again; none if nothing behind can be read.
    pub until: Option<u64>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: damaged at byte {}: {}", self.file, self.offset, self.reason)?;
        match self.until {
            Some(until) => write!(f, " (the data go on at byte {until})"),
            None => write!(f, " (nothing behind it can be read)"),
        }
    }
}

/// Why data could not be read or written.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file is damaged.
    #[error("{0}")]
    Damage(Damage),
    /// The system cannot read.
    #[error("{file}: cannot be read at byte {offset}: {source}")]
    Read {
        /// The file.
        file: Arc<str>,
        /// How far reading came.
        offset: u64,
        /// What the system says.
        source: io::Error,
    },
    /// The system cannot write.
    #[error("{file}: cannot be written: {source}; the {safe} games before are safe{rest}")]
    Write {
        /// The file.
        file: Arc<str>,
        /// How many games are wholly in the file.
        safe: u64,
        /// What the system says.
        source: io::Error,
        /// A further sentence, if part of a game could not be taken back.
        rest: &'static str,
    },
    /// The file cannot be opened.
    #[error("{file}: cannot be opened: {source}")]
    Open {
        /// The file.
        file: Arc<str>,
        /// What the system says.
        source: io::Error,
    },
    /// The format has no place for something that the game has.
    #[error("{format} cannot carry this: {reason}")]
    Unfit {
        /// The format.
        format: &'static str,
        /// What it cannot carry.
        reason: String,
    },
}
