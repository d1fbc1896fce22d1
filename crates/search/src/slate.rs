//! What two searches of one position tell each other about the moves of its root.
//!
//! One search *explores*: it counts visits. The other *proves*: it has scores and bounds by depth. Neither
//! knows the other; both read and write the slate, which is made of atomic words.

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use tandem_chess::Move;

use crate::exchange::{Exchange, Terms, Traffic};
use crate::{Bound, JudgedMove, Score};

/// What the proving search says of a move, for the side that has the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The score in the engine's unit.
    pub value: i32,
    /// How it relates to the true one.
    pub bound: Bound,
    /// How deep it looked, in plies.
    pub depth: i32,
}

impl Judgement {
    const PRESENT: u64 = 1 << 24;
    /// Where a shown score is one: that it counts plies to mate.
    const MATE: u64 = 1 << 25;

    fn pack(self) -> u64 {
        let depth = self.depth.clamp(0, 255) as u64;
        u64::from(self.value as u32) << 32 | Self::PRESENT | depth << 8 | self.bound as u64
    }

    const fn unpack(bits: u64) -> Option<Self> {
        if bits & Self::PRESENT == 0 {
            return None;
        }
        let bound = match bits & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let depth = (bits >> 8 & 255) as i32;
        Some(Self { value: (bits >> 32) as u32 as i32, bound, depth })
    }
}

/// How a move stands with the exploring search, for the side that has the choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// How often it was tried.
    pub visits: u64,
    /// The chance to win less the chance to lose.
    pub value: f32,
    /// 1 if it certainly wins, -1 if it certainly loses.
    pub proof: i32,
}

struct Row {
    m: Move,
    visits: AtomicU64,
    value: AtomicU32,
    proof: AtomicI32,
    judgement: AtomicU64,
    /// The same as people read it.
    shown: AtomicU64,
    /// What the proving search found when it looked at this move alone.
    verified: AtomicU64,
    /// The depth at which somebody has begun to do that.
    claimed: AtomicI32,
    /// Positions visited below it by the proving search.
    effort: AtomicU64,
}

/// The index of no move.
const NOBODY: usize = usize::MAX;

/// What both searches have found out about the moves of one root.
pub struct Slate {
    rows: Box<[Row]>,
    /// What is exchanged, and how strongly it counts.
    pub terms: Terms,
    /// How often something was exchanged.
    pub traffic: Traffic,
    candidate: AtomicUsize,
    best: AtomicUsize,
    depth: AtomicI32,
    /// Grows whenever the proving search has judged.
    version: AtomicU64,
    playouts: AtomicU64,
    nodes: AtomicU64,
}

impl Slate {
    /// A clean slate for those moves.
    #[must_use]
    pub fn new(moves: impl IntoIterator<Item = Move>, terms: Terms) -> Self {
        let row = |m| Row {
            m,
            visits: AtomicU64::new(0),
            value: AtomicU32::new(0),
            proof: AtomicI32::new(0),
            judgement: AtomicU64::new(0),
            shown: AtomicU64::new(0),
            verified: AtomicU64::new(0),
            claimed: AtomicI32::new(0),
            effort: AtomicU64::new(0),
        };
        Self {
            rows: moves.into_iter().map(row).collect(),
            terms,
            traffic: Traffic::default(),
            candidate: AtomicUsize::new(NOBODY),
            best: AtomicUsize::new(NOBODY),
            depth: AtomicI32::new(0),
            version: AtomicU64::new(0),
            playouts: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        }
    }

    fn place(&self, m: Move) -> Option<usize> {
        self.rows.iter().position(|row| row.m == m)
    }

    fn row(&self, m: Move) -> Option<&Row> {
        self.rows.iter().find(|row| row.m == m)
    }

    fn at(&self, place: &AtomicUsize) -> Option<&Row> {
        self.rows.get(place.load(Ordering::Relaxed))
    }

    /// The exploring search tells how a move stands.
    pub fn note_standing(&self, m: Move, standing: Standing) {
        if let Some(row) = self.row(m) {
            row.visits.store(standing.visits, Ordering::Relaxed);
            row.value.store(standing.value.to_bits(), Ordering::Relaxed);
            row.proof.store(standing.proof, Ordering::Relaxed);
        }
    }

    /// The exploring search tells which move it would play.
    pub fn note_candidate(&self, m: Move) {
        if let Some(place) = self.place(m) {
            self.candidate.store(place, Ordering::Relaxed);
        }
    }

    /// The exploring search tells how many playouts it has made.
    pub fn note_playouts(&self, playouts: u64) {
        self.playouts.store(playouts, Ordering::Relaxed);
    }

    /// How many playouts the exploring search has made.
    #[must_use]
    pub fn playouts(&self) -> u64 {
        self.playouts.load(Ordering::Relaxed)
    }

