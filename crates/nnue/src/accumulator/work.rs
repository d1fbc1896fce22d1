//! What inference had to do, counted.

use crate::Architecture;
use crate::architecture::BUCKETS;
use crate::features::Rows;

/// Counts of the work behind a number of evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Forward passes.
    pub evaluations: u64,
    /// Accumulators that were updated from another position of the line.
    pub updates: u64,
    /// Accumulators that were updated from the refresh cache or added up from nothing.
    pub refreshes: u64,
    /// Rows of pieces added or subtracted.
    pub piece_rows: u64,
    /// Rows of threats added or subtracted.
    pub threat_rows: u64,
}

impl Work {
    #[inline]
    pub(super) fn count(&mut self, rows: &Rows, is_refresh: bool) {
        let (pieces, threats) = rows.counts();
        self.updates += u64::from(!is_refresh);
        self.refreshes += u64::from(is_refresh);
        self.piece_rows += pieces as u64;
        self.threat_rows += threats as u64;
    }

    /// The bytes of the feature transformer and the accumulators that this work read and wrote.
    #[must_use]
    pub fn bytes(&self, shape: Architecture) -> u64 {
        let (l1, psqt) = (shape.l1 as u64, 4 * BUCKETS as u64);
        let accumulator = 2 * l1 + psqt;
        self.piece_rows * (2 * l1 + psqt)
            + self.threat_rows * (l1 + psqt)
            + (self.updates + self.refreshes) * 2 * accumulator
            + self.evaluations * 2 * accumulator
    }
}

impl std::ops::Sub for Work {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            evaluations: self.evaluations - earlier.evaluations,
            updates: self.updates - earlier.updates,
            refreshes: self.refreshes - earlier.refreshes,
            piece_rows: self.piece_rows - earlier.piece_rows,
            threat_rows: self.threat_rows - earlier.threat_rows,
        }
    }
}
