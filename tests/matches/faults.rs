//! Engines that do everything wrong: it costs them the game, and nobody else anything.

use crate::arena::{Arena, FAULTS, Match};

/// A match of four games between a fake engine with that behaviour and a good one.
fn against_good(arena: &Arena, behaviour: &str, limits: &str, more: &[&str]) -> Match {
    let bad = format!("{} {limits}", arena.fake_unlimited("bad", behaviour));
    let (good, book) = (arena.fake("good", "fine"), arena.start_book());
    let mut args = vec!["--player", &bad, "--player", &good, "--book", &book];
    args.extend(more);
    if !more.contains(&"--games") {
        args.extend(["--games", "4"]);
    }
    arena.play(&args)
}

/// The bad engine loses all games by that kind of fault, and is started anew after each; the good
/// one is neither blamed nor started again.
fn blamed(behaviour: &str, limits: &str, kind: &str, more: &[&str]) -> Match {
    let arena = Arena::new();
    let played = against_good(&arena, behaviour, limits, more);
    assert_eq!(played.wdl("good"), [4, 0, 0], "{behaviour}: {}", played.err);
    assert_eq!(played.count("bad", kind), 4, "{behaviour}: {}", played.err);
    assert_eq!(played.faults("bad"), 4, "{behaviour}: {}", played.err);
    assert_eq!(played.faults("good"), 0, "{behaviour}: {}", played.err);
    assert_eq!(arena.starts("bad"), 1 + 4, "{behaviour}: once to be seen, then for each game");
    assert_eq!(arena.starts("good"), 1 + 1, "{behaviour}: once to be seen, once to play");
    for number in 1..=4 {
        let said = played.err.lines().any(|line| line.starts_with(&format!("game {number}: bad ")));
        assert!(said, "{behaviour}: game {number} is not reported in {}", played.err);
    }
    played
}

#[test]
fn an_engine_that_ends_loses_by_a_crash() {
    blamed("exit", "nodes=1", "crashes", &[]);
    blamed("die", "nodes=1", "crashes", &[]);
}

#[test]
fn an_engine_that_closes_its_output_loses_by_a_crash() {
    let played = blamed("close", "nodes=1", "crashes", &[]);
    assert!(played.endings()[0].contains("closed its output"), "{:?}", played.endings());
}

#[test]
fn an_engine_that_crashes_in_the_middle_keeps_its_moves() {
    let played = blamed("exit@2", "nodes=1", "crashes", &[]);
    let plies: Vec<usize> = played.games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [2, 3, 2, 3]);
}

#[test]
fn an_engine_that_is_silent_loses_by_a_hang() {
    blamed("hang", "tc=0.2", "hangs", &["--patience", "0.3"]);
}

#[test]
fn an_engine_that_falls_silent_keeps_its_moves() {
    // The margin lets its first answer be as late as a busy machine makes it.
    let more = ["--games", "2", "--patience", "4", "--margin", "100000"];
    let played = against_good(&Arena::new(), "hang@2", "tc=0.2", &more);
    assert_eq!((played.count("bad", "hangs"), played.faults("bad")), (2, 2), "{}", played.err);
    let plies: Vec<usize> = played.games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [2, 3]);
}

#[test]
fn an_engine_that_prints_without_end_loses_by_a_hang() {
    blamed("flood", "tc=0.2", "hangs", &["--patience", "0.3"]);
    blamed("bytes", "tc=0.2", "hangs", &["--patience", "0.3"]);
}

#[test]
fn an_engine_whose_line_never_ends_loses_by_a_hang() {
    blamed("line", "tc=0.2", "hangs", &["--patience", "0.3"]);
}

/// Each life of the engine gives another answer, first with White, then with Black, and so on.
#[test]
fn moves_that_the_rules_forbid_lose() {
    let answers = [
        "e2e5",             // too far
        "e2e3",             // the other side's
        "e7e6",             // the other side's
        "a8a8",             // no move at all
        "0000",             // the null move
        "(none)",           // nothing, although there are moves
        "",                 // nothing
        "{}%;\"\\",         // what could hurt the PGN
        "O-O",              // another notation
        "e7e5q",            // a promotion far from the edge
        "\u{265E}\u{FFFD}", // not even ASCII
        "f6g8",             // right, but only two moves later
    ];
    let answers: Vec<String> = answers.iter().map(|text| format!("bestmove {text}")).collect();
    let games = answers.len().to_string();
    let played = against_good(
        &Arena::new(),
        &format!("say:{}", answers.join("|")),
        "nodes=1",
        &["--games", &games],
    );
    let count = answers.len() as u64;
    assert_eq!(played.count("bad", "illegal_moves"), count, "{}", played.err);
    assert_eq!(played.wdl("good"), [count, 0, 0]);
    assert_eq!(played.faults("good"), 0);
}

