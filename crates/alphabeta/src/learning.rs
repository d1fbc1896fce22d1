//! What the histories learn when a node is done.

use tandem_chess::{Move, Position};
use tandem_search::Evaluate;

use crate::moves::Found;
use crate::node::Known;
use crate::picker::is_noisy;
use crate::table::Bound;
use crate::value::{NONE, Value, is_decisive};
use crate::worker::Worker;

impl<E: Evaluate> Worker<E> {
    /// The best move is remembered, the moves tried before it are blamed.
    pub fn reward(
        &mut self,
        position: &Position,
        ply: usize,
        known: &Known,
        best: Move,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let expected = i32::from(known.table_move == Some(best));
        let bonus = (145 * known.depth - 80).min(1500) + 350 * expected;
        let malus =
            (720 * known.depth - 190).min(2000) - 28 * (quiets.len() + captures.len()) as i32;
        let malus = malus.max(0);
        let earlier = self.stack.earlier(ply);
        if is_noisy(position, best) {
            self.histories.update_capture(position, best, bonus);
        } else {
            self.remember_quiet(ply, best);
            self.histories.update_quiet(position, best, ply, &earlier, bonus);
            for &m in quiets {
                self.histories.update_quiet(position, m, ply, &earlier, -malus);
            }
        }
        for &m in captures {
            self.histories.update_capture(position, m, -malus * 11 / 10);
        }
        // The opponent's early quiet move is refuted: that tells the tables as well.
        let last = self.stack.before(ply, 1);
        if last.quiet
            && let Some((piece, to)) = last.moved.filter(|_| last.reduction == 0)
        {
            let earlier = self.stack.earlier(ply.wrapping_sub(1));
            if ply > 0 {
                self.histories.update_continuations(piece, to, &earlier, -malus * 3 / 5);
            }
        }
    }

    /// A quiet move that cut off is tried early in sibling nodes, and as the answer to the same
    /// move of the opponent anywhere.
    fn remember_quiet(&mut self, ply: usize, m: Move) {
        let killers = &mut self.stack[ply].killers;
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        if let Some((piece, to)) = self.stack.before(ply, 1).moved {
            self.histories.set_counter(piece, to, m);
        }
    }

    /// No move reached alpha: the opponent's last move was good, and if it was quiet its tables
    /// hear of it.
    pub fn blame_last_move(&mut self, position: &Position, ply: usize, known: &Known) {
        if ply == 0 {
            return;
        }
        let last = self.stack.before(ply, 1);
        let (true, Some((piece, to)), Some(m)) = (last.quiet, last.moved, last.current) else {
            return;
        };
        let surprise = i32::from(last.history < -8000) + i32::from(known.depth > 6);
        let bonus = (120 * known.depth - 60).min(1300) * (1 + surprise) / 2;
        let earlier = self.stack.earlier(ply - 1);
        self.histories.update_continuations(piece, to, &earlier[..2], bonus);
        self.histories.update_butterfly(!position.side_to_move(), m, bonus / 2);
    }

    /// Where the search contradicts the static evaluation, the correction tables hear of it. A
    /// bound on the wrong side says nothing, and captures say more of tactics than of evaluation.
    pub fn learn_error(
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

    /// A quiet move that changed the evaluation much tells the butterfly table at once.
    pub fn learn_from_swing(&mut self, ply: usize, static_eval: Value, position: &Position) {
        let last = self.stack.before(ply, 1);
        let (Some(m), true) = (last.current, last.quiet) else { return };
        if last.static_eval != NONE {
            let swing = (-(last.static_eval + static_eval) * 9).clamp(-1300, 1400) / 2 + 200;
            self.histories.update_butterfly(!position.side_to_move(), m, swing);
        }
    }
}
