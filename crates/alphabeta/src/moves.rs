//! The moves of a node: which are searched, how deeply, and what follows from them.

use tandem_chess::{Checks, Move, MoveList, Position, see};
use tandem_search::Evaluate;

use crate::company::relief;
use crate::history::ContinuationKey;
use crate::node::{Known, Node, NonPv, Pv};
use crate::picker::{Context, Picker, is_noisy};
use crate::table::{Bound, Entry};
use crate::tunables as t;
use crate::value::{self, DRAW, INFINITE, NONE, Value, is_decisive, mated_in};
use crate::worker::{Shared, Worker};

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
    pub fn search_moves<N: Node>(
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
            } else if !N::ROOT {
                new_depth += check_extension(position, &known, &found.checks, m);
            }
            let before = self.nodes;
            self.note_history(position, ply, m, noisy, &earlier);
            let next = self.make(shared, position, m, ply);
            reduction += self.adjust_reduction::<N>(ply, &known, m, noisy);
            if N::ROOT {
                reduction -= relief(shared, m);
            }
            let value = self.search_move::<N>(
                shared, &next, ply, &known, &found, m, new_depth, reduction, noisy,
            );
            self.unmake();
            if shared.is_stopped() {
                return DRAW;
            }
            if N::ROOT {
                self.note_root_move(shared, m, value, &found, known.beta, before);
                self.show(shared, position, m);
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
        earlier: &[ContinuationKey; 5],
    ) {
        let Some(piece) = position.piece_on(m.from()) else { return };
        let history = if noisy {
            let captured = position.captured_by(m);
            7 * captured.map_or(0, see::value) + self.histories.capture(piece, m.to(), captured)
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
                (None, false) => self.draw(ply),
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
        if !N::ROOT || self.line == 0 && !self.is_verifying {
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
}

/// A check that loses nothing forces matters: deep in the tree, where a ply more costs little
/// compared with what it may find, its line is followed further.
fn check_extension(position: &Position, known: &Known, checks: &Checks, m: Move) -> i32 {
    let worthwhile = known.depth >= t::check_depth()
        && position.gives_check_by(m, checks)
        && position.see_at_least(m, 0);
    i32::from(worthwhile)
}
