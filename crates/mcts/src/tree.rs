//! The tree: nodes and edges in the arena, and what happens to them when memory runs out.

use std::sync::atomic::{AtomicU32, Ordering};

use tandem_chess::{Color, Game, Move, Position, Random};

use crate::arena::{Arena, Handle, Pocket, UNIT};
use crate::contempt::Freeze;
use crate::judged::Judged;
use crate::node::{EDGE_UNITS, Edge, Link, NODE_UNITS, Node, Weighed};
use crate::outlook::Outlook;
use crate::value::{Proof, Value};

/// The current half of the arena has no room left: someone has to [turn](Tree::turn) it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A move that was proven: the distance is written behind these marks in place of its utility.
const PROVEN: f32 = 4.0;
/// The mark of a tablebase's word, which has no distance.
const TABLEBASE: f32 = 1000.0;
/// The mark of a proven draw: as good as zero, and no mean comes out like this.
const DRAWN: f32 = f32::MIN_POSITIVE;

/// The tree of one game. Threads share it; only [`turn`](Self::turn), [`reuse`](Self::reuse) and
/// [`clear`](Self::clear) need it for themselves.
pub struct Tree {
    arena: Arena,
    root: AtomicU32,
    /// The game whose last position is the root.
    game: Option<Game>,
    /// Whose choices it freezes.
    freeze: Option<Freeze>,
    /// Whose view its values are.
    outlook: Outlook,
}

