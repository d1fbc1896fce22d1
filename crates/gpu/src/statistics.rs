//! What an evaluator has done, and how busy its device was.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What an evaluator has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Batches that the device has computed.
    pub batches: u64,
    /// Positions in them.
    pub positions: u64,
    /// The largest number of batches on their way at once.
    pub most_in_flight: usize,
    /// The time in which at least one batch was on its way.
    pub busy: Duration,
    /// The part of it in which nobody waited for an answer: evaluation beside gathering.
    pub overlapped: Duration,
    /// The time that callers have spent waiting, all together.
    pub waited: Duration,
}

impl Statistics {
    /// Positions in a batch, on average.
    #[must_use]
    pub fn mean_fill(&self) -> f64 {
        self.positions as f64 / self.batches.max(1) as f64
    }

    /// The share of the device's busy time in which nobody waited, from 0 to 1.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        self.overlapped.as_secs_f64() / self.busy.as_secs_f64().max(1e-9)
    }
}

/// Keeps the statistics as batches and callers come and go.
pub(crate) struct Clock(Mutex<Inner>);

struct Inner {
    statistics: Statistics,
    in_flight: usize,
    waiting: usize,
    since: Instant,
}

impl Clock {
    pub fn new() -> Self {
        let statistics = Statistics::default();
        Self(Mutex::new(Inner { statistics, in_flight: 0, waiting: 0, since: Instant::now() }))
    }

    pub fn statistics(&self) -> Statistics {
        self.change(|_| {});
        self.0.lock().unwrap_or_else(PoisonError::into_inner).statistics
    }

    pub fn launched(&self) {
        self.change(|inner| {
            inner.in_flight += 1;
            let most = &mut inner.statistics.most_in_flight;
            *most = inner.in_flight.max(*most);
        });
    }

    pub fn landed(&self, positions: usize) {
        self.change(|inner| {
            inner.in_flight -= 1;
            inner.statistics.batches += 1;
            inner.statistics.positions += positions as u64;
        });
    }

    /// Counts the caller as waiting while it does that.
    pub fn waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.change(|inner| inner.waiting += 1);
        let result = wait();
        self.change(|inner| inner.waiting -= 1);
        result
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let passed = now - inner.since;
        inner.since = now;
        let waiting = inner.waiting as u32;
        inner.statistics.waited += passed * waiting;
        if inner.in_flight > 0 {
            inner.statistics.busy += passed;
            if inner.waiting == 0 {
                inner.statistics.overlapped += passed;
            }
        }
        change(&mut inner);
    }
}
