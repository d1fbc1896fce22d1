//! Evaluations of positions that were reached before, by whatever path.

use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapMut;
use tandem_chess::Position;

use crate::arena::prefetch;

/// A word of the table: 46 bits of the key and 18 of the score. Zero is empty.
const SCORE_BITS: u32 = 18;
const SCORE_MASK: u64 = (1 << SCORE_BITS) - 1;
/// Scores are stored with this added, so that none is negative and no word is zero.
const OFFSET: i32 = 1 << (SCORE_BITS - 1);

/// A table of a fixed size, shared by all threads. A word is written whole, so a race loses an entry
/// at worst.
pub struct Table {
    memory: MmapMut,
}

impl Table {
    /// A table of at most that many bytes. If the system refuses, smaller ones are tried.
    pub fn new(bytes: usize) -> Self {
        let mut bytes = bytes.max(1 << 12);
        loop {
            match MmapMut::map_anon(bytes) {
                Ok(memory) => {
                    #[cfg(target_os = "linux")]
                    let _ = memory.advise(memmap2::Advice::HugePage);
                    return Self { memory };
                }
                Err(error) if bytes <= 1 << 12 => {
                    panic!("the system gives no memory for the table: {error}")
                }
                Err(_) => bytes /= 2,
            }
        }
    }

    fn words(&self) -> &[AtomicU64] {
        let words = self.memory.len() / size_of::<AtomicU64>();
        // SAFETY: the mapping is page-aligned, lives as long as `self`, holds that many words, is
        // written only through atomics, and every bit pattern is an `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), words) }
    }

    #[inline]
    fn place(&self, key: u64) -> &AtomicU64 {
        let words = self.words();
        &words[((u128::from(key) * words.len() as u128) >> 64) as usize]
    }

    /// Asks the processor to fetch a position's place before it is needed.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        prefetch(self.place(key(position)));
    }

    /// The score of a position, if it is known.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<i32> {
        let key = key(position);
        let word = self.place(key).load(Ordering::Relaxed);
        let is_same = word != 0 && (word ^ (key << SCORE_BITS)) & !SCORE_MASK == 0;
        is_same.then(|| (word & SCORE_MASK) as i32 - OFFSET)
    }

    /// Notes the score of a position.
    #[inline]
    pub fn store(&self, position: &Position, score: i32) {
        let key = key(position);
        let score = (score.clamp(1 - OFFSET, OFFSET - 1) + OFFSET) as u64;
        self.place(key).store(key << SCORE_BITS | score, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.words().iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Bytes set aside.
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }
}

/// The key of a position for its evaluation, which the fifty-move rule draws nearer to nothing: so
/// many moves without progress apart, it is another one.
#[inline]
pub fn key(position: &Position) -> u64 {
    let stage = u64::from(position.halfmove_clock() / 8);
    position.key() ^ stage.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1 << 16);
        let position = Position::startpos();
        assert_eq!(table.probe(&position), None);
        for score in [0, 1, -1, 31_999, -31_999] {
            table.store(&position, score);
            assert_eq!(table.probe(&position), Some(score));
        }
        let missed = position.legal_moves().into_iter().map(|m| position.after(m));
        assert!(missed.clone().all(|next| table.probe(&next).is_none()));
        table.clear();
        assert_eq!(table.probe(&position), None);
    }

    #[test]
    fn a_position_near_the_fifty_move_rule_is_another_one() {
        let table = Table::new(1 << 16);
        let fen = |clock: u32| format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 80");
        let [early, late] = [0, 80].map(|clock| fen(clock).parse::<Position>().unwrap());
        table.store(&early, 500);
        assert_eq!(table.probe(&late), None);
    }
}
