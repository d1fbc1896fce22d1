//! What the threads of one search share, and how they share the work.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use tandem_chess::{Color, Move, Position};
use tandem_nnue::{BatchError, BatchEvaluator};
use tandem_search::{Company, Control, Endgames, Side};

use crate::apart::Apart;
use crate::camp::is_common;
use crate::contempt::Freeze;
use crate::counts::Counts;
use crate::gate::Gate;
use crate::node::Node;
use crate::outlook::Outlook;
use crate::params::{Params, thousandths};
use crate::priors::Policy;
use crate::root::Root;
use crate::select::Puct;
use crate::table::Table;
use crate::tree::Tree;
use crate::tunables as t;
use crate::value::{Proof, Scale, Value};

/// What the threads of one search share.
pub struct Shared<'a> {
    pub tree: &'a Tree,
    pub gate: Gate,
    pub table: &'a Table,
    pub scale: &'a Scale,
    pub params: &'a Params,
    /// The formula by which moves are chosen while each thread evaluates for itself.
    pub alone: Puct,
    /// The same while batches are gathered.
    pub batched: Puct,
    pub root: &'a Root,
    /// Whose choices are frozen.
    pub freeze: Option<Freeze>,
    /// How the side that searches sees what playouts bring.
    pub outlook: Outlook,
    /// The position of the root.
    pub position: &'a Position,
    pub endgames: &'a Endgames,
    pub control: &'a Control,
    /// Set when any limit is reached: every thread returns.
    pub stop: AtomicBool,
    /// Playouts begun by all threads together.
    pub playouts: Apart<AtomicU64>,
    /// Playouts that came back, by all threads together.
    pub finished: Apart<AtomicU64>,
    /// Stop after that many.
    pub limit: u64,
    /// Where only mates are looked for: the ply at which one must be on the board.
    pub horizon: Option<usize>,
    /// How many threads there are.
    pub threads: usize,
    /// Who evaluates batches, if anybody does.
    pub batches: Option<&'a dyn BatchEvaluator>,
    /// Whether batches are gathered at present. Changes only while nobody uses the tree.
    pub is_batching: AtomicBool,
    /// Why a batch was lost, the first time.
    pub loss: OnceLock<String>,
    /// Whether the user has been told of one.
    pub is_loss_told: &'a AtomicBool,
    /// Answers of tablebases that all threads but the first had.
    pub helpers_hits: AtomicU64,
    /// Their longest playout.
    pub helpers_deepest: AtomicUsize,
    /// The other search that looks at the position, if there is one.
    pub company: Company<'a>,
}

impl Shared<'_> {
    /// A helper tells what it has done since it last did.
    pub fn tell(&self, counts: &mut Counts) {
        let new = counts.tablebase_hits - counts.tablebase_hits_told;
        if new > 0 {
            self.helpers_hits.fetch_add(new, Ordering::Relaxed);
            counts.tablebase_hits_told = counts.tablebase_hits;
        }
        if counts.deepest > self.helpers_deepest.load(Ordering::Relaxed) {
            self.helpers_deepest.fetch_max(counts.deepest, Ordering::Relaxed);
        }
    }

    /// How many leaves a batch has at the most; 1 where each thread evaluates for itself.
    pub fn batch(&self) -> usize {
        let Some(evaluator) = self.batches else { return 1 };
        match (self.params.batch, evaluator.preferred_batch()) {
            (1, _) | (_, 0 | 1) => 1,
            (0, preferred) => preferred,
            (wanted, _) => wanted,
        }
    }

    /// Whether batches are gathered at present: then many visits are under way at once, everywhere.
    #[inline]
    pub fn is_batching(&self) -> bool {
        self.is_batching.load(Ordering::Relaxed)
    }

    /// Begins or ends with batches if that is wanted, once all threads have left the tree.
    pub fn settle(&self) {
        let wanted = || self.batch() > 1;
        self.gate.alone(
            || !self.is_over() && self.is_batching() != wanted(),
            || self.is_batching.store(wanted(), Ordering::Relaxed),
        );
    }

    /// Whether a thread that gathers batches, or does not, goes on in the tree as it is.
    #[inline]
    pub fn goes_on(&self, in_batches: bool) -> bool {
        !self.is_over()
            && !self.tree.is_full()
            && self.is_batching() == in_batches
            && (self.batch() > 1) == in_batches
    }

    /// What is shown of a value for the side to move at the root.
    pub fn shown(&self, value: Value) -> Value {
        if self.params.shows_contempt {
            value
        } else {
            self.outlook.objective(value, self.position.side_to_move())
        }
    }

    /// Who is to move so many plies below the root.
    #[inline]
    pub fn side_at(&self, ply: usize) -> Color {
        let root = self.position.side_to_move();
        if ply.is_multiple_of(2) { root } else { !root }
    }

    /// Who freezes the position so many plies below the root.
    #[inline]
    pub fn freezes_at(&self, ply: usize) -> Option<&Freeze> {
        let root = self.position.side_to_move();
        self.freeze.as_ref().filter(|freeze| freeze.is_at(ply, root))
    }

    /// Whether a position so many plies below the root is common to all threads. One that is going to be
    /// frozen is not before it is, so that no visit too many comes in between.
    #[inline]
    pub fn is_common(&self, node: Node<'_>, ply: usize) -> bool {
        is_common(node) && (self.freezes_at(ply).is_none() || node.link().is_frozen)
    }

    /// The formula by which moves are chosen at present.
    #[inline]
    pub fn puct(&self) -> &Puct {
        if self.is_batching() { &self.batched } else { &self.alone }
    }

    /// Notes why a batch was lost.
    pub fn note_loss(&self, error: &BatchError) {
        self.loss.get_or_init(|| format!("{error}; the search evaluates on the CPU what is lost"));
    }

    /// What the user has not been told yet.
    pub fn take_notices(&self) -> Vec<String> {
        let loss = self.loss.get().filter(|_| !self.is_loss_told.swap(true, Ordering::Relaxed));
        let notice = self.batches.and_then(BatchEvaluator::take_notice);
        notice.into_iter().chain(loss.cloned()).collect()
    }

    /// The first thread waits while it is another search's turn.
    pub fn rest(&self) {
        if let Some(turns) = self.company.turns {
            turns.rest(Side::Explorer, || self.is_over());
        }
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
    pub fn escape(&self, ply: usize) -> Proof {
        match self.horizon {
            None => Proof::None,
            Some(_) if ply.is_multiple_of(2) => Proof::Loses,
            Some(_) => Proof::Wins,
        }
    }

    /// How alike moves seem by that policy. Mates that are looked for begin as often as not with an
    /// unlikely move.
    pub fn temperature(&self, policy: Policy) -> f32 {
        if self.horizon.is_some() {
            thousandths(t::mate_temperature())
        } else {
            self.params.policy_temperature.unwrap_or_else(|| policy.temperature())
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
}