#[test]
fn an_endless_answer_is_an_illegal_move_with_a_short_sentence() {
    let answer = "z".repeat(50_000);
    let played = blamed(&format!("say:bestmove {answer}"), "nodes=1", "illegal_moves", &[]);
    assert!(played.endings()[0].len() < 300, "{}", played.endings()[0].len());
}

#[test]
fn an_answer_after_the_time_is_a_loss_on_time() {
    let arena = Arena::new();
    let played = against_good(&arena, "late@2:1.5", "tc=1", &["--patience", "60"]);
    assert_eq!(played.count("bad", "time_losses"), 4, "{}", played.err);
    assert_eq!(played.wdl("good"), [4, 0, 0]);
    assert_eq!(played.faults("bad") + played.faults("good"), 4);
    let late = against_good(&Arena::new(), "late:1", "movetime=0.2", &["--patience", "60"]);
    assert_eq!(late.count("bad", "time_losses"), 4, "{}", late.err);
}

#[test]
fn a_margin_forgives_what_it_covers() {
    let arena = Arena::new();
    let more = ["--patience", "60", "--margin", "100000"];
    let played = against_good(&arena, "late@2:0.3", "tc=0.2", &more);
    assert_eq!(played.faults("bad"), 0, "{}", played.err);
    assert_eq!(played.wdl("good"), [0, 4, 0]);
}

#[test]
fn rubbish_before_the_right_answer_costs_nothing() {
    let arena = Arena::new();
    let played = against_good(&arena, "chatter", "nodes=1", &[]);
    assert_eq!(played.wdl("bad"), [0, 4, 0], "{}", played.err);
    assert_eq!(played.faults("bad"), 0, "{}", played.err);
    assert_eq!(arena.starts("bad"), 2);
    assert_eq!(played.player("bad")["engine"], "Fake chatter");
}

#[test]
fn absurd_numbers_are_borne() {
    let lines = [
        "info depth 4294967295 score cp -2147483648 nodes 18446744073709551615 pv g1f3",
        "info depth 99999999999999999999 score cp 99999999999 nodes -5",
        "info score mate -2147483648",
        "info score mate 2147483647",
        "info depth 1 score cp -2147483648 nodes 18446744073709551615",
        "info score mate 0",
    ];
    for line in lines {
        let played = against_good(
            &Arena::new(),
            &format!("info:{line}"),
            "nodes=1",
            &["--draw", "1:1:10", "--games", "2", "--resign", "2:500"],
        );
        assert_eq!(played.faults("bad") + played.faults("good"), 0, "{line}: {}", played.err);
        assert_eq!(played.wdl("bad"), [0, 2, 0], "{line}: nobody agreed with it");
    }
}

#[test]
fn an_engine_that_leaves_between_games_loses_the_next_one() {
    let arena = Arena::new();
    let played = against_good(&arena, "leave", "nodes=1", &[]);
    // It plays one game in each of its lives.
    assert_eq!(played.count("bad", "crashes"), 2, "{}", played.err);
    assert_eq!(played.wdl("good"), [2, 2, 0]);
    assert_eq!(played.faults("good"), 0);
}

#[test]
fn an_engine_that_is_never_ready_again_loses_by_a_hang() {
    let arena = Arena::new();
    let played = against_good(&arena, "unready", "nodes=1 ready=6", &["--games", "2"]);
    assert_eq!(played.count("bad", "hangs"), 1, "{}", played.err);
    assert_eq!(played.wdl("good"), [1, 1, 0]);
}

#[test]
fn an_engine_that_does_not_leave_is_made_to() {
    let arena = Arena::new();
    let played = against_good(&arena, "stay", "nodes=1", &[]);
    assert_eq!(played.wdl("bad"), [0, 4, 0], "{}", played.err);
    assert_eq!(played.faults("bad"), 0, "{}", played.err);
}

