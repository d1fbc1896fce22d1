//! Judging a single move: is it legal, does it take, does it give check.

use super::Position;
use crate::attacks::{attacks, between, line};
use crate::{Bitboard, Color, Move, MoveKind, Piece, PieceType, Square};

impl Position {
    /// What a legal move takes.
    #[inline]
    #[must_use]
    pub fn captured_by(&self, m: Move) -> Option<PieceType> {
        match m.kind() {
            MoveKind::Castling => None,
            MoveKind::EnPassant => Some(PieceType::Pawn),
            MoveKind::Normal | MoveKind::Promotion => self.piece_on(m.to()).map(Piece::kind),
        }
    }

    /// Whether a legal move takes something.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, m: Move) -> bool {
        self.captured_by(m).is_some()
    }

    /// Whether any 16 bits, for instance from a shared table, are a legal move here.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.side;
        let Some(piece) = self.piece_on(m.from()).filter(|p| p.color() == us) else {
            return false;
        };
        if m.from() == m.to() {
            return false;
        }
        let king = self.king(us);
        match m.kind() {
            MoveKind::Castling => {
                m == Move::castling(m.from(), m.to())
                    && m.from() == king
                    && (self.castling & Bitboard::rank_for(us, 0)).contains(m.to())
                    && !self.in_check()
                    && self.may_castle(us, king, m.to())
            }
            MoveKind::EnPassant => {
                m == Move::en_passant(m.from(), m.to())
                    && self.en_passant == Some(m.to())
                    && self.en_passant_takers(us, m.to()).contains(m.from())
            }
            MoveKind::Promotion | MoveKind::Normal => {
                let promotes = m.kind() == MoveKind::Promotion;
                let must_promote = piece.kind() == PieceType::Pawn && m.to().rank_for(us) == 7;
                promotes == must_promote
                    && (promotes || m == Move::normal(m.from(), m.to()))
                    && self.may_go(piece.kind(), m.from(), m.to())
            }
        }
    }

    /// Whether a piece of the side to move may go to a square, promotions and specials apart.
    fn may_go(&self, kind: PieceType, from: Square, to: Square) -> bool {
        let us = self.side;
        if self.color(us).contains(to) || !self.pseudo_targets(kind, from).contains(to) {
            return false;
        }
        let king = self.king(us);
        if kind == PieceType::King {
            return !self.is_attacked(to, !us, self.occupied() ^ king.into());
        }
        let resolves_check = match self.checkers.count() {
            0 => true,
            1 => (between(king, self.checkers.first()) | self.checkers).contains(to),
            _ => false,
        };
        resolves_check && (!self.pinned.contains(from) || line(king, from).contains(to))
    }

    /// Where a piece of the side to move goes by its way of moving alone.
    fn pseudo_targets(&self, kind: PieceType, from: Square) -> Bitboard {
        let (us, occupied) = (self.side, self.occupied());
        let reach = attacks(kind, us, from, occupied);
        if kind != PieceType::Pawn {
            return reach;
        }
        let forward = if us == Color::White { 8 } else { -8 };
        let single = Bitboard::of(from).shift(forward) - occupied;
        let double = (single & Bitboard::rank_for(us, 2)).shift(forward) - occupied;
        (reach & self.color(!us)) | single | double
    }
}
