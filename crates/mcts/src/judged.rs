//! The likeliest moves of a position that has no edges yet, as they lie in the arena: two in a word.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::arena::UNIT;
use crate::node::Weighed;

/// What is remembered of the moves of a node that somebody has judged.
#[derive(Clone, Copy)]
pub struct Judged<'a>(&'a [AtomicU64]);

impl<'a> Judged<'a> {
    /// Units of it in the arena.
    pub const UNITS: usize = 2;
    /// The most moves that are remembered.
    pub const MOST: usize = 2 * Self::UNITS * UNIT;

    pub fn new(words: &'a [AtomicU64]) -> Self {
        debug_assert_eq!(words.len(), Self::UNITS * UNIT);
        Self(words)
    }

    /// Remembers the first of those moves, the likeliest first.
    pub fn begin(self, weighed: &[Weighed]) {
        let bits = |i: usize| weighed.get(i).map_or(0, |weighed| u64::from(weighed.bits()));
        for (i, word) in self.0.iter().enumerate() {
            word.store(bits(2 * i) | bits(2 * i + 1) << 32, Ordering::Relaxed);
        }
    }

    /// Takes over what others remember.
    pub fn copy_from(self, other: Judged<'_>) {
        for (from, to) in other.0.iter().zip(self.0) {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// The moves, the likeliest first.
    pub fn iter(self) -> impl Iterator<Item = Weighed> + 'a {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed));
        let halves = words.flat_map(|word| [word as u32, (word >> 32) as u32]);
        halves.map_while(Weighed::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Pocket;
    use crate::tree::Tree;
    use tandem_chess::{Move, Position};

    #[test]
    fn judged_moves_are_remembered_across_a_turn_until_there_are_edges() {
        let mut tree = Tree::new(1 << 16);
        tree.clear();
        let moves = Position::startpos().legal_moves();
        let weigh = |(i, &m): (usize, &Move)| Weighed::new(m, 0.5 / (i + 1) as f32);
        let weighed: Vec<Weighed> = moves.iter().enumerate().map(weigh).take(9).collect();
        let pocket = &mut Pocket::default();
        tree.expand(pocket, tree.root(), &weighed, moves.len()).expect("there is room");
        let child = tree.child(pocket, tree.edge_of(tree.root(), 0)).expect("there is room");
        let recalled =
            |child| -> Vec<Weighed> { tree.remembered(tree.node(child).link()).collect() };
        assert!(recalled(child).is_empty());
        tree.remember(pocket, child, &weighed[..3], 20).expect("there is room");
        assert_eq!(recalled(child), weighed[..3]);
        tree.remember(pocket, child, &weighed[1..], 20).expect("there is room");
        assert_eq!(recalled(child), weighed[..3], "what came first stays");
        assert!(!tree.node(child).link().is_expanded() && tree.node(child).link().moves == 20);

        tree.turn();
        let pocket = &mut Pocket::default();
        let child = tree.child(pocket, tree.edge_of(tree.root(), 0)).expect("there is room");
        assert_eq!(recalled(child), weighed[..3]);
        let link = tree.expand(pocket, child, &weighed[..2], 20).expect("there is room");
        assert_eq!((link.edges, link.moves, link.is_judged()), (2, 20, false));
        assert!(recalled(child).is_empty());

        let other = tree.child(pocket, tree.edge_of(tree.root(), 1)).expect("there is room");
        tree.remember(pocket, other, &weighed, 20).expect("there is room");
        assert_eq!(recalled(other), weighed[..Judged::MOST]);
    }
}
