//! What a search may spend.

use std::time::Duration;

use tandem_chess::{Color, Move};

/// One side's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// Everything that can end a search. Whatever is reached first counts; nothing set means that only
/// the word to stop ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Full moves of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Stop when a mate in that many moves is found.
    pub mate: Option<u32>,
    /// Exactly that much time for this move.
    pub movetime: Option<Duration>,
    /// The clocks of White and Black, as far as they are known.
    pub clocks: [Option<Clock>; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Answer only when told to stop.
    pub infinite: bool,
    /// Think on the opponent's time: the clock counts only from the ponder hit.
    pub ponder: bool,
    /// Consider only these moves at the root; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// A search to that depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search for that long.
    #[must_use]
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }

    /// The clock of a side.
    #[must_use]
    pub const fn clock(&self, side: Color) -> Option<Clock> {
        self.clocks[side.index()]
    }

    /// Whether the search ends by itself once it may: not while infinite or pondering.
    #[must_use]
    pub const fn answers_unasked(&self) -> bool {
        !self.infinite && !self.ponder
    }

    /// Whether nothing but the word to stop ends the search in foreseeable time. A mate may never
    /// be found.
    #[must_use]
    pub fn is_open_ended(&self) -> bool {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clocks.iter().any(Option::is_some);
        !bounded || self.infinite || self.ponder
    }
}
