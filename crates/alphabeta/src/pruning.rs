//! Reasons not to search: a whole node, or one of its moves.

use tandem_chess::{Move, Position, see};
use tandem_search::Evaluate;

use crate::moves::Found;
use crate::node::{Known, Node, NonPv, has_hope, is_tame};
use crate::picker::{Context, Picker, is_noisy};
use crate::table::{Bound, Entry};
use crate::tunables as t;
use crate::value::{self, NONE, Value, is_decisive, is_win};
use crate::worker::{Shared, Worker};

impl<E: Evaluate> Worker<E> {
    /// Decides a node by its static evaluation and shallow searches, if that is safe enough.
    pub fn prune_node<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &mut Known,
    ) -> Option<Value> {
        if !N::PV {
            let decided = self
                .razor(shared, position, ply, known)
                .or_else(|| reverse_futility(known))
                .or_else(|| self.null_move(shared, position, ply, known));
            if decided.is_some() {
                return decided;
            }
        }
        known.improving |= known.static_eval >= known.beta + 90;
        // Without a move from the table the order will be poor: a shallower search finds one for
        // the next time (internal iterative reduction, Ed Schröder's idea).
        if known.depth >= 6 && known.table_move.is_none() && (N::PV || known.cut_node) {
            known.depth -= 1;
        }
        if N::PV { None } else { self.probcut(shared, position, ply, known) }
    }

    /// So far below alpha that only a capture could help: quiescence decides.
    fn razor(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &Known,
    ) -> Option<Value> {
        let margin = t::razor_base() + t::razor_depth() * known.depth * known.depth;
        (known.eval < known.alpha - margin)
            .then(|| self.quiescence::<NonPv>(shared, position, ply, known.alpha, known.beta))
    }

    /// The opponent may move twice and we still stand above beta: so we will after moving once
    /// (null move pruning, Donninger). Deep cut-offs are verified against zugzwang.
    fn null_move(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &Known,
    ) -> Option<Value> {
        let beta = known.beta;
        let floor = beta - t::null_depth() * known.depth + t::null_offset();
        if !known.cut_node
            || self.stack.before(ply, 1).current.is_none() && ply > 0
            || known.eval < beta
            || known.static_eval < floor
            || ply < self.null_ply
            || value::is_loss(beta)
            || !Self::has_pieces(position, position.side_to_move())
        {
            return None;
        }
        let reduced = known.depth - (t::null_reduction() + known.depth / 3);
        let next = self.make_null(shared, position, ply);
        let value = -self.search::<NonPv>(shared, &next, ply + 1, reduced, -beta, -beta + 1, false);
        self.unmake();
        if value < beta || is_win(value) {
            return None;
        }
        if self.null_ply != 0 || known.depth < 16 {
            return Some(value);
        }
        self.null_ply = ply + 3 * reduced.max(0) as usize / 4;
        let verified = self.search::<NonPv>(shared, position, ply, reduced, beta - 1, beta, false);
        self.null_ply = 0;
        (verified >= beta).then_some(value)
    }

    /// A capture that stays above a raised beta in a shallow search would stay above beta in a deep
    /// one (Buro's `ProbCut`).
    fn probcut(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &Known,
    ) -> Option<Value> {
        let raised =
            known.beta + t::probcut_margin() - i32::from(known.improving) * t::probcut_improving();
        if known.depth < 3
            || is_decisive(known.beta)
            || (known.table_value != NONE && known.table_value < raised)
        {
            return None;
        }
        let earlier = self.stack.earlier(ply);
        let context = Context { ply, earlier: &earlier, killers: [None; 2], counter: None };
        let mut picker =
            Picker::winning_captures(position, known.table_move, raised - known.static_eval);
        while let Some(m) = picker.next(position, &self.histories, &context) {
            let next = self.make(shared, position, m, ply);
            let mut value = -self.quiescence::<NonPv>(shared, &next, ply + 1, -raised, -raised + 1);
            let depth = known.depth - 4;
            if value >= raised && depth > 0 {
                value = -self.search::<NonPv>(
                    shared,
                    &next,
                    ply + 1,
                    depth,
                    -raised,
                    -raised + 1,
                    !known.cut_node,
                );
            }
            self.unmake();
            if shared.is_stopped() {
                return Some(value::DRAW);
            }
            if value >= raised {
                shared.table.store(
                    position.key(),
                    Entry {
                        best: Some(m),
                        value: value::to_table(value, ply),
                        eval: known.raw_eval,
                        depth: depth + 1,
                        bound: Bound::Lower,
                        pv: known.was_pv,
                    },
                );
                return Some(if is_decisive(value) {
                    value
                } else {
                    value - (raised - known.beta)
                });
            }
        }
        // The table has already seen enough above beta.
        let far = known.beta + 420;
        let seen = known.entry.is_some_and(|e| e.bound.is_lower() && e.depth >= known.depth - 4);
        (seen
            && known.table_value != NONE
            && known.table_value >= far
            && !is_decisive(known.table_value))
        .then_some(far)
    }

    /// Whether a move needs no search at this depth: too late in the order, too bad in the
    /// exchange, or unable to lift the evaluation to alpha.
    #[allow(clippy::too_many_arguments, reason = "everything that is known about the move")]
    pub fn prune_move(
        &mut self,
        position: &Position,
        ply: usize,
        known: &Known,
        found: &mut Found,
        picker: &mut Picker,
        m: Move,
        reduction: i32,
    ) -> bool {
        if !has_hope(found.best) || !Self::has_pieces(position, position.side_to_move()) {
            return false;
        }
        let divisor = if known.improving { 1 } else { 2 };
        if found.count as i32 >= (t::late_moves_base() + known.depth * known.depth) / divisor {
            picker.skip_quiets();
        }
        let reduced = known.depth - 1 - reduction / 1024;
        if is_noisy(position, m) || position.gives_check_by(m, &found.checks) {
            self.is_hopeless_capture(position, known, found.alpha, m, reduced)
        } else {
            self.is_hopeless_quiet(position, ply, known, found, m, reduced)
        }
    }

    fn is_hopeless_capture(
        &self,
        position: &Position,
        known: &Known,
        alpha: Value,
        m: Move,
        reduced: i32,
    ) -> bool {
        let Some(piece) = position.piece_on(m.from()) else { return false };
        let captured = position.captured_by(m);
        let history = self.histories.capture(piece, m.to(), captured);
        if captured.is_some() && reduced < 7 && !known.in_check {
            let hope = known.static_eval
                + t::capture_futility_base()
                + t::capture_futility_depth() * reduced.max(0)
                + 2 * captured.map_or(0, see::value)
                + history / 8;
            if hope <= alpha {
                return true;
            }
        }
        let allowed = t::capture_exchange() * known.depth / 2 + history / 32;
        !position.see_at_least(m, -allowed.max(0))
    }

    fn is_hopeless_quiet(
        &self,
        position: &Position,
        ply: usize,
        known: &Known,
        found: &mut Found,
        m: Move,
        mut reduced: i32,
    ) -> bool {
        let Some(piece) = position.piece_on(m.from()) else { return false };
        let at = |back: usize| {
            let key = self.stack.before(ply, back).continuation;
            self.histories.after(key)[piece.slot()][m.to().index()].get()
        };
        let mut history = at(1) + at(2) + self.histories.pawns(position, piece, m.to());
        if reduced < 6 && history < -t::history_pruning() * known.depth {
            return true;
        }
        history += 2 * self.histories.butterfly(position.side_to_move(), m);
        reduced += history / 3600;
        if !known.in_check && reduced < 12 {
            let hope =
                known.static_eval + t::futility_base() + t::futility_depth() * reduced.max(0);
            if hope <= found.alpha {
                if found.best <= hope && !is_decisive(found.best) && !is_win(hope) {
                    found.best = hope;
                }
                return true;
            }
        }
        let reduced = reduced.max(0);
        !position.see_at_least(m, -t::quiet_exchange() * reduced * reduced)
    }

    /// How much more deeply to look at the table's move. If all others fail below a margin, it is
    /// the only good one and gets up to three plies more; if another reaches beta as well, the node
    /// is cut off at once (multi-cut); if it merely is not alone, it gets fewer plies.
    ///
    /// `Err` holds the value with which the node ends.
    pub fn extend_singular<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &mut Known,
        m: Move,
    ) -> Result<i32, Value> {
        let Some(entry) = known.entry else { return Ok(0) };
        let value = known.table_value;
        if known.excluded.is_some()
            || known.depth < 5 + i32::from(known.was_pv)
            || value == NONE
            || is_decisive(value)
            || !entry.bound.is_lower()
            || entry.depth < known.depth - 3
            || ply as i32 >= 2 * self.root_depth
        {
            return Ok(0);
        }
        let wider = if known.was_pv && !N::PV { 70 } else { 0 };
        let margin = (t::singular_margin() + wider) * known.depth / 64;
        let (floor, depth) = (value - margin, (known.depth - 1) / 2);
        self.stack[ply].excluded = Some(m);
        let others =
            self.search::<NonPv>(shared, position, ply, depth, floor - 1, floor, known.cut_node);
        self.stack[ply].excluded = None;
        if shared.is_stopped() {
            return Err(value::DRAW);
        }
        if others < floor {
            let (double, triple) = if N::PV {
                (t::double_margin() + 240, t::triple_margin() + 280)
            } else {
                (
                    t::double_margin() - 120 * i32::from(!known.table_noisy),
                    t::triple_margin() - 90 * i32::from(!known.table_noisy),
                )
            };
            known.depth += 1;
            return Ok(1 + i32::from(others < floor - double) + i32::from(others < floor - triple));
        }
        if others >= known.beta && !is_decisive(others) {
            return Err(others);
        }
        Ok(if value >= known.beta {
            -3
        } else if known.cut_node {
            -2
        } else {
            0
        })
    }
}

/// So far above beta that the opponent will not come back at this depth.
fn reverse_futility(known: &Known) -> Option<Value> {
    let improving = i32::from(known.improving) * t::reverse_improving();
    let worse = i32::from(known.opponent_worse) * 300;
    let margin =
        t::reverse_futility() * known.depth - t::reverse_futility() * (improving + worse) / 1024;
    let quiet = known.table_move.is_none() || known.table_noisy;
    (!known.was_pv
        && known.depth < 14
        && quiet
        && known.eval >= known.beta
        && known.eval - margin >= known.beta
        && is_tame(known.eval, known.beta))
    .then(|| known.beta + (known.eval - known.beta) / 3)
}
