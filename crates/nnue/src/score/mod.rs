//! From raw outputs to a score, and from a score to pawns and winning chances.

mod blend;
mod wdl;

pub(crate) use blend::Blend;
pub use blend::{Outputs, prefers_small};
pub use wdl::{Wdl, WinRate, WinRateModel, material};

use tandem_chess::Position;

/// A static evaluation from the side to move's view, in the engine's internal unit (a pawn is worth
/// about 208).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// The largest evaluation. What lies above is left to searches, for mates and tablebase wins.
    pub const MAX: Self = Self(31_506);

    /// The score of that value, kept within bounds.
    #[inline]
    #[must_use]
    pub const fn new(value: i32) -> Self {
        let max = Self::MAX.0;
        Self(if value > max {
            max
        } else if value < -max {
            -max
        } else {
            value
        })
    }

    /// The value in internal units.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Hundredths of a pawn as people see them: 100 means an even chance to win, given the material.
    #[must_use]
    pub fn centipawns(self, position: &Position) -> i32 {
        WinRate::of(position).centipawns(self.0)
    }

    /// The chances in per mille, given the material.
    #[must_use]
    pub fn wdl(self, position: &Position) -> Wdl {
        WinRate::of(position).wdl(self.0)
    }
}
