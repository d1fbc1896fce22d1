//! What a thread has done, for reports and benchmarks.

use std::time::Duration;

use crate::batch::Batches;

/// The parts of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// From the root to the leaf.
    Selection,
    /// Making moves known, their priors included.
    Expansion,
    /// The value of the leaf.
    Evaluation,
    /// From the leaf back to the root.
    Backup,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Selection, Self::Expansion, Self::Evaluation, Self::Backup];

    /// The name, as the hybrid paper has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Expansion => "expansion",
            Self::Evaluation => "evaluation",
            Self::Backup => "backpropagation",
        }
    }
}

/// Counts of one thread, or of all together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Playouts that came back with a value.
    pub playouts: u64,
    /// Playouts that ended in a new evaluation.
    pub evaluated: u64,
    /// Playouts that ended in a position whose evaluation the table knew.
    pub table_hits: u64,
    /// Playouts whose value another search knew better than an evaluation.
    pub borrowed_values: u64,
    /// Playouts whose evaluation another search had made.
    pub borrowed_evaluations: u64,
    /// Positions of which another search knew a likely move.
    pub borrowed_moves: u64,
    /// Playouts that ended where the game does, or in a certain result.
    pub finished: u64,
    /// Answers of tablebases.
    pub tablebase_hits: u64,
    /// The lengths of all playouts together, in plies.
    pub depth_sum: u64,
    /// The longest playout, in plies.
    pub deepest: usize,
    /// How many of those have been told of.
    pub(crate) tablebase_hits_told: u64,
    /// What the evaluator had computed before and after the search.
    pub(crate) evaluations_before: u64,
    pub(crate) evaluations_after: u64,
    /// What went through batches.
    pub batches: Batches,
    times: [Duration; 4],
}

impl Counts {
    pub(crate) fn note_depth(&mut self, plies: usize) {
        self.playouts += 1;
        self.depth_sum += plies as u64;
        self.deepest = self.deepest.max(plies);
    }

    pub(crate) fn add_time(&mut self, phase: Phase, time: Duration) {
        self.times[phase as usize] += time;
        if phase == Phase::Expansion {
            // Moves become known on the way down.
            let selection = &mut self.times[Phase::Selection as usize];
            *selection = selection.saturating_sub(time);
        }
    }

    /// Times that the network was really computed.
    #[must_use]
    pub const fn evaluations(&self) -> u64 {
        self.evaluations_after - self.evaluations_before + self.batches.answered
    }

    /// The mean length of a playout, in plies.
    #[must_use]
    pub fn average_depth(&self) -> f64 {
        self.depth_sum as f64 / self.playouts.max(1) as f64
    }

    /// The share of playouts whose leaf was in the table, of those that asked it.
    #[must_use]
    pub fn hit_rate(&self) -> f64 {
        self.table_hits as f64 / (self.table_hits + self.evaluated).max(1) as f64
    }

    /// The share of time that a phase took, by the playouts that were timed. With batches all are: then
    /// selection includes expansion, and evaluation is what threads have waited for batches.
    #[must_use]
    pub fn share(&self, phase: Phase) -> f64 {
        let all: Duration = self.times.iter().sum();
        self.times[phase as usize].as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.evaluated += other.evaluated;
        self.table_hits += other.table_hits;
        self.borrowed_values += other.borrowed_values;
        self.borrowed_evaluations += other.borrowed_evaluations;
        self.borrowed_moves += other.borrowed_moves;
        self.finished += other.finished;
        self.tablebase_hits += other.tablebase_hits;
        self.depth_sum += other.depth_sum;
        self.deepest = self.deepest.max(other.deepest);
        self.evaluations_before += other.evaluations_before;
        self.evaluations_after += other.evaluations_after;
        self.batches += other.batches;
        for (time, other) in self.times.iter_mut().zip(other.times) {
            *time += other;
        }
    }
}
