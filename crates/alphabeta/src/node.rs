//! The principal variation search, as a sequence of steps.
//!
//! A node first looks for reasons not to search at all (draws, the table, pruning by static
//! evaluation), then searches its moves: the first with the full window, the others with the
//! narrowest possible one to prove that they are worse, at reduced depth the later they come.

use tandem_chess::{Move, Position};
use tandem_search::Evaluate;

use crate::correction::corrected;
use crate::picker::is_noisy;
use crate::table::{Bound, Entry};
use crate::value::{
    self, DRAW, INFINITE, NONE, Value, is_decisive, is_loss, is_win, mate_in, mated_in,
};
use crate::worker::{Shared, Worker};

/// What kind of node it is, known to the compiler.
pub trait Node {
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The position to be decided.
    const ROOT: bool;
}

/// The position to be decided.
pub struct Root;
/// A node with an open window.
pub struct Pv;
/// A node that only has to prove a bound.
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows before it looks at moves.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts, not a state")]
pub struct Known {
    pub depth: i32,
    pub alpha: Value,
    pub beta: Value,
    pub cut_node: bool,
    pub in_check: bool,
    /// The table's entry, if there is one for this position.
    pub entry: Option<Entry>,
    /// Its score from this root, or [`NONE`].
    pub table_value: Value,
    /// Its move, if it is legal here.
    pub table_move: Option<Move>,
    /// Whether that move takes something or promotes.
    pub table_noisy: bool,
    /// The network's evaluation before corrections, or [`NONE`].
    pub raw_eval: Value,
    /// The corrected evaluation, or [`NONE`].
    pub static_eval: Value,
    /// The best guess of the score: the evaluation, or a better bound from the table.
    pub eval: Value,
    /// Whether the side to move stands better than two plies ago.
    pub improving: bool,
    /// Whether the opponent stands worse than before its last move.
    pub opponent_worse: bool,
    pub was_pv: bool,
    pub excluded: Option<Move>,
    /// What a tablebase guarantees at least.
    pub floor: Value,
    /// What a tablebase allows at most.
    pub ceiling: Value,
}

