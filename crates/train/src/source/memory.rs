//! Samples that are in memory already.

use super::{Samples, Source, SourceError};
use crate::Sample;

/// Samples in memory, in one or more shards.
#[derive(Clone, Debug)]
pub struct Memory<S = Sample>(pub Vec<Vec<S>>);

impl<S> Default for Memory<S> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<S: Clone + Send + Sync> Source<S> for Memory<S> {
    fn shards(&self) -> usize {
        self.0.len()
    }

    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_, S>, SourceError> {
        let samples = &self.0[shard];
        let skip = usize::try_from(skip).unwrap_or(usize::MAX).min(samples.len());
        Ok(Box::new(samples[skip..].iter().cloned().map(Ok)))
    }
}
