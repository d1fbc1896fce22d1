//! Iterative deepening: one ply after another until time, depth or nodes run out.

use tandem_chess::{Move, Position};
use tandem_search::Evaluate;

use crate::company::tell;
use crate::moves::Found;
use crate::node::Root;
use crate::tunables as t;
use crate::value::{DRAW, INFINITE, Value, is_decisive, mate_in};
use crate::worker::{RootMove, Shared, Worker};

/// What the first thread decides between iterations.
pub trait Pacer<E> {
    /// A line is known to a depth. `bound` says on which side of the window it fell.
    fn line_done(&mut self, worker: &Worker<E>, shared: &Shared<'_>, bound: tandem_search::Bound);

    /// An iteration is complete. Answers whether to look deeper.
    fn goes_on(&mut self, worker: &Worker<E>, shared: &Shared<'_>) -> bool;
}

/// For the threads that only help.
pub struct Silent;

impl<E> Pacer<E> for Silent {
    fn line_done(&mut self, _: &Worker<E>, _: &Shared<'_>, _: tandem_search::Bound) {}

    fn goes_on(&mut self, _: &Worker<E>, _: &Shared<'_>) -> bool {
        true
    }
}

impl<E: Evaluate> Worker<E> {
    /// Deepens until told to stop. Afterwards `root_moves` are in order, best first.
    pub fn deepen(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        lines: usize,
        max_depth: i32,
        pacer: &mut impl Pacer<E>,
    ) {
        let lines = lines.clamp(1, self.root_moves.len().max(1));
        for depth in 1..=max_depth {
            self.verify_candidate(shared, position);
            self.heed_visits(shared);
            self.root_depth = depth;
            self.root_moves.iter_mut().for_each(RootMove::keep);
            for line in 0..lines {
                self.line = line;
                self.seldepth = 0;
                self.aspire(shared, position, depth, pacer);
                self.root_moves[..=line].sort_by_key(RootMove::order);
                if shared.is_stopped() {
                    return;
                }
                pacer.line_done(self, shared, tandem_search::Bound::Exact);
            }
            self.completed_depth = depth;
            self.tell_best(shared);
            if !pacer.goes_on(self, shared) {
                shared.stop.store(true, std::sync::atomic::Ordering::Relaxed);
                return;
            }
        }
    }

    /// Searches with a narrow window around the expected score and widens it on the side on which
    /// the score falls out.
    pub fn aspire(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        depth: i32,
        pacer: &mut impl Pacer<E>,
    ) {
        let average = self.root_moves[self.line].average;
        let mut delta =
            t::aspiration_width() + (average.abs().min(2000)).pow(2) / t::aspiration_square();
        let (mut alpha, mut beta) = if depth < 4 || average == -INFINITE {
            (-INFINITE, INFINITE)
        } else {
            ((average - delta).max(-INFINITE), (average + delta).min(INFINITE))
        };
        let mut failed_high = 0;
        loop {
            self.root_delta = beta - alpha;
            let reduced = (depth - failed_high).max(1);
            let value = self.search::<Root>(shared, position, 0, reduced, alpha, beta, false);
            // A stable sort keeps the order of moves that only proved to be worse.
            let line = self.line;
            self.root_moves[line..].sort_by_key(RootMove::order);
            if shared.is_stopped() {
                self.restore_order();
                return;
            }
            if value <= alpha {
                pacer.line_done(self, shared, tandem_search::Bound::Upper);
                beta = i32::midpoint(alpha, beta);
                alpha = (value - delta).max(-INFINITE);
                failed_high = 0;
            } else if value >= beta {
                pacer.line_done(self, shared, tandem_search::Bound::Lower);
                beta = (value + delta).min(INFINITE);
                failed_high += 1;
            } else {
                return;
            }
            delta += delta / 3;
            if delta > 3000 || is_decisive(value) && value.abs() > mate_in(200) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// An interrupted iteration counts as far as it is certain: moves of which it has no exact score
    /// keep that of the last one.
    fn restore_order(&mut self) {
        let open = &mut self.root_moves[self.line..];
        open.iter_mut().for_each(RootMove::settle);
        open.sort_by_key(RootMove::order);
    }

    /// Where not even the first move was searched to its end, the static evaluation is all there is
    /// to say about it.
    pub fn have_some_value(&mut self, position: &Position) {
        if self.line_value(0) == -INFINITE {
            self.evaluator.reset(position);
            self.root_moves[0].value =
                if position.in_check() { DRAW } else { self.evaluator.evaluate(position) };
        }
    }

    /// The score that is shown for a line: of this iteration if it got that far.
    pub fn line_value(&self, line: usize) -> Value {
        let root = &self.root_moves[line];
        if root.value == -INFINITE { root.previous } else { root.value }
    }

    /// Whether a root move is still to be decided in the present line: it is in no line before, and
    /// no tablebase has decided against it.
    pub fn is_open(&self, m: Move) -> bool {
        let left = &self.root_moves[self.line..];
        left.iter().any(|root| root.m == m && root.rank == left[0].rank)
    }

    pub fn note_root_move(
        &mut self,
        shared: &Shared<'_>,
        m: Move,
        value: Value,
        found: &Found,
        beta: Value,
        nodes_before: u64,
    ) {
        let (nodes, seldepth) = (self.nodes, self.seldepth);
        let pv = self.stack[1].pv.clone();
        let Some(root) = self.root_moves.iter_mut().find(|root| root.m == m) else { return };
        root.nodes += nodes - nodes_before;
        root.exact = value > found.alpha && value < beta;
        if self.id == 0 && !self.is_verifying {
            let bound = if root.exact {
                tandem_search::Bound::Exact
            } else if value >= beta {
                tandem_search::Bound::Lower
            } else {
                tandem_search::Bound::Upper
            };
            tell(shared, root, value, bound, self.root_depth);
        }
        if found.count == 1 || value > found.alpha {
            root.value = value;
            root.average =
                if root.average == -INFINITE { value } else { i32::midpoint(root.average, value) };
            root.seldepth = seldepth;
            root.pv.truncate(1);
            let room = root.pv.remaining_capacity();
            root.pv.extend(pv.iter().copied().take(room));
        } else {
            // Not better than the best: its place in the order stays what it was.
            root.value = -INFINITE;
        }
    }
}
