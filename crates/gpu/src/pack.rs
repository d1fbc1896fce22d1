//! A position as the device reads it.

use bytemuck::{Pod, Zeroable};
use tandem_chess::{Color, PieceType, Position};

/// The pieces of a position in 32 bytes, seen by the side to move: its pieces first, its edge of the
/// board at the bottom. So the device need not know whose move it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Packed {
    /// A bit for each square: whether the piece is the other side's, and the bits of its kind, which
    /// counts from 1 for a pawn to 6 for a king.
    planes: [u64; 4],
}

impl Packed {
    /// Packs a position.
    #[inline]
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings] =
            PieceType::ALL.map(|kind| position.kind(kind).0);
        let side = position.side_to_move();
        let mut planes = [
            position.color(!side).0,
            pawns | bishops | queens,
            knights | bishops | kings,
            rooks | queens | kings,
        ];
        if side == Color::Black {
            planes = planes.map(u64::swap_bytes);
        }
        Self { planes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_and_its_flipped_twin_are_packed_alike() {
        let white: Position = "4k3/8/8/3q4/8/8/P7/R3K3 w - - 0 1".parse().unwrap();
        let black: Position = "r3k3/p7/8/8/3Q4/8/8/4K3 b - - 0 1".parse().unwrap();
        assert_eq!(Packed::new(&white), Packed::new(&black));
        let other: Position = "r3k3/p7/8/8/3Q4/8/8/4K3 w - - 0 1".parse().unwrap();
        assert_ne!(Packed::new(&other), Packed::new(&black));
    }
}
