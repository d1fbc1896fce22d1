//! When the first thread reports, and when there is nothing left to decide.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tandem_chess::{Game, Move, Position, Wdl};
use tandem_search::{Bound, Evaluate, Limits, MoveReport, Progress, Score, Side, Timer};

use crate::company::{Guidance, tell};
use crate::params::thousandths;
use crate::shared::Shared;
use crate::tunables as t;
use crate::value::{Proof, Value};
use crate::verdict::{Candidate, line, rank};
use crate::worker::Worker;

/// Reports come no faster than this, unless something has changed.
const QUIET: Duration = Duration::from_secs(1);
/// They come no faster than this in any case.
const BRIEF: Duration = Duration::from_millis(15);
/// Looks at the moves of the root come no faster than this.
const GLANCE: Duration = Duration::from_millis(2);
/// How much longer than planned a search goes on while the most visited move is not the most valuable.
const IN_DOUBT: f64 = 1.6;
/// Centipawns shown for a tablebase's win: more than any evaluation.
const SHOWN_WIN: i32 = 20_000;

/// Watches over one search.
pub struct Pace<'a> {
    pub timer: &'a Timer<'a>,
    pub limits: &'a Limits,
    pub game: &'a Game,
    pub lines: usize,
    pub observer: &'a mut dyn FnMut(&Progress),
    /// How often it is told how every move stands; only at the end if never.
    live: Option<Duration>,
    last_glance: Instant,
    /// When the first look was, and the playouts before it: what came earlier tells no speed.
    first_look: Option<(Instant, u64)>,
    last_report: Option<Instant>,
    /// When it was last told how every move stands.
    last_live: Option<Instant>,
    shown: (u32, Option<Move>),
    guidance: Guidance,
}

impl<'a> Pace<'a> {
    pub fn new(
        timer: &'a Timer<'a>,
        limits: &'a Limits,
        game: &'a Game,
        lines: usize,
        observer: &'a mut dyn FnMut(&Progress),
    ) -> Self {
        Self {
            timer,
            limits,
            game,
            lines,
            observer,
            live: None,
            last_glance: timer.start,
            first_look: None,
            last_report: None,
            last_live: None,
            shown: (0, None),
            guidance: Guidance::new(),
        }
    }

    /// Tells so often how every move stands, if at all.
    pub const fn live(mut self, every: Option<Duration>) -> Self {
        self.live = every;
        self
    }

    /// Looks at the clock, reports if there is news, and ends the search if it may end.
    pub fn look<E: Evaluate>(&mut self, worker: &Worker<E>, shared: &Shared<'_>) {
        if self.timer.is_exhausted() {
            return shared.end();
        }
        let now = Instant::now();
        self.first_look.get_or_insert((now, shared.playouts.load(Ordering::Relaxed)));
        if now - self.last_glance < GLANCE {
            return;
        }
        self.last_glance = now;
        let candidates = rank(shared.tree, shared.puct(), shared.root);
        self.keep_company(shared, &candidates);
        if self.is_decided(worker, shared, &candidates) {
            return shared.end();
        }
        if shared.horizon.is_some() {
            return;
        }
        let news = (depth(worker), candidates.first().map(|best| best.m));
        let pause = self.last_report.map_or(BRIEF, |last| now - last);
        let is_live = self.is_live_due(now);
        if is_live || pause >= QUIET || pause >= BRIEF && news != self.shown {
            self.report(worker, shared, &candidates, is_live);
            (self.last_report, self.shown) = (Some(now), news);
            if is_live {
                self.last_live = Some(now);
            }
        }
    }

    /// Whether it is time to tell how every move stands. The first time soon after the beginning.
    fn is_live_due(&self, now: Instant) -> bool {
        let since = self.last_live.map_or(now - self.timer.start, |last| now - last);
        let pause = |every: Duration| if self.last_live.is_none() { BRIEF } else { every };
        self.live.is_some_and(|every| since >= pause(every))
    }

