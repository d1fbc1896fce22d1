//! A move in 16 bits, as tables and trees store it.

use std::fmt;
use std::num::NonZeroU16;

use crate::{PieceType, Square};

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece goes to a square, taking what stands there.
    Normal,
    /// A pawn reaches the last rank and becomes another piece.
    Promotion,
    /// A pawn takes the pawn that has just passed it.
    EnPassant,
    /// King and rook move together. The move goes from the king's to the rook's square, which is
    /// unambiguous in every variant of castling.
    Castling,
}

/// A move: 6 bits from, 6 bits to, 2 bits promotion, 2 bits kind. `Option<Move>` takes 16 bits too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// A plain move or capture. `from` and `to` differ.
    #[inline]
    #[must_use]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0, MoveKind::Normal)
    }

    /// A pawn's promotion to a knight, bishop, rook or queen.
    #[inline]
    #[must_use]
    pub const fn promotion(from: Square, to: Square, becomes: PieceType) -> Self {
        Self::pack(from, to, (becomes as u8).wrapping_sub(1), MoveKind::Promotion)
    }

    /// A capture en passant; `to` is the square behind the taken pawn.
    #[inline]
    #[must_use]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0, MoveKind::EnPassant)
    }

    /// Castling of that king with that rook.
    #[inline]
    #[must_use]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, 0, MoveKind::Castling)
    }

    #[inline]
    const fn pack(from: Square, to: Square, promotion: u8, kind: MoveKind) -> Self {
        debug_assert!(from.index() != to.index());
        let bits = from.index() as u16
            | (to.index() as u16) << 6
            | (promotion as u16 & 3) << 12
            | (kind as u16) << 14;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Only a1a1 packs to zero, and no piece moves to where it stands.
            None => Self(NonZeroU16::MAX),
        }
    }

    /// The 16 bits, for storage.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move that those bits were made from; zero stands for none. Bits from a damaged or raced
    /// table entry give some move, which [`is_legal`](crate::Position::is_legal) then judges.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// Where the piece comes from.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index((self.bits() & 63) as u8)
    }

    /// Where the piece goes; for castling, the rook's square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.bits() >> 6 & 63) as u8)
    }

    /// What is special about the move.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// What the pawn becomes, if this is a promotion.
    #[inline]
    #[must_use]
    pub const fn becomes(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Promotion => Some(PieceType::from_index((self.bits() >> 12 & 3) as u8 + 1)),
            _ => None,
        }
    }

    /// Whether king and rook move together.
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// Where the king stands after castling with this move.
    #[inline]
    #[must_use]
    pub const fn castled_king(self) -> Square {
        Square::new(if self.to().file() > self.from().file() { 6 } else { 2 }, self.from().rank())
    }

    /// Where the rook stands after castling with this move.
    #[inline]
    #[must_use]
    pub const fn castled_rook(self) -> Square {
        Square::new(if self.to().file() > self.from().file() { 5 } else { 3 }, self.from().rank())
    }
}

/// The squares as they are stored (castling as king takes rook), which is Chess960's UCI form.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.becomes().map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_keeps_what_it_was_made_of() {
        for kind in PieceType::PROMOTIONS {
            let m = Move::promotion(Square::A8.offset(-8), Square::B8, kind);
            assert_eq!((m.from(), m.to()), (Square::A8.offset(-8), Square::B8));
            assert_eq!(m.becomes(), Some(kind));
            assert_eq!(Move::from_bits(m.bits()), Some(m));
        }
        assert_eq!(Move::normal(Square::A1, Square::B1).becomes(), None);
        assert_eq!(Move::from_bits(0), None);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn castling_ends_on_the_same_squares_in_every_variant() {
        let short = Move::castling(Square::B1, Square::C1);
        assert_eq!((short.castled_king(), short.castled_rook()), (Square::G1, Square::F1));
        let long = Move::castling(Square::G8, Square::F8);
        assert_eq!((long.castled_king(), long.castled_rook()), (Square::C8, Square::D8));
    }
}
