//! The gate to the tree: open to all threads while it is used, to one while its memory is turned.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, TryLockError};

use crate::tree::Tree;

/// Threads hold it for reading while they use the tree.
#[derive(Default)]
pub struct Gate(RwLock<()>);

impl Gate {
    /// The tree is not turned before what this answers with is dropped.
    pub fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room in a full tree, or waits until somebody has.
    pub fn make_room(&self, tree: &Tree) {
        self.alone(|| tree.is_full(), || tree.turn());
    }

    /// Does something while nobody uses the tree, as long as it is needed: another thread may be faster.
    /// Nobody queues for the gate: who did could find it held by threads that have long gone on in the
    /// other half, until that is full too.
    pub fn alone(&self, is_needed: impl Fn() -> bool, act: impl Fn()) {
        while is_needed() {
            let alone = match self.0.try_write() {
                Ok(alone) => alone,
                Err(TryLockError::Poisoned(alone)) => alone.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    std::thread::yield_now();
                    continue;
                }
            };
            if is_needed() {
                act();
            }
            drop(alone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Pocket;
    use crate::node::Weighed;
    use tandem_chess::Position;

    fn full_tree() -> Tree {
        let mut tree = Tree::new(1 << 16);
        tree.clear();
        let weigh = |&m| Weighed::new(m, 0.05);
        let moves: Vec<Weighed> = Position::startpos().legal_moves().iter().map(weigh).collect();
        tree.expand(&mut Pocket::default(), tree.root(), &moves, moves.len())
            .expect("there is room");
        while !tree.is_full() {
            let _ = tree.bring(&mut Pocket::default(), tree.root());
        }
        tree
    }

    #[test]
    fn a_full_tree_is_turned_once_nobody_uses_it() {
        let (tree, gate) = (full_tree(), Gate::default());
        gate.make_room(&tree);
        assert!(!tree.is_full());
    }

    #[test]
    fn who_waits_for_room_goes_on_as_soon_as_another_has_made_it() {
        let (tree, gate) = (full_tree(), Gate::default());
        std::thread::scope(|scope| {
            let using = gate.enter();
            let waiting = scope.spawn(|| gate.make_room(&tree));
            tree.turn();
            // The other half is in use, and whoever uses it lets go only when it is full.
            waiting.join().expect("it goes on");
            drop(using);
        });
    }
}
