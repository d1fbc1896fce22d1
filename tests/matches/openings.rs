//! Where games begin.

use std::collections::HashSet;

use crate::arena::{Arena, Match};
use crate::pgn::Game;
use crate::support::START;
use crate::support::files::book;

/// A match of our own players, who only ever make a few moves.
fn short(arena: &Arena, games: &str, more: &[&str]) -> Match {
    let args = ["--player", "name=one nodes=5", "--player", "name=two nodes=5"];
    arena.play(&[&args[..], &["--games", games, "--max-plies", "30"], more].concat())
}

/// Start and opening moves of each pair, which both players had with White and with Black.
fn pairs(played: &Match) -> Vec<(String, Vec<String>)> {
    let mut games: Vec<&Game> = played.games.iter().collect();
    games.sort_by_key(|game| {
        let (pair, leg) = game.tag("Round").split_once('.').expect("pair and game");
        [pair, leg].map(|text| text.parse::<u64>().expect("a number"))
    });
    let opening = |game: &Game| {
        let moves: Vec<String> = game.opening().into_iter().map(str::to_owned).collect();
        (game.start().to_owned(), moves)
    };
    let pairs = games.chunks(2).map(|pair| {
        assert_eq!(opening(pair[0]), opening(pair[1]), "one opening for a pair");
        assert_eq!(pair[0].tag("White"), pair[1].tag("Black"), "both colours");
        assert_eq!(pair[0].tag("Black"), pair[1].tag("White"), "both colours");
        opening(pair[0])
    });
    pairs.collect()
}

/// Four positions as people write them down.
const POSITIONS: &str = "# openings
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; id \"one; of them\";

rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\r
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2 ; comment\n\
4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 3 40
";
const BOARDS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 3 40",
];

fn starts(pairs: &[(String, Vec<String>)]) -> Vec<&str> {
    pairs.iter().map(|(start, _)| start.as_str()).collect()
}

#[test]
fn positions_are_played_in_order_and_over_again() {
    for name in ["openings.epd", "openings.FEN"] {
        let arena = Arena::new();
        let book = arena.write(name, POSITIONS);
        let played = short(&arena, "12", &["--book", &book]);
        let pairs = pairs(&played);
        let expected: Vec<&str> = BOARDS.into_iter().cycle().take(6).collect();
        assert_eq!(starts(&pairs), expected);
        let said = played.report["openings"].as_str().expect("a sentence");
        assert!(said.contains(name) && said.contains("4 openings"), "{said}");
    }
}

#[test]
fn positions_are_shuffled_by_the_seed() {
    let play = |seed: &str| {
        let arena = Arena::new();
        let book = arena.write("openings.epd", POSITIONS);
        let more = ["--book", &book, "--order", "random", "--seed", seed];
        pairs(&short(&arena, "8", &more))
    };
    let first = play("1");
    assert_eq!(play("1"), first, "the same seed");
    let orders: HashSet<_> = ["1", "2", "3", "4", "5"].map(play).into_iter().collect();
    assert!(orders.len() > 1, "other seeds give other orders");
    for order in orders {
        assert_eq!(starts(&order).into_iter().collect::<HashSet<_>>(), BOARDS.into());
    }
}

#[test]
fn games_are_followed_for_so_many_moves() {
    let arena = Arena::new();
    let text = "[Event \"x\"]\n\n1. e4 {a comment} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 $1 Nc6 3. Bb5 *\n\n\
        [Event \"y\"]\n[SetUp \"1\"]\n[FEN \"4k3/pppp4/8/8/8/8/4PPPP/4K3 b - - 0 40\"]\n\n40... a5 1-0\n\n\
        [White \"z\"]\n\n1/2-1/2\n";
    let book = arena.write("games.pgn", text);
    let pairs = pairs(&short(&arena, "6", &["--book", &book, "--book-plies", "3"]));
    let moves: Vec<Vec<String>> = pairs.iter().map(|(_, moves)| moves.clone()).collect();
    assert_eq!(moves, [vec!["e2e4", "e7e5", "g1f3"], vec!["a7a5"], vec![]]);
    assert_eq!(starts(&pairs), [START, "4k3/pppp4/8/8/8/8/4PPPP/4K3 b - - 0 40", START]);
}

