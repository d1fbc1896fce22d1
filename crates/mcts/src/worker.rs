//! One thread of the search: playouts from the root to a leaf and back.

use std::time::{Duration, Instant};

use tandem_chess::{Game, Move, Position};
use tandem_search::Evaluate;

use crate::arena::{Handle, Pocket};
use crate::camp::{Camp, is_common};
use crate::counts::{Counts, Phase};
use crate::line::Line;
use crate::node::{Edge, Link, Weighed};
use crate::priors::Priors;
use crate::select::Choice;
use crate::shared::Shared;
use crate::tree::{Full, settled};
use crate::value::{Proof, Value};

/// The most playouts between two looks at the clock and at the memory.
const SLICE: usize = 128;
/// How long they may take: where a leaf takes long, there are fewer of them.
const SLICE_TIME: Duration = Duration::from_micros(500);
/// One playout in so many is timed.
const SAMPLE: u64 = 64;

/// A position on the way of a playout, and the edge that led to it: by its number, because edges move
/// when their position gets more of them.
#[derive(Clone, Copy)]
pub struct Step {
    pub node: Handle,
    pub edge: u8,
}

/// Where the most promising move leads.
pub enum Next {
    /// To that position.
    Step(Step),
    /// Nowhere: the position has that value.
    End(Value),
    /// Nowhere until others have come back.
    Busy,
}

/// Where a playout ended.
pub enum End {
    /// At a position whose value is certain, or certain by the way to it; and what that newly proves.
    Known(Value, Proof),
    /// At a position that nobody has evaluated.
    Leaf,
    /// Where others are at work: nothing is to be found out from here.
    Busy,
}

/// One thread. It keeps its evaluator from search to search.
pub struct Worker<E> {
    pub line: Line<E>,
    pub priors: Box<dyn Priors>,
    pub path: Vec<Step>,
    pub counts: Counts,
    /// The likeliest moves of the position that is looked at.
    pub weighed: Vec<Weighed>,
    slice: usize,
    pub camp: Camp,
    /// The number of the visit of the position that was entered last, where visits are announced.
    number: u64,
    /// Memory for what it adds to the tree.
    pub pocket: Pocket,
    /// Batches in a row that did not come back in time.
    pub late: u32,
}

impl<E: Evaluate> Worker<E> {
    pub fn new(evaluator: E, priors: Box<dyn Priors>) -> Self {
        Self {
            line: Line::new(evaluator),
            priors,
            path: Vec::with_capacity(256),
            counts: Counts::default(),
            weighed: Vec::with_capacity(256),
            slice: 1,
            camp: Camp::default(),
            number: 0,
            pocket: Pocket::default(),
            late: 0,
        }
    }

    /// Gets ready for a search of that game's position.
    pub fn prepare(&mut self, game: &Game) {
        self.line.reset(game);
        self.late = 0;
        self.counts = Counts::default();
        self.counts.evaluations_before = self.line.evaluator.evaluations();
        self.counts.evaluations_after = self.counts.evaluations_before;
    }

    /// Plays out until the search is over, the tree full, or batches are worth it. `between` is called
    /// now and then.
    pub fn run(&mut self, shared: &Shared<'_>, between: &mut dyn FnMut(&mut Self)) {
        let _using = shared.gate.enter();
        self.pocket = Pocket::default();
        while shared.goes_on(false) {
            self.run_slice(shared);
            between(self);
        }
        self.go_home(shared);
    }

    fn run_slice(&mut self, shared: &Shared<'_>) {
        let (before, start) = (self.counts.playouts, Instant::now());
        let mut claimed = shared.claim_some(self.slice as u64);
        while claimed > 0 && !shared.is_over() {
            let stay = if shared.threads > 1 { self.pitch(shared) } else { Ok(claimed) };
            let Ok(stay @ 1..) = stay else { break };
            claimed -= self.play_out(shared, stay.min(claimed));
            self.strike(shared);
            if shared.tree.is_full() {
                break;
            }
        }
        shared.unclaim(claimed);
        self.counts.evaluations_after = self.line.evaluator.evaluations();
        shared.finish(self.counts.playouts - before);
        let took = start.elapsed();
        if took > SLICE_TIME {
            self.slice = (self.slice / 2).max(1);
        } else if took < SLICE_TIME / 2 {
            self.slice = (self.slice * 2).min(SLICE);
        }
    }

    /// Plays out at most so many times; answers how often. Fewer if the search is over, if something is
    /// certain, which is for everybody to know, or if there is nothing left to do here.
    fn play_out(&mut self, shared: &Shared<'_>, most: u64) -> u64 {
        for done in 0..most {
            if shared.is_over() {
                return done;
            }
            match self.playout(shared) {
                Ok(Some(Proof::None)) => {}
                Ok(Some(_)) => {
                    self.go_home(shared);
                    return done + 1;
                }
                Ok(None) | Err(Full) => return done,
            }
        }
        most
    }