    /// Tells another search how things stand, and heeds what it says.
    pub fn keep_company(&mut self, shared: &Shared<'_>, candidates: &[Candidate]) {
        let Some(slate) = shared.company.slate else { return };
        tell(slate, candidates);
        slate.note_playouts(shared.finished.load(Ordering::Relaxed));
        let link = shared.tree.node(shared.tree.root()).link();
        let edges: Vec<Option<Move>> = shared.tree.edges(link).map(|(_, edge)| edge.m()).collect();
        self.guidance.update(slate, shared, &edges);
    }

    /// Whether more playouts are not wanted or could not change the choice.
    fn is_decided<E: Evaluate>(
        &self,
        worker: &Worker<E>,
        shared: &Shared<'_>,
        candidates: &[Candidate],
    ) -> bool {
        let is_deep_enough = self.limits.depth.is_some_and(|most| depth(worker) >= most);
        if candidates.is_empty() || is_deep_enough {
            return true;
        }
        let is_proven = is_proven(candidates, self.lines);
        if shared.horizon.is_some() && (is_proven || candidates[0].proof.is_win()) {
            return true;
        }
        if shared.horizon.is_some() && self.timer.is_past_soft(0.5) {
            return true;
        }
        if !self.limits.answers_unasked() && self.timer.left(1.0).is_none() {
            return false;
        }
        if is_proven {
            return true;
        }
        self.is_settled(shared, candidates)
    }

    /// By the clock: the planned time is over, or the others cannot catch up in what is left of it.
    fn is_settled(&self, shared: &Shared<'_>, candidates: &[Candidate]) -> bool {
        if self.limits.movetime.is_some() {
            return false;
        }
        let most_valuable = candidates
            .iter()
            .filter(|candidate| candidate.mean.visits > 0)
            .max_by(|a, b| a.value().q.total_cmp(&b.value().q));
        let is_doubtful = most_valuable.is_some_and(|most| most.m != candidates[0].m);
        let factor = if is_doubtful { IN_DOUBT } else { 1.0 };
        let Some(left) = self.timer.left(factor) else { return false };
        if left.is_zero() || shared.root.is_forced() {
            return true;
        }
        let Some((since, before)) = self.first_look else { return false };
        let elapsed = since.elapsed();
        if elapsed < GLANCE {
            return false;
        }
        let playouts = shared.playouts.load(Ordering::Relaxed).saturating_sub(before) as f64;
        let to_come = playouts * left.as_secs_f64() / elapsed.as_secs_f64();
        let second = candidates[1..].iter().map(|other| other.mean.visits).max().unwrap_or(0);
        let lead = candidates[0].mean.visits as f64 - second as f64;
        lead * f64::from(thousandths(t::smart_pruning())) > to_come
    }

    /// Reports the best lines, and how every move stands if that is wanted.
    pub fn report<E: Evaluate>(
        &mut self,
        worker: &Worker<E>,
        shared: &Shared<'_>,
        candidates: &[Candidate],
        with_moves: bool,
    ) {
        let position = self.game.position();
        let others_hits = shared.helpers_hits.load(Ordering::Relaxed);
        let others_deepest = shared.helpers_deepest.load(Ordering::Relaxed);
        let moves = if with_moves { move_reports(shared, candidates) } else { Vec::new() };
        let notices = shared.take_notices();
        for (i, candidate) in candidates.iter().take(self.lines).enumerate().rev() {
            if candidate.mean.visits == 0 && i > 0 {
                continue;
            }
            let (score, wdl) = Self::judgement(worker, shared, candidate, position);
            (self.observer)(&Progress {
                side: Side::Explorer,
                depth: depth(worker).max(1),
                seldepth: worker.counts.deepest.max(others_deepest).max(1) as u32,
                line: i + 1,
                score,
                bound: Bound::Exact,
                wdl: Some(wdl),
                // What was begun may be given up, and nobody counts backwards.
                nodes: shared.finished.load(Ordering::Relaxed),
                time: self.timer.start.elapsed(),
                hashfull: shared.tree.fullness(),
                tbhits: worker.counts.tablebase_hits + others_hits + shared.root.tablebase_hits(),
                pv: line(shared.tree, self.game, candidate),
                moves: if i == 0 { moves.clone() } else { Vec::new() },
                judged: Vec::new(),
                notices: if i == 0 { notices.clone() } else { Vec::new() },
                deliberation: None,
            });
        }
    }