impl<E: Evaluate> Worker<E> {
    /// The value of a position, exact if it lies in the window, a bound otherwise.
    #[allow(clippy::too_many_arguments, reason = "a node is its window, depth and kind")]
    pub fn search<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiescence::<N>(shared, position, ply, alpha, beta);
        }
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        if self.visit(shared) {
            return DRAW;
        }
        if N::PV {
            self.seldepth = self.seldepth.max(ply + 1);
            self.stack[ply].pv.clear();
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if !N::ROOT {
            if let Some(value) = self.end_of_line(position, ply) {
                return value;
            }
            // No line through here can be better than a mate already found nearer to the root.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
            // A draw by repetition is one move away for us: we need not accept less.
            if alpha < self.draw(ply) && self.can_repeat(position, ply) {
                alpha = self.draw_value(ply);
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        self.stack.before_mut(ply + 2, 0).cutoffs = 0;
        let mut known = self.look_up::<N>(
            shared,
            position,
            ply,
            depth.min(value::MAX_PLY as i32 - 1),
            alpha,
            beta,
            cut_node,
        );
        if let Some(value) = self.table_cutoff::<N>(position, ply, &known) {
            return value;
        }
        if let Some(value) = self.tablebase_cutoff::<N>(shared, position, ply, &mut known) {
            return value;
        }
        self.evaluate_statically(shared, position, ply, &mut known);
        if !known.in_check
            && known.excluded.is_none()
            && let Some(value) = self.prune_node::<N>(shared, position, ply, &mut known)
        {
            return value;
        }
        self.search_moves::<N>(shared, position, ply, known)
    }

    /// What the table knows. A search that leaves a move out is not about this position, so it
    /// asks nothing.
    #[allow(clippy::too_many_arguments, reason = "a node is its window, depth and kind")]
    fn look_up<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
        cut_node: bool,
    ) -> Known {
        let excluded = self.stack[ply].excluded;
        let entry = if excluded.is_some() { None } else { shared.table.probe(position.key()) };
        let table_move = if N::ROOT {
            self.root_moves.get(self.line).map(|root| root.pv[0])
        } else {
            entry.and_then(|entry| entry.best).filter(|&m| position.is_legal(m))
        };
        let was_pv = match excluded {
            Some(_) => self.stack[ply].was_pv,
            None => N::PV || entry.is_some_and(|entry| entry.pv),
        };
        self.stack[ply].was_pv = was_pv;
        Known {
            depth,
            alpha,
            beta,
            cut_node,
            in_check: position.in_check(),
            entry,
            table_value: entry.filter(|entry| entry.bound != Bound::None).map_or(NONE, |entry| {
                value::from_table(entry.value, ply, position.halfmove_clock())
            }),
            table_move,
            table_noisy: table_move.is_some_and(|m| is_noisy(position, m)),
            raw_eval: NONE,
            static_eval: NONE,
            eval: NONE,
            improving: false,
            opponent_worse: false,
            was_pv,
            excluded,
            floor: -INFINITE,
            ceiling: INFINITE,
        }
    }

    /// The table's score, where it is deep enough and bounds the right side. Near the fifty-move
    /// rule it is not trusted, because the table does not know the count.
    fn table_cutoff<N: Node>(
        &mut self,
        position: &Position,
        ply: usize,
        known: &Known,
    ) -> Option<Value> {
        let entry = known.entry?;
        let value = known.table_value;
        if N::PV || value == NONE || position.halfmove_clock() >= 90 {
            return None;
        }
        let high = value >= known.beta;
        let proves = if high { entry.bound.is_lower() } else { entry.bound.is_upper() };
        let deep = entry.depth >= known.depth + i32::from(high);
        let expected = known.cut_node == high || known.depth > 5;
        if !(proves && deep && expected) {
            return None;
        }
        if high && let Some(m) = known.table_move.filter(|_| !known.table_noisy) {
            let earlier = self.stack.earlier(ply);
            self.histories.update_quiet(
                position,
                m,
                ply,
                &earlier[..2],
                (130 * known.depth - 70).min(1100),
            );
        }
        Some(value)
    }

    /// The static evaluation with what earlier searches taught about its errors, and whether things
    /// get better or worse.
    fn evaluate_statically(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &mut Known,
    ) {
        let two_back = self.stack.before(ply, 2).static_eval;
        if known.in_check {
            self.stack[ply].static_eval = two_back;
            return;
        }
        if known.excluded.is_some() {
            known.static_eval = self.stack[ply].static_eval;
            known.eval = known.static_eval;
        } else {
            let stored = known.entry.map_or(NONE, |entry| entry.eval);
            known.raw_eval =
                if stored == NONE { self.evaluator.evaluate(position) } else { stored };
            known.static_eval = corrected(known.raw_eval, self.correction(position, ply));
            known.eval = known.static_eval;
            self.stack[ply].static_eval = known.static_eval;
            match known.entry {
                Some(entry) if known.table_value != NONE && !is_decisive(known.table_value) => {
                    let better = known.table_value > known.eval;
                    if if better { entry.bound.is_lower() } else { entry.bound.is_upper() } {
                        known.eval = known.table_value;
                    }
                }
                Some(_) => {}
                None => shared.table.store(
                    position.key(),
                    Entry {
                        best: None,
                        value: DRAW,
                        eval: known.raw_eval,
                        depth: -2,
                        bound: Bound::None,
                        pv: known.was_pv,
                    },
                ),
            }
            self.learn_from_swing(ply, known.static_eval, position);
        }
        let earlier =
            if two_back == NONE { self.stack.before(ply, 4).static_eval } else { two_back };
        known.improving = earlier == NONE || known.static_eval > earlier;
        let theirs = self.stack.before(ply, 1).static_eval;
        known.opponent_worse = theirs != NONE && known.static_eval > -theirs;
    }

    /// What to add to the static evaluation of this position.
    pub fn correction(&self, position: &Position, ply: usize) -> Value {
        let (last, earlier) = (self.stack.before(ply, 1), self.stack.before(ply, 2));
        self.corrections.get(position, last.continuation, earlier.continuation)
    }
}

/// Whether pruning may conclude anything: not while all that is known is a forced loss.
pub fn has_hope(best: Value) -> bool {
    !is_loss(best)
}

/// Whether a guess may be returned instead of a searched value.
pub fn is_tame(eval: Value, beta: Value) -> bool {
    !is_loss(beta) && !is_win(eval)
}
