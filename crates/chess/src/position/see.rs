//! Static exchange evaluation: what a move wins or loses if both sides keep taking on its target.

use super::Position;
use crate::attacks::{bishop_attacks, rook_attacks};
use crate::{Bitboard, Move, MoveKind, Piece, PieceType, Square};

/// What a kind of piece is worth in an exchange, in centipawns.
#[inline]
#[must_use]
pub const fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 100,
        PieceType::Knight => 320,
        PieceType::Bishop => 330,
        PieceType::Rook => 500,
        PieceType::Queen => 900,
        PieceType::King => 20_000,
    }
}

impl Position {
    /// Whether a legal move wins at least `threshold` (in the units of [`value`]) when both sides
    /// take on its target with their cheapest piece for as long as it pays.
    ///
    /// A king takes only what is no longer defended; pins and checks are not looked at; a
    /// promotion counts what it adds, recapturing pawns stay pawns. Castling wins nothing.
    #[must_use]
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        if m.is_castling() {
            return threshold <= 0;
        }
        let Some(moving) = self.piece_on(m.from()).map(Piece::kind) else {
            return false;
        };
        let standing = m.becomes().unwrap_or(moving);
        let gained = self.captured_by(m).map_or(0, value) + value(standing) - value(moving);

        // `balance` is what the side to take next may lose and still refute the claim.
        let mut balance = gained - threshold;
        if balance < 0 {
            return false;
        }
        balance -= value(standing);
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - m.from().into()) | m.to().into();
        if m.kind() == MoveKind::EnPassant {
            let passed = Square::new(m.to().file(), m.from().rank());
            occupied = occupied - passed.into();
        }
        !self.next_taker_wins(m, occupied, balance)
    }

    /// Plays the exchange out from the opponent's first capture. Answers whether the opponent
    /// comes out ahead of the claim.
    fn next_taker_wins(&self, m: Move, mut occupied: Bitboard, mut balance: i32) -> bool {
        let to = m.to();
        let straight = self.kind(PieceType::Rook) | self.kind(PieceType::Queen);
        let diagonal = self.kind(PieceType::Bishop) | self.kind(PieceType::Queen);
        let mover = self.side;
        let mut side = !mover;
        let mut attackers = self.attackers_to(to, occupied);
        loop {
            attackers &= occupied;
            let ours = attackers & self.color(side);
            let Some(kind) = self.cheapest(ours) else {
                break;
            };
            if kind == PieceType::King && (attackers & self.color(!side)).any() {
                break;
            }
            occupied ^= Bitboard::of((ours & self.kind(kind)).first());
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(to, occupied) & straight;
            }
            side = !side;
            balance = -balance - 1 - value(kind);
            // The side that has just taken is ahead even if its piece is lost: the other gives up.
            if balance >= 0 {
                break;
            }
        }
        // Whoever cannot or will not take on has lost the argument.
        side == mover
    }

    /// The least valuable kind in a set.
    #[inline]
    fn cheapest(&self, set: Bitboard) -> Option<PieceType> {
        PieceType::ALL.into_iter().find(|&kind| (set & self.kind(kind)).any())
    }
}
