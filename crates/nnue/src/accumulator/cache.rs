//! The last accumulator seen for each place of each king.
//!
//! When a king moves, every row of the own side's features changes. But the same king has usually
//! stood there before, in a position that differs by a few pieces: updating from that one is much
//! cheaper than adding up the whole board.

use tandem_chess::{Color, Position};

use super::buffer::Accumulator;
use crate::features::View;

/// A position and its accumulator.
pub(super) struct Entry {
    /// None until the first use.
    pub position: Option<Position>,
    pub accumulator: Accumulator,
}

/// One entry for each side and king square, made at its first use.
pub(super) struct RefreshCache {
    entries: Vec<Option<Entry>>,
    width: usize,
}

impl RefreshCache {
    pub fn new(width: usize) -> Self {
        let entries = std::iter::repeat_with(|| None).take(2 * View::COUNT).collect();
        Self { entries, width }
    }

    /// The entry of that side's king in that position.
    pub fn entry(&mut self, position: &Position, side: Color) -> &mut Entry {
        let index = side.index() * View::COUNT + position.king(side).index();
        self.entries[index].get_or_insert_with(|| Entry {
            position: None,
            accumulator: Accumulator::new(self.width),
        })
    }
}
