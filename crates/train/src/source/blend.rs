//! Samples with a few of others among them.

use super::{Samples, Source, SourceError};

/// All samples of one source, and the first of each shard of another.
pub struct Blend<S> {
    main: Box<dyn Source<S>>,
    other: Box<dyn Source<S>>,
    /// So many of each shard of the other.
    each: u64,
}

impl<S> Blend<S> {
    /// The samples of `main`, and at most so many of `other`, as many of each of its shards.
    pub fn new(main: Box<dyn Source<S>>, other: Box<dyn Source<S>>, most: u64) -> Self {
        let each = most.checked_div(other.shards() as u64).unwrap_or(0);
        Self { main, other, each }
    }
}

impl<S> Source<S> for Blend<S> {
    fn shards(&self) -> usize {
        self.main.shards() + self.other.shards()
    }

    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_, S>, SourceError> {
        match shard.checked_sub(self.main.shards()) {
            None => self.main.open(shard, skip),
            Some(other) => {
                let left = usize::try_from(self.each - skip.min(self.each)).unwrap_or(usize::MAX);
                Ok(Box::new(self.other.open(other, skip.min(self.each))?.take(left)))
            }
        }
    }
}

/// How many samples a source has; all of them are read.
pub fn count<S>(source: &dyn Source<S>) -> Result<u64, SourceError> {
    let mut sum = 0;
    for shard in 0..source.shards() {
        for sample in source.open(shard, 0)? {
            sample?;
            sum += 1;
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    fn memory(shards: &[&[u32]]) -> Box<dyn Source<u32>> {
        Box::new(Memory(shards.iter().map(|shard| shard.to_vec()).collect()))
    }

    #[test]
    fn the_first_samples_of_the_other_shards_come_along() {
        let blend = Blend::new(memory(&[&[1, 2]]), memory(&[&[10, 11, 12, 13], &[20]]), 5);
        let all = |shard, skip| -> Vec<u32> {
            blend.open(shard, skip).unwrap().map(Result::unwrap).collect()
        };
        assert_eq!((all(0, 0), all(0, 1)), (vec![1, 2], vec![2]));
        assert_eq!((all(1, 0), all(1, 1), all(1, 7)), (vec![10, 11], vec![11], vec![]));
        assert_eq!((all(2, 0), count(&blend).unwrap()), (vec![20], 5));
        let alone = Blend::new(memory(&[&[1]]), memory(&[]), 100);
        assert_eq!(count(&alone).unwrap(), 1);
    }
}
