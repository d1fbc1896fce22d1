//! How endgame tablebases reach the searches: what they answer, not how they are read.

use std::ops::Neg;

use crate::{Game, Move, Position};

/// The result of perfect play for the side to move, the fifty-move rule considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Wdl {
    /// The opponent wins.
    Loss = -2,
    /// The opponent would win, but the fifty-move rule comes first.
    BlessedLoss = -1,
    /// Nobody wins.
    Draw = 0,
    /// The side to move would win, but the fifty-move rule comes first.
    CursedWin = 1,
    /// The side to move wins.
    Win = 2,
}

impl Wdl {
    /// The same result where there is no fifty-move rule.
    #[must_use]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
            Self::Loss | Self::BlessedLoss => Self::Loss,
            Self::Draw => Self::Draw,
            Self::CursedWin | Self::Win => Self::Win,
        }
    }
}

/// The same result for the opponent.
impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// What a tablebase thinks of a move in the position to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// Higher is better. Among moves of the same rank the choice is free: each keeps the result.
    pub rank: i32,
    /// What the move leads to, for the side that makes it.
    pub wdl: Wdl,
}

/// The moves of a position as a tablebase ranks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMoves {
    /// Every legal move, best first.
    pub moves: Vec<RankedMove>,
    /// Whether following the ranks alone is sure to reach the result. Otherwise they only say
    /// which moves keep it, and progress is the search's business.
    pub makes_progress: bool,
}

/// Endgames solved beforehand. The implementation lies above the searches, which see this alone.
pub trait Tablebase: Send + Sync {
    /// The most pieces, kings included, for which there may be an answer.
    fn max_pieces(&self) -> u32;

    /// The result of a position in which the last move was a capture or a pawn's. None if it is
    /// not covered, as every position with castling rights.
    fn probe_wdl(&self, position: &Position) -> Option<Wdl>;

    /// Ranks the legal moves of a game's position, with its history and half-move clock in mind.
    /// None if the position or one that a move leads to is not covered.
    ///
    /// Without `fifty_moves`, results that only the fifty-move rule spoils count in full.
    fn rank_moves(&self, game: &Game, fifty_moves: bool) -> Option<RankedMoves>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Wdl; 5] = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];

    #[test]
    fn what_one_side_wins_the_other_loses() {
        assert!(ALL.is_sorted());
        for wdl in ALL {
            assert_eq!((-wdl) as i8, -(wdl as i8));
            assert_eq!(-wdl.without_fifty_moves(), (-wdl).without_fifty_moves());
        }
    }
}
