//! Search-contempt: one side's choices are frozen after so many visits (equations 5 to 7 of its paper).
//!
//! A search that looks for the best answers of the other side finds that nothing works in a lost position.
//! Search-contempt takes the other side for one that looks at each position for a few visits only: until a
//! position of that side has spread so many over its moves, it chooses as all others do; then what each
//! move has had becomes its share, and later visits follow the shares by chance. The root always chooses
//! freely.
//!
//! Chance is a function of the seed, the position and the number of the visit, so that the same search comes
//! out the same, and threads follow the same shares as one would. A frozen position never needs the
//! priors of its moves again; the shares are kept in their place.

use tandem_chess::{Color, Random};

use crate::arena::Handle;
use crate::math::pow;
use crate::node::Link;
use crate::tree::Tree;

/// The largest share that fits.
const MOST: f32 = u16::MAX as f32;

/// Whose moves are frozen, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Freeze {
    /// Positions in which that side is to move freeze.
    pub side: Color,
    /// After so many visits of their moves.
    pub limit: u64,
    /// How alike the shares become; they are left as they are without it.
    pub temperature: Option<f32>,
    /// Where chance begins.
    pub seed: u64,
}

impl Freeze {
    /// Whether positions freeze that lie so many plies below a root with that side to move.
    #[inline]
    pub fn is_at(&self, ply: usize, root: Color) -> bool {
        ply > 0 && ply.is_multiple_of(2) == (self.side == root)
    }

    /// The move for the visit of that number in a frozen position.
    #[inline]
    pub fn draw(&self, tree: &Tree, link: Link, key: u64, number: u64) -> Option<Handle> {
        let all: u64 = tree.edges(link).map(|(_, edge)| u64::from(edge.share())).sum();
        let chance = Random::new(self.seed ^ key.wrapping_add(number << 32 | number)).bits();
        let mut left = ((u128::from(chance) * u128::from(all)) >> 64) as u64;
        for (handle, edge) in tree.edges(link) {
            let share = u64::from(edge.share());
            if left < share {
                return Some(handle);
            }
            left -= share;
        }
        None
    }

    /// The share of a move that has had so many visits, where the most visited had `most`. As long as they
    /// fit and are left as they are, shares are the visits themselves.
    fn share(&self, visits: u32, most: u32) -> u16 {
        if visits == 0 {
            return 0;
        }
        if let (None, Ok(visits), Ok(_)) =
            (self.temperature, u16::try_from(visits), u16::try_from(most))
        {
            return visits;
        }
        let part = visits as f32 / most.max(1) as f32;
        (MOST * pow(part, 1.0 / self.temperature.unwrap_or(1.0))).clamp(1.0, MOST) as u16
    }
}

impl Tree {
    /// Visits of a position's moves, those under way included.
    pub fn visits_below(&self, link: Link) -> u64 {
        self.edges(link).map(|(_, edge)| u64::from(edge.standing().0)).sum()
    }

    /// Freezes a position if its moves have had the visits that it takes. All of them have come back.
    pub fn freeze(&self, handle: Handle, freeze: &Freeze) {
        let node = self.node(handle);
        if node.link().is_frozen || self.visits_below(node.link()) < freeze.limit || !node.occupy()
        {
            return;
        }
        let link = node.link();
        if !link.is_frozen {
            let visits = || self.edges(link).map(|(_, edge)| edge.standing().0);
            let most = visits().max().unwrap_or(0);
            for ((_, edge), visits) in self.edges(link).zip(visits()) {
                edge.set_share(freeze.share(visits, most));
            }
            node.mark_frozen();
        }
        node.vacate();
    }
}

/// How many positions of a tree are frozen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frozen {
    /// How many.
    pub positions: u64,
    /// The fewest and the most visits that their shares are made of.
    pub visits: Option<(u64, u64)>,
    /// The most visits of the moves of a position that is not frozen, though its side's are.
    pub unfrozen: u64,
}

