//! The engine with tablebases and opening books, over UCI.

mod support;

use std::collections::HashSet;

use support::files::{book, tablebases};
use support::info::Score;
use support::program::Program;
use support::referee::Referee;

/// A program with all tables of up to four pieces.
fn with_tables() -> Program {
    let mut program = Program::start();
    let answer = program.ask(&format!("setoption name SyzygyPath value {}", tablebases()));
    assert!(answer.len() <= 1 && answer.iter().all(|line| line.starts_with("info string ")));
    program
}

#[test]
fn tables_decide_what_the_search_cannot_see() {
    let mut program = with_tables();
    for (fen, expected) in [
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 1),
        ("8/8/8/3k4/8/8/8/KBN5 b - - 0 1", -1),
        ("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", 0),
        ("8/8/3k4/8/8/8/8/K1R4n w - - 0 1", 1),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", 0),
        ("8/8/8/8/3k4/8/8/Kr3Q2 w - - 0 1", 1),
    ] {
        let game = Referee::new(fen, false);
        program.position(&game.setup());
        let answer = program.go("depth 6");
        game.check(&answer);
        let outcome = match answer.last().score {
            Score::Mate(moves) => moves.signum(),
            Score::Centipawns(value) => i64::from(value > 5000) - i64::from(value < -5000),
        };
        assert_eq!(outcome, expected, "{fen}: {:?}", answer.last());
    }
    program.quit();
}

/// The hardest of the simple mates, which the tables know and a short search does not.
#[test]
fn tables_lead_to_mate_with_bishop_and_knight() {
    let mut program = with_tables();
    let mut game = Referee::new("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", false);
    while !game.is_over() {
        program.position(&game.setup());
        let answer = program.go("nodes 2000");
        game.check(&answer);
        game.play(&answer.best).expect("checked");
    }
    assert!(game.is_checkmate(), "{}", game.setup());
    program.quit();
}

#[test]
fn tables_are_left_out_where_the_options_say() {
    let mut program = with_tables();
    program.position("fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
    let hits = |program: &mut Program, name: &str, value: &str| {
        program.ask(&format!("setoption name {name} value {value}"));
        program.send("ucinewgame");
        program.position("fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
        program.go("depth 6").last().tbhits
    };
    assert!(hits(&mut program, "SyzygyProbeLimit", "7") > 0);
    assert_eq!(hits(&mut program, "SyzygyProbeLimit", "3"), 0, "four pieces are too many");
    assert!(hits(&mut program, "SyzygyProbeLimit", "4") > 0);
    assert_eq!(hits(&mut program, "SyzygyPath", "<empty>"), 0);
    program.quit();
}

#[test]
fn folders_without_tables_and_files_without_books_are_named() {
    let mut program = with_tables();
    for (option, value) in [
        ("SyzygyPath", "/nonexistent"),
        ("SyzygyPath", "src"),
        ("SyzygyPath", "Cargo.toml"),
        ("BookFile", "/nonexistent.bin"),
        ("BookFile", "Cargo.toml"),
        ("BookFile", "/"),
    ] {
        let answer = program.ask(&format!("setoption name {option} value {value}"));
        assert_eq!(answer.len(), 1, "{answer:?}");
        assert!(answer[0].starts_with("info string ") && answer[0].contains(value), "{answer:?}");
    }
    program.position("fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
    assert!(program.go("depth 4").last().tbhits > 0, "the tables are still there");
    program.quit();
}

#[test]
fn book_moves_are_answered_like_others() {
    let mut program = Program::start();
    program.ask(&format!("setoption name BookFile value {}", book()));
    let game = Referee::start();
    program.position("startpos");
    assert!(program.go("depth 5").nodes() > 20, "a book alone is not asked");
    program.set_option("OwnBook", "true");
    let mut moves = HashSet::new();
    for seed in 0..12 {
        program.set_option("Seed", &seed.to_string());
        let answer = program.go("wtime 1000 btime 1000");
        game.check(&answer);
        moves.insert(answer.best);
    }
    assert!(moves.len() > 1, "always {moves:?}");
    assert!(moves.iter().all(|m| ["e2e4", "d2d4", "c2c4", "g1f3"].contains(&m.as_str())));
    // An infinite search is a question about the position, not about the book.
    program.send("go infinite");
    assert!(program.next_info().nodes > 0);
    program.send("stop");
    program.answer();
    program.set_option("OwnBook", "false");
    assert!(program.go("depth 5").nodes() > 20);
    program.quit();
}

#[test]
fn a_book_heeds_the_moves_asked_for() {
    let mut program = Program::start();
    program.ask(&format!("setoption name BookFile value {}", book()));
    program.set_option("OwnBook", "true");
    program.position("startpos");
    assert_eq!(program.go("depth 3 searchmoves a2a3").best, "a2a3");
    assert_eq!(program.go("depth 3 searchmoves e2e4 a2a3").best, "e2e4");
    program.quit();
}
