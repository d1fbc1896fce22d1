//! What the engine tells while it thinks, if it is asked to.

mod support;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use support::set;
use tandem_engine::{Choice, Engine, Event, Limits, Progress, Score, Side};

/// How often the engine is asked to tell.
const EVERY: Duration = Duration::from_millis(50);

/// All reports of a search in a mode with when they came, and its choice.
fn reports(
    mode: &str,
    live: Option<Duration>,
    limits: Limits,
) -> (Vec<(Duration, Progress)>, Choice) {
    let mut engine = Engine::new();
    set(&mut engine, "SearchMode", mode);
    set(&mut engine, "Backend", "cpu");
    engine.set_live(live);
    engine.get_ready();
    let (sender, heard) = mpsc::channel();
    let start = Instant::now();
    engine.go(limits, move |event| match event {
        Event::Progress(progress) => sender.send((start.elapsed(), Ok(progress.clone()))).is_ok(),
        Event::Finished(choice) => sender.send((start.elapsed(), Err(choice))).is_ok(),
    });
    let mut reports = Vec::new();
    loop {
        match heard.recv().expect("the search answers") {
            (time, Ok(progress)) => reports.push((time, progress)),
            (_, Err(choice)) => return (reports, choice),
        }
    }
}

fn movetime(milliseconds: u64) -> Limits {
    Limits::movetime(Duration::from_millis(milliseconds))
}

#[test]
fn nothing_more_is_told_than_is_asked_for() {
    for mode in ["AlphaBeta", "MCTS", "Hybrid"] {
        let (reports, _) = reports(mode, None, movetime(200));
        let (_, before) = reports.split_last().expect("there are reports");
        for (_, report) in &reports {
            assert!(report.moves.is_empty() && report.judged.is_empty(), "{mode}");
        }
        assert!(before.iter().all(|(_, report)| report.deliberation.is_none()), "{mode}");
    }
}

#[test]
fn every_move_is_told_of_while_the_search_thinks() {
    for mode in ["AlphaBeta", "MCTS", "Hybrid"] {
        let (reports, choice) = reports(mode, Some(EVERY), movetime(600));
        let last = &reports.last().expect("there are reports").1;
        assert_eq!(last.pv.first().copied(), choice.best, "{mode}");
        let times = |is: &dyn Fn(&Progress) -> bool| -> Vec<Duration> {
            reports.iter().filter(|(_, report)| is(report)).map(|(time, _)| *time).collect()
        };
        let explored = times(&|report| report.moves.len() == 21);
        let judged = times(&|report| report.judged.len() == 20);
        for (times, is_expected) in [(explored, mode != "AlphaBeta"), (judged, mode != "MCTS")] {
            assert_eq!(times.len() >= 4, is_expected, "{mode}: {times:?}");
            assert!(times.len() <= 16, "{mode}: too often, {times:?}");
        }
        if mode != "AlphaBeta" {
            let told = reports.iter().rfind(|(_, report)| !report.moves.is_empty());
            let told = &told.expect("moves are told of").1;
            assert!(told.side == Side::Explorer || told.deliberation.is_some());
            let visits: u64 = told.moves.iter().filter_map(|of| of.m.map(|_| of.visits)).sum();
            let prior: f32 = told.moves.iter().filter_map(|of| of.m.map(|_| of.prior)).sum();
            assert!(visits > 20 && (prior - 1.0).abs() < 0.01, "{mode}: {visits} {prior}");
        }
        if mode != "MCTS" {
            let best = last.judged.iter().find(|judged| Some(judged.m) == choice.best);
            let best = best.expect("the best move was judged");
            assert!(best.depth > 4 && matches!(best.score, Score::Centipawns(0..100)), "{best:?}");
        }
    }
}

#[test]
fn both_lines_and_the_state_of_the_debate_are_told_in_tandem() {
    let (reports, _) = reports("Hybrid", Some(EVERY), movetime(600));
    for side in [Side::Prover, Side::Explorer] {
        let lines = reports.iter().filter(|(_, report)| report.side == side && report.pv.len() > 1);
        assert!(lines.count() > 2, "{side:?}");
    }
    let told: Vec<_> =
        reports.iter().filter_map(|(_, report)| report.deliberation.as_ref()).collect();
    let (last, before) = told.split_last().expect("the debate is told of");
    assert!(last.is_final && before.len() >= 4);
    let both = before.iter().filter(|told| told.proven.is_some() && told.explored.is_some());
    assert!(
        both.count() >= 3 && before.iter().all(|told| !told.is_final && !told.follows_explorer)
    );
    let nodes: Vec<u64> =
        reports.iter().filter(|(_, r)| r.deliberation.is_some()).map(|(_, r)| r.nodes).collect();
    assert!(nodes.is_sorted() && nodes[0] < nodes[nodes.len() - 1], "{nodes:?}");
}

#[test]
fn telling_changes_nothing_of_what_alpha_beta_finds() {
    let run = |live| {
        let (reports, choice) = reports("AlphaBeta", live, Limits::depth(10));
        let last = reports.last().expect("there are reports").1.clone();
        (choice, last.nodes, last.score, last.pv)
    };
    assert_eq!(run(None), run(Some(Duration::from_millis(1))));
}
