//! Games that end early.

use crate::arena::{Arena, Match};
use crate::support::files::tablebases;

/// Two fake engines that give those scores with each move.
fn judged(one: &str, two: &str, more: &[&str]) -> Match {
    let arena = Arena::new();
    let one = arena.fake("one", &format!("info:{one}"));
    let two = arena.fake("two", &format!("info:{two}"));
    let book = arena.start_book();
    let args = ["--player", &one, "--player", &two, "--book", &book, "--games", "2"];
    arena.play(&[&args[..], more].concat())
}

const LOST: &str = "info depth 3 score cp -600";
const WON: &str = "info depth 3 score cp 600";
const LEVEL: &str = "info depth 3 score cp 10";

#[test]
fn who_sees_itself_lost_resigns_if_the_other_agrees() {
    let played = judged(LOST, WON, &["--resign", "2:600"]);
    assert_eq!(played.wdl("two"), [2, 0, 0]);
    for game in &played.games {
        assert_eq!((game.tag("Termination"), game.moves.len()), ("adjudication", 4));
        assert!(game.sentence().contains("one sees itself lost"), "{}", game.sentence());
    }
    let mate = judged("info score mate -3", "info score mate 4", &["--resign", "2:600"]);
    assert_eq!(mate.wdl("two"), [2, 0, 0]);
    // By default four moves of each are needed, which is when the position stands a third time.
    for (one, two, rule) in [
        (LOST, LEVEL, "2:600"),
        (LOST, LOST, "2:600"),
        (WON, WON, "2:600"),
        (LOST, WON, "2:601"),
        (LOST, WON, "5:600"),
        ("info depth 3 score cp -600 upperbound", WON, "2:600"),
        ("info string score cp -600", WON, "2:600"),
        ("info depth 3 multipv 2 score cp -600", WON, "2:600"),
    ] {
        let played = judged(one, two, &["--resign", rule]);
        assert_eq!(played.wdl("two"), [0, 2, 0], "{one} {two} {rule}");
        assert!(played.games.iter().all(|game| game.tag("Termination") == "normal"));
    }
}

#[test]
fn what_both_think_level_for_long_is_a_draw() {
    let played = judged(LEVEL, "info score cp -10", &["--draw", "3:1:10"]);
    assert_eq!(played.wdl("one"), [0, 2, 0]);
    for game in &played.games {
        assert_eq!((game.tag("Termination"), game.moves.len()), ("adjudication", 4));
    }
    for rule in ["3:1:9", "9:1:10", "1:5:10"] {
        let played = judged(LEVEL, LEVEL, &["--draw", rule]);
        let normal = played.games.iter().all(|game| game.tag("Termination") == "normal");
        assert!(normal, "{rule}");
    }
}

#[test]
fn a_game_that_takes_too_long_is_a_draw() {
    let played = judged(WON, WON, &["--max-plies", "5"]);
    assert!(played.games.iter().all(|game| game.moves.len() == 5 && game.result == "1/2-1/2"));
}

#[test]
fn tablebases_decide_what_they_know() {
    let (arena, tables) = (Arena::new(), tablebases());
    // White must take a rook, and then has won with a queen or drawn with a rook.
    let book = "8/8/8/8/7k/8/r7/KQ6 w - - 0 1\n7r/8/8/8/7k/8/r7/KR6 w - - 0 1\n";
    let book = arena.write("ends.epd", book);
    let args = ["--player", "name=one nodes=500", "--player", "name=two nodes=500"];
    let more = ["--book", &book, "--games", "4", "--tablebases", &tables];
    let played = arena.play(&[&args[..], &more].concat());
    let rules = played.report["adjudication"].as_str().expect("a sentence");
    assert!(rules.contains("tablebases"), "{rules}");
    for game in &played.games[..2] {
        assert_eq!((game.result.as_str(), game.tag("Termination")), ("1-0", "adjudication"));
        assert_eq!(game.sentence(), "White wins by tablebase");
        assert!(game.moves.len() == 1, "{:?}", game.moves);
    }
    for game in &played.games[2..] {
        assert_eq!((game.sentence(), game.result.as_str()), ("draw by tablebase", "1/2-1/2"));
    }
}