    fn judgement<E: Evaluate>(
        worker: &Worker<E>,
        shared: &Shared<'_>,
        candidate: &Candidate,
        position: &Position,
    ) -> (Score, [u16; 3]) {
        let certain = |sign: i32| match sign {
            1 => [1000, 0, 0],
            -1 => [0, 0, 1000],
            _ => [0, 1000, 0],
        };
        match (candidate.proof, candidate.tablebase) {
            (Proof::Mates(plies), _) => (Score::Mate(plies.into()), certain(1)),
            (Proof::Mated(plies), _) => (Score::Mate(-i32::from(plies)), certain(-1)),
            (Proof::Wins, _) | (_, Some((Wdl::Win, _))) => {
                (Score::Centipawns(SHOWN_WIN), certain(1))
            }
            (Proof::Loses, _) | (_, Some((Wdl::Loss, _))) => {
                (Score::Centipawns(-SHOWN_WIN), certain(-1))
            }
            (Proof::Draw, _) | (_, Some(_)) => (Score::Centipawns(0), certain(0)),
            (Proof::None, None) => {
                // A move that nobody has tried is taken for as good as its position.
                let value = if candidate.mean.visits == 0 {
                    shared.tree.node(shared.tree.root()).mean().value
                } else {
                    candidate.value()
                };
                let value = shared.shown(value);
                let score = shared.scale.score(value.q, position);
                let centipawns = worker.line.evaluator.centipawns(score, position);
                (Score::Centipawns(centipawns), per_mille(value))
            }
        }
    }
}

/// Whether nothing is open about the lines that are shown: they win, or every move is proven.
fn is_proven(candidates: &[Candidate], lines: usize) -> bool {
    candidates.iter().take(lines).all(|candidate| candidate.proof.is_win())
        || candidates.iter().all(|candidate| candidate.proof.is_some())
}

/// Win, draw and loss in thousandths; they add up.
fn per_mille(value: Value) -> [u16; 3] {
    let win = (1000.0 * (1.0 - value.draw + value.q) / 2.0).round().clamp(0.0, 1000.0) as u16;
    let draw = (1000.0 * value.draw).round().clamp(0.0, f32::from(1000 - win)) as u16;
    [win, draw, 1000 - win - draw]
}

/// The depth that is shown: the mean length of a playout.
fn depth<E>(worker: &Worker<E>) -> u32 {
    worker.counts.average_depth() as u32
}

fn move_reports(shared: &Shared<'_>, candidates: &[Candidate]) -> Vec<MoveReport> {
    let tree = shared.tree;
    let root = tree.node(tree.root()).mean();
    let root_value = shared.shown(root.value);
    let report = |candidate: &Candidate| {
        let after = shared.root_after(candidate.m);
        let value = shared.shown(candidate.value());
        MoveReport {
            m: Some(candidate.m),
            visits: candidate.mean.visits,
            prior: candidate.prior,
            value: value.q,
            draw: value.draw,
            plies: value.plies,
            exploration: shared.puct().bonus(tree, candidate.prior, candidate.mean.visits),
            evaluation: shared
                .table
                .probe(&after)
                .map(|score| -shared.scale.value(score, &after).q),
            mate: match candidate.proof {
                Proof::Mates(plies) => Some(plies.into()),
                Proof::Mated(plies) => Some(-i32::from(plies)),
                _ => None,
            },
        }
    };
    let mut reports: Vec<MoveReport> = candidates.iter().map(report).collect();
    reports.sort_by(|a, b| a.visits.cmp(&b.visits).then(a.prior.total_cmp(&b.prior)));
    reports.push(MoveReport {
        m: None,
        visits: root.visits,
        prior: 1.0,
        value: root_value.q,
        draw: root_value.draw,
        plies: root_value.plies,
        exploration: 0.0,
        evaluation: None,
        mate: None,
    });
    reports
}
