//! A node of the tree, and what its moves have shown.

use tandem_chess::{Move, Position};

use crate::{Tally, Value, Window};

/// A position in the tree.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) position: Position,
    pub(crate) tally: Tally,
    pub(crate) ply: usize,
}

impl Node {
    #[inline]
    pub(crate) fn after(&self, m: Move) -> Self {
        let mut next = *self;
        next.position.make(m, &mut next.tally);
        next.ply += 1;
        next
    }

    /// The evaluation from the side to move.
    #[inline]
    pub(crate) fn evaluation(&self) -> Value {
        self.tally.value(self.position.side_to_move())
    }
}

/// What the moves of a node have shown so far.
pub(crate) struct Tried {
    /// What is still open: the best move raises its lower end.
    pub(crate) window: Window,
    pub(crate) best: Value,
    pub(crate) best_move: Option<Move>,
    pub(crate) any: bool,
}

impl Tried {
    #[inline]
    pub(crate) fn nothing(window: Window) -> Self {
        Self { window, best: -Value::INFINITE, best_move: None, any: false }
    }

    /// Notes what a move is worth; answers whether it is the best yet and good enough to matter.
    #[inline]
    pub(crate) fn improves(&mut self, m: Move, value: Value) -> bool {
        self.any = true;
        self.best = self.best.max(value);
        let matters = value > self.window.alpha;
        if matters {
            self.window.alpha = value;
            self.best_move = Some(m);
        }
        matters
    }
}
