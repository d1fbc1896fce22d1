//! The principal variation search, as a sequence of steps.
//!
//! A node first looks for reasons not to search at all (draws, the table, pruning by static
//! evaluation), then searches its moves: the first with the full window, the others with the
//! narrowest possible one to prove that they are worse, at reduced depth the later they come.

use tandem_chess::{Checks, Move, MoveList, Position};

use crate::correction::corrected;
use crate::evaluate::Evaluate;
use crate::picker::{Context, Picker, is_noisy};
use crate::table::{Bound, Entry};
use crate::tunables as t;
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

/// What the moves have brought so far.
pub struct Found {
    pub best: Value,
    pub best_move: Option<Move>,
    pub alpha: Value,
    pub count: usize,
    pub quiets: MoveList,
    pub captures: MoveList,
    /// Where moves give check.
    pub checks: Checks,
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
            if alpha < DRAW && self.keys.can_repeat(position, ply) {
                alpha = self.draw_value();
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

    /// A quiet move that changed the evaluation much tells the butterfly table at once.
    fn learn_from_swing(&mut self, ply: usize, static_eval: Value, position: &Position) {
        let last = self.stack.before(ply, 1);
        let (Some(m), true) = (last.current, last.quiet) else { return };
        if last.static_eval != NONE {
            let swing = (-(last.static_eval + static_eval) * 9).clamp(-1300, 1400) / 2 + 200;
            self.histories.update_butterfly(!position.side_to_move(), m, swing);
        }
    }

    fn search_moves<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        mut known: Known,
    ) -> Value {
        let earlier = self.stack.earlier(ply);
        let last = self.stack.before(ply, 1).moved;
        let context = Context {
            ply,
            earlier: &earlier,
            killers: self.stack[ply].killers,
            counter: last.and_then(|(piece, to)| self.histories.counter(piece, to)),
        };
        let mut picker = Picker::new(position, known.table_move);
        let mut found = Found {
            best: known.floor,
            best_move: None,
            alpha: known.alpha,
            count: 0,
            quiets: MoveList::new(),
            captures: MoveList::new(),
            checks: position.checks(),
        };
        while let Some(m) = picker.next(position, &self.histories, &context) {
            if Some(m) == known.excluded || (N::ROOT && !self.is_open(m)) {
                continue;
            }
            found.count += 1;
            let noisy = is_noisy(position, m);
            let delta = known.beta - found.alpha;
            let mut reduction = self.reductions.base(
                known.improving,
                known.depth,
                found.count,
                delta,
                self.root_delta,
            );
            if !N::ROOT
                && self.prune_move(position, ply, &known, &mut found, &mut picker, m, reduction)
            {
                continue;
            }
            let mut new_depth = known.depth - 1;
            if !N::ROOT && Some(m) == known.table_move {
                match self.extend_singular::<N>(shared, position, ply, &mut known, m) {
                    Ok(plies) => new_depth += plies,
                    Err(value) => return value,
                }
            }
            let before = self.nodes;
            self.note_history(position, ply, m, noisy, &earlier);
            let next = self.make(shared, position, m, ply);
            reduction += self.adjust_reduction::<N>(ply, &known, m, noisy);
            let value = self.search_move::<N>(
                shared, &next, ply, &known, &found, m, new_depth, reduction, noisy,
            );
            self.unmake();
            if shared.is_stopped() {
                return DRAW;
            }
            if N::ROOT {
                self.note_root_move(m, value, &found, known.beta, before);
            }
            if value > found.best {
                found.best = value;
                if value > found.alpha {
                    found.best_move = Some(m);
                    if N::PV && !N::ROOT {
                        self.stack.extend_pv(ply, m);
                    }
                    if value >= known.beta {
                        self.stack[ply].cutoffs += 1 + u32::from(known.table_move.is_none());
                        break;
                    }
                    // A new best move makes it unlikely that another one improves much.
                    if known.depth > 2 && known.depth < 14 && !is_decisive(value) {
                        known.depth -= 2;
                    }
                    found.alpha = value;
                }
            }
            if Some(m) != found.best_move && found.count <= 32 {
                if noisy { found.captures.push(m) } else { found.quiets.push(m) }
            }
        }
        self.conclude::<N>(shared, position, ply, &known, found)
    }

