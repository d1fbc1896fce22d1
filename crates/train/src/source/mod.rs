//! Where samples come from.

mod blend;
mod files;
pub(crate) mod games;
mod memory;
pub(crate) mod text;
mod visits;

use std::path::PathBuf;

use thiserror::Error;

pub(crate) use blend::{Blend, count};
pub use files::Files;
pub(crate) use files::{find, is_text};
pub use memory::Memory;
pub(crate) use visits::is_visits;

use crate::Sample;

/// Why samples cannot be read: which file, where in it, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{}: {reason}", path.display(), place.as_ref().map(|place| format!(", {place}")).unwrap_or_default())]
pub struct SourceError {
    /// The file.
    pub path: PathBuf,
    /// Where in it, in the words of its format: a line, an offset, a game.
    pub place: Option<String>,
    /// What is wrong.
    pub reason: String,
}

/// Samples of one shard, in its order. After an error there are no more.
pub type Samples<'a, S = Sample> = Box<dyn Iterator<Item = Result<S, SourceError>> + Send + 'a>;

/// Samples in shards, such as files. A shard gives the same samples in the same order each time.
pub trait Source<S = Sample>: Sync {
    /// How many shards there are.
    fn shards(&self) -> usize;

    /// Begins to read a shard behind its first `skip` samples.
    ///
    /// # Errors
    /// Where the shard cannot be opened or the samples to skip cannot be read.
    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_, S>, SourceError>;
}
