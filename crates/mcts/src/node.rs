//! A position of the tree and the moves that lead on from it, as they lie in the arena.
//!
//! A node takes three units, 48 bytes: how often it was visited, how many visits are on their way,
//! the sums of what they brought back, and where its edges lie. An edge takes one unit, 16 bytes: the
//! move, its prior, the node that it leads to, and what the node has brought so far, so that choosing
//! a move reads one block of memory. A visited position with its edge takes 64 bytes.
//!
//! All of it is atomic words. Sums are whole numbers, so that adding them in any order gives the same.

use std::sync::atomic::{AtomicU64, Ordering};

use tandem_chess::{Move, Random};

use crate::arena::{Handle, UNIT};
use crate::value::{Proof, Value};

/// Units of a node.
pub const NODE_UNITS: usize = 3;
/// Units of an edge.
pub const EDGE_UNITS: usize = 1;

/// The most visits that a node can count; fast machines need days for them.
pub const MOST_VISITS: u64 = 1 << 38;

/// Sums count in these parts of one, as fine as a value itself is; the most visits fit.
const FRACTION: f32 = (1u64 << 24) as f32;
/// Plies are summed in these parts of one.
const PLY_FRACTION: f32 = 256.0;

const COUNTS: usize = 0;
const Q_SUM: usize = 1;
const DRAW_SUM: usize = 2;
const PLY_SUM: usize = 3;
const SQUARE_SUM: usize = 4;
const LINK: usize = 5;

/// One visit under way, in the word of counts.
const IN_FLIGHT: u64 = 1 << 40;
/// A thread camps at the node, in the word of counts.
const OCCUPIED: u64 = 1 << 63;

/// Where a node's edges lie, how many of its moves have one, and what is certain about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Link {
    /// The first edge; before there are any, what is remembered of the moves, or nowhere.
    pub first: u32,
    /// How many edges there are: the likeliest moves.
    pub edges: u8,
    /// How many legal moves there are, once that is known.
    pub moves: u8,
    /// What is certain.
    pub proof: Proof,
    /// Whether its moves have shares in place of priors.
    pub is_frozen: bool,
}

/// The bit of a frozen node, among those of the proof.
const FROZEN: u64 = 1 << 51;

impl Link {
    const fn bits(self) -> u64 {
        self.first as u64
            | (self.edges as u64) << 32
            | (self.moves as u64) << 40
            | self.proof.bits() << 48
            | if self.is_frozen { FROZEN } else { 0 }
    }

    const fn from_bits(bits: u64) -> Self {
        Self {
            first: bits as u32,
            edges: (bits >> 32) as u8,
            moves: (bits >> 40) as u8,
            proof: Proof::from_bits(bits >> 48),
            is_frozen: bits & FROZEN != 0,
        }
    }

    /// The first edge.
    #[inline]
    pub const fn handle(self) -> Handle {
        Handle::from_bits(self.first)
    }

    /// The number of the edge at that place.
    #[inline]
    pub const fn number_of(self, edge: Handle) -> u8 {
        ((edge.bits() - self.first) / EDGE_UNITS as u32) as u8
    }

    /// Whether there are edges.
    #[inline]
    pub const fn is_expanded(self) -> bool {
        self.edges != 0
    }

    /// Whether there are no edges yet, but the moves have been judged.
    #[inline]
    pub const fn is_judged(self) -> bool {
        self.edges == 0 && self.first != 0
    }
}

/// A node in the arena.
#[derive(Clone, Copy)]
pub struct Node<'a>(&'a [AtomicU64]);

/// What a node's visits have brought, for its side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// How many visits.
    pub visits: u64,
    /// Their mean.
    pub value: Value,
    /// The mean of the squares of their `q`.
    pub square: f32,
}

/// What some visits of a node have brought, added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    visits: u64,
    words: [u64; SQUARE_SUM - Q_SUM + 1],
}

impl Sums {
    /// How many visits they are.
    #[inline]
    pub const fn visits(&self) -> u64 {
        self.visits
    }

    /// One visit more.
    #[inline]
    pub fn add(&mut self, value: Value) {
        let parts = [
            (value.q * FRACTION) as i64 as u64,
            (value.draw * FRACTION) as u64,
            (value.plies * PLY_FRACTION) as u64,
            (value.q * value.q * FRACTION) as u64,
        ];
        for (sum, part) in self.words.iter_mut().zip(parts) {
            *sum = sum.wrapping_add(part);
        }
        self.visits += 1;
    }
}

impl Mean {
    /// How far the visits' `q` lie apart.
    #[must_use]
    pub fn deviation(&self) -> f32 {
        (self.square - self.value.q * self.value.q).max(0.0).sqrt()
    }
}

