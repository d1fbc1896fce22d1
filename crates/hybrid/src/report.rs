//! What is passed on to the observer while the searches work.

use std::sync::Arc;
use std::time::Instant;

use tandem_search::{Bound, Progress, Slate};

use crate::conclusion::so_far;
use crate::task::Task;

/// What one of the searches reports.
pub enum Told {
    /// Alpha-beta.
    Proven(Progress),
    /// Monte Carlo tree search.
    Explored(Progress),
}

/// Passes on what a search reports, with the work of both in its figures.
pub struct Report<'a> {
    observer: &'a mut dyn FnMut(&Progress),
    /// What alpha-beta said last for certain of each line.
    pub lines: Vec<Progress>,
    /// What Monte Carlo tree search said last of its best line.
    pub explored: Option<Progress>,
    start: Instant,
    /// Positions visited by alpha-beta.
    pub nodes: u64,
}

impl<'a> Report<'a> {
    pub fn new(observer: &'a mut dyn FnMut(&Progress), start: Instant) -> Self {
        Self { observer, lines: Vec::new(), explored: None, start, nodes: 0 }
    }

    /// One of the searches reports.
    pub fn hear(&mut self, told: Told, task: &Task<'_>) {
        match told {
            Told::Proven(progress) => self.prove(progress, &task.slate),
            Told::Explored(progress) => self.explore(progress, &task.slate),
        }
    }

    fn prove(&mut self, mut told: Progress, slate: &Slate) {
        self.nodes = told.nodes;
        told.nodes += slate.playouts();
        told.time = self.start.elapsed();
        (self.observer)(&told);
        if told.bound == Bound::Exact {
            self.lines.retain(|line| line.line != told.line);
            self.lines.push(told);
        }
    }

    fn explore(&mut self, mut told: Progress, slate: &Slate) {
        told.nodes += slate.nodes();
        (self.observer)(&told);
        if told.line == 1 {
            self.explored = Some(told);
        }
    }

    /// Tells how it looks, whether there are news or not.
    pub fn pulse(&mut self, task: &Task<'_>) {
        let Some(best) = self.best().or(self.explored.as_ref()) else { return };
        let slate = &task.slate;
        let told = Progress {
            nodes: self.nodes.max(slate.nodes()) + slate.playouts(),
            time: self.start.elapsed(),
            moves: Vec::new(),
            judged: slate.judged(),
            notices: Vec::new(),
            deliberation: Some(Arc::new(so_far(task, self))),
            ..best.clone()
        };
        (self.observer)(&told);
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
