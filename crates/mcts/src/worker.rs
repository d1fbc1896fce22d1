//! One thread of the search: playouts from the root to a leaf and back.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use tandem_chess::{Game, Move, Position};
use tandem_search::{Control, Endgames, Evaluate};

use crate::arena::Handle;
use crate::counts::{Counts, Phase};
use crate::line::Line;
use crate::node::{Link, Sums, Weighed};
use crate::params::{Params, thousandths};
use crate::priors::{Priors, softmax};
use crate::root::Root;
use crate::select::{Choice, Puct};
use crate::table::Table;
use crate::tree::{Full, Tree, settled};
use crate::tunables as t;
use crate::value::{Proof, Scale, Value};

/// The most playouts between two looks at the clock and at the memory.
const SLICE: usize = 64;
/// How long they may take: where a leaf takes long, there are fewer of them.
const SLICE_TIME: Duration = Duration::from_micros(500);
/// Positions with so many visits are told of new ones a few at a time, and of none that is under way: it
/// would change nothing there, and threads would wait for each other's memory.
const BUSY: u64 = 2048;
/// Playouts after which they are told.
const TOLD_EVERY: u64 = 32;
/// One playout in so many is timed.
const SAMPLE: u64 = 64;

/// What the threads of one search share.
pub struct Shared<'a> {
    pub tree: &'a Tree,
    /// Held for reading while the tree is used, for writing while its arena is turned.
    pub gate: RwLock<()>,
    pub table: &'a Table,
    pub scale: &'a Scale,
    pub params: &'a Params,
    pub puct: Puct,
    pub root: &'a Root,
    /// The position of the root.
    pub position: &'a Position,
    pub endgames: &'a Endgames,
    pub control: &'a Control,
    /// Set when any limit is reached: every thread returns.
    pub stop: AtomicBool,
    /// Playouts begun by all threads together.
    pub playouts: AtomicU64,
    /// Playouts that came back, by all threads together.
    pub finished: AtomicU64,
    /// Stop after that many.
    pub limit: u64,
    /// Where only mates are looked for: the ply at which one must be on the board.
    pub horizon: Option<usize>,
    /// Whether several visits can be under way at once.
    pub concurrent: bool,
    /// Answers of tablebases that all threads but the first had.
    pub helpers_hits: AtomicU64,
    /// Their longest playout.
    pub helpers_deepest: AtomicUsize,
}

impl Shared<'_> {
    /// A helper tells what it has done since it last did.
    pub fn tell(&self, counts: &mut Counts) {
        let new = counts.tablebase_hits - counts.tablebase_hits_told;
        self.helpers_hits.fetch_add(new, Ordering::Relaxed);
        counts.tablebase_hits_told = counts.tablebase_hits;
        self.helpers_deepest.fetch_max(counts.deepest, Ordering::Relaxed);
    }

    /// Whether every thread has to return.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.control.is_stopped()
    }

    /// Ends the search.
    pub fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Takes one of the playouts that are left; answers whether there was one.
    #[inline]
    pub fn claim(&self) -> bool {
        if self.is_over() {
            return false;
        }
        self.claim_some(1) == 1
    }

    /// Takes up to so many of the playouts that are left; answers how many there were. If there is none,
    /// another thread may still give back what it took: this is not the end yet.
    #[inline]
    pub fn claim_some(&self, wanted: u64) -> u64 {
        let before = self.playouts.fetch_add(wanted, Ordering::Relaxed);
        let had = self.limit.saturating_sub(before).min(wanted);
        self.unclaim(wanted - had);
        had
    }

    /// Notes playouts that came back; none means that there was none to take, and that others are to
    /// have their turn.
    pub fn finish(&self, playouts: u64) {
        if playouts == 0 {
            std::thread::yield_now();
        } else if self.finished.fetch_add(playouts, Ordering::Relaxed) + playouts >= self.limit {
            self.end();
        }
    }

    /// What it means that the game is drawn at that ply, or goes on beyond the horizon. Where only mates
    /// are looked for, whoever is not mated has escaped, and that is certain; otherwise a repetition
    /// proves nothing about the position.
    fn escape(&self, ply: usize) -> Proof {
        match self.horizon {
            None => Proof::None,
            Some(_) if ply.is_multiple_of(2) => Proof::Loses,
            Some(_) => Proof::Wins,
        }
    }

    /// How alike moves seem. Mates that are looked for begin as often as not with an unlikely move.
    fn temperature(&self) -> f32 {
        if self.horizon.is_some() {
            thousandths(t::mate_temperature())
        } else {
            self.params.policy_temperature()
        }
    }

    /// The position after a move of the root.
    pub fn root_after(&self, m: Move) -> Position {
        self.position.after(m)
    }

    /// Gives playouts back that led to nothing.
    pub fn unclaim(&self, playouts: u64) {
        if playouts > 0 {
            self.playouts.fetch_sub(playouts, Ordering::Relaxed);
        }
    }

    /// Makes room, if nobody else has meanwhile.
    pub fn make_room(&self) {
        if self.tree.is_full() {
            let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
            if self.tree.is_full() {
                self.tree.turn();
            }
        }
    }
}

