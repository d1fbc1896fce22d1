//! The signals from outside to a running search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::Questions;

/// Shared by a running search and whoever directs it.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
    answered: AtomicBool,
    /// When the opponent played the expected move.
    hit: OnceLock<Instant>,
    /// Guards nothing but the wait for one of the two flags.
    gate: Mutex<()>,
    changed: Condvar,
    questions: Arc<Questions>,
}

impl Control {
    /// For a search that begins; `pondering` if it runs on the opponent's time.
    #[must_use]
    pub fn new(pondering: bool) -> Self {
        Self { pondering: AtomicBool::new(pondering), ..Self::default() }
    }

    /// For a part of the search that is stopped by itself, but hears the same questions.
    #[must_use]
    pub fn for_part(&self) -> Self {
        Self { questions: self.questions.clone(), ..Self::default() }
    }

    /// What is asked about the search's tree.
    #[must_use]
    pub fn questions(&self) -> &Questions {
        &self.questions
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.announce();
    }

    /// The flag itself, for work that knows nothing of searches.
    #[must_use]
    pub const fn stop_flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// Whether the search has been asked to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The answer is being given: whoever reads it may go on at once.
    pub fn mark_answered(&self) {
        self.answered.store(true, Ordering::Release);
    }

    /// Whether the answer has been given.
    #[must_use]
    pub fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// The opponent has played the expected move: our clock runs from now on.
    pub fn ponder_hit(&self) {
        let _ = self.hit.set(Instant::now());
        self.pondering.store(false, Ordering::Release);
        self.announce();
    }

    /// What our own clock has lost in a search that began then; nothing while the opponent's runs.
    #[must_use]
    pub fn used_since(&self, start: Instant) -> Option<Duration> {
        // First whether we ponder: a hit in between would make all the time before it ours.
        (!self.is_pondering()).then(|| self.hit.get().copied().unwrap_or(start).elapsed())
    }

    /// Whether the search still runs on the opponent's time.
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Blocks until the answer may be given: at once for an ordinary search, after the ponder hit
    /// or the word to stop for others.
    pub fn wait_for_leave(&self, infinite: bool) {
        let mut guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn announce(&self) {
        let _guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }
}