    /// One playout: down to a leaf, its value, and back up. Answers with what it proved; with nothing if
    /// it left the camp.
    fn playout(&mut self, shared: &Shared<'_>) -> Result<Option<Proof>, Full> {
        let mut clock = self.counts.playouts.is_multiple_of(SAMPLE).then(Instant::now);
        let end = self.descend(shared, clock.is_some())?;
        self.lap(&mut clock, Phase::Selection);
        let (value, proof) = match end {
            End::Known(value, proof) => {
                self.counts.finished += 1;
                (value, proof)
            }
            End::Leaf => self.assess(shared),
            End::Busy => return Ok(None),
        };
        self.lap(&mut clock, Phase::Evaluation);
        back_up(shared, &self.path, &mut self.camp, value, proof);
        self.lap(&mut clock, Phase::Backup);
        self.counts.note_depth(self.path.len() - 1);
        Ok(Some(proof))
    }

    fn lap(&mut self, clock: &mut Option<Instant>, phase: Phase) {
        if let Some(start) = clock {
            let now = Instant::now();
            self.counts.add_time(phase, now - *start);
            *start = now;
        }
    }

    /// Follows the most promising moves from the root until something is to be found out.
    pub fn descend(&mut self, shared: &Shared<'_>, timed: bool) -> Result<End, Full> {
        let tree = shared.tree;
        self.path.truncate(self.camp.len());
        if self.path.is_empty() {
            self.enter(shared, Step { node: tree.root(), edge: 0 });
        }
        for ply in self.path.len() - 1.. {
            let handle = self.path[ply].node;
            let node = tree.node(handle);
            let link = node.link();
            if ply > 0 {
                if link.proof.is_some() {
                    return Ok(End::Known(link.proof.value(), Proof::None));
                }
                if self.line.is_drawn(ply) {
                    let proof = shared.escape(ply);
                    if proof.is_some() {
                        node.prove(proof);
                    }
                    return Ok(End::Known(proof.value(), proof));
                }
            }
            if node.visits() == 0 {
                self.line.trim(ply);
                return Ok(End::Leaf);
            }
            match self.follow(shared, ply, timed)? {
                Next::Step(step) => {
                    if ply + 1 == self.camp.len() && self.leads_out(shared, step) {
                        return Ok(End::Busy);
                    }
                    self.enter(shared, step);
                }
                Next::End(value) => return Ok(End::Known(value, Proof::None)),
                Next::Busy => return Ok(End::Busy),
            }
        }
        unreachable!("a line that never ends is drawn by the fifty-move rule")
    }

    /// Follows the most promising move of the position at that ply of the way.
    pub fn follow(&mut self, shared: &Shared<'_>, ply: usize, timed: bool) -> Result<Next, Full> {
        let tree = shared.tree;
        let handle = self.path[ply].node;
        let node = tree.node(handle);
        let mut link = node.link();
        if !link.is_expanded() {
            link = self.expand(shared, handle, link, ply, timed)?;
        }
        let edge = loop {
            match self.choose(shared, ply, link) {
                Some(Choice::Edge(edge)) => break edge,
                Some(Choice::More) => link = self.expand(shared, handle, link, ply, timed)?,
                Some(Choice::Wait) => return Ok(Next::Busy),
                // Every move loses; whoever proved the last of them is about to say so.
                None => return Ok(Next::End(Proof::Loses.value())),
            }
        };
        let chosen = tree.edge(edge);
        let child = tree.child(&mut self.pocket, chosen)?;
        tree.prefetch(child);
        let Some(m) = chosen.m() else { return Ok(Next::End(node.mean().value)) };
        self.line.follow(ply, m);
        if tree.node(child).visits() == 0 {
            shared.table.prefetch(self.line.position(ply + 1));
        }
        Ok(Next::Step(Step { node: child, edge: link.number_of(edge) }))
    }