/// An entry of a Polyglot book.
fn entry(key: u64, from: [u16; 2], to: [u16; 2], weight: u16) -> Vec<u8> {
    let m = to[0] | to[1] << 3 | from[0] << 6 | from[1] << 9;
    [&key.to_be_bytes()[..], &m.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

/// The keys are those that the description of the format gives.
#[test]
fn a_polyglot_book_is_followed_as_far_as_it_goes() {
    let arena = Arena::new();
    let start = entry(0x463b_9618_1691_fc9c, [4, 1], [4, 3], 1);
    let after_e4 = entry(0x823c_9b50_fd11_4196, [3, 6], [3, 4], 1);
    let book = arena.write("small.bin", [start, after_e4].concat());
    for (_, moves) in pairs(&short(&arena, "4", &["--book", &book])) {
        assert_eq!(moves, ["e2e4", "d7d5"]);
    }
    let arena = Arena::new();
    for (_, moves) in pairs(&short(&arena, "2", &["--book", &book, "--book-plies", "1"])) {
        assert_eq!(moves, ["e2e4"]);
    }
}

#[test]
fn a_real_polyglot_book_gives_openings_by_the_seed() {
    let book = book();
    let play = |seed| {
        let more = ["--book", &book, "--book-plies", "6", "--seed", seed];
        pairs(&short(&Arena::new(), "12", &more))
    };
    let first = play("1");
    assert_eq!(play("1"), first);
    assert_ne!(play("2"), first);
    assert!(first.iter().all(|(_, moves)| (1..=6).contains(&moves.len())), "{first:?}");
    assert!(first.iter().any(|(_, moves)| moves.len() == 6), "{first:?}");
    assert!(first.iter().collect::<HashSet<_>>().len() > 3, "{first:?}");
}

#[test]
fn random_openings_come_from_the_seed() {
    let play = |more: &[&str]| pairs(&short(&Arena::new(), "12", more));
    let first = play(&["--seed", "9"]);
    assert_eq!(play(&["--seed", "9", "--concurrency", "3"]), first, "whatever the order of games");
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 6, "{first:?}");
    assert!(first.iter().all(|(_, moves)| (8..=9).contains(&moves.len())), "{first:?}");
    let other = play(&["--seed", "10"]);
    assert!(other.iter().all(|opening| !first.contains(opening)));
}

#[test]
fn material_odds_follow_the_player() {
    let arena = Arena::new();
    let args = ["--player", "name=giver nodes=5 odds=b1,a2", "--player", "name=taker nodes=5"];
    let played = arena.play(&[&args[..], &["--games", "4", "--max-plies", "20"]].concat());
    for game in &played.games {
        let board = game.start().split(' ').next().expect("a board");
        let expected = match game.tag("White") {
            "giver" => "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/R1BQKBNR",
            _ => "r1bqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        };
        assert_eq!(board, expected);
    }
    let white: HashSet<&str> = played.games.iter().map(|game| game.tag("White")).collect();
    assert_eq!(white.len(), 2, "both colours");
    let arena = Arena::new();
    let args = ["--player", "name=giver nodes=5 odds=a1", "--player", "name=taker nodes=5"];
    let rook = arena.play(&[&args[..], &["--games", "2", "--max-plies", "20"]].concat());
    assert!(rook.games[0].start().contains(" w Kkq "), "no castling with a rook that is not there");
}

#[test]
fn the_weaker_side_of_odds_positions_can_be_chosen() {
    let arena = Arena::new();
    let lines = include_str!("../data/knight-odds.epd");
    // The same with colours reversed: here Black has a knight less.
    let reversed = "r1bqkb1r/pp2pppp/2np4/2p5/2P1P3/3P4/PP3PPP/RNBQKBNR b KQkq - 0 4";
    let book = arena.write("odds.epd", format!("{lines}{reversed}\n"));
    let args = ["--player", "name=taker nodes=5", "--player", "name=giver nodes=5 side=weaker"];
    let more = ["--book", &book, "--games", "6", "--max-plies", "4"];
    let played = arena.play(&[&args[..], &more].concat());
    for (game, line) in played.games.iter().zip(lines.lines().chain([reversed])) {
        assert!(line.starts_with(game.start()), "each position once, in order");
        let weaker = if line == reversed { "Black" } else { "White" };
        assert_eq!(game.tag(weaker), "giver", "{line}");
    }
}

#[test]
fn a_side_can_be_fixed() {
    for (side, tag) in [("white", "White"), ("black", "Black")] {
        let arena = Arena::new();
        let one = format!("name=one nodes=5 side={side}");
        let args = ["--player", &one, "--player", "name=two nodes=5", "--games", "4"];
        let played = arena.play(&[&args[..], &["--max-plies", "20"]].concat());
        assert!(played.games.iter().all(|game| game.tag(tag) == "one"), "{side}");
        let openings: HashSet<_> = played.games.iter().map(Game::opening).collect();
        assert_eq!(openings.len(), 4, "each opening once");
    }
}

#[test]
fn chess960_is_played_as_others_know_it() {
    let arena = Arena::new();
    let fens = "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w DBdb - 0 1\n\
        1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1\n";
    let book = arena.write("shuffled.epd", fens);
    let process = format!("name=process cmd={} nodes=60", env!("CARGO_BIN_EXE_tandem"));
    let args = ["--player", &process, "--player", "name=inside nodes=60", "--chess960"];
    let played = arena.play(&[&args[..], &["--book", &book, "--games", "4"]].concat());
    assert_eq!(played.faults("process") + played.faults("inside"), 0, "{}", played.err);
    for (game, line) in played.games.iter().zip(fens.lines().flat_map(|line| [line, line])) {
        assert!(game.is_chess960());
        assert_eq!(game.start(), line);
    }
    let arena = Arena::new();
    let one = arena.fake("one", "say:bestmove c1g1");
    let book = arena.write("shuffled.epd", fens.lines().nth(1).expect("two lines"));
    let args = ["--player", &one, "--player", "name=two nodes=5", "--chess960", "--max-plies", "2"];
    let played = arena.play(&[&args[..], &["--book", &book, "--games", "2"]].concat());
    assert!(arena.heard("one").iter().any(|line| line == "setoption name UCI_Chess960 value true"));
    let position = arena.heard("one").into_iter().find(|line| line.starts_with("position"));
    assert_eq!(position, Some(format!("position fen {}", fens.lines().nth(1).expect("two lines"))));
    let with_white = played.games.iter().find(|game| game.tag("White") == "one").expect("one");
    assert_eq!(with_white.moves[0], "c1g1", "castling");
}

#[test]
fn chess960_without_a_book_begins_anywhere() {
    let starts: HashSet<String> = pairs(&short(&Arena::new(), "12", &["--chess960"]))
        .into_iter()
        .map(|pair| pair.0)
        .collect();
    assert!(starts.len() >= 5, "{starts:?}");
}
