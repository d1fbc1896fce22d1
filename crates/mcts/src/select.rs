//! Which move a playout follows: PUCT, the hybrid paper's equation 1, with what strong engines have
//! added to it.

use crate::arena::Handle;
use crate::math::ln;
use crate::node::{Edge, Link, Node};
use crate::params::{Params, thousandths};
use crate::root::Root;
use crate::tree::{Tree, is_lost, proven_utility};
use crate::tunables as t;
use crate::worker::Step;

/// The numbers of the formula, put together once for a search.
#[derive(Clone, Copy)]
pub struct Puct {
    c: f32,
    growth: f32,
    base: f32,
    spread: f32,
    decided: f32,
    fpu: f32,
    fpu_root: f32,
    /// By how much a visit under way counts as worse than those before it.
    virtual_loss: f32,
    plies_slope: f32,
    plies_most: f32,
    plies_from: f32,
}

impl Puct {
    pub fn new(params: &Params) -> Self {
        Self {
            c: params.c_puct(),
            growth: thousandths(t::c_puct_growth()),
            base: t::c_puct_base() as f32,
            spread: thousandths(t::c_puct_spread()),
            decided: thousandths(t::c_puct_decided()),
            fpu: params.fpu_reduction(),
            fpu_root: thousandths(t::fpu_root()),
            virtual_loss: thousandths(t::virtual_loss()),
            plies_slope: t::plies_slope() as f32 / 1e6,
            plies_most: thousandths(t::plies_most()),
            plies_from: thousandths(t::plies_from()),
        }
    }

    /// The same for batches, of which much more is under way at once.
    pub fn for_batches(self) -> Self {
        Self { virtual_loss: thousandths(t::batch_loss()), ..self }
    }

    /// What multiplies a move's prior: it grows with the visits of the position (lc0's form), with the
    /// spread of what they brought, and as the result is open.
    #[inline]
    fn exploration(&self, node: Node<'_>) -> f32 {
        let visits = node.visits().max(1) as f32;
        let more = visits / self.base;
        // Near one, a logarithm is what goes beyond it.
        let mut c = self.c + self.growth * if more < 0.01 { more } else { ln(1.0 + more) };
        if self.spread > 0.0 {
            c *= 1.0 + self.spread * (node.mean().deviation() - 0.3).clamp(-0.3, 0.7);
        }
        // The surer the result, the less a value can be off; what is left to see is how soon.
        let q = node.q();
        let open = (1.0 - q * q).max(0.0).sqrt();
        c * (1.0 - self.decided * (1.0 - open)) * visits.sqrt()
    }

    /// The edge to follow from an expanded node below the root, of those that are open; none if all of
    /// them lose.
    #[inline]
    pub fn choose(
        &self,
        tree: &Tree,
        node: Node<'_>,
        link: Link,
        is_open: impl Fn(Edge<'_>) -> bool,
    ) -> Option<Choice> {
        let scale = self.exploration(node);
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        let (mut tried, mut untried) = (0.0, 0);
        for (handle, edge) in tree.edges(link) {
            if !is_open(edge) {
                continue;
            }
            let (visits, utility) = edge.standing();
            let prior = edge.prior();
            let score = if visits == 0 {
                untried += 1;
                if untried > 1 {
                    // All others are untried too, and less likely.
                    break;
                }
                node.q() - self.fpu * f32::sqrt(tried) + scale * prior
            } else if is_lost(utility) {
                tried += prior;
                continue;
            } else {
                tried += prior;
                utility + scale * prior / (1.0 + visits as f32)
            };
            if score > highest {
                (best, highest) = (Some(handle), score);
            }
        }
        let is_exhausted = untried == 0 && link.edges < link.moves;
        if is_exhausted {
            return Some(Choice::More);
        }
        best.map(Choice::Edge)
    }

    /// The same at the root, where some moves may not be looked at and the priors are the root's own.
    pub fn choose_at_root(
        &self,
        tree: &Tree,
        link: Link,
        root: &Root,
        is_open: impl Fn(Edge<'_>) -> bool,
    ) -> Option<Choice> {
        let node = tree.node(tree.root());
        let scale = self.exploration(node);
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        let (mut untried, mut likeliest, mut tried) = (None, f32::NEG_INFINITY, 0.0);
        for (place, (handle, edge)) in tree.edges(link).enumerate() {
            let prior = root.prior(place);
            let (visits, utility) = edge.standing();
            if prior < 0.0 || !is_open(edge) {
                continue;
            }
            if visits == 0 {
                if prior > likeliest {
                    (untried, likeliest) = (Some(handle), prior);
                }
                continue;
            }
            tried += prior;
            if is_lost(utility) {
                continue;
            }
            let score = utility + scale * prior / (1.0 + visits as f32);
            if score > highest {
                (best, highest) = (Some(handle), score);
            }
        }
        let urgency = node.q() - self.fpu_root * f32::sqrt(tried);
        if untried.is_some() && urgency + scale * likeliest > highest {
            best = untried;
        }
        best.map(Choice::Edge)
    }

    /// What exploration adds to the value of a move of the root.
    pub fn bonus(&self, tree: &Tree, prior: f32, visits: u64) -> f32 {
        self.exploration(tree.node(tree.root())) * prior.max(0.0) / (1.0 + visits as f32)
    }

    /// Makes known to a position how the move of that step stands.
    #[inline]
    pub fn publish(&self, tree: &Tree, parent: Handle, step: Step) {
        let (node, edge) = (tree.node(step.node), tree.edge_of(parent, step.edge));
        let (visits, flying) = (node.visits(), node.in_flight());
        let all = visits + flying;
        let utility = if let Some(utility) = proven_utility(node.link().proof) {
            utility
        } else if all == 0 {
            0.0
        } else {
            let utility = self.utility(-node.q(), node.plies() + 1.0, tree.node(parent).plies());
            // A visit under way counts as one that brought less, so that others go elsewhere; not as lost, or
            // else they flock to moves that end at once, a repetition say, where nobody ever is under way.
            let expected = if visits == 0 { tree.node(parent).q() } else { utility };
            expected - self.virtual_loss * flying as f32 / all as f32
        };
        edge.publish(all, utility);
    }

    /// The value of a move that leaves so many plies, in a position that has so many left; where the game
    /// is decided, sooner is a little better for the winner and later for the loser.
    #[inline]
    pub fn utility(&self, q: f32, plies: f32, before: f32) -> f32 {
        if q.abs() < self.plies_from {
            return q;
        }
        let most = self.plies_most;
        q - q.signum() * (self.plies_slope * (plies - before)).clamp(-most, most)
    }
}

/// What to do at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Follow that edge.
    Edge(Handle),
    /// All likely moves have been tried: give the others edges too.
    More,
    /// Nothing before others have come back.
    Wait,
}
