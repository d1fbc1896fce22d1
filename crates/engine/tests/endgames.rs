//! The engine with real tablebases, from the option to the end of the game.

mod support;

use support::{go, set, testing};
use tandem_chess::{Color, Game, Outcome, Position, Wdl};
use tandem_engine::{Choice, Engine, Limits, Options, Progress, Score};

fn engine() -> Engine {
    let mut engine = Engine::new();
    set(&mut engine, "SyzygyPath", &testing::tables_folder());
    engine
}

fn search(engine: &mut Engine, game: &Game, depth: u32) -> (Choice, Progress) {
    engine.set_game(game.clone());
    go(engine, Limits::depth(depth))
}

fn game(fen: &str) -> Game {
    Game::new(fen.parse().unwrap())
}

/// Lets the engine play both sides to the end, keeping an eye on the result.
fn play_out(engine: &mut Engine, fen: &str, depth: u32) -> Game {
    let mut game = game(fen);
    let winner = game.position().side_to_move();
    while game.outcome().is_none() {
        let (choice, report) = search(engine, &game, depth);
        let wins = game.position().side_to_move() == winner;
        let position = game.position();
        match report.score {
            Score::Centipawns(value) if wins => assert!(value > 19_000, "{value}: {position}"),
            Score::Centipawns(value) => assert!(value < -19_000, "{value}: {position}"),
            Score::Mate(plies) => assert_eq!(plies > 0, wins, "{plies}: {position}"),
        }
        game.play(choice.best.unwrap()).unwrap();
    }
    game
}

#[test]
fn the_option_tells_what_it_found_and_refuses_what_is_none() {
    let mut engine = Engine::new();
    let found = set(&mut engine, "SyzygyPath", &testing::tables_folder());
    let expected = "found 35 WDL and 35 DTZ tables of up to 4 pieces";
    assert_eq!(found.as_deref(), Some(expected));
    let path = Options::find("SyzygyPath").unwrap();
    let error = engine.set_option(path, "/no/such/folder").unwrap_err().to_string();
    assert!(error.contains("'/no/such/folder' cannot be read"), "{error}");
    assert!(error.ends_with("nothing has changed"), "{error}");
    assert_eq!(engine.tablebases().map(ToString::to_string).as_deref(), Some(expected));
    assert_eq!(set(&mut engine, "SyzygyPath", "<empty>"), None);
    assert!(engine.tablebases().is_none());
}

#[test]
fn answers_are_counted_and_stay_away_without_tables() {
    // Six pieces, so that the search meets the tables after captures.
    let game = game("8/2k5/4p3/3r4/8/3R4/2K1P3/8 w - - 0 1");
    let hits = search(&mut engine(), &game, 12).1.tbhits;
    assert!(hits > 20, "{hits}");
    assert_eq!(search(&mut Engine::new(), &game, 12).1.tbhits, 0);
}

#[test]
fn a_covered_root_shows_the_result() {
    let mut engine = engine();
    for (fen, expected) in [
        ("8/8/8/4k3/8/8/8/KNN5 w - - 0 1", 0),
        ("8/8/8/8/3kn3/8/8/R3K3 w - - 0 1", 0),
        ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", 20_000),
        ("8/8/8/4k3/8/8/8/KBN5 b - - 0 1", -20_000),
        ("8/8/6K1/8/8/8/3kp3/7Q w - - 0 1", 20_000),
    ] {
        let (_, report) = search(&mut engine, &game(fen), 4);
        assert_eq!(report.score, Score::Centipawns(expected), "{fen}");
    }
}

#[test]
fn queen_against_rook_is_won_in_time_at_any_depth() {
    // Among the hardest: the rook can hold out for 59 plies. With 40 on the clock none may be lost.
    for (clock, depth) in [(0, 1), (0, 4), (40, 1), (40, 4)] {
        let fen = format!("7K/4r2Q/4k3/8/8/8/8/8 w - - {clock} 60");
        let game = play_out(&mut engine(), &fen, depth);
        assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::White)));
        let mut position = *game.start();
        let mut taken = game.moves().iter().take_while(|&&m| {
            position = position.after(m);
            position.occupied().count() == 4
        });
        assert!(taken.by_ref().count() < 100 - clock, "the rook stood too long");
    }
}

#[test]
fn bishop_and_knight_mate_although_moves_have_been_wasted() {
    let game = play_out(&mut engine(), "8/8/8/4k3/8/8/8/KBN5 w - - 30 60", 2);
    assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::White)));
}

#[test]
fn the_fifty_move_rule_can_be_switched_off() {
    // Far too late for the rule: a mate needs more than the plies that are left.
    let late = game("8/8/8/4k3/8/8/8/KBN5 w - - 80 90");
    let mut engine = engine();
    let Score::Centipawns(shown) = search(&mut engine, &late, 3).1.score else {
        panic!("there is no mate in time");
    };
    assert!((0..50).contains(&shown), "{shown}");
    set(&mut engine, "Syzygy50MoveRule", "false");
    assert_eq!(search(&mut engine, &late, 3).1.score, Score::Centipawns(20_000));
}

#[test]
fn nothing_is_asked_beyond_the_limit() {
    let mut engine = engine();
    set(&mut engine, "SyzygyProbeLimit", "3");
    let (_, report) = search(&mut engine, &game("8/8/8/4k3/8/8/8/KBN5 w - - 0 1"), 4);
    assert_ne!(report.score, Score::Centipawns(20_000));
    let castling: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    assert_eq!(engine.tablebases().unwrap().probe_wdl(&castling), None);
    let without = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    assert_eq!(engine.tablebases().unwrap().probe_wdl(&without), Some(Wdl::Win));
}

/// Wins without a pawn against a bare king.
const BARE_KINGS: [&str; 4] = [
    "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1",
    "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1",
    "8/8/8/3k4/8/8/3BB3/4K3 w - - 0 1",
    "8/8/8/3k4/8/8/3NB3/4K3 w - - 0 1",
];

#[test]
fn bare_kings_are_mated_without_tables() {
    mate_bare_kings("AlphaBeta", &BARE_KINGS);
}

/// All but bishop and knight, whose way is too long for twenty thousand playouts a move.
#[test]
fn bare_kings_are_mated_by_playouts() {
    mate_bare_kings("MCTS", &BARE_KINGS[..3]);
}

fn mate_bare_kings(mode: &str, positions: &[&str]) {
    for fen in positions {
        let mut engine = Engine::new();
        set(&mut engine, "SearchMode", mode);
        let mut game = game(fen);
        while game.outcome().is_none() {
            engine.set_game(game.clone());
            let (choice, _) = go(&mut engine, Limits { nodes: Some(20_000), ..Limits::default() });
            game.play(choice.best.unwrap()).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::White)), "{fen}");
    }
}
