//! Matches that were broken off and go on.

use std::collections::HashSet;
use std::fs;
use std::thread;
use std::time::Duration;

use crate::arena::{Arena, Match};
use crate::support::random::Random;

const GAMES: u64 = 30;

/// Two of our own in-process players, who decide their games quickly.
const PLAYERS: [&str; 8] = [
    "--player",
    "name=one nodes=200",
    "--player",
    "name=two nodes=100",
    "--max-plies",
    "40",
    "--seed",
    "5",
];

fn with_games(games: &str) -> Vec<&str> {
    [&PLAYERS[..], &["--games", games]].concat()
}

/// Every game from the first to the last is there once.
fn expect_complete(played: &Match, games: u64) {
    assert_eq!(played.report["games"].as_u64(), Some(games), "{}", played.report);
    let numbers: HashSet<u64> =
        played.journal.iter().map(|game| game["number"].as_u64().expect("a number")).collect();
    assert_eq!(numbers, (0..games).collect(), "each game once");
}

fn moves(played: &Match) -> Vec<(String, Vec<String>)> {
    let mut games: Vec<_> = played
        .games
        .iter()
        .map(|game| (game.tag("Round").to_owned(), game.moves.clone()))
        .collect();
    games.sort();
    games
}

#[test]
fn a_match_that_is_killed_again_and_again_is_played_to_its_end() {
    let arena = Arena::new();
    let games = GAMES.to_string();
    let args = [&with_games(&games)[..], &["--concurrency", "3"]].concat();
    let mut random = Random::new(17);
    for kill in 0..5 {
        let mut child = arena.spawn(&args);
        // At least one game more each time, then any moment.
        arena.wait_for_lines(2 + kill);
        thread::sleep(Duration::from_micros(random.below(30_000) as u64));
        child.kill().expect("ours");
        child.wait().expect("ours");
    }
    let before = arena.read("match.jsonl").matches('\n').count() as u64 - 1;
    let played = arena.play(&args);
    expect_complete(&played, GAMES);
    assert_eq!(played.report["resumed"].as_u64(), Some(before));

    let whole = Arena::new().play(&with_games(&games));
    assert_eq!(moves(&played), moves(&whole), "the same games as without interruption");

    let again = arena.play(&args);
    expect_complete(&again, GAMES);
    assert_eq!(again.report["resumed"].as_u64(), Some(GAMES), "nothing is left to play");
    assert_eq!(again.report["pairings"], played.report["pairings"]);
}

