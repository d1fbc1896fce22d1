//! Straight lines between and through squares.

use super::raycast::{self, BISHOP_STEPS, ROOK_STEPS};
use crate::{Bitboard, Square};

static BETWEEN: [[Bitboard; 64]; 64] = lines(false);
static LINE: [[Bitboard; 64]; 64] = lines(true);
static ROOK_RAYS: [Bitboard; 64] = rays(true);
static BISHOP_RAYS: [Bitboard; 64] = rays(false);

const fn rays(rook: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index);
        table[index as usize] = if rook {
            raycast::rook_attacks(from, Bitboard::EMPTY)
        } else {
            raycast::bishop_attacks(from, Bitboard::EMPTY)
        };
        index += 1;
    }
    table
}

/// For each pair on a common line, the squares strictly between them or the whole line.
const fn lines(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index);
        let mut i = 0;
        while i < 8 {
            let step = if i < 4 { ROOK_STEPS[i] } else { BISHOP_STEPS[i - 4] };
            let forward = raycast::ray(from, Bitboard::EMPTY, step);
            let backward = raycast::ray(from, Bitboard::EMPTY, (-step.0, -step.1));
            let mut left = forward.0;
            while left != 0 {
                let to = Square::from_index(left.trailing_zeros() as u8);
                table[index as usize][to.index()] = if whole {
                    Bitboard(forward.0 | backward.0 | 1 << index)
                } else {
                    Bitboard(raycast::ray(from, Bitboard::of(to), step).0 & !(1 << to.index()))
                };
                left &= left - 1;
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The squares strictly between two squares of one rank, file or diagonal; none otherwise.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares; empty if they share none.
#[inline]
#[must_use]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// What a rook would attack on an empty board.
#[inline]
#[must_use]
pub fn rook_rays(from: Square) -> Bitboard {
    ROOK_RAYS[from.index()]
}

/// What a bishop would attack on an empty board.
#[inline]
#[must_use]
pub fn bishop_rays(from: Square) -> Bitboard {
    BISHOP_RAYS[from.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_both_ends_and_what_is_between() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let aligned = rook_rays(a).contains(b) || bishop_rays(a).contains(b);
                assert_eq!(line(a, b).any(), aligned, "{a} {b}");
                assert_eq!(line(a, b), line(b, a));
                assert_eq!(between(a, b), between(b, a));
                if aligned {
                    assert!(line(a, b).contains(a) && line(a, b).contains(b));
                    let distance = a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()));
                    assert_eq!(between(a, b).count(), u32::from(distance) - 1);
                    assert!((between(a, b) - line(a, b)).is_empty());
                }
            }
        }
    }
}
