//! Threads apart from each other: each camps at a position deep in the tree for some playouts.
//!
//! Two threads that pass through the same positions wait for each other's memory, and what every playout
//! repeats near the root costs time besides. So a thread goes down to a position that has been visited
//! often, says on the way there how many visits are coming, plays out from there that many times, and only
//! then tells the positions on the way what all of it has brought. They have had so many visits that
//! these few, late, change next to nothing in what they choose.

use tandem_search::Evaluate;

use crate::node::Sums;
use crate::shared::Shared;
use crate::tree::Full;
use crate::value::Value;
use crate::worker::{Next, Step, Worker};

/// Positions with fewer visits are nobody's camp: a few more would change what they choose.
pub const CAMP_VISITS: u64 = 256;
/// A camp is for one playout for so many visits that its position has had.
const CAMP_SHARE: u64 = 16;

/// The way to a camp: what its positions are to be told, from the root on. Empty where there is no camp.
#[derive(Default)]
pub struct Camp {
    sums: Vec<Sums>,
    /// The visits announced on the way.
    announced: u64,
}

impl Camp {
    /// How many positions the way has, the camp included.
    #[inline]
    pub const fn len(&self) -> usize {
        self.sums.len()
    }

    /// Notes what a visit has brought for the position of that number, if it is one of the way; answers
    /// whether it is.
    #[inline]
    pub fn keep(&mut self, number: usize, value: Value) -> bool {
        let sums = self.sums.get_mut(number);
        sums.map(|sums| sums.add(value)).is_some()
    }
}

impl<E: Evaluate> Worker<E> {
    /// Goes to a camp for at most so many playouts; answers for how many.
    pub fn pitch(&mut self, shared: &Shared<'_>, most: u64) -> Result<u64, Full> {
        let tree = shared.tree;
        self.path.clear();
        self.path.push(Step { node: tree.root(), edge: 0 });
        loop {
            let ply = self.path.len() - 1;
            if tree.node(self.path[ply].node).visits() < CAMP_VISITS {
                break;
            }
            let Next::Step(step) = self.follow(shared, ply, false)? else { break };
            let node = tree.node(step.node);
            let is_open = !node.link().proof.is_some() && !self.line.is_drawn(ply + 1);
            if node.visits() < CAMP_VISITS || !is_open {
                break;
            }
            self.path.push(step);
        }
        let visits = tree.node(self.path[self.path.len() - 1].node).visits();
        let playouts = (visits / CAMP_SHARE).clamp(1, most);
        self.camp.announced = playouts;
        self.camp.sums.resize(self.path.len(), Sums::default());
        for (i, &step) in self.path.iter().enumerate() {
            tree.node(step.node).enter(playouts);
            if i > 0 {
                shared.puct().publish(tree, self.path[i - 1].node, step);
            }
        }
        Ok(playouts)
    }

    /// Leaves the camp: the positions on the way to it learn what its playouts have brought.
    pub fn strike(&mut self, shared: &Shared<'_>) {
        for (i, sums) in self.camp.sums.drain(..).enumerate() {
            let step = self.path[i];
            shared.tree.node(step.node).add_sums(&sums, true, self.camp.announced);
            if i > 0 {
                shared.puct().publish(shared.tree, self.path[i - 1].node, step);
            }
        }
    }
}
