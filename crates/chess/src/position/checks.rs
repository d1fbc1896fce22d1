//! Which moves give check.

use super::Position;
use crate::attacks::{
    attacks, between, bishop_attacks, bishop_rays, knight_attacks, line, pawn_attacks,
    rook_attacks, rook_rays,
};
use crate::{Bitboard, Color, Move, MoveKind, PieceType, Square};

/// What the side to move needs to know to see whether its moves give check: found once, asked for
/// every move.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    /// Pieces that uncover a check by leaving the line to the king.
    uncovering: Bitboard,
}

impl Checks {
    /// The squares on which a piece of that kind attacks the opponent's king.
    #[inline]
    #[must_use]
    pub fn squares(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Pawn => self.pawn,
            PieceType::Knight => self.knight,
            PieceType::Bishop => self.bishop,
            PieceType::Rook => self.rook,
            PieceType::Queen => self.bishop | self.rook,
            PieceType::King => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// Where the side to move would give check from.
    #[must_use]
    pub fn checks(&self) -> Checks {
        let (us, occupied) = (self.side, self.occupied());
        let king = self.king(!us);
        let snipers = (rook_rays(king) & self.straight_sliders(us))
            | (bishop_rays(king) & self.diagonal_sliders(us));
        let mut uncovering = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = between(king, sniper) & occupied;
            if !blockers.many() {
                uncovering |= blockers & self.color(us);
            }
        }
        Checks {
            king,
            pawn: pawn_attacks(!us, king),
            knight: knight_attacks(king),
            bishop: bishop_attacks(king, occupied),
            rook: rook_attacks(king, occupied),
            uncovering,
        }
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        self.gives_check_by(m, &self.checks())
    }

    /// Whether a legal move gives check, by what [`checks`](Self::checks) found.
    #[inline]
    #[must_use]
    pub fn gives_check_by(&self, m: Move, checks: &Checks) -> bool {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Normal => {
                let Some(piece) = self.piece_on(from) else { return false };
                checks.squares(piece.kind()).contains(to) || uncovers(m, checks)
            }
            MoveKind::Promotion => {
                let kind = m.becomes().unwrap_or(PieceType::Queen);
                let occupied = self.occupied() - from.into();
                attacks(kind, Color::White, to, occupied).contains(checks.king)
                    || uncovers(m, checks)
            }
            MoveKind::EnPassant | MoveKind::Castling => self.after(m).in_check(),
        }
    }
}

#[inline]
fn uncovers(m: Move, checks: &Checks) -> bool {
    checks.uncovering.contains(m.from()) && !line(checks.king, m.from()).contains(m.to())
}
