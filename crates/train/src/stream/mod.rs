//! Samples in random order, the same from the same seed, and batches of them ahead of time.
//!
//! Several shards are read side by side, a run from each in turn. So many samples as the settings
//! say make a *portion*, which is shuffled as a whole. A portion ends with the pass over the data,
//! and each pass reads the shards in another order. So the place in the data is a short list: where
//! the portion began in each open shard, and how much of it was used. To go on from there, the
//! portion is read again.

mod loader;
mod mixer;

pub(crate) use loader::Loader;
pub use loader::Pack;
pub(crate) use mixer::Mixer;
pub use mixer::Recipe;

use serde::{Deserialize, Serialize};

/// Where a portion begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// How many times all shards were read.
    pass: u64,
    /// The number of the portion, over all passes.
    portion: u64,
    /// How many shards of the pass have been opened.
    opened: usize,
    /// The shards that are open, and how many samples have been read of each.
    open: Vec<(usize, u64)>,
}

/// How far the data has been used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DataPosition {
    /// The portion in use.
    place: Place,
    /// How many of its samples have been used.
    used: usize,
}