    /// The most promising move of the position at that ply of the way.
    #[inline]
    pub fn choose(&self, shared: &Shared<'_>, ply: usize, link: Link) -> Option<Choice> {
        let tree = shared.tree;
        let handle = self.path[ply].node;
        if let Some(freeze) = shared.freezes_at(ply) {
            let number = self.number(shared, ply);
            if link.is_frozen {
                let key = self.line.position(ply).key();
                return freeze.draw(tree, link, key, number).map(Choice::Edge);
            }
            // Whoever explores by himself freezes the position with the last of these visits; of a batch
            // they may still be under way.
            let is_limit_reached = || tree.visits_below(link) >= freeze.limit;
            if shared.is_batching() && number > freeze.limit && is_limit_reached() {
                return Some(Choice::Wait);
            }
        }
        let closed = self.camp.closed_at(ply);
        let is_open = |edge: Edge<'_>| {
            closed.is_empty()
                || tree.peek(handle, edge).is_none_or(|child| !closed.contains(&child))
        };
        if ply == 0 {
            shared.puct().choose_at_root(tree, link, shared.root, is_open)
        } else {
            shared.puct().choose(tree, tree.node(handle), link, is_open)
        }
    }

    /// The number of the present visit of the position at that ply of the way.
    fn number(&self, shared: &Shared<'_>, ply: usize) -> u64 {
        if let Some(number) = self.camp.number(ply) {
            number
        } else if shared.is_batching() {
            self.number
        } else {
            shared.tree.node(self.path[ply].node).visits()
        }
    }

    /// Whether a step from the camp leads to a position that all threads pass through.
    #[inline]
    fn leads_out(&self, shared: &Shared<'_>, step: Step) -> bool {
        let node = shared.tree.node(step.node);
        let ply = self.camp.len();
        shared.is_common(node, ply) && !node.link().proof.is_some() && !self.line.is_drawn(ply)
    }

    /// Goes a step of the way, and announces the visit where others may be on their way too.
    #[inline]
    fn enter(&mut self, shared: &Shared<'_>, step: Step) {
        if shared.is_batching() {
            self.number = shared.tree.node(step.node).enter(1);
            if let Some(parent) = self.path.last() {
                shared.puct().publish(shared.tree, parent.node, step);
            }
        }
        self.path.push(step);
    }

    /// The value of the position at the end of the line, which nobody has evaluated, and what is
    /// certain of it.
    fn assess(&mut self, shared: &Shared<'_>) -> (Value, Proof) {
        let ply = self.path.len() - 1;
        let position = *self.line.position(ply);
        if let Some(proof) = self.prove(shared, &position, ply) {
            return (proof.value(), proof);
        }
        if shared.horizon.is_some() {
            return (Value::DRAW, Proof::None);
        }
        let score = if let Some(score) = self.known_score(shared, &position) {
            score
        } else {
            let score = self.line.evaluator.evaluate(&position);
            self.counts.evaluated += 1;
            shared.table.store(&position, score);
            score
        };
        (shared.scale.value(score, &position), Proof::None)
    }

    /// What the rules or a tablebase say for certain of a leaf.
    pub fn prove(&mut self, shared: &Shared<'_>, position: &Position, ply: usize) -> Option<Proof> {
        if ply == 0 {
            return None;
        }
        let proof = settled(position).or_else(|| {
            if let Some(horizon) = shared.horizon {
                let mates = ply + 1 == horizon && mates_at_once(position);
                let proof = if mates { Proof::Mates(1) } else { shared.escape(ply) };
                return (ply + 1 >= horizon).then_some(proof);
            }
            let pieces = position.occupied().count();
            if pieces > shared.root.max_pieces || position.halfmove_clock() != 0 {
                return None;
            }
            let wdl = shared.endgames.probe(position)?;
            self.counts.tablebase_hits += 1;
            Some(Proof::of_tablebase(wdl))
        })?;
        self.counts.finished += 1;
        let step = self.path[ply];
        shared.tree.node(step.node).prove(proof);
        Some(proof)
    }
}

/// Whether a move mates.
fn mates_at_once(position: &Position) -> bool {
    let checks = position.checks();
    let mates =
        |&m: &Move| position.gives_check_by(m, &checks) && !position.after(m).has_legal_move();
    position.legal_moves().iter().any(mates)
}

/// Takes back what a playout of a batch announced on its way that led to nothing.
pub fn withdraw(shared: &Shared<'_>, way: &[Step]) {
    shared.unclaim(1);
    for (i, step) in way.iter().enumerate() {
        shared.tree.node(step.node).leave(1);
        if i > 0 {
            shared.puct().publish(shared.tree, way[i - 1].node, *step);
        }
    }
}

/// Carries a value up to the root; the camp keeps for itself what the positions on the way to it are to be
/// told. What has been proven of the leaf may prove more on the way.
pub fn back_up(
    shared: &Shared<'_>,
    path: &[Step],
    camp: &mut Camp,
    mut value: Value,
    mut proof: Proof,
) {
    let tree = shared.tree;
    let is_batching = shared.is_batching();
    value = shared.outlook.seen(value, shared.side_at(path.len() - 1));
    for (i, &step) in path.iter().enumerate().rev() {
        let is_kept = camp.keep(i, value);
        if !is_kept {
            let node = tree.node(step.node);
            let is_shared = is_batching || (shared.threads > 1 && is_common(node));
            node.add_visit(value, is_shared, is_batching);
            if let Some(freeze) = shared.freezes_at(i)
                && node.visits() > freeze.limit
            {
                tree.freeze(step.node, freeze);
            }
        }
        if i == 0 {
            break;
        }
        let parent = path[i - 1].node;
        if !is_kept {
            shared.puct().publish(tree, parent, step);
        }
        value = value.before();
        if proof.is_some() {
            proof = tree.conclude(parent);
            if proof.is_some() {
                tree.node(parent).prove(proof);
                // From here on the certain value counts, not what led to it.
                value = shared.outlook.seen(proof.value(), shared.side_at(i - 1));
            }
        }
    }
}
