//! What a user sets and every search heeds.

use std::time::Duration;

use crate::Endgames;

/// Settings that hold from search to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// MiB for tables, trees and caches together.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// How many best lines are shown.
    pub multi_pv: usize,
    /// Reserved in each move for what happens outside the engine.
    pub move_overhead: Duration,
    /// By how many centipawns a draw is worse than nothing for the side that decides.
    pub contempt: i32,
    /// Which tablebases are asked, and when.
    pub endgames: Endgames,
    /// How often, at the most, a search tells while it thinks how every move of the root stands, and how two
    /// searches look at it; never by default.
    pub live: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            contempt: 0,
            endgames: Endgames::default(),
            live: None,
        }
    }
}
