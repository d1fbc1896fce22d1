//! Which move is the best, and how the others stand.

use std::cmp::Ordering;

use tandem_chess::{Game, Move};
use tandem_search::Branch;

use crate::arena::Handle;
use crate::node::{Edge, Mean};
use crate::params::thousandths;
use crate::root::Root;
use crate::select::Puct;
use crate::tree::Tree;
use crate::tunables as t;
use crate::value::{Proof, Value};

/// How a move of the root stands, for the side that has the choice.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// How likely it seemed before it was tried; the root's own prior.
    pub prior: f32,
    /// What its visits brought.
    pub mean: Mean,
    /// Its mean value, and how soon it wins where the game is decided.
    utility: f32,
    /// What is certain.
    pub proof: Proof,
    /// What a tablebase says that it leads to, and how good it is among all moves.
    pub tablebase: Option<(tandem_chess::Wdl, i32)>,
    node: Option<Handle>,
}

impl Candidate {
    fn new(tree: &Tree, puct: &Puct, edge: Edge<'_>, prior: f32, root: &Root) -> Option<Self> {
        let m = edge.m()?;
        let node = tree.peek(tree.root(), edge);
        let mut mean = node.map_or_else(|| lost_mean(edge), |node| tree.node(node).mean());
        mean.value = mean.value.before();
        let proof = tree.proof_after(tree.root(), edge).before();
        let utility = puct.utility(mean.value.q, mean.value.plies, tree.node(tree.root()).plies());
        Some(Self { m, prior, mean, utility, proof, tablebase: root.proven(m), node })
    }

    /// What its value is at least, most probably: the mean less so many standard errors.
    fn lower_bound(&self) -> f32 {
        let visits = self.mean.visits.max(1) as f32;
        // Before many visits have shown their spread, it is taken to be wide.
        let spread = (self.mean.deviation() * visits + 1.0) / (visits + 1.0);
        self.utility - thousandths(t::bound_width()) * spread / visits.sqrt()
    }

    /// The expected score.
    #[must_use]
    pub const fn value(&self) -> Value {
        self.mean.value
    }
}

/// What an edge still knows of a node whose place was lost.
fn lost_mean(edge: Edge<'_>) -> Mean {
    let (visits, utility) = edge.standing();
    let q = -utility.clamp(-1.0, 1.0);
    let value = Value { q, draw: 0.5 * (1.0 - q.abs()), plies: 60.0 };
    Mean { visits: visits.into(), value, square: q * q }
}

/// The moves of the root that may be played, the best first.
///
/// The rule: what the tablebases rank highest, where they know; a proven win, the shortest first; then the most visited move that is not proven to lose,
/// unless one with at least half as many visits has the higher lower bound; last what loses latest.
pub fn rank(tree: &Tree, puct: &Puct, root: &Root) -> Vec<Candidate> {
    let link = tree.node(tree.root()).link();
    let mut candidates: Vec<Candidate> = tree
        .edges(link)
        .zip(&root.priors)
        .filter(|(_, prior)| **prior >= 0.0)
        .filter_map(|((_, edge), &prior)| Candidate::new(tree, puct, edge, prior, root))
        .collect();
    candidates.sort_by(better);
    let first = candidates.first().and_then(|first| first.tablebase);
    let open = |rival: &Candidate| rival.proof.rank() == 0 && rival.tablebase == first;
    if candidates.first().is_some_and(open) {
        let needed = candidates[0].mean.visits as f32 * thousandths(t::bound_share());
        let rivals = candidates.iter().enumerate();
        let leader = rivals
            .filter(|(_, rival)| open(rival) && rival.mean.visits as f32 >= needed)
            .max_by(|(i, a), (j, b)| a.lower_bound().total_cmp(&b.lower_bound()).then(j.cmp(i)))
            .map_or(0, |(i, _)| i);
        candidates[..=leader].rotate_right(1);
    }
    candidates
}

fn better(a: &Candidate, b: &Candidate) -> Ordering {
    let rank = |candidate: &Candidate| candidate.tablebase.map_or(0, |(_, rank)| rank);
    (rank(b).cmp(&rank(a)))
        .then(b.proof.rank().cmp(&a.proof.rank()))
        .then(b.mean.visits.cmp(&a.mean.visits))
        .then(b.mean.value.q.total_cmp(&a.mean.value.q))
        .then(b.prior.total_cmp(&a.prior))
}

/// What is known of the moves after a line from the root, the most visited first.
pub fn branches(tree: &Tree, line: &[Move]) -> Vec<Branch> {
    let Some(holder) = tree.walk(line) else { return Vec::new() };
    let branch = |edge: Edge<'_>| {
        let node = tree.peek(holder, edge);
        let mean = node.map_or_else(|| lost_mean(edge), |node| tree.node(node).mean());
        let value = mean.value.before();
        Some(Branch {
            m: edge.m()?,
            visits: mean.visits,
            prior: edge.prior(),
            value: value.q,
            draw: value.draw,
            leads_on: node.is_some_and(|node| tree.node(node).link().is_expanded()),
        })
    };
    let mut branches: Vec<Branch> =
        tree.edges(tree.node(holder).link()).filter_map(|(_, edge)| branch(edge)).collect();
    branches.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
    branches
}

/// The longest line that is shown.
const LONGEST: usize = 60;

/// The line that begins with a candidate: the most visited moves, until nothing is known or the game is
/// over.
pub fn line(tree: &Tree, game: &Game, candidate: &Candidate) -> Vec<Move> {
    let mut line = vec![candidate.m];
    let mut game = game.clone();
    let mut node = candidate.node;
    if game.play(candidate.m).is_err() {
        return line;
    }
    while line.len() < LONGEST && game.outcome().is_none() {
        let Some(handle) = node else { break };
        let standing = |edge: &Edge<'_>| {
            let proof = tree.proof_after(handle, *edge).before();
            (proof.rank(), edge.standing().0)
        };
        let best = tree
            .edges(tree.node(handle).link())
            .map(|(_, edge)| edge)
            .filter(|edge| edge.standing().0 > 0)
            .reduce(|best, edge| if standing(&edge) > standing(&best) { edge } else { best });
        let Some(edge) = best else { break };
        let Some(m) = edge.m() else { break };
        if game.play(m).is_err() {
            break;
        }
        line.push(m);
        node = tree.peek(handle, edge);
    }
    line
}
