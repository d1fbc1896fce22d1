//! Finds magic numbers for `attacks/magics.rs` and prints the two tables.
//!
//! Tries sparse random numbers until one maps every blocker pattern of a square to an index of its
//! own or to one with the same attacks.

use tandem_chess::attacks::raycast;
use tandem_chess::{Bitboard, Random, Square};

fn main() {
    let mut random = Random::new(0x7A6E_DE11);
    for (name, slide) in [
        ("ROOK", raycast::rook_attacks as fn(Square, Bitboard) -> Bitboard),
        ("BISHOP", raycast::bishop_attacks),
    ] {
        println!("{name}");
        for square in Square::all() {
            println!("    {:#018X},", magic(square, slide, &mut random));
        }
    }
}

fn magic(square: Square, slide: fn(Square, Bitboard) -> Bitboard, random: &mut Random) -> u64 {
    let ranks = (Bitboard::rank(0) | Bitboard::rank(7)) - Bitboard::rank(square.rank());
    let files = (Bitboard::FILE_A | Bitboard::FILE_H) - Bitboard::file(square.file());
    let mask = (slide(square, Bitboard::EMPTY) - ranks - files).0;
    let bits = mask.count_ones();

    let mut patterns = Vec::new();
    let mut blockers = 0u64;
    loop {
        patterns.push((blockers, slide(square, Bitboard(blockers))));
        blockers = blockers.wrapping_sub(mask) & mask;
        if blockers == 0 {
            break;
        }
    }
    loop {
        let candidate = random.bits() & random.bits() & random.bits();
        let mut table = vec![None; 1 << bits];
        let separates = patterns.iter().all(|&(blockers, attacked)| {
            let index = (blockers.wrapping_mul(candidate) >> (64 - bits)) as usize;
            *table[index].get_or_insert(attacked) == attacked
        });
        if separates {
            return candidate;
        }
    }
}