impl Tree {
    /// Counts what is frozen at a position and below it, so many plies below the root.
    pub fn count_frozen(&self, handle: Handle, ply: usize, root: Color, frozen: &mut Frozen) {
        let link = self.node(handle).link();
        let freeze = self.freezes();
        if link.is_frozen && ply > 0 {
            let visits = self.edges(link).map(|(_, edge)| u64::from(edge.share())).sum();
            let (least, most) = frozen.visits.unwrap_or((visits, visits));
            frozen.positions += 1;
            frozen.visits = Some((least.min(visits), most.max(visits)));
        } else if freeze.is_some_and(|freeze| freeze.is_at(ply, root)) {
            frozen.unfrozen = frozen.unfrozen.max(self.visits_below(link));
        }
        for (_, edge) in self.edges(link) {
            if let Some(child) = self.peek(handle, edge) {
                self.count_frozen(child, ply + 1, root, frozen);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Pocket;
    use crate::node::Weighed;
    use tandem_chess::Position;

    const FREEZE: Freeze = Freeze { side: Color::Black, limit: 20, temperature: None, seed: 3 };

    /// A tree whose root has had those visits of its first moves.
    fn tree(visits: &[u32]) -> Tree {
        let mut tree = Tree::new(1 << 16);
        tree.clear();
        let moves = Position::startpos().legal_moves();
        let weighed: Vec<Weighed> = moves.iter().map(|&m| Weighed::new(m, 0.05)).collect();
        let link = tree.expand(&mut Pocket::default(), tree.root(), &weighed, moves.len()).unwrap();
        for ((_, edge), &visits) in tree.edges(link).zip(visits) {
            edge.publish(visits.into(), 0.0);
        }
        tree
    }

    fn shares(tree: &Tree) -> Vec<u16> {
        let link = tree.node(tree.root()).link();
        tree.edges(link).map(|(_, edge)| edge.share()).filter(|&share| share > 0).collect()
    }

    #[test]
    fn shares_are_the_visits_when_the_limit_is_reached() {
        let early = tree(&[10, 6, 3]);
        early.freeze(early.root(), &FREEZE);
        assert!(!early.node(early.root()).link().is_frozen);
        let tree = tree(&[10, 6, 4]);
        tree.freeze(tree.root(), &FREEZE);
        let link = tree.node(tree.root()).link();
        assert!(link.is_frozen && !tree.node(tree.root()).is_occupied());
        assert_eq!(shares(&tree), [10, 6, 4]);
        tree.edges(link).next().unwrap().1.publish(500, 0.0);
        tree.freeze(tree.root(), &FREEZE);
        assert_eq!(shares(&tree), [10, 6, 4], "they stay");
    }

    #[test]
    fn visits_follow_the_shares() {
        let tree = tree(&[10, 6, 0, 4]);
        tree.freeze(tree.root(), &FREEZE);
        let link = tree.node(tree.root()).link();
        let mut drawn = [0u32; 20];
        for number in 21..40_021 {
            let edge = FREEZE.draw(&tree, link, 77, number).unwrap();
            drawn[usize::from(link.number_of(edge))] += 1;
        }
        for (drawn, share) in drawn.into_iter().zip([0.5, 0.3, 0.0, 0.2]) {
            assert!((f64::from(drawn) / 40_000.0 - share).abs() < 0.01, "{drawn} for {share}");
        }
        let draw = |freeze: &Freeze, key| {
            (0..50).map(|number| freeze.draw(&tree, link, key, number)).collect::<Vec<_>>()
        };
        assert_eq!(draw(&FREEZE, 77), draw(&FREEZE, 77));
        assert_ne!(draw(&FREEZE, 77), draw(&FREEZE, 78), "another position");
        assert_ne!(draw(&FREEZE, 77), draw(&Freeze { seed: 4, ..FREEZE }, 77), "another seed");
    }

    #[test]
    fn temperature_makes_shares_more_alike_or_less() {
        for (temperature, ratio) in [(Some(0.5), 4.0), (Some(2.0), 1.414), (None, 2.0)] {
            let tree = tree(&[20, 10]);
            tree.freeze(tree.root(), &Freeze { temperature, ..FREEZE });
            let shares = shares(&tree);
            let found = f64::from(shares[0]) / f64::from(shares[1]);
            assert!((found - ratio).abs() < 0.001, "{shares:?} at {temperature:?}");
        }
        let tree = tree(&[1_000_000, 500_000, 1]);
        tree.freeze(tree.root(), &FREEZE);
        assert_eq!(shares(&tree), [65535, 32767, 1], "what does not fit is made smaller");
    }
}
