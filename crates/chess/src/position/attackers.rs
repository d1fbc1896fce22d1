//! Who attacks what, and the check and pin sets that follow from it.

use super::Position;
use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_rays,
};
use crate::{Bitboard, Color, PieceType, Square};

impl Position {
    /// The pieces of both sides that attack a square, if the board were occupied like that.
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.kind(PieceType::Queen);
        (pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn))
            | (pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn))
            | (knight_attacks(square) & self.kind(PieceType::Knight))
            | (king_attacks(square) & self.kind(PieceType::King))
            | (rook_attacks(square, occupied) & (self.kind(PieceType::Rook) | queens))
            | (bishop_attacks(square, occupied) & (self.kind(PieceType::Bishop) | queens))
    }

    /// Whether that side attacks a square, if the board were occupied like that.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let leapers = (pawn_attacks(!by, square) & self.kind(PieceType::Pawn))
            | (knight_attacks(square) & self.kind(PieceType::Knight))
            | (king_attacks(square) & self.kind(PieceType::King));
        (leapers & self.color(by)).any() || self.is_attacked_by_slider(square, by, occupied)
    }

    #[inline]
    pub(super) fn is_attacked_by_slider(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
    ) -> bool {
        let straight = rook_attacks(square, occupied) & self.straight_sliders(by);
        let diagonal = bishop_attacks(square, occupied) & self.diagonal_sliders(by);
        (straight | diagonal).any()
    }

    /// Finds checkers and pinned pieces of the side to move: only enemy sliders on the king's
    /// lines matter, and there are rarely more than two.
    #[inline]
    pub(super) fn update_checks_and_pins(&mut self) {
        let (us, them) = (self.side, !self.side);
        let king = self.king(us);
        let leapers = (pawn_attacks(us, king) & self.kind(PieceType::Pawn))
            | (knight_attacks(king) & self.kind(PieceType::Knight));
        self.checkers = leapers & self.color(them);
        self.pinned = Bitboard::EMPTY;
        let snipers = (rook_rays(king) & self.straight_sliders(them))
            | (bishop_rays(king) & self.diagonal_sliders(them));
        for sniper in snipers {
            let blockers = between(king, sniper) & self.occupied();
            if blockers.is_empty() {
                self.checkers |= Bitboard::of(sniper);
            } else if !blockers.many() {
                self.pinned |= blockers & self.color(us);
            }
        }
    }
}
