//! Samples brought into the order in which they are computed.
//!
//! A sample is looked at from two sides: these are *items*. Items are grouped by the bucket of the
//! king, so that the few rows which belong together stay in the cache, and the samples are grouped
//! by layer stack. For the way back, each touched row comes with the list of the items that use it:
//! gradients are sums of rows just as the accumulators are, and no two threads write to one place.

mod build;

use std::ops::Range;

use tandem_nnue::BUCKETS;

pub use build::Builder;

/// What a sample should be evaluated as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    /// The score, in internal units.
    pub score: f32,
    /// The points of the game, if they are known: 0, a half or 1.
    pub result: Option<f32>,
    /// What the program multiplies the network's output by.
    pub scale: f32,
}

/// The items of one bucket of the king.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bucket {
    /// Which bucket.
    pub king: usize,
    /// Its items.
    pub items: Range<usize>,
    /// Its touched rows, as places in [`Batch::rows`].
    pub rows: Range<usize>,
}

/// Items of one bucket, so few that their gradients fit the cache.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// The items.
    pub items: Range<usize>,
    /// The rows that they use, in [`Batch::entries`].
    pub entries: Range<usize>,
}

/// A row that a group uses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The place of the row in [`Batch::rows`].
    pub slot: u32,
    /// Who uses it, in [`Batch::members`].
    pub members: Range<u32>,
}

/// A batch, ready to be computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// The samples' targets, stack by stack. Their places number the samples.
    pub(crate) targets: Vec<Target>,
    /// Where the samples of each stack begin, and the end of the last.
    pub(crate) stacks: [usize; BUCKETS + 1],
    /// For each item, twice its sample's number, and one more if it is the opponent's view.
    pub(crate) destinations: Vec<u32>,
    /// Where the features of each item begin, and the end of the last.
    pub(crate) starts: Vec<u32>,
    /// Rows within the king's bucket.
    pub(crate) features: Vec<u16>,
    pub(crate) buckets: Vec<Bucket>,
    /// The real rows that are touched, bucket by bucket.
    pub(crate) rows: Vec<u32>,
    /// For each of them the place of its virtual row in `virtual_rows`.
    pub(crate) parents: Vec<u32>,
    /// The virtual rows that are touched.
    pub(crate) virtual_rows: Vec<u32>,
    pub(crate) groups: Vec<Group>,
    pub(crate) entries: Vec<Entry>,
    /// Items, counted from the first of their group.
    pub(crate) members: Vec<u16>,
}

impl Batch {
    /// How many samples there are.
    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// The features of an item.
    pub(crate) fn features_of(&self, item: usize) -> &[u16] {
        &self.features[self.starts[item] as usize..self.starts[item + 1] as usize]
    }

    /// The stack that evaluates a sample.
    pub(crate) fn stack_of(&self, sample: usize) -> usize {
        self.stacks[1..BUCKETS].partition_point(|&end| end <= sample)
    }

    /// Samples of one stack, in blocks of at most `size`.
    pub(crate) fn blocks(&self, size: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
        (0..BUCKETS).flat_map(move |stack| {
            let (start, end) = (self.stacks[stack], self.stacks[stack + 1]);
            (start..end).step_by(size).map(move |at| (stack, at..end.min(at + size)))
        })
    }
}
