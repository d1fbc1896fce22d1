//! Kinds of endings, for counting.

use serde::{Deserialize, Serialize};
use tandem_chess::Outcome;

use crate::adjudication::Ruling;
use crate::play::Ending;

/// How a game ended, whoever won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Checkmate.
    Mate,
    /// The side to move had no move.
    Stalemate,
    /// The same position three times.
    Repetition,
    /// Fifty moves without progress.
    FiftyMoves,
    /// Nobody could mate.
    InsufficientMaterial,
    /// The tablebases knew the result.
    Tablebase,
    /// Both saw nothing in it.
    AdjudicatedDraw,
    /// One saw itself lost, and the other agreed.
    Resignation,
    /// It took too long.
    Length,
}

impl End {
    /// All kinds. Files know them by their place here.
    pub const ALL: [Self; 9] = [
        Self::Mate,
        Self::Stalemate,
        Self::Repetition,
        Self::FiftyMoves,
        Self::InsufficientMaterial,
        Self::Tablebase,
        Self::AdjudicatedDraw,
        Self::Resignation,
        Self::Length,
    ];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::InsufficientMaterial => "insufficient material",
            Self::Tablebase => "tablebase",
            Self::AdjudicatedDraw => "adjudicated draw",
            Self::Resignation => "resignation",
            Self::Length => "length",
        }
    }

    /// The kind of an ending; none for a game that a fault ended.
    #[must_use]
    pub const fn of(ending: &Ending) -> Option<Self> {
        Some(match ending {
            Ending::Rules(Outcome::Checkmate(_)) => Self::Mate,
            Ending::Rules(Outcome::Stalemate) => Self::Stalemate,
            Ending::Rules(Outcome::ThreefoldRepetition) => Self::Repetition,
            Ending::Rules(Outcome::FiftyMoves) => Self::FiftyMoves,
            Ending::Rules(Outcome::InsufficientMaterial) => Self::InsufficientMaterial,
            Ending::Ruling(Ruling::Tablebase(_)) => Self::Tablebase,
            Ending::Ruling(Ruling::Draw) => Self::AdjudicatedDraw,
            Ending::Ruling(Ruling::Resignation(_)) => Self::Resignation,
            Ending::Ruling(Ruling::TooLong) => Self::Length,
            Ending::Fault(..) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_kind_is_its_number() {
        assert!(End::ALL.iter().enumerate().all(|(place, &end)| end as usize == place));
    }
}
