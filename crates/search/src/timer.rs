//! The clock of one search.

use std::time::{Duration, Instant};

use crate::{Budget, Control};

/// The time of one search: asked from inside it, moved by a ponder hit.
pub struct Timer<'a> {
    /// When the search began.
    pub start: Instant,
    budget: Option<Budget>,
    control: &'a Control,
}

impl<'a> Timer<'a> {
    /// A search that began then and may take that long.
    #[must_use]
    pub const fn new(start: Instant, budget: Option<Budget>, control: &'a Control) -> Self {
        Self { start, budget, control }
    }

    /// Whether the search must end now.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_some_and(|budget| self.used().is_some_and(|used| used >= budget.hard))
    }

    /// Whether that multiple of the soft limit has passed.
    #[must_use]
    pub fn is_past_soft(&self, factor: f64) -> bool {
        self.left(factor).is_some_and(|left| left.is_zero())
    }

    /// What is left of that multiple of the soft limit; none if time does not limit the search, or not
    /// yet.
    #[must_use]
    pub fn left(&self, factor: f64) -> Option<Duration> {
        let (budget, used) = (self.budget?, self.used()?);
        Some(budget.soft.mul_f64(factor).saturating_sub(used))
    }

    /// Whether the opponent's clock runs.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.control.is_pondering()
    }

    /// What our own clock has lost so far; nothing while the opponent's runs.
    fn used(&self) -> Option<Duration> {
        self.control.used_since(self.start)
    }
}
