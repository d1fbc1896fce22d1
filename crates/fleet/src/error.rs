//! What goes wrong, in sentences.

use std::io;
use std::path::{Path, PathBuf};

use tandem_games::Shard;
use tandem_games::union::MergeError;
use tandem_train::data::DataError;
use tandem_train::learning::LoopError;
use thiserror::Error;

/// Why a part of a work cannot be done, or a work not be planned or put together.
#[derive(Debug, Error)]
pub enum FleetError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// Another process does the same part.
    #[error("{0}: this part is being done by another process ({1})")]
    Busy(PathBuf, String),
    /// The part was done with other words.
    #[error("{0}: holds part {1} of another work (other {2}); choose another folder")]
    Differs(PathBuf, Shard, String),
    /// A file holds something else than its name says.
    #[error("{0}: not what it should be ({1})")]
    Foreign(PathBuf, String),
    /// A file is not what it was.
    #[error("{0}")]
    Damaged(String),
    /// The description makes no work.
    #[error("{key}: {reason}")]
    Description {
        /// The key that is wrong.
        key: String,
        /// Why.
        reason: String,
    },
    /// A plan stands there already.
    #[error("{0}: holds a plan already; choose another folder")]
    Taken(PathBuf),
    /// There is no plan.
    #[error("{0}: holds no plan; make one with tandem fleet plan")]
    NoPlan(PathBuf),
    /// There is no such task.
    #[error("the plan has tasks 1 to {1}, and no task {0}")]
    NoTask(u64, u64),
    /// Games cannot be put together.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// Training data cannot be put together.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A step of the learning loop fails.
    #[error(transparent)]
    Loop(#[from] LoopError),
    /// Something has to be done first.
    #[error("{0}")]
    TooEarly(String),
}

impl FleetError {
    /// Of a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::File(path.to_owned(), error)
    }

    /// Of a key of a description.
    pub(crate) fn key(key: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Description { key: key.into(), reason: reason.into() }
    }
}
