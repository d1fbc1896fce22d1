//! What was done in batches, and how well it went beside the gathering.

use std::time::Duration;

/// Counts of one thread's batches, or of all together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batches {
    /// Batches that were handed in.
    pub batches: u64,
    /// Positions in them.
    pub positions: u64,
    /// Positions that they would have had if enough leaves had been found.
    pub wanted: u64,
    /// Positions whose scores came back.
    pub answered: u64,
    /// Those of them whose moves came back judged as well.
    pub judged: u64,
    /// Batches that did not come back, or too late, and were evaluated by their thread.
    pub lost: u64,
    /// Playouts that met another under way and were given up.
    pub collisions: u64,
    /// How long threads have worked in batches, all together.
    time: Duration,
    /// How long batches were computed, all together.
    computing: Duration,
    /// How long threads worked while a batch of theirs was computed.
    overlapped: Duration,
}

impl Batches {
    /// A batch of so many positions is handed in, where so many were wanted.
    pub(super) const fn note(&mut self, positions: usize, wanted: usize) {
        self.batches += 1;
        self.positions += positions as u64;
        self.wanted += wanted as u64;
    }

    /// Time passes in which so many batches of a thread are computed while it works or waits.
    pub(super) fn pass(&mut self, time: Duration, computed: usize, at_work: bool) {
        self.time += time;
        self.computing += time * computed as u32;
        if at_work && computed > 0 {
            self.overlapped += time;
        }
    }

    /// Positions in a batch, on average.
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.positions as f64 / self.batches.max(1) as f64
    }

    /// The same as a share of what was wanted.
    #[must_use]
    pub fn fullness(&self) -> f64 {
        self.positions as f64 / self.wanted.max(1) as f64
    }

    /// The share of the positions that came back whose moves were judged in their batch.
    #[must_use]
    pub fn judged_share(&self) -> f64 {
        self.judged as f64 / self.answered.max(1) as f64
    }

    /// How many batches of a thread were computed at a time, on average.
    #[must_use]
    pub fn in_flight(&self) -> f64 {
        self.computing.as_secs_f64() / self.time.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// The share of its time in which a thread worked on the tree while a batch of its own was computed.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        self.overlapped.as_secs_f64() / self.time.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

impl std::ops::AddAssign for Batches {
    fn add_assign(&mut self, other: Self) {
        self.batches += other.batches;
        self.positions += other.positions;
        self.wanted += other.wanted;
        self.answered += other.answered;
        self.judged += other.judged;
        self.lost += other.lost;
        self.collisions += other.collisions;
        self.time += other.time;
        self.computing += other.computing;
        self.overlapped += other.overlapped;
    }
}
