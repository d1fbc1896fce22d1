//! Quiescence: captures and evasions until nothing hangs, so that the evaluation is asked only
//! about quiet positions.

use tandem_chess::{Position, see};
use tandem_search::Evaluate;

use crate::correction::corrected;
use crate::node::Node;
use crate::picker::{Context, Picker, is_noisy};
use crate::table::{Bound, Entry};
use crate::tunables as t;
use crate::value::{self, DRAW, INFINITE, NONE, Value, is_decisive, is_loss, mated_in};
use crate::worker::{Shared, Worker};

impl<E: Evaluate> Worker<E> {
    /// The value of a position once its captures are played out.
    pub fn quiescence<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        if self.visit(shared) {
            return DRAW;
        }
        if N::PV {
            self.seldepth = self.seldepth.max(ply + 1);
            self.stack[ply].pv.clear();
        }
        if let Some(value) = self.end_of_line(position, ply) {
            return value;
        }
        if alpha < self.draw(ply) && self.can_repeat(position, ply) {
            alpha = self.draw_value(ply);
            if alpha >= beta {
                return alpha;
            }
        }
        let entry = shared.table.probe(position.key());
        let table_value = entry
            .filter(|e| e.bound != Bound::None)
            .map_or(NONE, |e| value::from_table(e.value, ply, position.halfmove_clock()));
        if let Some(entry) = entry
            && !N::PV
            && table_value != NONE
            && if table_value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() }
        {
            return table_value;
        }
        let in_check = position.in_check();
        let (mut best, mut raw_eval, mut floor) = (-INFINITE, NONE, -INFINITE);
        if !in_check {
            raw_eval = entry.map_or(NONE, |e| e.eval);
            if raw_eval == NONE {
                raw_eval = self.evaluator.evaluate(position);
            }
            best = corrected(raw_eval, self.correction(position, ply));
            self.stack[ply].static_eval = best;
            if let Some(entry) = entry
                && table_value != NONE
                && !is_decisive(table_value)
                && if table_value > best { entry.bound.is_lower() } else { entry.bound.is_upper() }
            {
                best = table_value;
            }
            // Standing pat: there is nearly always a quiet move that keeps the evaluation.
            if best >= beta {
                if entry.is_none() {
                    keep(shared, position, ply, None, best, raw_eval, Bound::Lower, false);
                }
                return if is_decisive(best) { best } else { i32::midpoint(best, beta) };
            }
            alpha = alpha.max(best);
            floor = best + t::quiescence_margin();
        }
        let table_move = entry.and_then(|e| e.best).filter(|&m| position.is_legal(m));
        self.play_out::<N>(
            shared,
            position,
            ply,
            alpha,
            beta,
            best,
            raw_eval,
            floor,
            table_move,
            entry.is_some_and(|e| e.pv),
        )
    }

    #[allow(clippy::too_many_arguments, reason = "what standing pat has found out")]
    fn play_out<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        mut best: Value,
        raw_eval: Value,
        floor: Value,
        table_move: Option<tandem_chess::Move>,
        was_pv: bool,
    ) -> Value {
        let in_check = position.in_check();
        let earlier = self.stack.earlier(ply);
        let context = Context { ply, earlier: &earlier, killers: [None; 2], counter: None };
        let mut picker = Picker::captures(position, table_move);
        let checks = position.checks();
        let last_to = self.stack.before(ply, 1).moved.map(|(_, to)| to);
        let (mut best_move, mut count) = (None, 0);
        while let Some(m) = picker.next(position, &self.histories, &context) {
            count += 1;
            if !is_loss(best) {
                let noisy = is_noisy(position, m);
                if !in_check
                    && Some(m.to()) != last_to
                    && m.becomes().is_none()
                    && !position.gives_check_by(m, &checks)
                {
                    // Two captures beside the recapture are enough, and each must lift the
                    // evaluation to alpha.
                    if count > 2 {
                        continue;
                    }
                    let hope = floor + 2 * position.captured_by(m).map_or(0, see::value);
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                    if !position.see_at_least(m, (alpha - floor) / 2) {
                        best = best.max(alpha.min(floor));
                        continue;
                    }
                }
                if in_check && !noisy && count > 2 {
                    break;
                }
                if !position.see_at_least(m, -75) {
                    continue;
                }
            }
            let next = self.make(shared, position, m, ply);
            let value = -self.quiescence::<N>(shared, &next, ply + 1, -beta, -alpha);
            self.unmake();
            if shared.is_stopped() {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.stack.extend_pv(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && count == 0 {
            return mated_in(ply);
        }
        if best >= beta && !is_decisive(best) {
            best = i32::midpoint(best, beta);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        keep(shared, position, ply, best_move, best, raw_eval, bound, was_pv);
        best
    }
}

#[allow(clippy::too_many_arguments, reason = "an entry has that many parts")]
fn keep(
    shared: &Shared<'_>,
    position: &Position,
    ply: usize,
    best: Option<tandem_chess::Move>,
    value: Value,
    eval: Value,
    bound: Bound,
    pv: bool,
) {
    let value = value::to_table(value, ply);
    shared.table.store(position.key(), Entry { best, value, eval, depth: 0, bound, pv });
}
