//! The start positions of Chess960.

use super::{Builder, Position};
use crate::{Bitboard, Color, Piece, PieceType, Square};

/// The squares of the two knights among the five that bishops and queen leave.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

impl Position {
    /// The start position of that number (from 0, below 960) in Reinhard Scharnagl's order; 518 is
    /// the usual one.
    ///
    /// # Panics
    /// If there is no such number.
    #[must_use]
    pub fn chess960(number: usize) -> Self {
        assert!(number < 960, "Chess960 has no start position {number}");
        let rank = first_rank(number);
        let mut parts = Builder::empty();
        for (file, kind) in (0..8).zip(rank) {
            for (color, home, pawns) in [(Color::White, 0, 1), (Color::Black, 7, 6)] {
                let square = Square::new(file, home);
                parts.board[square.index()] = Some(Piece::new(color, kind));
                parts.board[Square::new(file, pawns).index()] =
                    Some(Piece::new(color, PieceType::Pawn));
                if kind == PieceType::Rook {
                    parts.castling |= Bitboard::of(square);
                }
            }
        }
        parts.build().expect("every start position is legal")
    }
}

/// The pieces from the a-file to the h-file.
fn first_rank(number: usize) -> [PieceType; 8] {
    let mut rank = [None; 8];
    rank[2 * (number % 4) + 1] = Some(PieceType::Bishop);
    rank[2 * (number / 4 % 4)] = Some(PieceType::Bishop);
    let mut fill = |places: &[usize], kind| {
        let free: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
        for &place in places {
            rank[free[place]] = Some(kind);
        }
    };
    fill(&[number / 16 % 6], PieceType::Queen);
    let (one, two) = KNIGHTS[number / 96];
    fill(&[one, two], PieceType::Knight);
    // The king stands between the rooks on what is left.
    fill(&[0, 2], PieceType::Rook);
    fill(&[0], PieceType::King);
    rank.map(|kind| kind.expect("eight pieces fill the rank"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_960_different_ones_and_518_is_the_usual_one() {
        let all: HashSet<String> = (0..960).map(|n| Position::chess960(n).to_string()).collect();
        assert_eq!(all.len(), 960);
        assert_eq!(Position::chess960(518), Position::startpos());
        assert!(Position::chess960(0).to_string().starts_with("bbqnnrkr/"));
        assert!(Position::chess960(959).to_string().starts_with("rkrnnqbb/"));
    }
}
