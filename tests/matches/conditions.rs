//! How much players may think, and what else they are told.

use crate::arena::Arena;
use crate::support::START;

/// The `go` commands that a fake engine heard.
fn questions(arena: &Arena, name: &str) -> Vec<String> {
    arena.heard(name).into_iter().filter(|line| line.starts_with("go")).collect()
}

/// The number after a word.
fn number(line: &str, word: &str) -> Option<u64> {
    let mut words = line.split(' ').skip_while(|other| *other != word);
    words.nth(1).map(|text| text.parse().expect("a whole number"))
}

#[test]
fn fixed_limits_reach_the_engine() {
    for (limits, expected) in [
        ("nodes=1234", "go nodes 1234"),
        ("depth=7", "go depth 7"),
        ("movetime=30", "go movetime 30000"),
        ("nodes=5 depth=3", "go nodes 5 depth 3"),
    ] {
        let arena = Arena::new();
        let one = format!("{} {limits}", arena.fake_unlimited("one", "fine"));
        let (two, book) = (arena.fake("two", "fine"), arena.start_book());
        arena.play(&["--player", &one, "--player", &two, "--games", "2", "--book", &book]);
        let asked = questions(&arena, "one");
        assert_eq!(asked.len(), 8, "four moves in each game");
        assert!(asked.iter().all(|line| line == expected), "{limits}: {asked:?}");
        assert!(questions(&arena, "two").iter().all(|line| line == "go nodes 1"));
    }
}

#[test]
fn limits_for_all_reach_those_without_their_own() {
    let arena = Arena::new();
    let one = arena.fake_unlimited("one", "fine");
    let (two, book) = (arena.fake("two", "fine"), arena.start_book());
    let args = ["--player", &one, "--player", &two, "--games", "2", "--book", &book];
    arena.play(&[&args[..], &["--nodes", "77"]].concat());
    assert!(questions(&arena, "one").iter().all(|line| line == "go nodes 77"));
    assert!(questions(&arena, "two").iter().all(|line| line == "go nodes 1"));
}

#[test]
fn clocks_run_down_and_gain() {
    let arena = Arena::new();
    let one = arena.fake_unlimited("one", "late:0.2") + " tc=600+5";
    let two = arena.fake_unlimited("two", "fine") + " tc=2/100";
    let book = arena.start_book();
    let played = arena.play(&["--player", &one, "--player", &two, "--games", "2", "--book", &book]);
    let first = &played.games[0];
    assert_eq!((first.tag("WhiteTimeControl"), first.tag("BlackTimeControl")), ("600+5", "2/100"));
    let asked = questions(&arena, "one");
    assert_eq!(number(&asked[0], "wtime"), Some(600_000), "{asked:?}");
    assert_eq!(number(&asked[0], "btime"), Some(100_000), "{asked:?}");
    assert_eq!(number(&asked[0], "winc"), Some(5000), "{asked:?}");
    assert_eq!(number(&asked[0], "binc"), Some(0), "{asked:?}");
    assert_eq!(number(&asked[0], "movestogo"), None, "{asked:?}");
    for (i, pair) in asked[..4].windows(2).enumerate() {
        let [before, after] = [0, 1].map(|i: usize| number(&pair[i], "wtime").expect("a clock"));
        assert!(after > before && after <= before + 4800, "move {i} took 0.2 s: {asked:?}");
    }
    // Two moves, and as much time again.
    let asked = questions(&arena, "two");
    let to_go: Vec<_> = asked[..4].iter().map(|line| number(line, "movestogo")).collect();
    assert_eq!(to_go, [2, 1, 2, 1].map(Some), "{asked:?}");
    let left: Vec<_> = asked[..4].iter().filter_map(|line| number(line, "btime")).collect();
    assert!(left[1] <= left[0] && left[2] > left[1] + 90_000, "{asked:?}");
}

