//! Everything that holds for every match: the games, the journal and the report tell one story.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::arena::{FAULTS, Match};
use crate::pgn::Game;

/// Counts a match anew from its PGN and compares.
pub fn audit(played: &Match) {
    for game in &played.games {
        check_game(game);
    }
    check_journal(played);
    check_counts(played);
    check_faults(played);
}

/// The headers fit the moves, and the game ended when the rules say so.
fn check_game(game: &Game) {
    let tags = &game.tags;
    assert_eq!(game.result, game.tag("Result"), "{tags:?}");
    assert_eq!(game.moves.len().to_string(), game.tag("PlyCount"), "{tags:?}");
    assert_eq!(game.comments.len(), game.moves.len() + 1, "a comment a move and a last one");
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        assert!(!game.tag(name).is_empty(), "{name} in {tags:?}");
    }
    let by_the_rules = game.tag("Termination") == "normal";
    assert_eq!(game.over_after.is_some(), by_the_rules, "{tags:?} {:?}", game.moves);
    if by_the_rules {
        assert_eq!(game.over_after, Some(game.moves.len()), "goes on after its end: {tags:?}");
        let expected = match (game.end.is_checkmate(), game.end.white_to_move()) {
            (true, true) => "0-1",
            (true, false) => "1-0",
            (false, _) => "1/2-1/2",
        };
        assert_eq!(game.result, expected, "{tags:?}");
    }
}

/// The journal holds each game once, and the PGN file the same games.
fn check_journal(played: &Match) {
    let Match { games, journal, .. } = played;
    assert_eq!(games.len(), journal.len());
    let names = names(played);
    let mut numbers = HashSet::new();
    for (game, record) in games.iter().zip(journal) {
        let number = record["number"].as_u64().expect("a number");
        assert!(numbers.insert(number), "game {number} twice");
        assert_eq!(game.tag("Round"), format!("{}.{}", number / 2 + 1, number % 2 + 1));
        for (side, tag) in ["White", "Black"].into_iter().enumerate() {
            let place = record["players"][side].as_u64().expect("a place");
            assert_eq!(game.tag(tag), names[place as usize], "game {number}");
        }
        let result = match record["white"].as_str() {
            Some("win") => "1-0",
            Some("draw") => "1/2-1/2",
            Some("loss") => "0-1",
            other => panic!("{other:?} in {record}"),
        };
        assert_eq!(game.result, result, "game {number}");
        assert_eq!(record["plies"].as_u64(), Some(game.moves.len() as u64));
    }
}

/// Wins, draws, losses and pairs of each pairing, recounted.
fn check_counts(played: &Match) {
    let report = &played.report;
    assert_eq!(report["games"].as_u64(), Some(played.games.len() as u64));
    let mut expected: HashMap<(&str, &str), [u64; 8]> = HashMap::new();
    let pairings = report["pairings"].as_array().expect("a list");
    for pairing in pairings {
        let [one, two] = ["player", "opponent"].map(|key| pairing[key].as_str().expect("a name"));
        expected.insert((one, two), recount(&played.games, one, two));
    }
    for pairing in pairings {
        let [one, two] = ["player", "opponent"].map(|key| pairing[key].as_str().expect("a name"));
        assert_eq!(counts(&pairing["results"]), expected[&(one, two)], "{one} against {two}");
    }
    for player in report["players"].as_array().expect("a list") {
        let name = player["name"].as_str().expect("a name");
        let mut total = [0; 8];
        for ((one, two), count) in &expected {
            let swapped = [2, 1, 0, 7, 6, 5, 4, 3].map(|i: usize| count[i]);
            let part = if *one == name {
                *count
            } else if *two == name {
                swapped
            } else {
                continue;
            };
            for (sum, part) in total.iter_mut().zip(part) {
                *sum += part;
            }
        }
        assert_eq!(counts(&player["results"]), total, "all games of {name}");
    }
    let white = |result| played.games.iter().filter(|game| game.result == result).count() as u64;
    let all = ["1-0", "1/2-1/2", "0-1"].map(white);
    assert_eq!(counts(&report["white"])[..3], all, "for White");
    let plies: usize = played.games.iter().map(|game| game.moves.len()).sum();
    let mean = plies as f64 / played.games.len() as f64;
    let said = report["mean_plies"].as_f64().expect("at least one game");
    assert!((said - mean).abs() < 1e-9, "{said} and {mean} half-moves");
}

/// Wins, draws, losses and the five kinds of pairs for the first of two players.
fn recount(games: &[Game], one: &str, two: &str) -> [u64; 8] {
    let mut counts = [0; 8];
    let mut pairs: HashMap<&str, Vec<usize>> = HashMap::new();
    for game in games {
        let (white, black) = (game.tag("White"), game.tag("Black"));
        if (white, black) != (one, two) && (white, black) != (two, one) {
            continue;
        }
        let half_points = match (game.result.as_str(), white == one) {
            ("1-0", true) | ("0-1", false) => 2,
            ("1/2-1/2", _) => 1,
            _ => 0,
        };
        counts[2 - half_points] += 1;
        let pair = game.tag("Round").split_once('.').expect("pair and game").0;
        pairs.entry(pair).or_default().push(half_points);
    }
    for results in pairs.values().filter(|results| results.len() == 2) {
        counts[3 + results.iter().sum::<usize>()] += 1;
    }
    counts
}

fn counts(results: &Value) -> [u64; 8] {
    let count = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("no count in {results}"));
    let mut all = [0; 8];
    for (slot, key) in all.iter_mut().zip(["wins", "draws", "losses"]) {
        *slot = count(&results[key]);
    }
    for (i, slot) in all[3..].iter_mut().enumerate() {
        *slot = count(&results["pairs"][i]);
    }
    all
}

/// Who did something wrong lost that game, and the report counts it under the right name.
fn check_faults(played: &Match) {
    let names = names(played);
    let mut expected: HashMap<(&str, &str), u64> = HashMap::new();
    for (record, game) in played.journal.iter().zip(&played.games) {
        let Some(fault) = record["fault"].as_array() else {
            assert!(["normal", "adjudication"].contains(&game.tag("Termination")), "{record}");
            continue;
        };
        let place = fault[0].as_u64().expect("a place");
        let (kind, termination) = match fault[1].as_str() {
            Some("time_loss") => (FAULTS[0], "time forfeit"),
            Some("crash") => (FAULTS[1], "abandoned"),
            Some("hang") => (FAULTS[2], "abandoned"),
            Some("illegal_move") => (FAULTS[3], "rules infraction"),
            Some("no_start") => (FAULTS[4], "abandoned"),
            other => panic!("{other:?}"),
        };
        let culprit = names[place as usize].as_str();
        assert_eq!(game.tag("Termination"), termination, "{record}");
        let lost = if game.tag("White") == culprit { "0-1" } else { "1-0" };
        assert_eq!(game.result, lost, "{culprit} lost by a fault: {record}");
        assert!(game.sentence().starts_with(culprit), "{}", game.sentence());
        *expected.entry((culprit, kind)).or_default() += 1;
    }
    for name in &names {
        for kind in FAULTS {
            let count = expected.get(&(name.as_str(), kind)).copied().unwrap_or(0);
            assert_eq!(played.count(name, kind), count, "{kind} of {name}");
        }
    }
}

/// The players by their places.
fn names(played: &Match) -> Vec<String> {
    let players = played.report["players"].as_array().expect("a list");
    players.iter().map(|player| player["name"].as_str().expect("a name").to_owned()).collect()
}
