//! The search with batches, evaluated by somebody who is late, forgetful or gone.

mod common;

use std::num::NonZeroI64;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::{KIWIPETE, START, game, material, nodes, run, search_with, settings};
use tandem_chess::Position;
use tandem_mcts::{Noise, Params, Policy};
use tandem_nnue::{Assessment, BatchError, BatchEvaluator, PolicyEvaluator, PolicyNetwork, Ticket};
use tandem_search::{Control, Limits, MoveReport, Progress, Search};

/// How a desk works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// At once.
    Prompt,
    /// Each batch takes a while.
    Slow,
    /// Every other batch overtakes the one before.
    Overtaking,
    /// Every third batch is lost.
    Forgetful,
    /// After so many batches every one is lost.
    Broken(u64),
    /// After so many batches none comes back.
    Hung(u64),
}

struct Pending {
    number: u64,
    ready: Instant,
    answer: Result<Vec<Assessment>, BatchError>,
}

/// Evaluates batches in its manner, and remembers them.
struct Desk {
    manner: Manner,
    preferred: AtomicUsize,
    submitted: AtomicU64,
    pending: Mutex<Vec<Pending>>,
    sizes: Mutex<Vec<usize>>,
    /// Who judges the moves, if anybody does.
    policy: Mutex<Option<PolicyEvaluator>>,
}

impl Desk {
    fn new(manner: Manner) -> Arc<Self> {
        Self::judging(manner, None)
    }

    /// One that also judges moves by that network.
    fn judging(manner: Manner, policy: Option<PolicyEvaluator>) -> Arc<Self> {
        Arc::new(Self {
            policy: Mutex::new(policy),
            manner,
            preferred: AtomicUsize::new(64),
            submitted: AtomicU64::new(0),
            pending: Mutex::default(),
            sizes: Mutex::default(),
        })
    }

    fn find(&self, ticket: &Ticket) -> Option<Instant> {
        let pending = self.pending.lock().unwrap();
        pending.iter().find(|p| p.number == ticket.number()).map(|p| p.ready)
    }
}

impl BatchEvaluator for Desk {
    fn submit(&self, batch: Vec<Position>) -> Ticket {
        self.sizes.lock().unwrap().push(batch.len());
        let mut keys: Vec<u64> = batch.iter().map(Position::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), batch.len(), "no position is asked for twice");
        let number = self.submitted.fetch_add(1, Ordering::Relaxed);
        let time = match self.manner {
            Manner::Slow => Duration::from_micros(300),
            Manner::Overtaking if number.is_multiple_of(2) => Duration::from_micros(500),
            Manner::Hung(from) if number >= from => Duration::from_hours(1),
            _ => Duration::ZERO,
        };
        let lost = match self.manner {
            Manner::Forgetful => number % 3 == 2,
            Manner::Broken(from) => number >= from,
            _ => false,
        };
        let assess = |position: &Position| Assessment {
            score: tandem_nnue::Score::new(material(position)),
            logits: self.policy.lock().unwrap().as_mut().map(|policy| {
                let moves = position.legal_moves();
                let mut logits = vec![0.0; moves.len()];
                policy.judge(position, &moves, &mut logits);
                logits
            }),
        };
        let answer = if lost {
            Err(BatchError::Lost("on purpose".into()))
        } else {
            Ok(batch.iter().map(assess).collect())
        };
        let ready = Instant::now() + time;
        self.pending.lock().unwrap().push(Pending { number, ready, answer });
        Ticket::new(number)
    }

    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError> {
        while !self.is_back(&ticket, Duration::from_secs(1)) {}
        let mut pending = self.pending.lock().unwrap();
        let place = pending.iter().position(|p| p.number == ticket.number());
        pending.swap_remove(place.ok_or(BatchError::UnknownTicket(ticket.number()))?).answer
    }

    fn preferred_batch(&self) -> usize {
        self.preferred.load(Ordering::Relaxed)
    }

    fn is_back(&self, ticket: &Ticket, patience: Duration) -> bool {
        let Some(ready) = self.find(ticket) else { return true };
        let left = ready.saturating_duration_since(Instant::now());
        std::thread::sleep(left.min(patience));
        left <= patience
    }

    fn forget(&self, ticket: Ticket) {
        self.pending.lock().unwrap().retain(|pending| pending.number != ticket.number());
    }
}