impl Tree {
    /// A tree that never takes more than that many bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            arena: Arena::new(bytes),
            root: AtomicU32::new(0),
            game: None,
            freeze: None,
            outlook: Outlook::default(),
        }
    }

    /// The root.
    #[inline]
    pub fn root(&self) -> Handle {
        Handle::from_bits(self.root.load(Ordering::Relaxed))
    }

    /// Bytes set aside.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// How full the current half is, in thousandths.
    pub fn fullness(&self) -> u32 {
        self.arena.fullness()
    }

    /// Whether someone has to turn the arena.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.arena.is_full()
    }

    /// The node at a place.
    #[inline]
    pub fn node(&self, handle: Handle) -> Node<'_> {
        Node::new(self.arena.units(handle, NODE_UNITS))
    }

    /// The edge at a place.
    #[inline]
    pub fn edge(&self, handle: Handle) -> Edge<'_> {
        Edge::new(self.arena.units(handle, EDGE_UNITS))
    }

    /// The edges of an expanded node, the likeliest first.
    #[inline]
    pub fn edges(&self, link: Link) -> impl DoubleEndedIterator<Item = (Handle, Edge<'_>)> {
        let words = if link.is_expanded() {
            self.arena.units(link.handle(), usize::from(link.edges) * EDGE_UNITS)
        } else {
            &[]
        };
        let width = EDGE_UNITS * UNIT;
        let place = move |i: usize| link.handle().offset(i * EDGE_UNITS);
        words.chunks_exact(width).enumerate().map(move |(i, words)| (place(i), Edge::new(words)))
    }

    /// Asks the processor to fetch a node before it is needed.
    #[inline]
    pub fn prefetch(&self, handle: Handle) {
        if handle.is_some() {
            self.arena.prefetch(handle);
        }
    }

    /// Forgets everything and begins with an unvisited root.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.game = None;
        let root = self.arena.allocate(NODE_UNITS).expect("an empty arena has room for a node");
        self.node(root).clear();
        self.root.store(root.bits(), Ordering::Relaxed);
    }

    /// Who is to move at the root.
    pub fn side_to_move(&self) -> Option<Color> {
        self.game.as_ref().map(|game| game.position().side_to_move())
    }

    /// Whose choices it freezes.
    pub const fn freezes(&self) -> Option<Freeze> {
        self.freeze
    }

    /// Makes the last position of that game the root, keeping what is known of it from an earlier
    /// search of the same game, if the same side's choices were frozen there and its values are of the same
    /// view.
    pub fn reuse(&mut self, game: &Game, freeze: Option<Freeze>, outlook: Outlook) {
        let is_alike = (self.freeze, self.outlook) == (freeze, outlook);
        let before = self.game.as_ref().filter(|_| is_alike);
        let found = before.and_then(|old| {
            let (before, after) = (old.moves(), game.moves());
            let goes_on = old.start() == game.start() && after.starts_with(before);
            goes_on.then(|| self.walk(&after[before.len()..])).flatten()
        });
        if let Some(root) = found {
            self.root.store(root.bits(), Ordering::Relaxed);
        } else {
            self.clear();
        }
        self.game = Some(game.clone());
        (self.freeze, self.outlook) = (freeze, outlook);
        if !self.arena.is_current(self.root()) {
            self.bring_root();
        }
    }

    /// The node that those moves lead to from the root.
    pub fn walk(&self, moves: &[Move]) -> Option<Handle> {
        let mut handle = self.root();
        for &m in moves {
            let mut edges = self.edges(self.node(handle).link());
            let (_, edge) = edges.find(|(_, edge)| edge.m() == Some(m))?;
            handle = self.peek(handle, edge)?;
        }
        Some(handle)
    }

    /// Where an edge of that node leads, without touching anything.
    pub fn peek(&self, holder: Handle, edge: Edge<'_>) -> Option<Handle> {
        let child = edge.node();
        // What has not been copied yet may still name places from before the last turn.
        let is_stale = self.arena.is_current(child) && !self.arena.is_current(holder);
        (child.is_some() && !is_stale).then_some(child)
    }

    /// Visits under way and camps at a position and below it, as far as anything is known of them.
    pub fn in_flight_from(&self, handle: Handle) -> u64 {
        let node = self.node(handle);
        let children = self.edges(node.link()).filter_map(|(_, edge)| self.peek(handle, edge));
        let here = node.in_flight() + u64::from(node.is_occupied());
        here + children.map(|child| self.in_flight_from(child)).sum::<u64>()
    }

    /// A number made of everything that is known of a position and of those below it.
    pub fn fingerprint(&self, handle: Handle) -> u64 {
        let node = self.node(handle);
        let mut print = node.fingerprint();
        for (_, edge) in self.edges(node.link()) {
            let below = self.peek(handle, edge).map_or(0, |child| self.fingerprint(child));
            print =
                Random::new(print ^ u64::from(edge.weighed_bits())).bits() ^ below.rotate_left(1);
        }
        print
    }

    /// Goes on in the other half of the arena. What the search comes across again is copied; the rest
    /// is lost with the next turn. No thread may be using the tree.
    pub fn turn(&self) {
        self.arena.turn();
        self.bring_root();
    }

    fn bring_root(&self) {
        let root = self.bring(&mut Pocket::default(), self.root()).unwrap_or_else(|Full| {
            // Only an arena smaller than one position's moves has no room here.
            let root = self.arena.allocate(NODE_UNITS).unwrap_or(Handle::from_bits(1));
            self.node(root).clear();
            root
        });
        self.root.store(root.bits(), Ordering::Relaxed);
    }

    fn allocate(&self, pocket: &mut Pocket, units: usize) -> Result<Handle, Full> {
        self.arena.allocate_from(pocket, units).ok_or(Full)
    }

    /// What is remembered of a node's moves at that place.
    fn judged(&self, place: Handle) -> Judged<'_> {
        Judged::new(self.arena.units(place, Judged::UNITS))
    }

    /// Keeps the likeliest of so many legal moves of a node, the likeliest first, for whoever goes on from
    /// there: [`Judged::MOST`] of them. Where something is known of its moves already, that stays.
    pub fn remember(
        &self,
        pocket: &mut Pocket,
        handle: Handle,
        weighed: &[Weighed],
        moves: usize,
    ) -> Result<(), Full> {
        let node = self.node(handle);
        let old = node.link();
        if old.is_expanded() || old.is_judged() {
            return Ok(());
        }
        let place = self.allocate(pocket, Judged::UNITS)?;
        self.judged(place).begin(weighed);
        // Whoever was faster knows as much.
        node.relink(old, Link { first: place.bits(), moves: moves as u8, ..old });
        Ok(())
    }

    /// What is remembered of the moves of a node with that link, the likeliest first.
    pub fn remembered(&self, link: Link) -> impl Iterator<Item = Weighed> {
        link.is_judged().then(|| self.judged(link.handle()).iter()).into_iter().flatten()
    }

    /// Copies a node with what is known of its moves to the current half.
    pub fn bring(&self, pocket: &mut Pocket, old: Handle) -> Result<Handle, Full> {
        let new = self.allocate(pocket, NODE_UNITS)?;
        let (from, to) = (self.node(old), self.node(new));
        to.copy_from(from);
        let link = from.link();
        if link.is_expanded() {
            let first = self.allocate(pocket, usize::from(link.edges) * EDGE_UNITS)?;
            let moved = Link { first: first.bits(), ..link };
            for ((_, from), (_, to)) in self.edges(link).zip(self.edges(moved)) {
                to.copy_from(from);
                let child = from.node();
                if child.is_some() && self.arena.is_current(child) {
                    to.lead_to(child, Handle::NONE);
                }
            }
            to.relink(link, moved);
        } else if link.is_judged() {
            let first = self.allocate(pocket, Judged::UNITS)?;
            self.judged(first).copy_from(self.judged(link.handle()));
            to.relink(link, Link { first: first.bits(), ..link });
        }
        Ok(new)
    }

    /// The node that an edge leads to: made if nobody has been there, copied if it lies in the half
    /// that is left behind.
    #[inline]
    pub fn child(&self, pocket: &mut Pocket, edge: Edge<'_>) -> Result<Handle, Full> {
        let child = edge.node();
        if child.is_some() && self.arena.is_current(child) {
            return Ok(child);
        }
        self.make_child(pocket, edge, child)
    }

    fn make_child(&self, pocket: &mut Pocket, edge: Edge<'_>, old: Handle) -> Result<Handle, Full> {
        let new = if old.is_some() {
            self.bring(pocket, old)?
        } else {
            let new = self.allocate(pocket, NODE_UNITS)?;
            let (visits, utility) = edge.standing();
            let node = self.node(new);
            if visits == 0 {
                node.clear();
            } else {
                let proof = proof(utility);
                let q = (-utility).clamp(-1.0, 1.0);
                let guess = Value { q, draw: 0.5 * (1.0 - q.abs()), plies: 60.0 };
                node.recall(visits, if proof.is_some() { proof.value() } else { guess });
                node.prove(proof);
            }
            new
        };
        Ok(edge.lead_to(old, new))
    }

    /// Gives a node the edges for those moves, the likeliest of `moves` legal ones. Edges that it has
    /// keep what they know and their places. If another thread was faster, its edges stay.
    pub fn expand(
        &self,
        pocket: &mut Pocket,
        handle: Handle,
        weighed: &[Weighed],
        moves: usize,
    ) -> Result<Link, Full> {
        let node = self.node(handle);
        let first = self.allocate(pocket, weighed.len() * EDGE_UNITS)?;
        loop {
            let old = node.link();
            if usize::from(old.edges) >= weighed.len() {
                return Ok(old);
            }
            let new =
                Link { first: first.bits(), edges: weighed.len() as u8, moves: moves as u8, ..old };
            let is_kept = |weighed: &&Weighed| {
                self.edges(old)
                    .any(|(_, edge)| edge.m().map(Move::bits) == Some(weighed.move_bits()))
            };
            let mut kept = self.edges(old).map(|(_, edge)| edge);
            let mut others = weighed.iter().filter(|weighed| !is_kept(weighed));
            for (_, edge) in self.edges(new) {
                if let Some(kept) = kept.next() {
                    edge.copy_from(kept);
                } else if let Some(&weighed) = others.next() {
                    edge.begin(weighed);
                }
            }
            if node.relink(old, new) {
                return Ok(new);
            }
        }
    }

    /// The place of a node's edge by its number.
    #[inline]
    pub fn edge_of(&self, parent: Handle, number: u8) -> Edge<'_> {
        self.edge(self.node(parent).link().handle().offset(usize::from(number) * EDGE_UNITS))
    }
}

