//! Attacks of rooks, bishops and queens by table lookup.
//!
//! The relevant blockers of a square are turned into an index either by PEXT or by a magic
//! multiplication. The first lookup decides which, by what the processor does fast, and fills the
//! table for it: a few milliseconds, once. Each way has its own table, because the two number the
//! blocker patterns differently; the one not used is never touched and takes no memory.

use std::sync::Once;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::{magics, pext, raycast};
use crate::{Bitboard, Square};

/// How blocker patterns become table indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Indexing {
    /// A multiplication by a magic number: fast everywhere.
    Magic = 1,
    /// The PEXT instruction: faster, where the processor has it in hardware.
    Pext = 2,
}

/// An [`Indexing`] whose table is filled, or 0 before the first lookup.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The way in use on this machine.
#[must_use]
pub fn indexing() -> Indexing {
    match CHOSEN.load(Ordering::Acquire) {
        0 => choose(),
        2 => Indexing::Pext,
        _ => Indexing::Magic,
    }
}

/// Uses that way from now on, for comparisons and tests. Answers whether this machine can; where
/// it cannot, nothing changes.
pub fn force_indexing(way: Indexing) -> bool {
    static FILLED: [Once; 2] = [Once::new(), Once::new()];

    if way == Indexing::Pext && !pext::is_fast() {
        return false;
    }
    FILLED[way as usize - 1].call_once(|| fill(way));
    CHOSEN.store(way as u8, Ordering::Release);
    true
}

#[cold]
fn choose() -> Indexing {
    if force_indexing(Indexing::Pext) {
        Indexing::Pext
    } else {
        force_indexing(Indexing::Magic);
        Indexing::Magic
    }
}

/// What a rook attacks, given what is occupied.
#[inline]
#[must_use]
pub fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    ROOK[from.index()].lookup(occupied)
}

/// What a bishop attacks, given what is occupied.
#[inline]
#[must_use]
pub fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[from.index()].lookup(occupied)
}

/// What a queen attacks, given what is occupied.
#[inline]
#[must_use]
pub fn queen_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(from, occupied) | bishop_attacks(from, occupied)
}

/// What one square needs to find its attacks.
#[derive(Clone, Copy)]
struct Slider {
    /// The squares whose occupation matters: the rays without their last squares.
    mask: u64,
    magic: u64,
    /// Where this square's attacks begin in both tables.
    start: u32,
    /// 64 less the number of bits in the mask.
    shift: u32,
}

impl Slider {
    #[inline]
    fn lookup(&self, occupied: Bitboard) -> Bitboard {
        if CHOSEN.load(Ordering::Acquire) == Indexing::Pext as u8 {
            // SAFETY: PEXT becomes the choice only where the processor has it.
            let pattern = unsafe { pext::pext(occupied.0, self.mask) };
            self.read(&BY_PEXT, pattern as usize)
        } else {
            self.lookup_by_magic(occupied)
        }
    }

    #[inline]
    fn lookup_by_magic(&self, occupied: Bitboard) -> Bitboard {
        if CHOSEN.load(Ordering::Acquire) == 0 && choose() == Indexing::Pext {
            return self.lookup(occupied);
        }
        self.read(&BY_MAGIC, self.magic_index(occupied.0))
    }

    #[inline]
    const fn magic_index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }

    #[inline]
    fn read(&self, table: &[AtomicU64; TABLE_LEN], pattern: usize) -> Bitboard {
        Bitboard(table[self.start as usize + pattern].load(Ordering::Relaxed))
    }
}

const ROOK_LEN: usize = 102_400;
const BISHOP_LEN: usize = 5_248;
const TABLE_LEN: usize = ROOK_LEN + BISHOP_LEN;

static ROOK: [Slider; 64] = sliders(true);
static BISHOP: [Slider; 64] = sliders(false);
static BY_PEXT: [AtomicU64; TABLE_LEN] = [const { AtomicU64::new(0) }; TABLE_LEN];
static BY_MAGIC: [AtomicU64; TABLE_LEN] = [const { AtomicU64::new(0) }; TABLE_LEN];

const fn slide(rook: bool, from: Square, occupied: Bitboard) -> Bitboard {
    if rook {
        raycast::rook_attacks(from, occupied)
    } else {
        raycast::bishop_attacks(from, occupied)
    }
}

const fn sliders(rook: bool) -> [Slider; 64] {
    let mut sliders = [Slider { mask: 0, magic: 0, start: 0, shift: 0 }; 64];
    let mut start = if rook { 0 } else { ROOK_LEN as u32 };
    let mut i = 0;
    while i < 64 {
        let from = Square::from_index(i as u8);
        let ranks = (Bitboard::rank(0).0 | Bitboard::rank(7).0) & !Bitboard::rank(from.rank()).0;
        let files = (Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !Bitboard::file(from.file()).0;
        let mask = slide(rook, from, Bitboard::EMPTY).0 & !(ranks | files);
        let bits = mask.count_ones();
        let magic = if rook { magics::ROOK[i] } else { magics::BISHOP[i] };
        sliders[i] = Slider { mask, magic, start, shift: 64 - bits };
        start += 1 << bits;
        i += 1;
    }
    assert!(start as usize == if rook { ROOK_LEN } else { TABLE_LEN });
    sliders
}

/// Writes the attacks for every square and blocker pattern, numbered in that way.
fn fill(way: Indexing) {
    for (rook, sliders) in [(true, &ROOK), (false, &BISHOP)] {
        for (from, slider) in Square::all().zip(sliders) {
            for (pattern, blockers) in subsets(slider.mask).enumerate() {
                let (table, index) = match way {
                    Indexing::Pext => (&BY_PEXT, pattern),
                    Indexing::Magic => (&BY_MAGIC, slider.magic_index(blockers)),
                };
                let attacked = slide(rook, from, Bitboard(blockers));
                table[slider.start as usize + index].store(attacked.0, Ordering::Relaxed);
            }
        }
    }
}

/// Every subset of a mask, in the order in which PEXT numbers them.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0), move |&subset: &u64| {
        Some(subset.wrapping_sub(mask) & mask).filter(|&next| next != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blocker_pattern_gives_what_raycasting_gives() {
        let chosen = indexing();
        for way in [Indexing::Magic, Indexing::Pext] {
            if !force_indexing(way) {
                eprintln!("this machine has no fast PEXT: only magics are tested");
                continue;
            }
            for (rook, sliders) in [(true, &ROOK), (false, &BISHOP)] {
                for (from, slider) in Square::all().zip(sliders) {
                    for blockers in subsets(slider.mask) {
                        // Squares outside the mask must not matter.
                        let occupied = Bitboard(blockers | !slider.mask & 0x81005A2400183C81);
                        assert_eq!(
                            slider.lookup(occupied),
                            slide(rook, from, occupied),
                            "{way:?} {from} {occupied:?}"
                        );
                    }
                }
            }
        }
        force_indexing(chosen);
    }
}