    /// The proving search tells what it thinks of a move, and how many positions that took so far.
    pub fn judge(&self, m: Move, judgement: Judgement, effort: u64) {
        if let Some(row) = self.row(m) {
            row.judgement.store(judgement.pack(), Ordering::Relaxed);
            row.effort.store(effort, Ordering::Relaxed);
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The proving search tells how a judgement of a move is to be shown.
    pub fn show(&self, m: Move, score: Score, bound: Bound, depth: i32) {
        if let Some(row) = self.row(m) {
            let (value, kind) = match score {
                Score::Centipawns(value) => (value, 0),
                Score::Mate(plies) => (plies, Judgement::MATE),
            };
            let bits = Judgement { value, bound, depth }.pack() | kind;
            row.shown.store(bits, Ordering::Relaxed);
        }
    }

    /// What the proving search says of the moves that it has looked at, as people read it.
    #[must_use]
    pub fn judged(&self) -> Vec<JudgedMove> {
        let effort = |row: &Row| row.effort.load(Ordering::Relaxed);
        let all = self.rows.iter().map(effort).sum::<u64>().max(1);
        let judged = |row: &Row| {
            let bits = row.shown.load(Ordering::Relaxed);
            let Judgement { value, bound, depth } = Judgement::unpack(bits)?;
            let score = match bits & Judgement::MATE {
                0 => Score::Centipawns(value),
                _ => Score::Mate(value),
            };
            let effort = effort(row) as f32 / all as f32;
            Some(JudgedMove { m: row.m, score, bound, depth: depth as u32, effort })
        };
        self.rows.iter().filter_map(judged).collect()
    }

    /// The proving search tells how many positions it has visited.
    pub fn note_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// How many positions the proving search has visited, or a few less.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The proving search tells which move it would play, after so many plies.
    pub fn note_best(&self, m: Move, depth: i32) {
        if let Some(place) = self.place(m) {
            self.best.store(place, Ordering::Relaxed);
            self.depth.store(depth, Ordering::Relaxed);
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The proving search has looked at that move alone.
    pub fn verify(&self, m: Move, judgement: Judgement) {
        if let Some(row) = self.row(m) {
            row.verified.store(judgement.pack(), Ordering::Relaxed);
            self.traffic.count(Exchange::Verification, 1);
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A move that the exploring search prefers to the choice of the proving one, and the depth to which it
    /// is to be looked at alone. Nobody else gets the same.
    #[must_use]
    pub fn claim(&self) -> Option<(Move, i32)> {
        let terms = &self.terms;
        if !terms.verification {
            return None;
        }
        let (candidate, best) = (self.at(&self.candidate)?, self.at(&self.best)?);
        let depth = self.depth.load(Ordering::Relaxed);
        let claimed = candidate.claimed.load(Ordering::Relaxed);
        let is_due = candidate.m != best.m
            && depth >= terms.verification_from
            && depth >= claimed + terms.verification_step;
        let claim = || {
            let (relaxed, was) = (Ordering::Relaxed, claimed);
            candidate.claimed.compare_exchange(was, depth, relaxed, relaxed).is_ok()
        };
        (is_due && claim()).then_some((candidate.m, depth))
    }

    /// How a move stands with the exploring search.
    #[must_use]
    pub fn standing(&self, m: Move) -> Standing {
        self.row(m).map(Row::standing).unwrap_or_default()
    }

    /// What the proving search thinks of a move.
    #[must_use]
    pub fn judgement(&self, m: Move) -> Option<Judgement> {
        Judgement::unpack(self.row(m)?.judgement.load(Ordering::Relaxed))
    }

    /// What it found when it looked at that move alone.
    #[must_use]
    pub fn verified(&self, m: Move) -> Option<Judgement> {
        Judgement::unpack(self.row(m)?.verified.load(Ordering::Relaxed))
    }

    /// The part of the proving search's work that went into a move.
    #[must_use]
    pub fn effort(&self, m: Move) -> f32 {
        let effort = |row: &Row| row.effort.load(Ordering::Relaxed);
        let all: u64 = self.rows.iter().map(effort).sum();
        self.row(m).map_or(0, effort) as f32 / all.max(1) as f32
    }

    /// The part of the exploring search's visits that a move got.
    #[must_use]
    pub fn share(&self, m: Move) -> f32 {
        let all: u64 = self.rows.iter().map(|row| row.standing().visits).sum();
        self.standing(m).visits as f32 / all.max(1) as f32
    }

    /// The move that the exploring search would play.
    #[must_use]
    pub fn candidate(&self) -> Option<Move> {
        self.at(&self.candidate).map(|row| row.m)
    }

    /// The move that the proving search would play.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.at(&self.best).map(|row| row.m)
    }

    /// How many plies the proving search has completed.
    #[must_use]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Grows whenever the proving search has judged.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// By how much the time for this move is to be stretched: less than one where both searches agree.
    #[must_use]
    pub fn patience(&self) -> f64 {
        let (Some(candidate), Some(best)) = (self.at(&self.candidate), self.at(&self.best)) else {
            return 1.0;
        };
        if candidate.m != best.m {
            return self.terms.patience_in_doubt;
        }
        let rival = self.rows.iter().filter(|row| row.m != best.m);
        let second = rival.map(|row| row.standing().visits).max().unwrap_or(0);
        // Where the others can hardly catch up, more time cannot change what both say.
        let is_settled = best.standing().visits > self.terms.settled_lead.saturating_mul(second);
        if is_settled { self.terms.patience_when_settled } else { self.terms.patience_in_accord }
    }
}

impl Row {
    fn standing(&self) -> Standing {
        Standing {
            visits: self.visits.load(Ordering::Relaxed),
            value: f32::from_bits(self.value.load(Ordering::Relaxed)),
            proof: self.proof.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::Position;

    use super::*;

    fn slate(terms: Terms) -> (Slate, Vec<Move>) {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().collect();
        (Slate::new(moves.iter().copied(), terms), moves)
    }

    fn visited(slate: &Slate, m: Move, visits: u64) {
        slate.note_standing(m, Standing { visits, value: 0.1, proof: 0 });
    }

    #[test]
    fn what_one_search_says_the_other_reads() {
        let (slate, moves) = slate(Terms::default());
        let judgement = Judgement { value: -321, bound: Bound::Upper, depth: 17 };
        assert_eq!((slate.judgement(moves[3]), slate.version()), (None, 0));
        slate.judge(moves[3], judgement, 30);
        slate.judge(moves[4], Judgement { value: 5, bound: Bound::Exact, depth: 0 }, 10);
        assert_eq!(slate.judgement(moves[3]), Some(judgement));
        assert_eq!((slate.effort(moves[3]), slate.effort(moves[5])), (0.75, 0.0));
        visited(&slate, moves[0], 30);
        visited(&slate, moves[1], 10);
        assert_eq!((slate.share(moves[0]), slate.share(moves[2])), (0.75, 0.0));
        assert!(slate.version() > 0 && slate.candidate().is_none());
    }

    #[test]
    fn judgements_are_shown_as_they_were_told() {
        let (slate, moves) = slate(Terms::default());
        assert!(slate.judged().is_empty());
        let told = [
            (moves[2], Score::Centipawns(-123_456), Bound::Upper, 9),
            (moves[5], Score::Mate(-7), Bound::Exact, 40),
            (moves[6], Score::Mate(3), Bound::Lower, 1),
        ];
        for (m, score, bound, depth) in told {
            slate.judge(m, Judgement { value: 1, bound, depth }, 25);
            slate.show(m, score, bound, depth);
        }
        slate.judge(moves[7], Judgement { value: 1, bound: Bound::Exact, depth: 3 }, 25);
        let heard = slate.judged();
        let heard: Vec<_> =
            heard.iter().map(|j| (j.m, j.score, j.bound, j.depth as i32, j.effort)).collect();
        assert_eq!(heard, told.map(|(m, score, bound, depth)| (m, score, bound, depth, 0.25)));
    }

    #[test]
    fn a_candidate_is_claimed_once_for_a_depth() {
        let terms = Terms {
            verification: true,
            verification_from: 6,
            verification_step: 2,
            ..Terms::default()
        };
        let (slate, moves) = slate(terms);
        slate.note_candidate(moves[1]);
        slate.note_best(moves[0], 5);
        assert_eq!(slate.claim(), None, "not deep enough");
        slate.note_best(moves[0], 8);
        assert_eq!(slate.claim(), Some((moves[1], 8)));
        assert_eq!(slate.claim(), None, "somebody is at it");
        slate.note_best(moves[0], 10);
        assert_eq!(slate.claim(), Some((moves[1], 10)));
        slate.note_best(moves[1], 14);
        assert_eq!(slate.claim(), None, "both agree");
        let (off, moves) = self::slate(Terms { verification: false, ..terms });
        off.note_candidate(moves[1]);
        off.note_best(moves[0], 8);
        assert_eq!(off.claim(), None);
    }

    #[test]
    fn agreement_saves_time_and_doubt_costs_it() {
        let terms = Terms {
            patience_in_accord: 0.9,
            patience_when_settled: 0.5,
            patience_in_doubt: 1.2,
            settled_lead: 4,
            ..Terms::default()
        };
        let (slate, moves) = slate(terms);
        let is = |wanted: f64| assert!((slate.patience() - wanted).abs() < 1e-9);
        is(1.0);
        slate.note_candidate(moves[0]);
        slate.note_best(moves[1], 9);
        is(1.2);
        slate.note_best(moves[0], 9);
        visited(&slate, moves[0], 30);
        visited(&slate, moves[1], 10);
        is(0.9);
        visited(&slate, moves[0], 50);
        is(0.5);
    }
}