    /// Searches one move: reduced first if it comes late, then as far as the result demands.
    #[allow(clippy::too_many_arguments, reason = "everything that is known about the move")]
    fn search_move<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        next: &Position,
        ply: usize,
        known: &Known,
        found: &Found,
        m: Move,
        mut new_depth: i32,
        reduction: i32,
        noisy: bool,
    ) -> Value {
        let alpha = found.alpha;
        let mut value = -INFINITE;
        if known.depth >= 2 && found.count > 1 {
            let deepest = new_depth + 1 + i32::from(N::PV);
            let depth = (new_depth - reduction / 1024).clamp(1, deepest.max(1));
            self.stack[ply].reduction = new_depth - depth;
            value = -self.search::<NonPv>(shared, next, ply + 1, depth, -alpha - 1, -alpha, true);
            self.stack[ply].reduction = 0;
            if value > alpha && depth < new_depth {
                // A surprise deserves a deeper look, a near miss a shallower one.
                let deeper = value > found.best + 42 + 2 * new_depth;
                let shallower = value < found.best + 9;
                new_depth += i32::from(deeper) - i32::from(shallower);
                if new_depth > depth {
                    value = -self.search::<NonPv>(
                        shared,
                        next,
                        ply + 1,
                        new_depth,
                        -alpha - 1,
                        -alpha,
                        !known.cut_node,
                    );
                }
                if !noisy && let Some((piece, to)) = self.stack[ply].moved {
                    let earlier = self.stack.earlier(ply);
                    self.histories.update_continuations(piece, to, &earlier[..2], 1400);
                }
            }
        } else if !N::PV || found.count > 1 {
            // Without a move from the table the order is a guess, and depth is spent elsewhere.
            let untested = if known.table_move.is_none() { 1100 } else { 0 };
            let less = i32::from(reduction + untested > 3600)
                + i32::from(reduction + untested > 5500 && new_depth > 2);
            value = -self.search::<NonPv>(
                shared,
                next,
                ply + 1,
                new_depth - less,
                -alpha - 1,
                -alpha,
                !known.cut_node,
            );
        }
        if N::PV && (found.count == 1 || value > alpha) {
            // The table's move on the principal variation is never dropped into quiescence.
            let held = Some(m) == known.table_move
                && known.entry.is_some_and(|e| e.depth > 1)
                && self.root_depth > 8;
            let depth = if held { new_depth.max(1) } else { new_depth };
            value = -self.search::<Pv>(shared, next, ply + 1, depth, -known.beta, -alpha, false);
        }
        value
    }

    /// How well the histories think of a move, kept for reductions here and one ply below.
    fn note_history(
        &mut self,
        position: &Position,
        ply: usize,
        m: Move,
        noisy: bool,
        earlier: &[crate::history::ContinuationKey; 5],
    ) {
        let Some(piece) = position.piece_on(m.from()) else { return };
        let history = if noisy {
            let captured = position.captured_by(m);
            7 * captured.map_or(0, tandem_chess::see::value)
                + self.histories.capture(piece, m.to(), captured)
                - 4700
        } else {
            let at = |key| self.histories.after(key)[piece.slot()][m.to().index()].get();
            2 * self.histories.butterfly(position.side_to_move(), m)
                + at(earlier[0])
                + at(earlier[1])
                - 3500
        };
        self.stack[ply].history = history;
    }

    /// What speaks for looking at a move more or less deeply than its place in the order suggests,
    /// in 1024ths of a ply.
    fn adjust_reduction<N: Node>(&self, ply: usize, known: &Known, m: Move, noisy: bool) -> i32 {
        let mut more = 0;
        if known.was_pv {
            more -= t::reduction_pv() + i32::from(N::PV) * 900;
            if known.table_value != NONE {
                more -= i32::from(known.table_value > known.alpha) * 800;
                more -= i32::from(known.entry.is_some_and(|e| e.depth >= known.depth)) * 850;
            }
        }
        if known.cut_node {
            more += t::reduction_cut() + i32::from(known.table_move.is_none()) * 950;
        }
        if known.table_noisy && !noisy {
            more += 1080;
        }
        if self.stack.before(ply + 1, 0).cutoffs > 2 {
            more += 950 + i32::from(!N::PV && !known.cut_node) * 900;
        }
        if Some(m) == known.table_move {
            more -= 2100;
        }
        more - self.stack[ply].history * t::reduction_history() / 100
    }

    /// After the last move: mate and stalemate, what the histories learn, what the table keeps.
    fn conclude<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &Known,
        mut found: Found,
    ) -> Value {
        if found.count == 0 {
            return match (known.excluded, known.in_check) {
                (Some(_), _) => known.alpha,
                (None, true) => mated_in(ply),
                (None, false) => DRAW,
            };
        }
        // A fail-high beyond the window is trusted only in part: deeper search brings it back.
        if found.best >= known.beta && !is_decisive(found.best) && !is_decisive(known.beta) {
            found.best = (found.best * known.depth + known.beta) / (known.depth + 1);
        }
        if let Some(m) = found.best_move {
            self.reward(position, ply, known, m, &found.quiets, &found.captures);
        } else {
            self.blame_last_move(position, ply, known);
        }
        found.best = found.best.min(known.ceiling);
        if found.best <= known.alpha {
            self.stack[ply].was_pv |=
                self.stack.before(ply, 1).was_pv && known.depth > 3 && ply > 0;
        }
        if known.excluded.is_some() {
            return found.best;
        }
        let bound = match found.best_move {
            _ if found.best >= known.beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        if !N::ROOT || self.line == 0 {
            shared.table.store(
                position.key(),
                Entry {
                    best: found.best_move,
                    value: value::to_table(found.best, ply),
                    eval: known.raw_eval,
                    depth: known.depth,
                    bound,
                    pv: self.stack[ply].was_pv,
                },
            );
        }
        self.learn_error(position, ply, known, &found, bound);
        found.best
    }

    /// Where the search contradicts the static evaluation, the correction tables hear of it. A
    /// bound on the wrong side says nothing, and captures say more of tactics than of evaluation.
    fn learn_error(
        &mut self,
        position: &Position,
        ply: usize,
        known: &Known,
        found: &Found,
        bound: Bound,
    ) {
        let noisy = found.best_move.is_some_and(|m| is_noisy(position, m));
        let contradicts = match bound {
            Bound::Lower => found.best > known.static_eval,
            Bound::Upper => found.best < known.static_eval,
            _ => true,
        };
        if known.in_check || noisy || !contradicts || is_decisive(found.best) {
            return;
        }
        let (last, earlier) =
            (self.stack.before(ply, 1).continuation, self.stack.before(ply, 2).continuation);
        self.corrections.update(
            position,
            last,
            earlier,
            found.best - known.static_eval,
            known.depth,
        );
    }

    /// Whether a root move is still to be decided in the present line: it is in no line before, and
    /// no tablebase has decided against it.
    fn is_open(&self, m: Move) -> bool {
        let left = &self.root_moves[self.line..];
        left.iter().any(|root| root.m == m && root.rank == left[0].rank)
    }

    fn note_root_move(
        &mut self,
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

/// Whether pruning may conclude anything: not while all that is known is a forced loss.
pub fn has_hope(best: Value) -> bool {
    !is_loss(best)
}

/// Whether a guess may be returned instead of a searched value.
pub fn is_tame(eval: Value, beta: Value) -> bool {
    !is_loss(beta) && !is_win(eval)
}