impl<'a> Node<'a> {
    #[inline]
    pub fn new(words: &'a [AtomicU64]) -> Self {
        debug_assert_eq!(words.len(), NODE_UNITS * UNIT);
        Self(words)
    }

    #[inline]
    fn get(self, word: usize) -> u64 {
        self.0[word].load(Ordering::Relaxed)
    }

    /// Adds to a word. Whoever is alone needs no locked instruction.
    #[inline]
    fn add(self, word: usize, amount: u64, shared: bool, order: Ordering) {
        if shared {
            self.0[word].fetch_add(amount, order);
        } else {
            self.0[word].store(self.get(word).wrapping_add(amount), order);
        }
    }

    /// A node that nobody has visited.
    pub fn clear(self) {
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Takes over what is known of another node, visits under way aside.
    pub fn copy_from(self, other: Node<'_>) {
        for word in Q_SUM..=LINK {
            self.0[word].store(other.get(word), Ordering::Relaxed);
        }
        self.0[COUNTS].store(other.visits(), Ordering::Relaxed);
    }

    /// Begins with what is left of a node whose own place is lost: how often it was visited, and the
    /// mean.
    pub fn recall(self, visits: u32, value: Value) {
        self.clear();
        self.0[COUNTS].store(u64::from(visits), Ordering::Relaxed);
        let times = |amount: f32| (f64::from(amount) * f64::from(visits)) as i64 as u64;
        self.0[Q_SUM].store(times(value.q * FRACTION), Ordering::Relaxed);
        self.0[DRAW_SUM].store(times(value.draw * FRACTION), Ordering::Relaxed);
        self.0[PLY_SUM].store(times(value.plies * PLY_FRACTION), Ordering::Relaxed);
        self.0[SQUARE_SUM].store(times(value.q * value.q * FRACTION), Ordering::Relaxed);
    }

    /// Finished visits.
    #[inline]
    pub fn visits(self) -> u64 {
        self.get(COUNTS) & (IN_FLIGHT - 1)
    }

    /// Visits under way.
    #[inline]
    pub fn in_flight(self) -> u64 {
        (self.get(COUNTS) & !OCCUPIED) / IN_FLIGHT
    }

    /// Whether a thread camps at the node.
    pub fn is_occupied(self) -> bool {
        self.get(COUNTS) & OCCUPIED != 0
    }

    /// Takes the node for a camp; answers whether it was free. From then on what hangs below it belongs to
    /// this thread, and whatever others did there is to be seen.
    #[inline]
    pub fn occupy(self) -> bool {
        self.0[COUNTS].fetch_or(OCCUPIED, Ordering::Acquire) & OCCUPIED == 0
    }

    /// Leaves it to others, with all that was done there.
    #[inline]
    pub fn vacate(self) {
        self.0[COUNTS].fetch_and(!OCCUPIED, Ordering::Release);
    }

    /// So many visits are on their way; answers how many there were before, finished or not.
    #[inline]
    pub fn enter(self, visits: u64) -> u64 {
        let before = self.0[COUNTS].fetch_add(visits * IN_FLIGHT, Ordering::Relaxed);
        (before & (IN_FLIGHT - 1)) + (before & !OCCUPIED) / IN_FLIGHT
    }

    /// So many visits that were on their way have been given up.
    #[inline]
    pub fn leave(self, visits: u64) {
        self.0[COUNTS].fetch_sub(visits * IN_FLIGHT, Ordering::Relaxed);
    }

    /// A visit has brought that value. `shared` says that others may be writing too, `announced` that it
    /// was announced by [`enter`](Self::enter).
    #[inline]
    pub fn add_visit(self, value: Value, shared: bool, announced: bool) {
        let mut sums = Sums::default();
        sums.add(value);
        self.add_sums(&sums, shared, u64::from(announced));
    }

    /// Visits have brought what these sums say, and so many are no longer on their way.
    #[inline]
    pub fn add_sums(self, sums: &Sums, shared: bool, arrived: u64) {
        for (word, &sum) in (Q_SUM..=SQUARE_SUM).zip(&sums.words) {
            self.add(word, sum, shared, Ordering::Relaxed);
        }
        // Whoever sees these visits, and so takes the node for a common one, sees what they have done.
        let counts = sums.visits.wrapping_sub(arrived * IN_FLIGHT);
        self.add(COUNTS, counts, shared, Ordering::Release);
    }

    /// What the visits have brought; nothing before the first.
    pub fn mean(self) -> Mean {
        let visits = self.visits();
        if visits == 0 {
            return Mean::default();
        }
        let share = 1.0 / visits as f32;
        let part = |word| self.get(word) as i64 as f32 * share / FRACTION;
        let plies = self.get(PLY_SUM) as f32 * share / PLY_FRACTION;
        let value = Value { q: part(Q_SUM), draw: part(DRAW_SUM), plies };
        Mean { visits, value, square: part(SQUARE_SUM) }
    }

    /// The mean of `q` alone.
    #[inline]
    pub fn q(self) -> f32 {
        self.get(Q_SUM) as i64 as f32 / (FRACTION * self.visits().max(1) as f32)
    }

    /// The mean number of plies alone.
    #[inline]
    pub fn plies(self) -> f32 {
        self.get(PLY_SUM) as f32 / (PLY_FRACTION * self.visits().max(1) as f32)
    }

    /// Its edges and what is certain.
    #[inline]
    pub fn link(self) -> Link {
        Link::from_bits(self.0[LINK].load(Ordering::Acquire))
    }

    /// Replaces the link, if nobody has changed it meanwhile. Answers whether it was replaced.
    pub fn relink(self, old: Link, new: Link) -> bool {
        self.0[LINK]
            .compare_exchange(old.bits(), new.bits(), Ordering::Release, Ordering::Relaxed)
            .is_ok()
    }

    /// A number made of what is known of the node itself.
    pub fn fingerprint(self) -> u64 {
        let link = self.link();
        let words = (COUNTS..=SQUARE_SUM).map(|word| self.get(word));
        words.chain([link.proof.bits()]).fold(0, |print, word| Random::new(print ^ word).bits())
    }

    /// Notes what is certain, whatever else happens to the link.
    pub fn prove(self, proof: Proof) {
        let mut old = self.link();
        while !self.relink(old, Link { proof, ..old }) {
            old = self.link();
        }
    }

    /// Notes that its moves have shares now.
    pub fn mark_frozen(self) {
        let mut old = self.link();
        while !self.relink(old, Link { is_frozen: true, ..old }) {
            old = self.link();
        }
    }
}

/// A move with its prior, in the order of likelihood: those of equal priors in the order of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weighed(u32);

impl Weighed {
    /// A legal move that is that likely.
    #[inline]
    pub fn new(m: Move, likelihood: f32) -> Self {
        let prior = (likelihood * f32::from(u16::MAX) + 0.5) as u16;
        Self(u32::from(prior) << 16 | u32::from(m.bits()))
    }

