//! How a position stands by the rules, without its history.

use super::Position;
use crate::{Bitboard, PieceType};

impl Position {
    /// The side to move is in check and has no legal move.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// The side to move is not in check and has no legal move.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Neither side could mate even with the other's help, as far as material alone tells: bare
    /// kings, one knight, or bishops that all stand on one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let mating =
            self.kind(PieceType::Pawn) | self.kind(PieceType::Rook) | self.kind(PieceType::Queen);
        if mating.any() {
            return false;
        }
        let (knights, bishops) = (self.kind(PieceType::Knight), self.kind(PieceType::Bishop));
        if knights.any() {
            return self.occupied().count() == 3;
        }
        (bishops & Bitboard::DARK).is_empty() || (bishops - Bitboard::DARK).is_empty()
    }
}
