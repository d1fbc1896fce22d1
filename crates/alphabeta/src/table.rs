//! The transposition table: what the search knows about positions it has seen.
//!
//! Three entries share a 32-byte cluster, ten bytes each: eight of data and two of the key. Threads
//! read and write without locks through relaxed atomics. An entry and its key are two words, so
//! a race may pair the data of one position with the key of another; the search therefore treats
//! what it finds as advice and checks the move before it plays it.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use memmap2::MmapMut;
use tandem_chess::{Move, Position};
use tandem_search::{Recall, Recollection};

use crate::value::{self, Value, WIN_BOUND};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// No score is stored.
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score.
    Exact,
}

impl Bound {
    const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }

    /// Whether the true score is known to be at least the stored one.
    #[must_use]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Whether the true score is known to be at most the stored one.
    #[must_use]
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The best move, not yet checked for legality.
    pub best: Option<Move>,
    /// The score, with mates counted from this position.
    pub value: Value,
    /// The static evaluation before corrections, or [`value::NONE`].
    pub eval: Value,
    /// The depth behind the score.
    pub depth: i32,
    /// How the score is meant.
    pub bound: Bound,
    /// Whether the position has been part of a principal variation.
    pub pv: bool,
}

/// Depths are stored with this added, so that quiescence fits an unsigned byte; 0 is an empty place.
const DEPTH_OFFSET: i32 = 4;
const GENERATION_STEP: u8 = 8;
const PV_BIT: u8 = 4;

/// 64 bits: move 16, value 16, evaluation 16, depth 8, generation 5 + pv 1 + bound 2.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: &Entry, generation: u8) -> Self {
        let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255) as u64;
        let flags = generation | if entry.pv { PV_BIT } else { 0 } | entry.bound as u8;
        Self(
            u64::from(entry.best.map_or(0, Move::bits))
                | u64::from(entry.value as i16 as u16) << 16
                | u64::from(entry.eval as i16 as u16) << 32
                | depth << 48
                | u64::from(flags) << 56,
        )
    }

    const fn move_bits(self) -> u16 {
        self.0 as u16
    }

    const fn depth_byte(self) -> u8 {
        (self.0 >> 48) as u8
    }

    const fn flags(self) -> u8 {
        (self.0 >> 56) as u8
    }

    const fn is_empty(self) -> bool {
        self.depth_byte() == 0
    }

    const fn unpack(self) -> Entry {
        Entry {
            best: Move::from_bits(self.move_bits()),
            value: (self.0 >> 16) as i16 as Value,
            eval: (self.0 >> 32) as i16 as Value,
            depth: self.depth_byte() as i32 - DEPTH_OFFSET,
            bound: Bound::from_bits(self.flags()),
            pv: self.flags() & PV_BIT != 0,
        }
    }

    /// How many searches ago the entry was written.
    const fn age(self, generation: u8) -> i32 {
        (generation.wrapping_sub(self.flags() & !7) / GENERATION_STEP) as i32
    }
}

const ENTRIES: usize = 3;
/// The smallest table.
const LEAST_BYTES: usize = 1 << 16;

/// Three entries and their keys, 16 bits each in the last word.
#[repr(C, align(32))]
struct Cluster {
    data: [AtomicU64; ENTRIES],
    keys: AtomicU64,
}

impl Cluster {
    fn key(&self, slot: usize) -> u16 {
        (self.keys.load(Ordering::Relaxed) >> (16 * slot)) as u16
    }

    fn write(&self, slot: usize, key: u16, packed: Packed) {
        self.data[slot].store(packed.0, Ordering::Relaxed);
        let keys = self.keys.load(Ordering::Relaxed);
        let cleared = keys & !(0xFFFF << (16 * slot));
        self.keys.store(cleared | u64::from(key) << (16 * slot), Ordering::Relaxed);
    }

    fn read(&self, slot: usize) -> Packed {
        Packed(self.data[slot].load(Ordering::Relaxed))
    }
}

/// A table of a fixed size, shared by all threads of a search.
pub struct Table {
    memory: MmapMut,
    clusters: usize,
    generation: AtomicU8,
}