/// The utility that stands for a proven child, for the side that has the choice.
pub fn proven_utility(proof: Proof) -> Option<f32> {
    match proof {
        Proof::Mates(plies) => Some(-PROVEN - f32::from(plies)),
        Proof::Mated(plies) => Some(PROVEN + f32::from(plies)),
        Proof::Wins => Some(-TABLEBASE),
        Proof::Loses => Some(TABLEBASE),
        Proof::Draw => Some(DRAWN),
        Proof::None => None,
    }
}

/// Whether a utility says that the move certainly loses.
#[inline]
pub fn is_lost(utility: f32) -> bool {
    utility <= -PROVEN
}

/// What such a utility proves of the child.
fn proof(utility: f32) -> Proof {
    let plies = (utility.abs() - PROVEN) as u8;
    if utility.to_bits() == DRAWN.to_bits() {
        Proof::Draw
    } else if utility <= -TABLEBASE {
        Proof::Wins
    } else if utility >= TABLEBASE {
        Proof::Loses
    } else if utility <= -PROVEN {
        Proof::Mates(plies)
    } else if utility >= PROVEN {
        Proof::Mated(plies)
    } else {
        Proof::None
    }
}

impl Tree {
    /// What is certain of the position after an edge's move, for the side to move there.
    pub fn proof_after(&self, holder: Handle, edge: Edge<'_>) -> Proof {
        let marked = proof(edge.standing().1);
        if marked.is_some() {
            return marked;
        }
        self.peek(holder, edge).map_or(Proof::None, |child| self.node(child).link().proof)
    }

