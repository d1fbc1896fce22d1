//! What this search tells another that explores the same position, and what it takes from it.

use tandem_search::{Bound, Evaluate, Exchange, Judgement};

use crate::root::Silent;
use crate::value::{INFINITE, Value, shown};
use crate::worker::{RootMove, Shared, Worker};
use tandem_chess::{Move, Position};

/// Tells what is known of a move of the root.
pub fn tell(shared: &Shared<'_>, root: &RootMove, value: Value, bound: Bound, depth: i32) {
    if let Some(slate) = shared.company.slate {
        slate.judge(root.m, Judgement { value, bound, depth }, root.nodes);
    }
}

/// By how much the time for this move is to be stretched.
pub fn patience(shared: &Shared<'_>) -> f64 {
    let Some(slate) = shared.company.slate else { return 1.0 };
    let patience = slate.patience();
    slate.traffic.count(Exchange::Patience, u64::from((patience - 1.0).abs() > f64::EPSILON));
    patience
}

/// By how much a move of the root is reduced less because another search has visited it.
pub fn relief(shared: &Shared<'_>, m: Move) -> i32 {
    let Some(slate) = shared.company.slate.filter(|slate| slate.terms.relief > 0) else {
        return 0;
    };
    let relief = (slate.share(m) * slate.terms.relief as f32) as i32;
    slate.traffic.count(Exchange::Relief, u64::from(relief > 0));
    relief
}

impl<E: Evaluate> Worker<E> {
    /// Tells which move it would play.
    pub fn tell_best(&self, shared: &Shared<'_>) {
        if let Some(slate) = shared.company.slate.filter(|_| self.id == 0) {
            slate.note_best(self.root_moves[0].m, self.completed_depth);
        }
    }

    /// Tells how people read what it has just said of a move.
    pub fn show(&self, shared: &Shared<'_>, position: &Position, m: Move) {
        let is_mine = self.id == 0 && !self.is_verifying;
        let Some(slate) = shared.company.slate.filter(|_| is_mine) else { return };
        if let Some(known) = slate.judgement(m) {
            let score = shown(known.value, |value| self.evaluator.centipawns(value, position));
            slate.show(m, score, known.bound, known.depth);
        }
    }

    /// Has quiet moves of the root come the earlier the more another search has visited them.
    pub fn heed_visits(&mut self, shared: &Shared<'_>) {
        let Some(slate) = shared.company.slate.filter(|slate| slate.terms.order > 0) else {
            return;
        };
        let mut heeded = 0;
        for root in &self.root_moves {
            let bonus = (slate.share(root.m) * slate.terms.order as f32) as i32;
            if bonus > 0 {
                self.histories.expect_at_root(root.m, bonus);
                heeded += 1;
            }
        }
        slate.traffic.count(Exchange::Order, heeded);
    }

    /// Looks at a move alone that another search prefers, if nobody has: as deep as the first thread has
    /// looked at all, with a window of its own. A thread alone does that, too; of several, those that help.
    pub fn verify_candidate(&mut self, shared: &Shared<'_>, position: &Position) {
        let is_mine = self.id > 0 || shared.nodes.len() == 1;
        let Some(slate) = shared.company.slate.filter(|_| is_mine && !self.is_verifying) else {
            return;
        };
        let Some((m, depth)) = slate.claim() else { return };
        let Some(known) = self.root_moves.iter().find(|root| root.m == m) else { return };
        let average = slate.verified(m).map_or(-INFINITE, |verified| verified.value);
        let alone = RootMove { average, nodes: 0, ..known.clone() };
        let others = std::mem::replace(&mut self.root_moves, vec![alone]);
        let (line, root_depth) = (self.line, self.root_depth);
        (self.line, self.root_depth, self.is_verifying) = (0, depth, true);
        self.aspire(shared, position, depth, &mut Silent);
        self.is_verifying = false;
        (self.line, self.root_depth) = (line, root_depth);
        let mut alone = std::mem::replace(&mut self.root_moves, others);
        if let Some(found) = alone.pop().filter(|_| !shared.is_stopped()) {
            slate.verify(m, Judgement { value: found.value, bound: Bound::Exact, depth });
        }
    }
}