const MANNERS: [Manner; 5] =
    [Manner::Prompt, Manner::Slow, Manner::Overtaking, Manner::Forgetful, Manner::Broken(20)];

fn params() -> Params {
    Params { noise: Some(Noise::SELF_PLAY), seed: 5, verbose: true, ..Params::default() }
}

fn notices(reports: &[Progress]) -> Vec<&String> {
    reports.iter().flat_map(|report| &report.notices).collect()
}

#[test]
fn every_playout_is_counted_whatever_becomes_of_the_batches() {
    for (threads, manner) in [1, 2, 4].into_iter().flat_map(|n| MANNERS.map(|m| (n, m))) {
        let desk = Desk::new(manner);
        let mut search = search_with(&settings(threads, 64), &params()).with_batches(desk.clone());
        let (_, reports) = run(&mut search, &game(KIWIPETE), &nodes(10_000));
        let last = reports.last().unwrap();
        assert_eq!(last.nodes, 10_000, "{manner:?} with {threads} threads");
        assert_eq!(last.moves.last().unwrap().visits, 10_000);
        assert_eq!(search.visits_under_way(), 0);
        assert!(desk.pending.lock().unwrap().is_empty(), "every ticket is given back");
        let counts = search.counts();
        assert_eq!(counts.playouts, 10_000);
        assert_eq!(counts.evaluated + counts.table_hits + counts.finished, 10_000);
        assert_eq!(counts.evaluations(), counts.evaluated);
        let loses = matches!(manner, Manner::Forgetful | Manner::Broken(_));
        assert_eq!(counts.batches.lost > 0, loses);
        let told = notices(&reports);
        assert_eq!(told.len(), usize::from(loses), "{told:?}");
        assert!(told.iter().all(|sentence| sentence.contains("on purpose")), "{told:?}");
    }
}

#[test]
fn what_is_frozen_has_had_as_many_visits_as_it_takes() {
    for (threads, manner) in [(1, Manner::Prompt), (1, Manner::Slow), (3, Manner::Overtaking)] {
        let params = Params { sc_limit: NonZeroI64::new(40), ..params() };
        let desk = Desk::new(manner);
        let mut search = search_with(&settings(threads, 64), &params).with_batches(desk);
        run(&mut search, &game(KIWIPETE), &nodes(20_000));
        let frozen = search.frozen();
        assert!(frozen.positions > 10, "{frozen:?}");
        assert_eq!(frozen.visits, Some((40, 40)), "{manner:?} with {threads} threads");
        assert!(frozen.unfrozen <= 40, "{frozen:?} with {threads} threads");
        assert_eq!(search.visits_under_way(), 0);
    }
}

#[test]
fn one_thread_and_one_seed_make_the_same_tree_whenever_the_batches_come_back() {
    let tree = |manner| -> Vec<MoveReport> {
        let mut search = search_with(&settings(1, 16), &params()).with_batches(Desk::new(manner));
        run(&mut search, &game(KIWIPETE), &nodes(5000)).1.pop().unwrap().moves
    };
    let expected = tree(Manner::Prompt);
    for manner in MANNERS {
        assert_eq!(tree(manner), expected, "{manner:?}");
    }
}

#[test]
fn batches_grow_with_the_tree_and_fill_well() {
    for threads in [1, 2] {
        let desk = Desk::new(Manner::Prompt);
        let mut search = search_with(&settings(threads, 64), &params()).with_batches(desk.clone());
        run(&mut search, &game(KIWIPETE), &nodes(30_000));
        let sizes = desk.sizes.lock().unwrap();
        assert!(sizes[..10].iter().all(|&size| size <= 2), "{:?}", &sizes[..10]);
        // Two threads may collide before a batch is quite full.
        let largest = *sizes.iter().max().unwrap();
        assert!((32..=64).contains(&largest), "{largest}");
        let batches = search.counts().batches;
        assert_eq!(batches.batches, sizes.len() as u64);
        assert_eq!(batches.positions, sizes.iter().sum::<usize>() as u64);
        assert!(batches.fill() > 8.0 && batches.fullness() > 0.6, "{batches:?}");
    }
}

