//! Two threads that take turns, so that together they use one processor.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a turn lasts at the least: much longer than it takes to change over, and short enough that
/// either side has its turns in the shortest of moves.
const TURN: Duration = Duration::from_millis(1);
/// Between two looks at whether the search is over, for whoever waits.
const PATIENCE: Duration = Duration::from_micros(500);

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Whoever proves.
    Prover,
    /// Whoever explores.
    Explorer,
}

impl Side {
    const fn index(self) -> usize {
        self as usize
    }

    const fn other(self) -> Self {
        match self {
            Self::Prover => Self::Explorer,
            Self::Explorer => Self::Prover,
        }
    }
}

/// Turns of two threads, which get shares of the time. Each asks now and then whether it may go on.
pub struct Turns {
    /// The explorer's share, from 0 to 1.
    share: f64,
    /// Whose turn it is, and since when.
    state: Mutex<Turn>,
    changed: Condvar,
    /// Nobody waits any more.
    is_over: AtomicBool,
    /// Whose turn it is, to be seen without the lock.
    holder: AtomicUsize,
    /// Nanoseconds since `start` at which the turn may end.
    until: AtomicU64,
    start: Instant,
}

struct Turn {
    since: Instant,
    used: [Duration; 2],
}

impl Turns {
    /// Turns of which that share of the time belongs to the explorer, who begins.
    #[must_use]
    pub fn new(share: f64) -> Self {
        let start = Instant::now();
        Self {
            share: share.clamp(0.01, 0.99),
            state: Mutex::new(Turn { since: start, used: [Duration::ZERO; 2] }),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
            holder: AtomicUsize::new(Side::Explorer.index()),
            until: AtomicU64::new(TURN.as_nanos() as u64),
            start,
        }
    }

    /// Goes on while it is that side's turn; otherwise waits for it, unless the search ends before.
    #[inline]
    pub fn rest(&self, side: Side, is_over: impl Fn() -> bool) {
        let is_mine = self.holder.load(Ordering::Relaxed) == side.index();
        let until = self.until.load(Ordering::Relaxed);
        if is_mine && (self.start.elapsed().as_nanos() as u64) < until {
            return;
        }
        self.change(side, is_over);
    }

    #[cold]
    fn change(&self, side: Side, is_over: impl Fn() -> bool) {
        let mut turn = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.holder.load(Ordering::Relaxed) == side.index() {
            let now = Instant::now();
            let mine = now - turn.since;
            turn.used[side.index()] += mine;
            turn.since = now;
            let next = if self.is_behind(turn.used, side.other()) { side.other() } else { side };
            self.give(next, now);
            if next != side {
                self.changed.notify_all();
            }
        }
        while self.holder.load(Ordering::Relaxed) != side.index()
            && !self.is_over.load(Ordering::Relaxed)
            && !is_over()
        {
            let waited = self.changed.wait_timeout(turn, PATIENCE);
            turn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether that side has had less than its share.
    fn is_behind(&self, used: [Duration; 2], side: Side) -> bool {
        let all = (used[0] + used[1]).as_secs_f64();
        let share = match side {
            Side::Explorer => self.share,
            Side::Prover => 1.0 - self.share,
        };
        used[side.index()].as_secs_f64() < share * all
    }

    fn give(&self, side: Side, now: Instant) {
        let until = now + TURN - self.start;
        self.until.store(until.as_nanos() as u64, Ordering::Relaxed);
        self.holder.store(side.index(), Ordering::Relaxed);
    }

    /// Nobody waits any more.
    pub fn end(&self) {
        let mut turn = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_over.swap(true, Ordering::Relaxed) {
            let holder = self.holder.load(Ordering::Relaxed);
            let last = turn.since.elapsed();
            turn.used[holder] += last;
        }
        // Whoever is told to go on need not ask again.
        self.until.store(u64::MAX, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// How long it was that side's turn.
    #[must_use]
    pub fn used(&self, side: Side) -> Duration {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).used[side.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has both sides work for a time; answers with the share of the explorer.
    fn share_of_explorer(share: f64) -> f64 {
        let turns = Turns::new(share);
        let end = Instant::now() + Duration::from_millis(120);
        let is_over = || Instant::now() >= end;
        std::thread::scope(|scope| {
            for side in [Side::Prover, Side::Explorer] {
                let turns = &turns;
                scope.spawn(move || {
                    while !is_over() {
                        std::hint::black_box((0..2000_u64).sum::<u64>());
                        turns.rest(side, is_over);
                    }
                });
            }
        });
        turns.end();
        let [prover, explorer] =
            [Side::Prover, Side::Explorer].map(|side| turns.used(side).as_secs_f64());
        explorer / (prover + explorer)
    }

    #[test]
    fn each_side_gets_its_share_of_the_time() {
        for share in [0.2, 0.5, 0.8] {
            let got = share_of_explorer(share);
            assert!((got - share).abs() < 0.15, "{got} instead of {share}");
        }
    }

    #[test]
    fn nobody_waits_after_the_end() {
        let turns = Turns::new(0.5);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.rest(Side::Prover, || false));
            std::thread::sleep(Duration::from_millis(5));
            turns.end();
            waiting.join().expect("it goes on");
        });
        turns.rest(Side::Prover, || false);
        turns.rest(Side::Explorer, || false);
    }
}