/// Time odds: the report and the games say who had how much.
#[test]
fn players_may_have_different_limits() {
    let arena = Arena::new();
    let args = ["--player", "name=slow nodes=400", "--player", "name=fast nodes=40"];
    let played = arena.play(&[&args[..], &["--games", "4", "--max-plies", "60"]].concat());
    for (name, nodes) in [("slow", 400), ("fast", 40)] {
        let effort = &played.player(name)["effort"];
        let moves = effort["moves"].as_u64().expect("a count");
        let spent = effort["nodes"].as_u64().expect("a count");
        assert!(spent <= nodes * moves && spent * 2 > nodes * moves, "{name}: {effort}");
        assert_eq!(played.player(name)["pace"]["nodes"], nodes);
    }
    let game = &played.games[0];
    assert_eq!(game.tag("WhiteTimeControl"), "400 nodes a move");
    let nodes: Vec<&str> =
        game.comments.iter().filter_map(|note| note.split("n=").nth(1)).collect();
    assert!(
        !nodes.is_empty() && nodes.iter().all(|count| count.parse::<u64>().is_ok_and(|n| n <= 400))
    );
}

#[test]
fn depth_and_time_a_move_limit_our_own_engine() {
    let arena = Arena::new();
    let args = ["--player", "name=deep depth=2", "--player", "name=timed movetime=0.02"];
    let more = ["--games", "2", "--max-plies", "24", "--margin", "60000"];
    let played = arena.play(&[&args[..], &more].concat());
    let depth = played.player("deep")["mean_depth"].as_f64().expect("known");
    assert!(depth <= 2.0, "{depth}");
    assert_eq!(played.faults("timed"), 0, "{}", played.err);
}

#[test]
fn options_are_set_and_the_game_announced() {
    let arena = Arena::new();
    let one = arena.fake("one", "fine") + " option.hash=32 'option.Two Words=a b'";
    let two = arena.fake("two", "fine") + " restart=true";
    let book = arena.start_book();
    let played = arena.play(&["--player", &one, "--player", &two, "--games", "4", "--book", &book]);
    let heard = arena.heard("one");
    let place = |line: &str| heard.iter().position(|other| other == line).expect(line);
    assert!(place("uci") < place("setoption name Hash value 32"));
    assert!(place("setoption name Two Words value a b") < place("isready"));
    assert_eq!(heard.iter().filter(|line| *line == "ucinewgame").count(), 4);
    let first = heard.iter().find(|line| line.starts_with("position")).expect("a question");
    assert!(first == "position startpos" || *first == format!("position fen {START}"), "{first}");
    assert_eq!(heard.iter().filter(|line| *line == "quit").count(), 2);
    assert_eq!((arena.starts("one"), arena.starts("two")), (2, 5), "restart=true");
    let options = played.player("one")["options"].to_string();
    assert!(options.contains("32") && options.contains("a b"), "{options}");
}

#[test]
fn our_own_binary_plays_as_a_process() {
    let arena = Arena::new();
    let process = format!("name=process cmd={} nodes=50", env!("CARGO_BIN_EXE_tandem"));
    let args = ["--player", &process, "--player", "name=inside nodes=50", "--games", "4"];
    let played = arena.play(&[&args[..], &["--max-plies", "60", "--concurrency", "2"]].concat());
    assert_eq!(played.faults("process") + played.faults("inside"), 0, "{}", played.err);
    // The same engine with the same limit plays the same moves, wherever it runs.
    let whole = Arena::new();
    let args = ["--player", "name=process nodes=50", "--player", "name=inside nodes=50"];
    let inside = whole.play(&[&args[..], &["--games", "4", "--max-plies", "60"]].concat());
    let moves = |games: &[crate::pgn::Game]| {
        let mut all: Vec<_> =
            games.iter().map(|g| (g.tag("Round").to_owned(), g.moves.clone())).collect();
        all.sort();
        all
    };
    assert_eq!(moves(&played.games), moves(&inside.games));
}

#[test]
fn the_same_seed_gives_the_same_games() {
    let args = ["--player", "name=one nodes=120", "--player", "name=two nodes=80", "--games", "4"];
    let play = |seed| {
        let played =
            Arena::new().play(&[&args[..], &["--seed", seed, "--max-plies", "80"]].concat());
        played.games.into_iter().map(|game| game.moves).collect::<Vec<_>>()
    };
    let first = play("3");
    assert_eq!(play("3"), first);
    assert_ne!(play("4"), first);
}