#[test]
fn batches_of_one_are_no_batches() {
    let desk = Desk::new(Manner::Prompt);
    let plain = |batch| Params { batch, ..params() };
    let tree = |params: &Params| {
        let mut search = search_with(&settings(1, 16), params).with_batches(desk.clone());
        run(&mut search, &game(KIWIPETE), &nodes(3000)).1.pop().unwrap().moves
    };
    let expected = tree(&plain(1));
    desk.preferred.store(1, Ordering::Relaxed);
    assert_eq!(tree(&plain(0)), expected, "an evaluator that wants none gets none");
    assert_eq!(tree(&plain(32)), expected);
    assert_eq!(desk.submitted.load(Ordering::Relaxed), 0);
    let mut alone = search_with(&settings(1, 16), &plain(0));
    let reports = run(&mut alone, &game(KIWIPETE), &nodes(3000)).1;
    assert_eq!(reports.last().unwrap().moves, expected);
}

#[test]
fn a_search_goes_over_to_batches_and_back_as_the_evaluator_wants_them() {
    for threads in [1, 3] {
        let desk = Desk::new(Manner::Slow);
        let mut search = search_with(&settings(threads, 64), &params()).with_batches(desk.clone());
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let reports = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut preferred = [1, 64].into_iter().cycle();
                while !is_over.load(Ordering::Relaxed) {
                    desk.preferred.store(preferred.next().unwrap(), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(3));
                }
            });
            let reports = run(&mut search, &game(KIWIPETE), &nodes(60_000)).1;
            is_over.store(true, Ordering::Relaxed);
            reports
        });
        assert_eq!(reports.last().unwrap().moves.last().unwrap().visits, 60_000);
        let counts = search.counts();
        assert_eq!((counts.playouts, search.visits_under_way()), (60_000, 0));
        assert_eq!(counts.evaluations(), counts.evaluated);
        assert!(counts.batches.batches > 0 && counts.batches.positions < 60_000);
    }
}

#[test]
fn a_device_that_hangs_costs_little_and_is_told_of_once() {
    for threads in [1, 2] {
        let desk = Desk::new(Manner::Hung(100));
        let mut search = search_with(&settings(threads, 16), &params()).with_batches(desk);
        let start = Instant::now();
        let limits = Limits::movetime(Duration::from_millis(1500));
        let (choice, reports) = run(&mut search, &game(START), &limits);
        assert!(choice.best.is_some() && start.elapsed() < Duration::from_secs(3));
        assert_eq!(notices(&reports).len(), 1);
        assert_eq!(search.visits_under_way(), 0);
        assert!(search.counts().batches.lost > 2, "the search went on");
        let (_, reports) = run(&mut search, &game(START), &limits);
        assert!(notices(&reports).is_empty(), "once is enough");
    }
}

#[test]
fn the_word_to_stop_does_not_wait_for_a_device_that_hangs() {
    let mut search =
        search_with(&settings(2, 16), &params()).with_batches(Desk::new(Manner::Hung(50)));
    let (game, control) = (game(START), Control::new(false));
    let late = std::thread::scope(|scope| {
        let thread =
            scope.spawn(|| search.search(&game, &Limits::default(), &control, &mut |_| {}));
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        control.stop();
        assert!(thread.join().unwrap().best.is_some());
        start.elapsed()
    });
    // Ten milliseconds are measured by the benchmarks; other tests share the machine with this one.
    assert!(late < Duration::from_millis(200), "{late:?}");
    assert_eq!(search.visits_under_way(), 0);
}

#[test]
fn memory_stays_constant_while_batches_are_on_their_way() {
    for threads in [1, 2] {
        let mut search = search_with(&settings(threads, 1), &Params::default())
            .with_batches(Desk::new(Manner::Overtaking));
        let bytes = search.bytes();
        let (choice, reports) = run(&mut search, &game(KIWIPETE), &nodes(100_000));
        let last = reports.last().unwrap();
        assert_eq!((last.nodes, search.bytes()), (100_000, bytes));
        assert!(choice.best.is_some() && last.hashfull <= 1000);
        assert!(last.depth >= 5, "depth {} with {threads} threads", last.depth);
    }
}