impl Table {
    /// A table of at most that many MiB. If the system refuses, smaller ones are tried.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self::with_bytes(mebibytes << 20)
    }

    /// A table of at most that many bytes, but of 64 KiB at the least. If the system refuses, smaller ones
    /// are tried.
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        let mut bytes = bytes.max(LEAST_BYTES);
        let memory = loop {
            match MmapMut::map_anon(bytes) {
                Ok(memory) => break memory,
                Err(error) if bytes <= LEAST_BYTES => {
                    panic!("the system gives no memory for the table: {error}")
                }
                Err(_) => bytes /= 2,
            }
        };
        // Huge pages save most of the misses in the processor's address cache; where the system
        // has none, the table works all the same.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let clusters = memory.len() / size_of::<Cluster>();
        Self { memory, clusters, generation: AtomicU8::new(0) }
    }

    fn clusters(&self) -> &[Cluster] {
        // SAFETY: the mapping is page-aligned, lives as long as `self`, holds that many clusters,
        // is written only through atomics, and every bit pattern (zeros at first) is a cluster.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.clusters) }
    }

    /// The cluster of a key: the high half of a product spreads keys evenly over any size.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters as u128) >> 64;
        &self.clusters()[index as usize]
    }

    /// Asks the processor to fetch the place of a key before it is needed.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch reads nothing; SSE is part of every x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known about the position with that key.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        (0..ENTRIES).find_map(|slot| {
            let packed = cluster.read(slot);
            (cluster.key(slot) == key as u16 && !packed.is_empty()).then(|| packed.unpack())
        })
    }

    /// Notes what a search found out. An older entry gives way if it is of the same position, or
    /// the least valuable of its cluster: shallow and old.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut slot = 0;
        let mut worth = i32::MAX;
        for candidate in 0..ENTRIES {
            let packed = cluster.read(candidate);
            if packed.is_empty() || cluster.key(candidate) == key as u16 {
                slot = candidate;
                break;
            }
            let value = i32::from(packed.depth_byte()) - 8 * packed.age(generation);
            if value < worth {
                (slot, worth) = (candidate, value);
            }
        }
        let old = cluster.read(slot);
        let same = !old.is_empty() && cluster.key(slot) == key as u16;
        if same {
            if entry.best.is_none() {
                entry.best = Move::from_bits(old.move_bits());
            }
            let shallower = entry.depth + DEPTH_OFFSET + 2 * i32::from(entry.pv)
                <= i32::from(old.depth_byte()) - 4;
            if entry.bound != Bound::Exact && shallower && old.age(generation) == 0 {
                return;
            }
        }
        debug_assert!(entry.value.abs() <= value::NONE && entry.eval.abs() <= value::NONE);
        cluster.write(slot, key as u16, Packed::new(&entry, generation));
    }

    /// Another search begins: what it does not touch grows old.
    pub fn next_generation(&self) {
        self.generation.fetch_add(GENERATION_STEP, Ordering::Relaxed);
    }

    /// Empties the table, all threads at work.
    pub fn clear(&self, threads: usize) {
        let share = self.clusters.div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for part in self.clusters().chunks(share) {
                scope.spawn(move || {
                    for word in part.iter().flat_map(|c| c.data.iter().chain([&c.keys])) {
                        word.store(0, Ordering::Relaxed);
                    }
                });
            }
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Bytes set aside.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters()[..self.clusters.min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| (0..ENTRIES).map(|slot| cluster.read(slot)))
            .filter(|packed| !packed.is_empty() && packed.age(generation) == 0)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// Other searches see scores as they are from a root at that position, and none of a mate: they have no way
/// to tell how near it is.
impl Recall for Table {
    fn recall(&self, position: &Position) -> Option<Recollection> {
        let entry = self.probe(position.key())?;
        let limit = WIN_BOUND - 1;
        let bound = match entry.bound {
            Bound::None => None,
            Bound::Upper => Some(tandem_search::Bound::Upper),
            Bound::Lower => Some(tandem_search::Bound::Lower),
            Bound::Exact => Some(tandem_search::Bound::Exact),
        };
        let value = value::from_table(entry.value, 0, position.halfmove_clock());
        Some(Recollection {
            value: value.clamp(-limit, limit),
            // Near the fifty-move rule scores of other counts are not trusted.
            bound: bound.filter(|_| position.halfmove_clock() < 90),
            depth: entry.depth,
            evaluation: Some(entry.eval).filter(|&eval| eval != value::NONE),
            best: entry.best.filter(|&m| position.is_legal(m)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_chess::Square;

    fn entry(depth: i32) -> Entry {
        Entry {
            best: Some(Move::normal(Square::A1, Square::B1)),
            value: -123,
            eval: 77,
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1);
        assert!(table.probe(42).is_none());
        for depth in [-1, 0, 5, 240] {
            table.store(42, Entry { bound: Bound::Exact, ..entry(depth) });
            let found = table.probe(42).unwrap();
            assert_eq!((found.depth, found.value, found.eval), (depth, -123, 77));
            assert_eq!(found.best, entry(depth).best);
            assert!(found.pv && found.bound == Bound::Exact);
        }
        table.clear(2);
        assert!(table.probe(42).is_none());
    }

    #[test]
    fn others_recall_legal_moves_and_no_mates() {
        let table = Table::new(1);
        let position = Position::startpos();
        assert!(table.recall(&position).is_none());
        table.store(position.key(), Entry { value: value::mate_in(3), ..entry(9) });
        let found = table.recall(&position).unwrap();
        assert_eq!((found.value, found.best, found.depth), (WIN_BOUND - 1, None, 9));
        assert_eq!((found.bound, found.evaluation), (Some(tandem_search::Bound::Lower), Some(77)));
        let best = position.parse_uci("e2e4").ok();
        table.store(position.key(), Entry { best, eval: value::NONE, ..entry(12) });
        let found = table.recall(&position).unwrap();
        assert_eq!((found.value, found.best, found.evaluation), (-123, best, None));
    }

    #[test]
    fn a_cluster_is_half_a_cache_line() {
        assert_eq!(size_of::<Cluster>(), 32);
    }

    #[test]
    fn deep_and_young_entries_survive() {
        let table = Table::new(1);
        for (key, depth) in [(1, 30), (2, 5), (3, 20), (4, 10)] {
            table.store(key, entry(depth));
        }
        assert!(table.probe(1).is_some() && table.probe(3).is_some() && table.probe(4).is_some());
        assert!(table.probe(2).is_none(), "the shallowest gave way");
    }

    #[test]
    fn threads_that_write_at_once_leave_whole_entries() {
        let table = Table::new(1);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        let key = i.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(thread as u32);
                        let value = (key % 1000) as Value;
                        table.store(key, Entry { value, eval: value, ..entry((key % 60) as i32) });
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found.value, found.eval, "data words are never torn");
                        }
                    }
                });
            }
        });
        assert!(table.hashfull() > 0);
    }
}
