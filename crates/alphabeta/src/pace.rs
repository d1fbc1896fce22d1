//! When the first thread reports, and when it has looked deep enough.

use std::cell::Cell;
use std::time::Duration;

use tandem_chess::{Move, Position, Wdl};
use tandem_search::{Bound, Evaluate, Limits, Progress, Side, Timer};

use crate::company::patience;
use crate::endgames::root_score;
use crate::root::Pacer;
use crate::value::{self, INFINITE, MATE, Value};
use crate::worker::{Shared, Worker};

/// Reports lines and decides after each iteration whether another one is worth its time.
pub struct Pace<'a> {
    pub timer: &'a Timer<'a>,
    pub limits: &'a Limits,
    pub position: &'a Position,
    pub lines: usize,
    pub observer: &'a mut dyn FnMut(&Progress),
    pub hashfull: &'a dyn Fn() -> u32,
    best: Option<Move>,
    stable: u32,
    average: Value,
    last_bound_report: Cell<Duration>,
}

impl<'a> Pace<'a> {
    pub fn new(
        timer: &'a Timer<'a>,
        limits: &'a Limits,
        position: &'a Position,
        lines: usize,
        observer: &'a mut dyn FnMut(&Progress),
        hashfull: &'a dyn Fn() -> u32,
    ) -> Self {
        Self {
            timer,
            limits,
            position,
            lines,
            observer,
            hashfull,
            best: None,
            stable: 0,
            average: INFINITE,
            last_bound_report: Cell::new(Duration::ZERO),
        }
    }

    /// Reports one line.
    pub fn report<E: Evaluate>(
        &mut self,
        worker: &Worker<E>,
        shared: &Shared<'_>,
        line: usize,
        depth: i32,
        bound: Bound,
    ) {
        let root = &worker.root_moves[line];
        let value = worker.line_value(line);
        if value == -INFINITE {
            return;
        }
        // What a tablebase says is exact; only a mate says more.
        let proven = root.proven.filter(|_| value.abs() < value::MATE_BOUND);
        let value = proven.map_or(value, root_score);
        let score = value::shown(value, |v| worker.evaluator.centipawns(v, self.position));
        (self.observer)(&Progress {
            side: Side::Prover,
            depth: depth.max(1) as u32,
            seldepth: root.seldepth.max(1) as u32,
            line: line + 1,
            score,
            bound: if proven.is_some() { Bound::Exact } else { bound },
            wdl: proven.map_or_else(
                || worker.evaluator.wdl(value, self.position),
                |wdl| Some(certain(wdl)),
            ),
            nodes: shared.total_nodes(),
            time: self.timer.start.elapsed(),
            hashfull: (self.hashfull)(),
            tbhits: shared.tables.hits(),
            pv: root.pv.iter().copied().collect(),
            moves: Vec::new(),
            judged: Vec::new(),
            notices: Vec::new(),
            deliberation: None,
        });
    }

    /// How much of the soft limit this move deserves: more while the choice changes or the score
    /// falls, less once most of the effort confirms one move.
    fn appetite<E>(&self, worker: &Worker<E>, value: Value) -> f64 {
        let stability = 1.25 - 0.06 * f64::from(self.stable.min(9));
        let fall = f64::from((self.average - value).clamp(-40, 120));
        let falling = 1.0 + fall / 250.0;
        let effort = worker.root_moves[0].nodes as f64 / worker.nodes.max(1) as f64;
        let doubt = 1.45 - 0.65 * effort;
        stability * falling * doubt
    }
}

/// Win, draw and loss in thousandths where the result is certain.
const fn certain(wdl: Wdl) -> [u16; 3] {
    match wdl {
        Wdl::Win => [1000, 0, 0],
        Wdl::Loss => [0, 0, 1000],
        _ => [0, 1000, 0],
    }
}

impl<E: Evaluate> Pacer<E> for Pace<'_> {
    fn line_done(&mut self, worker: &Worker<E>, shared: &Shared<'_>, bound: Bound) {
        if bound != Bound::Exact {
            // Bounds interest nobody in a fast search.
            let now = self.timer.start.elapsed();
            if self.lines == 1
                && now > Duration::from_secs(3)
                && now.saturating_sub(self.last_bound_report.get()) > Duration::from_millis(100)
            {
                self.last_bound_report.set(now);
                self.report(worker, shared, 0, worker.root_depth, bound);
            }
            return;
        }
        if worker.line + 1 == self.lines {
            for line in 0..self.lines {
                self.report(worker, shared, line, worker.root_depth, Bound::Exact);
            }
        }
    }

    fn goes_on(&mut self, worker: &Worker<E>, shared: &Shared<'_>) -> bool {
        let root = &worker.root_moves[0];
        let value = root.value;
        self.stable = if self.best == Some(root.m) { self.stable + 1 } else { 0 };
        self.best = Some(root.m);
        if self.average == INFINITE {
            self.average = value;
        }
        let appetite = self.appetite(worker, value);
        self.average = (3 * self.average + value) / 4;
        if self.limits.depth.is_some_and(|depth| worker.completed_depth >= depth as i32) {
            return false;
        }
        if let Some(moves) = self.limits.mate
            && value.abs() >= value::MATE_BOUND
            && MATE - value.abs() <= 2 * moves as i32
        {
            return false;
        }
        if self.timer.is_pondering() || self.limits.infinite || self.limits.movetime.is_some() {
            return true;
        }
        // With a clock running and one legal move there is nothing to decide.
        let forced = worker.root_moves.len() == 1 && self.limits.clocks.iter().any(Option::is_some);
        if forced && worker.completed_depth >= 6 {
            return false;
        }
        let patience = patience(shared);
        worker.completed_depth < shared.company.least_depth
            || !self.timer.is_past_soft(appetite * patience)
    }
}
