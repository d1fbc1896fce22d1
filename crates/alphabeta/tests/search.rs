//! The search as a whole, with an evaluation that only counts material.

use std::time::{Duration, Instant};

use tandem_alphabeta::AlphaBeta;
use tandem_alphabeta::value::Value;
use tandem_chess::{Color, Game, PieceType, Position, see};
use tandem_search::{Bound, Choice, Control, Evaluate, Limits, Progress, Score, Search, Settings};

#[derive(Default)]
struct Material {
    evaluations: u64,
}

impl Evaluate for Material {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, _: &Position) {}
    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Value {
        self.evaluations += 1;
        let side = |color: Color| -> Value {
            PieceType::ALL[..5]
                .iter()
                .map(|&kind| position.pieces(color, kind).count() as Value * see::value(kind))
                .sum()
        };
        let us = position.side_to_move();
        side(us) - side(!us) + (position.key() % 16) as Value
    }

    fn centipawns(&self, value: Value, _: &Position) -> i32 {
        value
    }

    fn wdl(&self, _: Value, _: &Position) -> Option<[u16; 3]> {
        None
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

fn engine(threads: usize, multi_pv: usize) -> AlphaBeta<Material> {
    let settings = Settings { threads, multi_pv, ..Settings::default() };
    AlphaBeta::new(&settings, Material::default)
}

fn run(search: &mut AlphaBeta<Material>, fen: &str, limits: &Limits) -> (Choice, Vec<Progress>) {
    let game = Game::new(fen.parse().expect("a legal position"));
    let mut reports = Vec::new();
    let choice =
        search.search(&game, limits, &Control::new(false), &mut |p| reports.push(p.clone()));
    (choice, reports)
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn mates_are_found_with_their_distance_and_full_line() {
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 5),
    ] {
        let (choice, reports) = run(&mut engine(1, 1), fen, &Limits::depth(14));
        let last = reports.last().unwrap();
        assert_eq!(last.score, Score::Mate(plies), "{fen}");
        assert_eq!(last.pv.len() as i32, plies, "{fen}: {:?}", last.pv);
        assert_eq!(choice.best, last.pv.first().copied());
    }
}

#[test]
fn one_thread_gives_the_same_nodes_every_time_and_after_a_new_game() {
    let mut search = engine(1, 1);
    let nodes = |search: &mut AlphaBeta<Material>| {
        run(search, KIWIPETE, &Limits::depth(9)).1.last().unwrap().nodes
    };
    let first = nodes(&mut search);
    search.new_game();
    assert_eq!(nodes(&mut search), first);
    assert_eq!(nodes(&mut engine(1, 1)), first);
}

#[test]
fn limits_are_obeyed() {
    let mut search = engine(1, 1);
    let limits = Limits { nodes: Some(5000), ..Limits::default() };
    let (_, reports) = run(&mut search, KIWIPETE, &limits);
    assert!(reports.last().unwrap().nodes <= 5000);
    let start = Instant::now();
    run(&mut search, KIWIPETE, &Limits::movetime(Duration::from_millis(100)));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    let game = Game::new(KIWIPETE.parse().unwrap());
    let wanted = game.position().parse_uci("a2a3").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(5) };
    assert_eq!(run(&mut search, KIWIPETE, &limits).0.best, Some(wanted));
}

#[test]
fn several_lines_differ_and_come_in_order() {
    let (choice, reports) = run(&mut engine(1, 4), KIWIPETE, &Limits::depth(7));
    let lines: Vec<_> = reports.iter().rev().skip_while(|p| p.line != 4).take(4).collect();
    let numbers: Vec<_> = lines.iter().map(|p| p.line).collect();
    assert_eq!(numbers, [4, 3, 2, 1]);
    let moves: std::collections::HashSet<_> = lines.iter().map(|p| p.pv[0].bits()).collect();
    assert_eq!(moves.len(), 4);
    let scores: Vec<_> = lines
        .iter()
        .map(|p| match p.score {
            Score::Centipawns(value) => value,
            Score::Mate(plies) => 30_000 - plies,
        })
        .collect();
    assert!(scores.is_sorted(), "{scores:?}");
    assert_eq!(choice.best, Some(lines[3].pv[0]));
}

#[test]
fn every_line_is_legal_and_the_choice_begins_the_last_exact_one() {
    for (threads, fen) in [
        (1, KIWIPETE),
        (2, KIWIPETE),
        (2, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        (3, "8/8/8/8/8/4k3/4p3/4K3 w - - 98 90"),
    ] {
        let limits = Limits::movetime(Duration::from_millis(150));
        let (choice, reports) = run(&mut engine(threads, 1), fen, &limits);
        for report in &reports {
            let mut position: Position = fen.parse().unwrap();
            for &m in &report.pv {
                assert!(position.is_legal(m), "{fen}: {:?}", report.pv);
                position = position.after(m);
            }
        }
        let exact = reports.iter().rfind(|p| p.bound == Bound::Exact).unwrap();
        assert_eq!(choice.best, exact.pv.first().copied());
    }
}

#[test]
fn a_finished_game_gets_no_move_but_a_score() {
    let (choice, reports) =
        run(&mut engine(1, 1), "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(5));
    assert_eq!((choice.best, reports[0].score), (None, Score::Centipawns(0)));
    let (choice, reports) =
        run(&mut engine(1, 1), "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(5));
    assert_eq!((choice.best, reports[0].score), (None, Score::Mate(0)));
}

#[test]
fn a_stop_is_obeyed_at_once() {
    let game = Game::new(KIWIPETE.parse().unwrap());
    let control = Control::new(false);
    let mut search = engine(2, 1);
    std::thread::scope(|scope| {
        let thread =
            scope.spawn(|| search.search(&game, &Limits::default(), &control, &mut |_| {}));
        std::thread::sleep(Duration::from_millis(50));
        let start = Instant::now();
        control.stop();
        assert!(thread.join().unwrap().best.is_some());
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    });
}

#[test]
fn contempt_makes_a_draw_cost_something() {
    // Bare kings can only draw.
    let fen = "8/8/8/4k3/8/8/4K3/8 w - - 0 1";
    let score = |contempt| {
        let settings = Settings { contempt, ..Settings::default() };
        let mut search = AlphaBeta::new(&settings, Material::default);
        match run(&mut search, fen, &Limits::depth(8)).1.last().unwrap().score {
            Score::Centipawns(value) => value,
            Score::Mate(_) => panic!("there is no mate here"),
        }
    };
    assert!(score(0).abs() <= 2, "{}", score(0));
    assert!(score(50) < -100, "{}", score(50));
    assert!(score(-50) > 100, "{}", score(-50));
}
