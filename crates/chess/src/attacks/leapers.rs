//! Attacks that no other piece can block.

use super::raycast::neighbour;
use crate::{Bitboard, Color, Square};

const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [Bitboard; 64] = leaps(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaps(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = neighbour(Square::from_index(index), steps[i]) {
                table[index as usize].0 |= 1 << to.index();
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// What a knight attacks.
#[inline]
#[must_use]
pub fn knight_attacks(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// What a king attacks.
#[inline]
#[must_use]
pub fn king_attacks(from: Square) -> Bitboard {
    KING[from.index()]
}

/// What a pawn of that colour attacks (not where it pushes).
#[inline]
#[must_use]
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.index()]
}

/// Everything that a set of pawns of one colour attacks.
#[inline]
#[must_use]
pub fn pawns_attack(color: Color, pawns: Bitboard) -> Bitboard {
    let (left, right) = (pawns - Bitboard::FILE_A, pawns - Bitboard::FILE_H);
    match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_and_centre_have_the_right_number_of_leaps() {
        assert_eq!(knight_attacks(Square::A1).count(), 2);
        assert_eq!(knight_attacks(Square::E4).count(), 8);
        assert_eq!(king_attacks(Square::H8).count(), 3);
        assert_eq!(king_attacks(Square::E4).count(), 8);
    }

    #[test]
    fn pawns_attack_together_as_they_do_alone() {
        for color in Color::ALL {
            for square in Square::all() {
                assert_eq!(
                    pawns_attack(color, square.into()),
                    pawn_attacks(color, square),
                    "{color} {square}"
                );
            }
        }
    }
}
