//! Threads apart from each other: each camps at a position of its own for some playouts.
//!
//! What one core writes another has to fetch, which can take a tenth of a playout for each line of memory; an
//! instruction that is safe against others writing at the same time makes the core wait, too. So the tree
//! has two parts. Positions that have been visited often are *common*: all threads pass through them. What
//! hangs below a common position, by moves that have not been played so often, belongs to whoever camps
//! there, and only one thread does. It plays out below its camp as if it were alone.
//!
//! Each position on the way to a camp is stayed at for some playouts: they are announced when the thread
//! arrives, and what they have brought is told when it leaves, which may be many camps later. The
//! position has had so many visits that these few, late, change next to nothing in what it chooses.

use tandem_search::Evaluate;

use crate::arena::Handle;
use crate::node::{Edge, Node, Sums};
use crate::select::Choice;
use crate::shared::Shared;
use crate::tree::Full;
use crate::value::Value;
use crate::worker::{Step, Worker};

/// Positions with so many visits are common. Those with fewer would choose differently for a few more.
const COMMON_VISITS: u64 = 64;
/// A stay is for one playout for so many visits that its position has had.
const STAY_SHARE: u64 = 32;
/// The most playouts of a stay.
const LONGEST_STAY: u64 = 64;

/// Whether all threads pass through a position.
#[inline]
pub fn is_common(node: Node<'_>) -> bool {
    node.visits() >= COMMON_VISITS
}

/// A stay at a position: what its playouts have brought, and how many are announced.
#[derive(Clone, Copy, Default)]
struct Stay {
    sums: Sums,
    announced: u64,
    /// The number of the first of them among all visits of the position.
    first: u64,
}

/// How it goes on from a position on the way.
enum Way {
    /// To another common one.
    On(Step),
    /// Not: the next playout belongs to whoever camps here.
    Here,
    /// Not before others have left.
    Closed,
}

impl Stay {
    /// Playouts to come.
    const fn left(&self) -> u64 {
        self.announced.saturating_sub(self.sums.visits())
    }
}

/// The way to a camp: a stay at each of its positions, from the root on. Empty where there is no camp.
#[derive(Default)]
pub struct Camp {
    stays: Vec<Stay>,
    /// Whether the last position is occupied.
    is_pitched: bool,
    /// Positions that had no free camp when one was looked for.
    closed: Vec<Handle>,
}

impl Camp {
    /// How many positions the way has, the camp included.
    #[inline]
    pub const fn len(&self) -> usize {
        self.stays.len()
    }

    /// Where playouts from the position of that number do not go because others are everywhere there.
    #[inline]
    pub fn closed_at(&self, number: usize) -> &[Handle] {
        if number + 1 == self.len() { &self.closed } else { &[] }
    }

    /// The number of the present visit of the position of that number, if it is one of the way.
    #[inline]
    pub fn number(&self, number: usize) -> Option<u64> {
        self.stays.get(number).map(|stay| stay.first + stay.sums.visits())
    }

    /// Notes what a visit has brought for the position of that number, if it is one of the way; answers
    /// whether it is.
    #[inline]
    pub fn keep(&mut self, number: usize, value: Value) -> bool {
        let stay = self.stays.get_mut(number);
        stay.map(|stay| stay.sums.add(value)).is_some()
    }
}

impl<E: Evaluate> Worker<E> {
    /// Goes to a camp, from where the last one was; answers for how many playouts. None if all places are
    /// taken.
    pub fn pitch(&mut self, shared: &Shared<'_>) -> Result<u64, Full> {
        let tree = shared.tree;
        self.path.truncate(self.camp.len());
        self.camp.closed.clear();
        if self.path.is_empty() {
            self.arrive(shared, Step { node: tree.root(), edge: 0 });
        }
        while let (Some(&Step { node: handle, .. }), Some(stay)) =
            (self.path.last(), self.camp.stays.last())
        {
            if self.camp.is_pitched {
                return Ok(stay.left());
            }
            match self.way_on(shared, false)? {
                Way::On(step) => self.arrive(shared, step),
                Way::Here if tree.node(handle).occupy() => self.camp.is_pitched = true,
                Way::Here if let Way::On(step) = self.way_on(shared, true)? => {
                    self.arrive(shared, step);
                }
                Way::Here | Way::Closed => {
                    self.camp.closed.push(handle);
                    self.leave(shared);
                }
            }
        }
        Ok(0)
    }