#[test]
fn proofs_reuse_and_mates_work_with_batches() {
    let batched = |fen: &str, limits: &Limits| {
        let mut search =
            search_with(&settings(2, 16), &params()).with_batches(Desk::new(Manner::Slow));
        run(&mut search, &game(fen), limits).1.pop().unwrap().score
    };
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    assert_eq!(batched(mate, &nodes(5000)), tandem_search::Score::Mate(1));
    let limits = Limits { mate: Some(1), ..nodes(5000) };
    assert_eq!(batched(mate, &limits), tandem_search::Score::Mate(1));

    let mut search = search_with(&settings(1, 64), &params()).with_batches(Desk::new(Manner::Slow));
    let mut game = game(START);
    let (choice, _) = run(&mut search, &game, &nodes(20_000));
    game.play(choice.best.unwrap()).unwrap();
    game.play(choice.ponder.unwrap()).unwrap();
    let (_, reports) = run(&mut search, &game, &nodes(100));
    let visits = reports.last().unwrap().moves.last().unwrap().visits;
    assert!(visits > 130, "{visits}");
}

#[test]
fn evaluation_goes_on_beside_the_gathering() {
    let mut search = search_with(&settings(1, 64), &params()).with_batches(Desk::new(Manner::Slow));
    run(&mut search, &game(KIWIPETE), &nodes(50_000));
    let batches = search.counts().batches;
    assert!(batches.in_flight() > 0.5, "{batches:?}");
    assert!((0.01..=1.0).contains(&batches.overlap()), "{batches:?}");
}

fn policy(seed: u64) -> PolicyEvaluator {
    PolicyEvaluator::new(Arc::new(PolicyNetwork::random(64, seed).unwrap())).unwrap()
}

/// The tree of one thread with that policy, whose batches come back with judgements of another one, or with
/// none; and what was counted.
fn tree_with(
    params: &Params,
    own: u64,
    manner: Manner,
    judges: Option<u64>,
) -> (u64, tandem_mcts::Counts) {
    let desk = Desk::judging(manner, judges.map(policy));
    let mut search =
        search_with(&settings(1, 16), params).with_policy(Some(policy(own))).with_batches(desk);
    run(&mut search, &game(KIWIPETE), &nodes(8000));
    (search.fingerprint(), *search.counts())
}

#[test]
fn moves_that_a_batch_judges_make_the_tree_that_the_thread_would_make_alone() {
    let (expected, counts) = tree_with(&params(), 1, Manner::Prompt, None);
    assert_eq!(counts.batches.judged, 0);
    for manner in MANNERS {
        let (tree, counts) = tree_with(&params(), 1, manner, Some(1));
        assert_eq!(tree, expected, "{manner:?}");
        assert_eq!(counts.batches.judged, counts.batches.answered);
        assert!(counts.batches.judged > 0);
    }
    // That they are heeded is seen where somebody else judges.
    assert_ne!(tree_with(&params(), 1, Manner::Prompt, Some(2)).0, expected);
}

#[test]
fn judgements_are_not_heeded_where_the_search_goes_by_another_policy() {
    for policy in [Policy::Heuristic, Policy::Uniform] {
        let params = Params { policy, ..params() };
        let expected = tree_with(&params, 1, Manner::Prompt, None).0;
        assert_eq!(tree_with(&params, 1, Manner::Prompt, Some(2)).0, expected, "{policy:?}");
    }
}

#[test]
fn judged_moves_stay_within_the_memory_and_are_forgotten_with_the_rest() {
    for threads in [1, 3] {
        let desk = Desk::judging(Manner::Overtaking, Some(policy(1)));
        let mut search = search_with(&settings(threads, 1), &Params::default())
            .with_policy(Some(policy(1)))
            .with_batches(desk);
        let bytes = search.bytes();
        let (choice, reports) = run(&mut search, &game(KIWIPETE), &nodes(60_000));
        assert_eq!((reports.last().unwrap().nodes, search.bytes()), (60_000, bytes));
        assert!(choice.best.is_some() && search.visits_under_way() == 0);
        assert!(search.counts().batches.judged > 1000);
    }
}