/// A position on the way of a playout, and the edge that led to it: by its number, because edges move
/// when their position gets more of them.
#[derive(Clone, Copy)]
pub struct Step {
    pub node: Handle,
    pub edge: u8,
    /// Whether others have been told of the visit while it is under way.
    pub announced: bool,
}

/// What a thread has found out about a position that all threads pass through, and not told yet.
struct Untold {
    step: Step,
    /// The position before it.
    parent: Handle,
    sums: Sums,
}

/// Where a playout ended.
pub enum End {
    /// At a position whose value is certain, or certain by the way to it; and what that newly proves.
    Known(Value, Proof),
    /// At a position that nobody has evaluated.
    Leaf,
}

/// One thread. It keeps its evaluator from search to search.
pub struct Worker<E> {
    pub line: Line<E>,
    pub priors: Box<dyn Priors>,
    pub path: Vec<Step>,
    pub counts: Counts,
    weighed: Vec<Weighed>,
    slice: usize,
    untold: Vec<Untold>,
}

impl<E: Evaluate> Worker<E> {
    pub fn new(evaluator: E, params: &Params) -> Self {
        Self {
            line: Line::new(evaluator),
            priors: params.policy.priors(),
            path: Vec::with_capacity(256),
            counts: Counts::default(),
            weighed: Vec::with_capacity(256),
            slice: 1,
            untold: Vec::new(),
        }
    }

    /// Gets ready for a search of that game's position.
    pub fn prepare(&mut self, game: &Game) {
        self.line.reset(game);
        self.counts = Counts::default();
        self.counts.evaluations_before = self.line.evaluator.evaluations();
        self.counts.evaluations_after = self.counts.evaluations_before;
    }

    /// Plays out until the search is over. `between` is called now and then.
    pub fn run(&mut self, shared: &Shared<'_>, mut between: impl FnMut(&mut Self)) {
        while !shared.is_over() {
            let using = shared.gate.read().unwrap_or_else(PoisonError::into_inner);
            while !shared.is_over() && !shared.tree.is_full() {
                self.run_slice(shared);
                between(self);
            }
            drop(using);
            shared.make_room();
        }
    }

    fn run_slice(&mut self, shared: &Shared<'_>) {
        let (before, start) = (self.counts.playouts, Instant::now());
        let mut claimed = shared.claim_some(self.slice as u64);
        while claimed > 0 && !shared.is_over() {
            if self.playout(shared) == Err(Full) {
                self.give_up(shared);
                claimed -= 1;
                break;
            }
            claimed -= 1;
            if self.counts.playouts.is_multiple_of(TOLD_EVERY) {
                self.tell(shared);
            }
        }
        shared.unclaim(claimed);
        self.tell(shared);
        self.counts.evaluations_after = self.line.evaluator.evaluations();
        shared.finish(self.counts.playouts - before);
        let took = start.elapsed();
        if took > SLICE_TIME {
            self.slice = (self.slice / 2).max(1);
        } else if took < SLICE_TIME / 2 {
            self.slice = (self.slice * 2).min(SLICE);
        }
    }

    /// One playout: down to a leaf, its value, and back up.
    fn playout(&mut self, shared: &Shared<'_>) -> Result<(), Full> {
        let mut clock = self.counts.playouts.is_multiple_of(SAMPLE).then(Instant::now);
        let end = self.descend(shared, clock.is_some())?;
        self.lap(&mut clock, Phase::Selection);
        let (value, proof) = match end {
            End::Known(value, proof) => {
                self.counts.finished += 1;
                (value, proof)
            }
            End::Leaf => self.assess(shared),
        };
        self.lap(&mut clock, Phase::Evaluation);
        if shared.concurrent && !proof.is_some() {
            self.note(shared, value);
        } else {
            back_up(shared, &self.path, value, proof);
        }
        self.lap(&mut clock, Phase::Backup);
        self.counts.note_depth(self.path.len() - 1);
        Ok(())
    }

    /// Carries a value up to the root, keeping to itself what busy positions are to be told.
    fn note(&mut self, shared: &Shared<'_>, mut value: Value) {
        for i in (0..self.path.len()).rev() {
            let step = self.path[i];
            let parent = if i == 0 { Handle::NONE } else { self.path[i - 1].node };
            if step.announced {
                shared.tree.node(step.node).add_visit(value, true, true);
                if parent.is_some() {
                    shared.puct.publish(shared.tree, parent, step.edge, step.node);
                }
            } else if let Some(untold) = self.untold.iter_mut().find(|u| u.step.node == step.node) {
                untold.sums.add(value);
            } else {
                let mut sums = Sums::default();
                sums.add(value);
                self.untold.push(Untold { step, parent, sums });
            }
            value = value.before();
        }
    }