    /// Where the most promising move of the last position on the way leads; or the most promising of
    /// those that lead to another common position.
    fn way_on(&mut self, shared: &Shared<'_>, only_common: bool) -> Result<Way, Full> {
        let tree = shared.tree;
        let ply = self.path.len() - 1;
        let handle = self.path[ply].node;
        let link = tree.node(handle).link();
        let common = |edge: Edge<'_>| {
            let child = tree.peek(handle, edge)?;
            let node = tree.node(child);
            let is_open = shared.is_common(node, ply + 1) && !node.link().proof.is_some();
            is_open.then_some(child)
        };
        let closed = &self.camp.closed;
        let is_open = |edge: Edge<'_>| {
            (closed.is_empty() && !only_common)
                || common(edge).map_or(!only_common, |child| !closed.contains(&child))
        };
        let choice = if ply == 0 {
            shared.puct().choose_at_root(tree, link, shared.root, is_open)
        } else if link.is_frozen {
            // Nobody else's presence changes what is drawn.
            self.choose(shared, ply, link)
        } else {
            shared.puct().choose(tree, tree.node(handle), link, is_open)
        };
        let Some(Choice::Edge(chosen)) = choice else { return Ok(Way::Here) };
        let edge = tree.edge(chosen);
        if !is_open(edge) {
            return Ok(Way::Closed);
        }
        let (Some(m), Some(_)) = (edge.m(), common(edge)) else { return Ok(Way::Here) };
        let node = tree.child(&mut self.pocket, edge)?;
        self.line.follow(ply, m);
        // By the same way everybody finds the same game drawn.
        if self.line.is_drawn(ply + 1) {
            return Ok(Way::Here);
        }
        Ok(Way::On(Step { node, edge: link.number_of(chosen) }))
    }

    /// Begins a stay at the next position of the way: announces the playouts to come.
    fn arrive(&mut self, shared: &Shared<'_>, step: Step) {
        let node = shared.tree.node(step.node);
        let most = match (self.path.last(), self.camp.stays.last()) {
            // Where visits follow shares, each is drawn by itself.
            (Some(before), _) if shared.tree.node(before.node).link().is_frozen => 1,
            (_, Some(stay)) => stay.left().max(1),
            _ => LONGEST_STAY,
        };
        let announced = (node.visits() / STAY_SHARE).clamp(1, most);
        let first = node.enter(announced);
        if let Some(parent) = self.path.last() {
            shared.puct().publish(shared.tree, parent.node, step);
        }
        self.path.push(step);
        self.camp.stays.push(Stay { sums: Sums::default(), announced, first });
    }

    /// Ends the stay at the last position of the way, which learns what its playouts have brought.
    fn leave(&mut self, shared: &Shared<'_>) {
        let Some(stay) = self.camp.stays.pop() else { return };
        let step = self.path[self.camp.len()];
        shared.tree.node(step.node).add_sums(&stay.sums, true, stay.announced);
        if let Some(last) = self.camp.len().checked_sub(1) {
            shared.puct().publish(shared.tree, self.path[last].node, step);
        }
        self.path.truncate(self.camp.len());
    }

    /// Leaves the camp to others, and the positions on the way to it as far as their stays are over.
    pub fn strike(&mut self, shared: &Shared<'_>) {
        self.path.truncate(self.camp.len());
        if std::mem::take(&mut self.camp.is_pitched)
            && let Some(camp) = self.path.last()
        {
            shared.tree.node(camp.node).vacate();
        }
        while self.camp.stays.last().is_some_and(|stay| stay.left() == 0) {
            self.leave(shared);
        }
    }

    /// Leaves everything.
    pub fn go_home(&mut self, shared: &Shared<'_>) {
        self.strike(shared);
        while !self.camp.stays.is_empty() {
            self.leave(shared);
        }
    }
}
