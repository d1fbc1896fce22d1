//! What is passed on to the observer while the searches work.

use std::time::Instant;

use tandem_search::{Bound, Progress, Slate};

/// Passes on what a search reports, with the work of both in its figures.
pub struct Report<'a> {
    observer: &'a mut dyn FnMut(&Progress),
    /// What was said last for certain of each line.
    pub lines: Vec<Progress>,
    start: Instant,
    /// Positions visited by alpha-beta.
    pub nodes: u64,
}

impl<'a> Report<'a> {
    pub fn new(observer: &'a mut dyn FnMut(&Progress), start: Instant) -> Self {
        Self { observer, lines: Vec::new(), start, nodes: 0 }
    }

    /// Alpha-beta reports.
    pub fn prove(&mut self, progress: &Progress, slate: &Slate) {
        self.nodes = progress.nodes;
        let mut told = progress.clone();
        told.nodes += slate.playouts();
        told.time = self.start.elapsed();
        if told.bound == Bound::Exact {
            self.lines.retain(|line| line.line != told.line);
            self.lines.push(told.clone());
        }
        (self.observer)(&told);
    }

    /// Monte Carlo tree search reports, before alpha-beta begins.
    pub fn explore(&mut self, progress: &Progress) {
        (self.observer)(progress);
    }

    /// The last word on a line.
    pub fn say(&mut self, mut progress: Progress, slate: &Slate) {
        progress.nodes = self.nodes + slate.playouts();
        progress.time = self.start.elapsed();
        (self.observer)(&progress);
    }

    /// The best line that alpha-beta is certain of.
    pub fn best(&self) -> Option<&Progress> {
        self.lines.iter().find(|line| line.line == 1)
    }
}
