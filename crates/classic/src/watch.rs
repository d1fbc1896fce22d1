//! When a search has to end.

use std::time::{Duration, Instant};

use tandem_chess::Color;
use tandem_search::{Budget, Control, Limits, Settings};

/// The search has to break off; values of open nodes mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Looks after the limits of one search and the word to stop.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    limits: &'a Limits,
    control: &'a Control,
    budget: Option<Budget>,
    started: Instant,
    next_look: u64,
}

impl<'a> Watch<'a> {
    /// Looking at the clock costs more than a node, so it is done once in that many.
    const NODES_BETWEEN_LOOKS: u64 = 2048;

    /// The search of that side begins now.
    #[must_use]
    pub fn start(
        limits: &'a Limits,
        control: &'a Control,
        settings: &Settings,
        side: Color,
    ) -> Self {
        let mut watch = Self {
            limits,
            control,
            budget: Budget::new(limits, side, settings.move_overhead),
            started: Instant::now(),
            next_look: 0,
        };
        watch.plan_next_look(0);
        watch
    }

    /// Time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Called on entering a node.
    ///
    /// # Errors
    /// The search has to end.
    #[inline]
    pub fn tick(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes < self.next_look { Ok(()) } else { self.look(nodes) }
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.plan_next_look(nodes);
        let must_end = self.is_out_of_nodes(nodes)
            || self.control.is_stopped()
            || self.budget.is_some_and(|budget| self.has_used(budget.hard));
        if must_end { Err(Stopped) } else { Ok(()) }
    }

    /// Called between two depths: whether the next one may begin.
    #[must_use]
    pub fn allows(&self, depth: u32, nodes: u64) -> bool {
        self.limits.depth.is_none_or(|last| depth <= last.max(1))
            && !self.is_out_of_nodes(nodes)
            && !self.control.is_stopped()
            && !self.budget.is_some_and(|budget| self.has_used(budget.soft))
    }

    fn plan_next_look(&mut self, nodes: u64) {
        let next = nodes + Self::NODES_BETWEEN_LOOKS;
        self.next_look = self.limits.nodes.map_or(next, |limit| next.min(limit));
    }

    fn is_out_of_nodes(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
    }

    /// Whether our own clock has lost that much; it stands still while we ponder.
    fn has_used(&self, time: Duration) -> bool {
        let used = self.control.used_since(self.started);
        !self.limits.infinite && used.is_some_and(|used| used >= time)
    }
}
