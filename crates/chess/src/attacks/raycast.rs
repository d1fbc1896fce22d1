//! Sliding attacks walked square by square: slow, obviously right, and usable by the compiler.
//!
//! The lookup tables are built from these functions and tested against them.

use crate::{Bitboard, Square};

/// Steps (file, rank) in which a rook slides.
pub const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// Steps (file, rank) in which a bishop slides.
pub const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// What a rook attacks: each ray up to and including the first occupied square.
#[must_use]
pub const fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    slide(from, occupied, ROOK_STEPS)
}

/// What a bishop attacks: each ray up to and including the first occupied square.
#[must_use]
pub const fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    slide(from, occupied, BISHOP_STEPS)
}

const fn slide(from: Square, occupied: Bitboard, steps: [(i8, i8); 4]) -> Bitboard {
    let mut attacked = 0;
    let mut i = 0;
    while i < steps.len() {
        attacked |= ray(from, occupied, steps[i]).0;
        i += 1;
    }
    Bitboard(attacked)
}

/// One ray from (not including) a square up to and including the first occupied one.
#[must_use]
pub const fn ray(from: Square, occupied: Bitboard, step: (i8, i8)) -> Bitboard {
    let mut seen = 0;
    let mut at = from;
    while let Some(next) = neighbour(at, step) {
        seen |= 1 << next.index();
        if occupied.contains(next) {
            break;
        }
        at = next;
    }
    Bitboard(seen)
}

/// The square one step away, unless it lies off the board.
#[must_use]
pub const fn neighbour(from: Square, step: (i8, i8)) -> Option<Square> {
    let file = from.file() as i8 + step.0;
    let rank = from.rank() as i8 + step.1;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some(Square::new(file as u8, rank as u8))
    } else {
        None
    }
}