    /// What follows for a node from what is certain of its children; nothing if that is not enough.
    pub fn conclude(&self, handle: Handle) -> Proof {
        let link = self.node(handle).link();
        let mut best = None;
        let mut all = link.edges == link.moves;
        for (_, edge) in self.edges(link) {
            let proof = self.proof_after(handle, edge).before();
            if !proof.is_some() {
                all = false;
            } else if best.is_none_or(|best: Proof| proof.rank() > best.rank()) {
                best = Some(proof);
            }
        }
        match best {
            Some(best) if best.is_win() || all => best,
            _ => Proof::None,
        }
    }
}

/// Whether a position ends the game or is decided whatever came before it.
pub fn settled(position: &Position) -> Option<Proof> {
    if !position.has_legal_move() {
        return Some(if position.in_check() { Proof::Mated(0) } else { Proof::Draw });
    }
    position.is_insufficient_material().then_some(Proof::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::select::Puct;
    use crate::worker::Step;

    /// A tree whose root has edges for the first moves of chess, in the order of these likelihoods.
    fn tree(likelihoods: &[f32]) -> (Tree, Vec<Weighed>) {
        let mut tree = Tree::new(1 << 16);
        tree.clear();
        let moves = Position::startpos().legal_moves();
        let weigh = |(&m, &likelihood)| Weighed::new(m, likelihood);
        let weighed: Vec<Weighed> = moves.iter().zip(likelihoods).map(weigh).collect();
        tree.expand(&mut Pocket::default(), tree.root(), &weighed, moves.len())
            .expect("there is room");
        (tree, weighed)
    }

    #[test]
    fn what_is_forgotten_keeps_its_proof() {
        for proof in [Proof::Draw, Proof::Mated(4), Proof::Mates(7), Proof::Wins, Proof::Loses] {
            let (tree, _) = tree(&[0.5, 0.25]);
            let child = tree
                .child(&mut Pocket::default(), tree.edge_of(tree.root(), 0))
                .expect("there is room");
            tree.node(child).prove(proof);
            tree.node(child).add_visit(proof.value(), false, false);
            Puct::new(&Params::default()).publish(
                &tree,
                tree.root(),
                Step { node: child, edge: 0 },
            );
            tree.turn();
            tree.turn();
            let edge = tree.edge_of(tree.root(), 0);
            assert_eq!(tree.peek(tree.root(), edge), None, "it is forgotten");
            assert_eq!(tree.proof_after(tree.root(), edge), proof);
            let again = tree.child(&mut Pocket::default(), edge).expect("there is room");
            assert_eq!(tree.node(again).link().proof, proof);
        }
    }

    #[test]
    fn more_edges_leave_the_others_in_their_places() {
        let (tree, weighed) = tree(&[0.3, 0.2]);
        let child = tree
            .child(&mut Pocket::default(), tree.edge_of(tree.root(), 1))
            .expect("there is room");
        let more: Vec<Weighed> =
            Position::startpos().legal_moves().iter().map(|&m| Weighed::new(m, 0.05)).collect();
        let link = tree
            .expand(&mut Pocket::default(), tree.root(), &more, more.len())
            .expect("there is room");
        assert_eq!((link.edges, link.moves), (20, 20));
        let moves: Vec<_> = tree.edges(link).filter_map(|(_, edge)| edge.m()).collect();
        assert_eq!(moves.len(), 20);
        for (i, weighed) in weighed.iter().enumerate() {
            assert_eq!(moves[i].bits(), weighed.move_bits());
        }
        assert_eq!(tree.edge_of(tree.root(), 1).node(), child);
        let mut all: Vec<u16> = moves.iter().map(|m| m.bits()).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 20, "every move has one edge");
    }
}
