//! How players behave: what they spend and what they do wrong.

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::player::Fault;

/// What a player spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Positions visited, as far as the player said.
    pub nodes: u64,
    /// Plies looked ahead, added up over the moves.
    pub depth: u64,
    /// Time used.
    pub time: Duration,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.time += other.time;
    }
}

impl Effort {
    /// Positions a second.
    #[must_use]
    pub fn nps(&self) -> Option<f64> {
        (!self.time.is_zero()).then(|| self.nodes as f64 / self.time.as_secs_f64())
    }

    /// Plies a move.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depth as f64 / self.moves as f64)
    }
}

/// Kinds of faults, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// More time used than there was.
    TimeLoss,
    /// The program ended.
    Crash,
    /// No answer.
    Hang,
    /// A move that the rules forbid.
    IllegalMove,
    /// It could not be started again.
    NoStart,
}

impl From<&Fault> for FaultKind {
    fn from(fault: &Fault) -> Self {
        match fault {
            Fault::Overstepped(_) => Self::TimeLoss,
            Fault::Crashed(_) => Self::Crash,
            Fault::Hung(_) => Self::Hang,
            Fault::Illegal(_) => Self::IllegalMove,
            Fault::Absent(_) => Self::NoStart,
        }
    }
}

/// What one player did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Conduct {
    /// What it spent.
    pub effort: Effort,
    /// Answers after the time was over; in a game they lose it, as do the other faults.
    pub time_losses: u64,
    /// Crashes.
    pub crashes: u64,
    /// Silence for too long.
    pub hangs: u64,
    /// Illegal moves.
    pub illegal_moves: u64,
    /// How often it could not be started again.
    pub no_starts: u64,
}

impl Conduct {
    /// All that it did wrong.
    #[must_use]
    pub const fn faults(&self) -> u64 {
        self.time_losses + self.crashes + self.hangs + self.illegal_moves + self.no_starts
    }

    /// Counts a fault.
    pub(crate) fn count(&mut self, kind: FaultKind) {
        *match kind {
            FaultKind::TimeLoss => &mut self.time_losses,
            FaultKind::Crash => &mut self.crashes,
            FaultKind::Hang => &mut self.hangs,
            FaultKind::IllegalMove => &mut self.illegal_moves,
            FaultKind::NoStart => &mut self.no_starts,
        } += 1;
    }
}

impl fmt::Display for Conduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = self.effort.nps().map_or("unknown".to_owned(), |nps| format!("{nps:.0}"));
        let depth = self.effort.mean_depth().map_or("unknown".to_owned(), |d| format!("{d:.1}"));
        write!(
            f,
            "nodes/s {speed}, depth {depth}; time losses {}, crashes {}, hangs {}, illegal moves {}, failed starts {}",
            self.time_losses, self.crashes, self.hangs, self.illegal_moves, self.no_starts
        )
    }
}
