//! The memory of the tree: a block of fixed size in two halves, filled in turn.
//!
//! Memory is given out in units of 16 bytes from the front of one half. When it is full, the other
//! half becomes the current one and is filled from its front; what is still wanted from the full
//! half is copied over as the search comes across it, and what nobody has asked for by the next turn is gone.
//! So nothing is ever freed, nothing is ever scanned, and a turn takes no time.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use memmap2::MmapMut;

use crate::apart::Apart;

/// A place in the arena, counted in units. Zero is nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(u32);

impl Handle {
    /// No place.
    pub const NONE: Self = Self(0);

    /// The number that stands for this place.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The place that a number stands for.
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Whether there is a place.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// The place so many units further on.
    #[inline]
    pub const fn offset(self, units: usize) -> Self {
        Self(self.0 + units as u32)
    }
}

/// Words of 8 bytes in a unit.
pub const UNIT: usize = 2;
/// Bytes in a unit.
const UNIT_BYTES: usize = UNIT * size_of::<AtomicU64>();
/// The most units that handles can tell apart, which is almost 64 GiB. A few numbers stay free, so that
/// threads that ask at the same time for what is no longer there cannot run the counter over.
const MAX_UNITS: usize = u32::MAX as usize - (1 << 24);

/// The most units of a pocket.
const MAX_POCKET: u32 = 512;
/// A pocket has one of so many parts of a half at the most.
const POCKET_SHARE: u32 = 1024;

/// The block.
pub struct Arena {
    memory: MmapMut,
    /// Units in each half.
    half: u32,
    /// 0 or 1.
    current: AtomicU32,
    /// The next unit to be given out, apart from what everybody reads all the time.
    next: Apart<AtomicU32>,
}

/// Units that a thread has taken for itself in advance. Threads that take turns at the same counter, and
/// whose units lie side by side in the same line of memory, would wait for each other all the time.
/// Whoever leaves the arena to a [turn](Arena::turn) has to empty it.
#[derive(Default)]
pub struct Pocket {
    next: u32,
    end: u32,
}

impl Arena {
    /// A block of at most that many bytes. If the system refuses, smaller ones are tried.
    pub fn new(bytes: usize) -> Self {
        let mut bytes = bytes.clamp(1 << 16, MAX_UNITS * UNIT_BYTES);
        let memory = loop {
            match MmapMut::map_anon(bytes) {
                Ok(memory) => break memory,
                Err(error) if bytes <= 1 << 16 => {
                    panic!("the system gives no memory for the tree: {error}")
                }
                Err(_) => bytes /= 2,
            }
        };
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let half = (memory.len() / UNIT_BYTES / 2) as u32;
        Self { memory, half, current: AtomicU32::new(0), next: Apart(AtomicU32::new(1)) }
    }

    fn words(&self) -> &[AtomicU64] {
        let words = self.memory.len() / size_of::<AtomicU64>();
        // SAFETY: the mapping is page-aligned, lives as long as `self`, holds that many words, is
        // written only through atomics, and every bit pattern is an `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), words) }
    }

    /// The words of so many units.
    #[inline]
    pub fn units(&self, handle: Handle, units: usize) -> &[AtomicU64] {
        &self.words()[handle.0 as usize * UNIT..][..units * UNIT]
    }

    /// So many units that nobody else has; none if the current half is full. What stood there before
    /// still does.
    #[inline]
    pub fn allocate(&self, units: usize) -> Option<Handle> {
        let end = self.end();
        // Looked at first, so that threads that keep asking cannot run the counter over.
        if self.next.load(Ordering::Relaxed).saturating_add(units as u32) > end {
            self.next.store(end, Ordering::Relaxed);
            return None;
        }
        let start = self.next.fetch_add(units as u32, Ordering::Relaxed);
        (start + units as u32 <= end).then_some(Handle(start))
    }

    /// The same from a pocket, which is filled when it has too little left.
    #[inline]
    pub fn allocate_from(&self, pocket: &mut Pocket, units: usize) -> Option<Handle> {
        let wanted = units as u32;
        if pocket.end - pocket.next < wanted {
            let most = (self.half / POCKET_SHARE).min(MAX_POCKET);
            if wanted > most / 4 {
                return self.allocate(units);
            }
            // What is left of the old one is lost; it is less than a quarter.
            let start = self.allocate(most as usize)?.0;
            *pocket = Pocket { next: start, end: start + most };
        }
        let start = pocket.next;
        pocket.next += wanted;
        Some(Handle(start))
    }

    /// Where the current half ends.
    fn end(&self) -> u32 {
        (self.current.load(Ordering::Relaxed) + 1) * self.half
    }

    /// Whether nothing is left in the current half.
    pub fn is_full(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.end()
    }

    /// Whether a place lies in the half that is being filled.
    #[inline]
    pub fn is_current(&self, handle: Handle) -> bool {
        u32::from(handle.0 >= self.half) == self.current.load(Ordering::Relaxed)
    }

    /// Goes on in the other half, whose contents are lost. No thread may be using the arena.
    pub fn turn(&self) {
        let other = 1 - self.current.load(Ordering::Relaxed);
        self.current.store(other, Ordering::Relaxed);
        self.next.store((other * self.half).max(1), Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.current.store(0, Ordering::Relaxed);
        self.next.store(1, Ordering::Relaxed);
    }

    /// Bytes of the whole block.
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// How full the current half is, in thousandths.
    pub fn fullness(&self) -> u32 {
        let start = self.current.load(Ordering::Relaxed) * self.half;
        let used = self.next.load(Ordering::Relaxed).saturating_sub(start).min(self.half);
        (u64::from(used) * 1000 / u64::from(self.half.max(1))) as u32
    }

    /// Asks the processor to fetch a place before it is needed.
    #[inline]
    pub fn prefetch(&self, handle: Handle) {
        prefetch(&self.words()[handle.0 as usize * UNIT]);
    }
}

/// Asks the processor to fetch a word before it is needed.
#[inline]
pub fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing; SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_are_filled_in_turn_and_never_beyond() {
        let arena = Arena::new(1 << 16);
        let mut last = Handle::NONE;
        for round in 0..5 {
            let mut given = 0;
            while let Some(handle) = arena.allocate(7) {
                assert!(arena.is_current(handle) && handle.is_some());
                assert!(given == 0 || handle.bits() >= last.bits() + 7);
                arena.units(handle, 7)[13].store(round, Ordering::Relaxed);
                last = handle;
                given += 1;
            }
            assert!(arena.is_full() && arena.allocate(1).is_none());
            assert!((2040 / 7..=2048 / 7).contains(&given), "{given}");
            arena.turn();
            assert!(!arena.is_full() && !arena.is_current(last));
        }
    }

    #[test]
    fn threads_never_get_the_same_unit() {
        let arena = Arena::new(1 << 20);
        let taken: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let take = || {
                let handles = std::iter::from_fn(|| arena.allocate(3));
                handles.map(Handle::bits).collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let mut all: Vec<u32> = taken.concat();
        all.sort_unstable();
        assert!(all.len() > 10_000);
        assert!(all.windows(2).all(|pair| pair[0] + 3 <= pair[1]));
    }
}