    /// Tells busy positions what has been found out about them.
    fn tell(&mut self, shared: &Shared<'_>) {
        for Untold { step, parent, sums } in self.untold.drain(..) {
            shared.tree.node(step.node).add_sums(&sums, true, false);
            if parent.is_some() {
                shared.puct.publish(shared.tree, parent, step.edge, step.node);
            }
        }
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
        let mut handle = tree.root();
        self.path.clear();
        self.enter(shared, handle, 0);
        for ply in 0.. {
            let node = tree.node(handle);
            let mut link = node.link();
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
            if !link.is_expanded() {
                link = self.expand(shared, handle, link, ply, timed)?;
            }
            let edge = loop {
                let choice = if ply == 0 {
                    shared.puct.choose_at_root(tree, link, &shared.root.priors)
                } else {
                    shared.puct.choose(tree, node, link)
                };
                match choice {
                    Some(Choice::Edge(edge)) => break edge,
                    Some(Choice::More) => link = self.expand(shared, handle, link, ply, timed)?,
                    // Every move loses; whoever proved the last of them is about to say so.
                    None => return Ok(End::Known(Proof::Loses.value(), Proof::None)),
                }
            };
            let chosen = tree.edge(edge);
            let child = tree.child(chosen)?;
            tree.prefetch(child);
            let Some(m) = chosen.m() else { return Ok(End::Known(node.mean().value, Proof::None)) };
            self.line.follow(ply, m);
            if tree.node(child).visits() == 0 {
                shared.table.prefetch(self.line.position(ply + 1));
            }
            let number = link.number_of(edge);
            self.enter(shared, child, number);
            handle = child;
        }
        unreachable!("a line that never ends is drawn by the fifty-move rule")
    }

    /// Notes a step of the way, and announces the visit to others.
    #[inline]
    fn enter(&mut self, shared: &Shared<'_>, handle: Handle, edge: u8) {
        let node = shared.tree.node(handle);
        let announced = shared.concurrent && node.visits() < BUSY;
        if announced {
            node.enter();
            if let Some(parent) = self.path.last() {
                shared.puct.publish(shared.tree, parent.node, edge, handle);
            }
        }
        self.path.push(Step { node: handle, edge, announced });
    }

    /// Takes back what a playout announced that led to nothing.
    pub fn give_up(&mut self, shared: &Shared<'_>) {
        shared.unclaim(1);
        for step in self.path.iter().filter(|step| step.announced) {
            shared.tree.node(step.node).leave();
        }
        for pair in self.path.windows(2).filter(|pair| pair[1].announced) {
            shared.puct.publish(shared.tree, pair[0].node, pair[1].edge, pair[1].node);
        }
        self.path.clear();
    }

    /// Gives a position edges for its likeliest moves, or for all if those that it had have been tried.
    fn expand(
        &mut self,
        shared: &Shared<'_>,
        handle: Handle,
        had: Link,
        ply: usize,
        timed: bool,
    ) -> Result<Link, Full> {
        let mut clock = timed.then(Instant::now);
        let position = self.line.position(ply);
        let moves = position.legal_moves();
        let mut likelihoods: ArrayVec<f32, 256> = moves.iter().map(|_| 0.0).collect();
        self.priors.judge(position, &moves, &mut likelihoods);
        softmax(&mut likelihoods, shared.temperature());
        let first =
            if had.is_expanded() || ply == 0 { moves.len() } else { t::first_edges() as usize };
        self.weighed.clear();
        for (&m, likelihood) in moves.iter().zip(likelihoods) {
            insert(&mut self.weighed, Weighed::new(m, likelihood), first);
        }
        let link = shared.tree.expand(handle, &self.weighed, moves.len());
        if let Some(start) = clock.take() {
            self.counts.add_time(Phase::Expansion, start.elapsed());
        }
        link
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
        let score = if let Some(score) = shared.table.probe(&position) {
            self.counts.table_hits += 1;
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

/// Puts a move into its place among the likeliest, of which so many are kept.
#[inline]
fn insert(likeliest: &mut Vec<Weighed>, weighed: Weighed, most: usize) {
    if likeliest.len() < most {
        likeliest.push(weighed);
    } else if likeliest.last().is_some_and(|last| *last < weighed) {
        likeliest[most - 1] = weighed;
    } else {
        return;
    }
    let mut place = likeliest.len() - 1;
    while place > 0 && likeliest[place - 1] < weighed {
        likeliest[place] = likeliest[place - 1];
        place -= 1;
    }
    likeliest[place] = weighed;
}

/// Carries a value up to the root. What has been proven of the leaf may prove more on the way.
pub fn back_up(shared: &Shared<'_>, path: &[Step], mut value: Value, mut proof: Proof) {
    let tree = shared.tree;
    for i in (0..path.len()).rev() {
        let step = path[i];
        let node = tree.node(step.node);
        node.add_visit(value, shared.concurrent, step.announced);
        if i == 0 {
            break;
        }
        let parent = path[i - 1].node;
        shared.puct.publish(tree, parent, step.edge, step.node);
        value = value.before();
        if proof.is_some() {
            proof = tree.conclude(parent);
            if proof.is_some() {
                tree.node(parent).prove(proof);
                // From here on the certain value counts, not what led to it.
                value = proof.value();
            }
        }
    }
}