#[test]
fn a_torn_last_line_costs_that_game_only() {
    let arena = Arena::new();
    let args = [&with_games("4")[..], &["--event", "Ein schöner Kampf: ♞"]].concat();
    let whole = arena.play(&args);
    let journal = fs::read(arena.path("match.jsonl")).expect("kept");
    let last = journal[..journal.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("lines");
    let knight = journal.windows(3).rposition(|bytes| bytes == "♞".as_bytes()).expect("the event");
    // Before the line's end, in the middle of a letter, at its first byte, and with it forgotten.
    for end in [journal.len() - 1, knight + 1, last + 2, last + 1] {
        fs::write(arena.path("match.jsonl"), &journal[..end]).expect("written");
        let played = arena.play(&args);
        expect_complete(&played, 4);
        assert_eq!(played.report["resumed"], 3, "cut at {end} of {}", journal.len());
        assert_eq!(moves(&played), moves(&whole));
    }
    // The first line itself: nothing is lost that was ever there.
    let head = journal.iter().position(|&byte| byte == b'\n').expect("the first line");
    fs::write(arena.path("match.jsonl"), &journal[..head - 5]).expect("written");
    fs::write(arena.path("match.pgn"), "").expect("written");
    expect_complete(&arena.play(&args), 4);
}

#[test]
fn a_lost_pgn_file_comes_back_from_the_journal() {
    let arena = Arena::new();
    arena.play(&with_games("4"));
    let text = arena.read("match.pgn");
    fs::remove_file(arena.path("match.pgn")).expect("ours");
    let played = arena.play(&with_games("4"));
    expect_complete(&played, 4);
    assert_eq!(arena.read("match.pgn"), text);
}

#[test]
fn more_games_go_on_and_fewer_forget_nothing() {
    let arena = Arena::new();
    let four = arena.play(&with_games("4"));
    let eight = arena.play(&with_games("8"));
    expect_complete(&eight, 8);
    assert_eq!(eight.report["resumed"], 4);
    assert_eq!(moves(&eight)[..4], moves(&four));
    let run = arena.run(&with_games("6"));
    let six = arena.result(&run);
    assert_eq!(six.report["games"], 6);
    assert_eq!(six.games.len(), 8, "what was played stays");
}

#[test]
fn another_match_is_refused_and_named() {
    let arena = Arena::new();
    arena.play(&with_games("2"));
    let before = (arena.read("match.jsonl"), arena.read("match.pgn"));
    let book = arena.start_book();
    let one = ["--player", "name=one nodes=200"];
    let two = ["--player", "name=two nodes=100"];
    let rest = ["--max-plies", "40", "--seed", "5", "--games", "2"];
    let same = [&one[..], &two, &rest].concat();
    let with = |more: &[&'static str]| [&same[..], more].concat();
    let changed: Vec<(Vec<&str>, &str)> = vec![
        ([&one[..], &["--player", "name=three nodes=30"], &rest].concat(), "players"),
        ([&one[..], &["--player", "name=two nodes=101"], &rest].concat(), "players"),
        ([&one[..], &["--player", "name=two nodes=100 option.Hash=2"], &rest].concat(), "players"),
        ([&one[..], &two, &two, &rest].concat(), "players"),
        (
            [&one[..], &two, &["--max-plies", "40", "--seed", "6", "--games", "2"]].concat(),
            "openings",
        ),
        ([&same[..], &["--book", &book]].concat(), "openings"),
        (
            [&one[..], &two, &["--max-plies", "41", "--seed", "5", "--games", "2"]].concat(),
            "adjudication",
        ),
        (with(&["--draw"]), "adjudication"),
        (with(&["--resign"]), "adjudication"),
        (with(&["--event", "another"]), "name"),
        (with(&["--format", "gauntlet"]), "pairings"),
        (with(&["--chess960"]), "rules"),
        (with(&["--margin", "5"]), "margins"),
    ];
    for (args, word) in changed {
        let run = arena.run(&args);
        assert_eq!(run.code, Some(1), "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains("match.jsonl") && run.err.contains(word), "{args:?}: {}", run.err);
        assert_eq!((arena.read("match.jsonl"), arena.read("match.pgn")), before, "{args:?}");
    }
}

/// The name of a file says little: what it holds decides which match it is.
#[test]
fn a_book_or_an_engine_that_changed_makes_another_match() {
    let arena = Arena::new();
    let book = arena.start_book();
    let engine =
        arena.write("engine", format!("#!/bin/sh\nexec {}\n", env!("CARGO_BIN_EXE_tandem")));
    let status = std::process::Command::new("chmod").args(["+x", &engine]).status();
    assert!(status.expect("chmod").success());
    let player = format!("name=one nodes=10 cmd={engine}");
    let args = ["--player", &player, "--player", "name=two nodes=10", "--max-plies", "4"];
    let args = [&args[..], &["--book", &book, "--games", "2"]].concat();
    arena.play(&args);
    arena.write("start.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
    let run = arena.run(&args);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.err.contains("openings"), "{}", run.err);
    arena.start_book();
    let more = format!("#!/bin/sh\n# a new build\nexec {}\n", env!("CARGO_BIN_EXE_tandem"));
    arena.write("engine", more);
    let run = arena.run(&args);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.err.contains("one"), "the engine that changed is named: {}", run.err);
}

#[test]
fn what_is_no_journal_is_left_alone() {
    for text in ["notes of mine", "notes of mine\nand more\n", "{\"a\":1}\n", "[]", "\u{0}\u{1}"] {
        let arena = Arena::new();
        arena.write("match.jsonl", text);
        let run = arena.run(&with_games("2"));
        assert_eq!(run.code, Some(1), "{text:?}: {}{}", run.out, run.err);
        assert!(run.err.contains("match.jsonl"), "{text:?}: {}", run.err);
        assert_eq!(arena.read("match.jsonl"), text, "left as it was");
    }
    let arena = Arena::new();
    let text = "[Event \"my own collection\"]\n\n1. e4 e5 *\n\n";
    arena.write("match.pgn", text);
    let run = arena.run(&with_games("2"));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.err.contains("match.pgn"), "{}", run.err);
    assert_eq!(arena.read("match.pgn"), text, "left as it was");
}

#[test]
fn two_matches_do_not_write_into_one_journal() {
    let arena = Arena::new();
    let (one, two) = (arena.fake("one", "late:0.05"), arena.fake("two", "fine"));
    let book = arena.start_book();
    let args = ["--player", &one, "--player", &two, "--games", "10000", "--book", &book];
    let mut first = arena.spawn(&args);
    arena.wait_for_lines(2);
    let args: Vec<String> = ["match", "--out", &arena.path("match")]
        .into_iter()
        .chain(args)
        .map(str::to_owned)
        .collect();
    let second =
        crate::support::shell::tandem(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let still_there = first.try_wait().expect("ours").is_none();
    first.kill().expect("ours");
    first.wait().expect("ours");
    arena.expect_empty();
    assert!(still_there);
    assert_eq!(second.code, Some(1), "{}{}", second.out, second.err);
    assert!(second.err.contains("match.jsonl"), "{}", second.err);
}
