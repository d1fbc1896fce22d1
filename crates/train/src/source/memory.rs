//! Samples that are in memory already.

use super::{Samples, Source, SourceError};
use crate::Sample;

/// Samples in memory, in one or more shards.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub Vec<Vec<Sample>>);

impl Source for Memory {
    fn shards(&self) -> usize {
        self.0.len()
    }

    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_>, SourceError> {
        let samples = &self.0[shard];
        let skip = usize::try_from(skip).unwrap_or(usize::MAX).min(samples.len());
        Ok(Box::new(samples[skip..].iter().map(|sample| Ok(*sample))))
    }
}