    /// The bits of the move.
    #[inline]
    pub const fn move_bits(self) -> u16 {
        self.0 as u16
    }

    /// All its bits, never 0: no move stays where it is.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// That with these bits, if there is one.
    #[inline]
    pub fn from_bits(bits: u32) -> Option<Self> {
        (bits != 0).then_some(Self(bits))
    }
}

/// A move of an expanded node.
#[derive(Clone, Copy)]
pub struct Edge<'a>(&'a [AtomicU64]);

impl<'a> Edge<'a> {
    #[inline]
    pub fn new(words: &'a [AtomicU64]) -> Self {
        debug_assert_eq!(words.len(), EDGE_UNITS * UNIT);
        Self(words)
    }

    /// A move that nobody has tried.
    pub fn begin(self, Weighed(bits): Weighed) {
        self.0[0].store(u64::from(bits) << 32, Ordering::Relaxed);
        self.0[1].store(0, Ordering::Relaxed);
    }

    /// Takes over another edge.
    pub fn copy_from(self, other: Edge<'_>) {
        self.0[0].store(other.0[0].load(Ordering::Acquire), Ordering::Relaxed);
        self.0[1].store(other.0[1].load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The move.
    #[inline]
    pub fn m(self) -> Option<Move> {
        Move::from_bits((self.0[0].load(Ordering::Relaxed) >> 32) as u16)
    }

    /// How likely the move seems before it is tried.
    #[inline]
    pub fn prior(self) -> f32 {
        (self.0[0].load(Ordering::Relaxed) >> 48) as f32 / f32::from(u16::MAX)
    }

    /// The bits of the move and of its prior or share.
    pub fn weighed_bits(self) -> u32 {
        (self.0[0].load(Ordering::Relaxed) >> 32) as u32
    }

    /// Its share of the visits, where the node is frozen.
    #[inline]
    pub fn share(self) -> u16 {
        (self.0[0].load(Ordering::Relaxed) >> 48) as u16
    }

    /// Puts a share in place of the prior, whatever else happens to the edge.
    pub fn set_share(self, share: u16) {
        let with_share = |word: u64| Some(word & (u64::MAX >> 16) | u64::from(share) << 48);
        let _ = self.0[0].fetch_update(Ordering::Release, Ordering::Relaxed, with_share);
    }

    /// The node that it leads to; nowhere before the first visit.
    #[inline]
    pub fn node(self) -> Handle {
        Handle::from_bits(self.0[0].load(Ordering::Acquire) as u32)
    }

    /// Leads to another node, if it still led to the old one. Answers where it leads now.
    pub fn lead_to(self, old: Handle, new: Handle) -> Handle {
        let lead = |word: u64| {
            let rest = word & !u64::from(u32::MAX);
            (word as u32 == old.bits()).then_some(rest | u64::from(new.bits()))
        };
        match self.0[0].fetch_update(Ordering::AcqRel, Ordering::Acquire, lead) {
            Ok(_) => new,
            Err(other) => Handle::from_bits(other as u32),
        }
    }

    /// Visits, those under way included and as many as can be told here, and the utility for the side
    /// that has the choice.
    #[inline]
    pub fn standing(self) -> (u32, f32) {
        let word = self.0[1].load(Ordering::Relaxed);
        (word as u32, f32::from_bits((word >> 32) as u32))
    }

    /// Makes known how the move stands.
    #[inline]
    pub fn publish(self, visits: u64, utility: f32) {
        let word = visits.min(u32::MAX.into()) | u64::from(utility.to_bits()) << 32;
        self.0[1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_chess::Square;

    fn words(units: usize) -> Vec<AtomicU64> {
        (0..units * UNIT).map(|_| AtomicU64::new(0)).collect()
    }

    #[test]
    fn sizes_are_what_is_promised() {
        assert_eq!(NODE_UNITS * UNIT * 8, 48);
        assert_eq!(EDGE_UNITS * UNIT * 8, 16);
    }

    #[test]
    fn a_node_keeps_the_mean_of_its_visits() {
        let memory = words(NODE_UNITS);
        let node = Node::new(&memory);
        assert_eq!(node.mean(), Mean::default());
        for q in [1.0, -0.5, 0.25] {
            node.enter(1);
            node.add_visit(Value { q, draw: 0.5, plies: 60.0 }, true, true);
        }
        let mean = node.mean();
        assert_eq!((mean.visits, node.in_flight()), (3, 0));
        assert!((mean.value.q - 0.25).abs() < 1e-6 && (mean.value.draw - 0.5).abs() < 1e-6);
        assert!((mean.value.plies - 60.0).abs() < 0.01 && (mean.square - 0.4375).abs() < 1e-6);
        node.enter(2);
        assert!(node.occupy() && !node.occupy() && node.is_occupied());
        assert_eq!((node.visits(), node.in_flight()), (3, 2));
        node.leave(2);
        node.vacate();
        assert_eq!((node.mean(), node.in_flight(), node.is_occupied()), (mean, 0, false));
        node.prove(Proof::Mates(3));
        assert_eq!(node.link().proof, Proof::Mates(3));
        node.recall(10, Value { q: -0.3, draw: 0.2, plies: 7.0 });
        let mean = node.mean();
        assert!((mean.value.q + 0.3).abs() < 1e-6 && mean.visits == 10);
        assert!(!node.link().proof.is_some());
    }

    #[test]
    fn counts_hold_for_days_of_search() {
        let (node_memory, edge_memory) = (words(NODE_UNITS), words(EDGE_UNITS));
        let (node, edge) = (Node::new(&node_memory), Edge::new(&edge_memory));
        node.add_visit(Value { q: -1.0, draw: 1.0, plies: 500.0 }, false, false);
        for word in &node_memory[..LINK] {
            let sum = word.load(Ordering::Relaxed).wrapping_mul(MOST_VISITS - 1);
            word.store(sum, Ordering::Relaxed);
        }
        node.enter(1);
        node.add_visit(Value { q: -1.0, draw: 1.0, plies: 500.0 }, true, true);
        let mean = node.mean();
        assert_eq!((mean.visits, node.in_flight()), (MOST_VISITS, 0));
        assert_eq!(mean.value, Value { q: -1.0, draw: 1.0, plies: 500.0 });
        edge.publish(mean.visits, 0.5);
        assert_eq!(edge.standing(), (u32::MAX, 0.5));
    }

    #[test]
    fn an_edge_keeps_its_move_prior_child_and_standing() {
        let memory = words(EDGE_UNITS);
        let edge = Edge::new(&memory);
        let m = Move::normal(Square::A1, Square::H8);
        edge.begin(Weighed::new(m, 0.125));
        assert_eq!((edge.m(), edge.node(), edge.standing()), (Some(m), Handle::NONE, (0, 0.0)));
        assert!((edge.prior() - 0.125).abs() < 1e-4);
        let [one, two] = [7, 9].map(Handle::from_bits);
        assert_eq!(edge.lead_to(Handle::NONE, one), one);
        assert_eq!(edge.lead_to(Handle::NONE, two), one);
        edge.publish(12, -0.75);
        assert_eq!((edge.m(), edge.node(), edge.standing()), (Some(m), one, (12, -0.75)));
    }
}
