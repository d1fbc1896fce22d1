//! `HalfKAv2_hm`: every piece on its square, for each place of the own king.

use tandem_chess::{Color, Piece, PieceType, Position, Square};

use super::threats::Orientation;

/// Planes of 64 squares: five kinds of two colours, and one for both kings.
const PLANES: u32 = 11;

/// How a side sees the board: from its own edge, mirrored so that its king stands on the files e to
/// h, in the bucket of its king's square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    side: Color,
    /// What turns a square into the side's own.
    flip: u8,
    /// The first row of the king's bucket.
    bucket: u32,
}

impl View {
    /// How many views a side can have, one for each square of its king.
    pub const COUNT: usize = 64;

    /// How that side sees the position.
    #[inline]
    pub fn of(position: &Position, side: Color) -> Self {
        Self::new(side, position.king(side))
    }

    #[inline]
    fn new(side: Color, king: Square) -> Self {
        let vertical = 56 * side.index() as u8;
        let horizontal = if king.file() < 4 { 7 } else { 0 };
        let rank = king.rank_for(side);
        let bucket = u32::from(7 - rank) * 4 + u32::from(king.file().min(7 - king.file()));
        Self { side, flip: vertical ^ horizontal, bucket: bucket * PLANES * 64 }
    }

    /// The row of a piece on a square.
    #[inline]
    pub fn row(self, piece: Piece, square: Square) -> u32 {
        let plane = match piece.kind() {
            PieceType::King => PLANES - 1,
            kind => 2 * kind.index() as u32 + u32::from(piece.color() != self.side),
        };
        (square.index() as u32 ^ u32::from(self.flip)) + 64 * plane + self.bucket
    }

    /// How the same side sees attacks: mirrored the other way.
    #[inline]
    pub fn threat_orientation(self) -> Orientation {
        Orientation { side: self.side, flip: self.flip ^ 7 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::HALFKA_ROWS;

    #[test]
    fn every_row_is_inside_the_table_and_has_one_meaning() {
        for side in Color::ALL {
            let mut seen = std::collections::HashSet::new();
            for king in Square::all().filter(|king| king.file() >= 4) {
                let view = View::new(side, king);
                for square in Square::all() {
                    for kind in PieceType::ALL {
                        let row = view.row(Piece::new(side, kind), square);
                        assert!((row as usize) < HALFKA_ROWS);
                        assert!(seen.insert(row), "row {row} has two meanings");
                    }
                }
            }
        }
    }

    #[test]
    fn mirrored_and_flipped_positions_have_the_same_rows() {
        let piece = |color| Piece::new(color, PieceType::Knight);
        let white = View::new(Color::White, Square::G1);
        let mirrored = View::new(Color::White, Square::B1);
        let flipped = View::new(Color::Black, Square::G8);
        for square in Square::all() {
            let row = white.row(piece(Color::White), square);
            assert_eq!(mirrored.row(piece(Color::White), square.flip_file()), row);
            assert_eq!(flipped.row(piece(Color::Black), square.flip_rank()), row);
        }
    }
}