/// Engines often hide behind a script that chooses their options.
#[test]
fn an_engine_behind_a_script_is_made_to_leave_too() {
    for behaviour in ["stay", "hang"] {
        let arena = Arena::new();
        let inner = arena.fake_command("inner", behaviour);
        let script = arena.write("wrapper.sh", format!("'{}'\ntrue\n", inner.join("' '")));
        let bad = format!("name=bad cmd=sh 'arg={script}' tc=0.2");
        let (good, book) = (arena.fake("good", "fine"), arena.start_book());
        let args = ["--player", &bad, "--player", &good, "--book", &book, "--games", "2"];
        // Nobody of the arena is left after it.
        arena.play(&[&args[..], &["--patience", "0.3", "--margin", "100000"]].concat());
    }
}

#[test]
fn an_engine_that_starts_only_now_and_then_is_tried_again() {
    let arena = Arena::new();
    let played = against_good(&arena, "unsteady", "nodes=1", &[]);
    assert_eq!(played.count("bad", "crashes"), 4, "{}", played.err);
    assert_eq!(played.faults("bad"), 4, "{}", played.err);
    assert_eq!(played.wdl("good"), [4, 0, 0]);
}

#[test]
fn an_engine_that_never_starts_again_ends_the_match_with_a_summary() {
    let arena = Arena::new();
    let (bad, good) = (arena.fake("bad", "absent"), arena.fake("good", "fine"));
    let book = arena.start_book();
    let args = ["--player", &bad, "--player", &good, "--games", "20", "--book", &book];
    let run = arena.run(&args);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("bad could not be started"), "{}", run.err);
    let (games, journal) = arena.kept();
    assert_eq!((games.len(), journal.len()), (3, 3));
    let report: serde_json::Value = serde_json::from_str(&run.out)
        .unwrap_or_else(|error| panic!("what was played is summed up all the same: {error}"));
    assert_eq!(report["games"], 3);
    assert_eq!(report["players"][0]["no_starts"], 3);
}

#[test]
fn what_is_no_engine_is_refused_before_the_first_game() {
    let arena = Arena::new();
    let good = arena.fake("good", "fine");
    let unplayable = arena.write("data", "no program");
    let mute = arena.fake("mute", "mute") + " ready=0.5";
    let babble = arena.fake("babble", "babble") + " ready=0.5";
    for (player, word) in [
        ("name=gone cmd=/nonexistent/engine".to_owned(), "/nonexistent/engine"),
        (format!("name=data cmd={unplayable}"), "data"),
        ("name=exits cmd=true".to_owned(), "exits"),
        ("name=cat cmd=cat ready=0.5".to_owned(), "cat"),
        (mute, "mute"),
        (babble, "babble"),
        (format!("{good} option.Nonsense=1"), "Nonsense"),
        (format!("{good} dir=/nonexistent/folder"), "good"),
    ] {
        let args = ["--player", &player, "--player", &good, "--nodes", "1"];
        let run = arena.run(&args);
        assert_eq!(run.code, Some(1), "{player}: {}{}", run.out, run.err);
        assert!(run.err.starts_with("tandem: ") && run.err.contains(word), "{player}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{player}: {}", run.err);
        assert_eq!(run.out, "", "{player}");
    }
}

#[test]
fn castling_may_be_written_either_way() {
    let arena = Arena::new();
    let fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let book = arena.write("castling.epd", fen);
    for (white, black) in [("e1g1", "e8c8"), ("e1h1", "e8a8")] {
        let white = arena.fake("white", &format!("say@1:bestmove {white}")) + " side=white";
        let black = arena.fake("black", &format!("say@1:bestmove {black}"));
        let args = ["--player", &white, "--player", &black, "--book", &book, "--games", "2"];
        let _ = std::fs::remove_file(arena.path("match.jsonl"));
        let _ = std::fs::remove_file(arena.path("match.pgn"));
        let played = arena.play(&[&args[..], &["--max-plies", "2"]].concat());
        for game in &played.games {
            assert_eq!(game.moves, ["e1g1", "e8c8"]);
            assert_eq!(game.sentence(), "draw by adjudication: it took too long");
        }
    }
}

#[test]
fn faults_of_many_games_at_a_time_stay_apart() {
    let arena = Arena::new();
    let more = ["--concurrency", "4", "--games", "16"];
    let played = against_good(&arena, "exit@2", "nodes=1", &more);
    assert_eq!(played.wdl("good"), [16, 0, 0], "{}", played.err);
    assert_eq!(played.count("bad", FAULTS[1]), 16);
}
