//! Playing out captures, so that no evaluation is taken in the middle of an exchange.

use crate::node::Node;
use crate::order::{Hints, Informed, Order};
use crate::tree::TreeSearch;
use crate::watch::Stopped;
use crate::{Recipe, Rules, Value, Window};

impl<R: Recipe> TreeSearch<'_, R> {
    /// The value of a node when only captures and queen promotions that lose nothing are played,
    /// and every way out of a check.
    pub(crate) fn quiesce(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        self.counts.quiescence += 1;
        self.deepest = self.deepest.max(node.ply);
        self.watch.tick(self.counts.nodes())?;
        if R::Rules::DRAWS && node.position.is_insufficient_material() {
            return Ok(Value::DRAW);
        }
        let Window { mut alpha, beta } = window;
        let in_check = node.position.in_check();
        // Whoever is not in check may as well not capture: some quiet move is hardly ever worse
        // than standing still.
        let mut best = if in_check { R::Rules::mated(node.ply, 0) } else { node.evaluation() };
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let moves = if in_check {
            let hints =
                Hints { table_move: None, experience: &self.memory.experience, ply: node.ply };
            Informed::new::<R::Rules>(&node.position, hints)
        } else {
            Informed::captures::<R::Rules>(&node.position)
        };
        for m in moves {
            let value = -self.quiesce(&node.after(m), Window { alpha, beta }.flipped())?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}
