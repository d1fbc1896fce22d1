//! A move in 32 bits that knows what moves and what is taken.

use crate::{Move, PieceType, Position};

/// A [`Move`] with the moving and the captured kind beside it, so that ordering by victim and
/// attacker needs no second look at the board (the HPC paper's 32-bit move).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FullMove(u32);

impl FullMove {
    const NOTHING: u32 = 7;

    /// The move with what it means in that position.
    #[inline]
    #[must_use]
    pub fn new(position: &Position, m: Move) -> Self {
        let moving = position.piece_on(m.from()).map_or(Self::NOTHING, |p| p.kind() as u32);
        let captured = position.captured_by(m).map_or(Self::NOTHING, |kind| kind as u32);
        Self(u32::from(m.bits()) | moving << 16 | captured << 20)
    }

    /// The move without its companions.
    #[inline]
    #[must_use]
    pub fn plain(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    /// What moves.
    #[inline]
    #[must_use]
    pub fn moving(self) -> PieceType {
        PieceType::from_index((self.0 >> 16 & 7) as u8)
    }

    /// What is taken, if anything.
    #[inline]
    #[must_use]
    pub fn captured(self) -> Option<PieceType> {
        let kind = self.0 >> 20 & 7;
        (kind != Self::NOTHING).then(|| PieceType::from_index(kind as u8))
    }
}
