//! The search as a whole, with an evaluation that only counts material.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tandem_chess::{Color, Game, Move, PieceType, Position, see};
use tandem_mcts::{Mcts, Noise, Params, Policy};
use tandem_nnue::{Assessment, BatchError, BatchEvaluator, Ticket};
use tandem_search::{Choice, Control, Evaluate, Limits, Progress, Score, Search, Settings};

/// Counts material, and checks that it is told of every step.
struct Material {
    line: Vec<u64>,
    evaluations: u64,
}

impl Material {
    fn new() -> Self {
        Self { line: Vec::new(), evaluations: 0 }
    }
}

fn material(position: &Position) -> i32 {
    let side = |color: Color| -> i32 {
        let worth =
            |kind: &PieceType| position.pieces(color, *kind).count() as i32 * 2 * see::value(*kind);
        PieceType::ALL[..5].iter().map(worth).sum()
    };
    let us = position.side_to_move();
    side(us) - side(!us) + (position.key() % 32) as i32 - 16
}

impl Evaluate for Material {
    fn reset(&mut self, position: &Position) {
        self.line = vec![position.key()];
    }

    fn push(&mut self, after: &Position) {
        self.line.push(after.key());
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        assert_eq!(self.line.last(), Some(&position.key()), "the position ends the line");
        self.evaluations += 1;
        material(position)
    }

    fn centipawns(&self, value: i32, _: &Position) -> i32 {
        value / 2
    }

    fn wdl(&self, _: i32, _: &Position) -> Option<[u16; 3]> {
        None
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// The position with the most legal moves, 218.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

fn settings(threads: usize, hash: usize) -> Settings {
    Settings { threads, hash, ..Settings::default() }
}

fn search_with(settings: &Settings, params: &Params) -> Mcts<Material> {
    Mcts::new(settings, params, Material::new)
}

fn search(threads: usize) -> Mcts<Material> {
    search_with(&settings(threads, 16), &Params::default())
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn game(fen: &str) -> Game {
    Game::new(fen.parse().expect("a legal position"))
}

fn run(search: &mut Mcts<Material>, game: &Game, limits: &Limits) -> (Choice, Vec<Progress>) {
    let mut reports = Vec::new();
    let choice =
        search.search(game, limits, &Control::new(false), &mut |p| reports.push(p.clone()));
    let last = reports.iter().rfind(|report| report.line == 1).expect("a report");
    assert_eq!(choice.best, last.pv.first().copied());
    for report in &reports {
        let mut along = game.clone();
        for &m in &report.pv {
            assert!(along.outcome().is_none(), "the line goes on after the game's end");
            along.play(m).expect("a legal move");
        }
    }
    (choice, reports)
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
    assert_eq!(reports[reports.len() - 2].score, Score::Mate(1), "the queen mates as well");
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
        assert!((19_999 - below) <= threads as u64, "{below} with {threads} threads");
        let counts = search.counts();
        assert_eq!(counts.playouts, 20_000);
        assert_eq!(counts.evaluated + counts.table_hits + counts.finished, 20_000);
        assert_eq!(counts.evaluations(), counts.evaluated);
    }
}

#[test]
fn memory_stays_constant_and_the_search_goes_on() {
    for (threads, batch) in [(1, 1), (3, 1), (2, 16)] {
        let params = Params { batch, ..Params::default() };
        let mut search = search_with(&settings(threads, 1), &params);
        if batch > 1 {
            search = search.with_batches(Arc::new(Batches::default()));
        }
        let bytes = search.bytes();
        assert!(bytes <= 1 << 20);
        let (choice, reports) = run(&mut search, &game(KIWIPETE), &nodes(150_000));
        let last = reports.last().unwrap();
        assert_eq!((last.nodes, search.bytes()), (150_000, bytes));
        assert!(choice.best.is_some() && last.hashfull <= 1000);
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
    for (threads, batch) in [(1, 1), (2, 1), (2, 64)] {
        let params = Params { batch, ..Params::default() };
        let mut search = search_with(&settings(threads, 16), &params);
        if batch > 1 {
            search = search.with_batches(Arc::new(Batches::default()));
        }
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

/// A batch by its number, evaluated and waiting to be asked for.
type Waiting = (u64, Vec<Assessment>);

/// Evaluates batches on the spot and remembers their sizes.
#[derive(Default)]
struct Batches {
    waiting: Mutex<(u64, Vec<Waiting>)>,
    sizes: Mutex<Vec<usize>>,
    /// Every so many batches one is lost.
    loses: Option<u64>,
}

impl BatchEvaluator for Batches {
    fn submit(&self, batch: Vec<Position>) -> Ticket {
        self.sizes.lock().unwrap().push(batch.len());
        let assess = |position: &Position| Assessment {
            score: tandem_nnue::Score::new(material(position)),
            priors: None,
        };
        let mut waiting = self.waiting.lock().unwrap();
        waiting.0 += 1;
        let number = waiting.0;
        waiting.1.push((number, batch.iter().map(assess).collect()));
        Ticket::new(number)
    }

    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError> {
        let mut waiting = self.waiting.lock().unwrap();
        let place = waiting.1.iter().position(|(number, _)| *number == ticket.number());
        let place = place.ok_or(BatchError::UnknownTicket(ticket.number()))?;
        let (number, answers) = waiting.1.swap_remove(place);
        if self.loses.is_some_and(|every| number.is_multiple_of(every)) {
            return Err(BatchError::Lost("on purpose".into()));
        }
        Ok(answers)
    }

    fn preferred_batch(&self) -> usize {
        64
    }
}

#[test]
fn batches_are_gathered_and_lost_ones_are_made_good() {
    for loses in [None, Some(3)] {
        let params = Params { batch: 32, verbose: true, ..Params::default() };
        let batches = Arc::new(Batches { loses, ..Batches::default() });
        let mut search = search_with(&settings(2, 64), &params).with_batches(batches.clone());
        let (_, reports) = run(&mut search, &game(KIWIPETE), &nodes(20_000));
        assert_eq!(reports.last().unwrap().moves.last().unwrap().visits, 20_000);
        let sizes = batches.sizes.lock().unwrap();
        let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
        assert!(mean > 8.0 && sizes.iter().all(|&size| size <= 32), "{mean}");
        assert!(batches.waiting.lock().unwrap().1.is_empty(), "every ticket is waited for");
        let counts = search.counts();
        assert_eq!(counts.evaluated + counts.table_hits + counts.finished, 20_000);
    }
}
