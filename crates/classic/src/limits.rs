//! When a search has to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What bounds a search; whatever is not given does not bound it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The last depth to search.
    pub depth: Option<u32>,
    /// How many nodes to enter.
    pub nodes: Option<u64>,
    /// After this time no new depth is begun.
    pub soft_time: Option<Duration>,
    /// After this time the search breaks off.
    pub hard_time: Option<Duration>,
    /// The search breaks off soon after somebody sets this.
    pub stop: Option<&'a AtomicBool>,
}

/// The search was told to break off; values of open nodes mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Watches the limits of one search.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    limits: Limits<'a>,
    started: Instant,
    next_look: u64,
}

impl<'a> Clock<'a> {
    /// Looking at the time costs more than a node, so it is done once in that many.
    const NODES_BETWEEN_LOOKS: u64 = 2048;

    pub(crate) fn start(limits: Limits<'a>) -> Self {
        let mut clock = Self {
            limits,
            started: Instant::now(),
            next_look: 0,
        };
        clock.plan_next_look(0);
        clock
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Called on entering a node.
    #[inline]
    pub(crate) fn tick(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes < self.next_look {
            return Ok(());
        }
        self.plan_next_look(nodes);
        let out_of_time = || self.limits.hard_time.is_some_and(|t| self.elapsed() >= t);
        if self.out_of_nodes(nodes) || self.is_told_to_stop() || out_of_time() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Called between two depths: whether the next one may begin.
    pub(crate) fn allows_depth(&self, depth: u32, nodes: u64) -> bool {
        let soft = self.limits.soft_time.or(self.limits.hard_time);
        self.limits.depth.is_none_or(|last| depth <= last)
            && !self.out_of_nodes(nodes)
            && !self.is_told_to_stop()
            && soft.is_none_or(|t| self.elapsed() < t)
    }

    fn plan_next_look(&mut self, nodes: u64) {
        let next = nodes + Self::NODES_BETWEEN_LOOKS;
        self.next_look = self.limits.nodes.map_or(next, |limit| next.min(limit));
    }

    fn out_of_nodes(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
    }

    fn is_told_to_stop(&self) -> bool {
        self.limits
            .stop
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
