//! The search as a whole, each thread evaluating for itself.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{KIWIPETE, Material, START, game, nodes, run, search_with, settings};
use tandem_chess::{Game, Move, Position};
use tandem_mcts::{Mcts, Noise, Params, Policy};
use tandem_search::{Choice, Control, Limits, Progress, Score, Search, Settings};

/// The position with the most legal moves, 218.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

fn search(threads: usize) -> Mcts<Material> {
    search_with(&settings(threads, 16), &Params::default())
}

#[test]
fn mates_in_two_and_three_are_found_and_proven() {
    let mut search = search_with(&settings(1, 256), &Params::default());
    for line in include_str!("data/mates.epd").lines() {
        let (fen, moves) = line.split_once(" dm ").expect("a mate");
        let most: i32 = moves.trim_end_matches(';').parse().expect("a number");
        let game = Game::new(Position::from_fen(fen).expect("a legal position"));
        let limits = Limits { mate: Some(most as u32), ..nodes(3_000_000) };
        let (_, reports) = run(&mut search, &game, &limits);
        assert_eq!(reports.last().unwrap().score, Score::Mate(2 * most - 1), "{line}");
    }
}

#[test]
fn a_mate_that_is_not_there_costs_no_more_than_was_allowed() {
    let limits = Limits { mate: Some(3), ..nodes(5000) };
    let mut search = search(1);
    let (_, reports) = run(&mut search, &game(START), &limits);
    assert!(reports.last().unwrap().nodes >= 2400, "half of it goes to a move");
    assert!(search.counts().playouts <= 2600);
    let limits =
        Limits { mate: Some(5), movetime: Some(Duration::from_millis(200)), ..Limits::default() };
    let start = Instant::now();
    run(&mut search, &game(START), &limits);
    assert!(start.elapsed() < Duration::from_millis(390), "{:?}", start.elapsed());
}

#[test]
fn a_proven_mate_does_not_end_the_search_for_other_lines() {
    let settings = Settings { multi_pv: 2, ..settings(1, 16) };
    let mut search = search_with(&settings, &Params::default());
    let fen = "6k1/5ppp/8/8/8/8/8/R3Q1K1 w - - 0 1";
    let (_, reports) = run(&mut search, &game(fen), &nodes(30_000));
    let last = reports.last().unwrap();
    assert_eq!((last.line, last.score), (1, Score::Mate(1)));
    // The queen mates at once as well; a longer mate that was found before her is as good an end.
    let second = reports[reports.len() - 2].score;
    assert!(matches!(second, Score::Mate(moves) if moves > 0), "{second:?}");
}

#[test]
fn one_thread_and_one_seed_make_the_same_tree() {
    let params =
        Params { noise: Some(Noise::SELF_PLAY), seed: 5, verbose: true, ..Params::default() };
    let tree = |params: &Params| {
        let mut search = search_with(&settings(1, 16), params);
        run(&mut search, &game(KIWIPETE), &nodes(5000)).1.pop().unwrap().moves
    };
    assert_eq!(tree(&params), tree(&params));
    assert_ne!(tree(&params), tree(&Params { seed: 6, ..params }));
}

#[test]
fn every_playout_is_counted_whatever_the_threads() {
    for threads in [1, 2, 5] {
        let params = Params { verbose: true, ..Params::default() };
        let mut search = search_with(&settings(threads, 64), &params);
        let (_, reports) = run(&mut search, &game(KIWIPETE), &nodes(20_000));
        let last = reports.last().unwrap();
        assert_eq!(last.nodes, 20_000);
        let (root, moves) = last.moves.split_last().unwrap();
        assert_eq!(root.visits, 20_000, "{threads} threads");
        // The first playout evaluates the root itself.
        let below: u64 = moves.iter().map(|report| report.visits).sum();
        assert_eq!(below, 19_999, "{threads} threads");
        assert_eq!(search.visits_under_way(), 0, "{threads} threads");
        let counts = search.counts();
        assert_eq!(counts.playouts, 20_000);
        assert_eq!(counts.evaluated + counts.table_hits + counts.finished, 20_000);
        assert_eq!(counts.evaluations(), counts.evaluated);
    }
}

#[test]
fn memory_stays_constant_and_the_search_goes_on() {
    for threads in [1, 3] {
        let mut search = search_with(&settings(threads, 1), &Params::default());
        let bytes = search.bytes();
        assert!(bytes <= 1 << 20);
        let (choice, reports) = run(&mut search, &game(KIWIPETE), &nodes(150_000));
        let last = reports.last().unwrap();
        assert_eq!((last.nodes, search.bytes()), (150_000, bytes));
        assert!(choice.best.is_some() && last.hashfull <= 1000);
        assert_eq!(search.visits_under_way(), 0);
        // What was found before memory ran out is not forgotten.
        assert!(last.depth >= 5, "depth {} with {threads} threads", last.depth);
    }
}

#[test]
fn the_tree_is_used_again_after_a_move_and_its_answer() {
    let params = Params { verbose: true, ..Params::default() };
    let mut search = search_with(&settings(1, 64), &params);
    let mut game = game(START);
    let (choice, _) = run(&mut search, &game, &nodes(30_000));
    game.play(choice.best.unwrap()).unwrap();
    game.play(choice.ponder.unwrap()).unwrap();
    let visits = |reports: &[Progress]| reports.last().unwrap().moves.last().unwrap().visits;
    let (_, reports) = run(&mut search, &game, &nodes(100));
    assert!(visits(&reports) > 250, "{}", visits(&reports));
    // Another game begins with nothing.
    let other = self::game(KIWIPETE);
    assert_eq!(visits(&run(&mut search, &other, &nodes(100)).1), 100);
}

#[test]
fn what_is_asked_is_looked_at_and_nothing_else() {
    let game = game(START);
    let moves: Vec<Move> =
        ["a2a3", "h2h4"].map(|text| game.position().parse_uci(text).unwrap()).into();
    let limits = Limits { search_moves: moves.clone(), ..nodes(3000) };
    for threads in [1, 2] {
        let (choice, _) = run(&mut search(threads), &game, &limits);
        assert!(moves.contains(&choice.best.unwrap()));
    }
    let settings = Settings { multi_pv: 4, ..settings(1, 16) };
    let mut search = search_with(&settings, &Params::default());
    let (_, reports) = run(&mut search, &game, &nodes(3000));
    let last = &reports[reports.len() - 4..];
    let lines: Vec<usize> = last.iter().map(|report| report.line).collect();
    assert_eq!(lines, [4, 3, 2, 1]);
    let mut first: Vec<Move> = last.iter().map(|report| report.pv[0]).collect();
    first.dedup();
    assert_eq!(first.len(), 4);
}

#[test]
fn the_ends_of_games_are_known() {
    // Mate and stalemate on the board.
    for (fen, score) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0)),
    ] {
        let mut reports = Vec::new();
        let choice = search(1).search(&game(fen), &nodes(10), &Control::new(false), &mut |p| {
            reports.push(p.clone());
        });
        assert_eq!((choice, reports[0].score), (Choice::default(), score));
    }
    // A rook more, but a hundred half-moves are over with the next: only mate or a capture counts.
    let (_, reports) = run(&mut search(1), &game("8/8/8/4k3/8/8/R7/K7 w - - 99 120"), &nodes(2000));
    assert_eq!(reports.last().unwrap().score, Score::Centipawns(0));
    let (_, reports) = run(&mut search(1), &game("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), &nodes(2000));
    assert_eq!(reports.last().unwrap().score, Score::Mate(1));
}

#[test]
fn a_perpetual_check_saves_the_weaker_side() {
    // White is a rook down and about to be mated, but Black's king cannot leave the checks.
    let fen = "6k1/6p1/8/7Q/8/7P/1qr3P1/7K w - - 0 1";
    let (_, reports) = run(&mut search(1), &game(fen), &nodes(150_000));
    let Score::Centipawns(score) = reports.last().unwrap().score else { panic!("no mate here") };
    assert!((-150..=50).contains(&score), "{score}");
}

#[test]
fn positions_with_one_move_and_with_most_moves_are_no_trouble() {
    for threads in [1, 3] {
        let (choice, _) =
            run(&mut search(threads), &game("7k/8/8/8/8/8/4q3/7K w - - 0 1"), &nodes(500));
        assert!(choice.best.is_some());
        let (_, reports) = run(&mut search(threads), &game(MOST_MOVES), &nodes(5000));
        assert_eq!(reports.last().unwrap().score, Score::Mate(1));
    }
    let clock = tandem_search::Clock { remaining: Duration::from_mins(1), ..Default::default() };
    let limits = Limits { clocks: [Some(clock); 2], ..Limits::default() };
    let start = Instant::now();
    run(&mut search(1), &game("k7/8/1K6/8/8/8/8/7R b - - 0 1"), &limits);
    assert!(start.elapsed() < Duration::from_secs(1), "a forced move needs no thought");
}

#[test]
fn the_word_to_stop_is_heeded_and_a_ponder_hit_starts_the_clock() {
    for threads in [1, 2] {
        let mut search = search(threads);
        let control = Arc::new(Control::new(true));
        let other = Arc::clone(&control);
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            other.ponder_hit();
        });
        let limits = Limits {
            ponder: true,
            movetime: Some(Duration::from_millis(100)),
            ..Limits::default()
        };
        let start = Instant::now();
        let choice = search.search(&game(START), &limits, &control, &mut |_| {});
        let time = start.elapsed();
        assert!(choice.best.is_some() && time >= Duration::from_millis(180), "{time:?}");
        assert!(time < Duration::from_secs(3), "{time:?}");
        stopper.join().unwrap();
        let control = Control::new(false);
        control.stop();
        assert!(
            search.search(&game(START), &Limits::default(), &control, &mut |_| {}).best.is_some()
        );
    }
}

#[test]
fn heuristic_priors_find_captures_sooner_than_uniform_ones() {
    let found_after = |policy: Policy| {
        let params = Params { policy, ..Params::default() };
        let fen = "r2q1rk1/ppp2ppp/2n1bn2/2b1p3/3pP3/3P1NPP/PPPNQPB1/R1B2RK1 b - - 0 9";
        [50, 100, 200, 400, 800, 1600].into_iter().find(|&most| {
            let mut search = search_with(&settings(1, 16), &params);
            let (choice, _) = run(&mut search, &game(fen), &nodes(most));
            choice.best.is_some_and(|m| m.to_string() == "e6h3")
        })
    };
    assert!(found_after(Policy::Heuristic) <= found_after(Policy::Uniform));
}
