//! What the session offers beyond the protocol: weaker play, openings, the speed of the machine.

mod support;

use std::collections::HashSet;
use std::fs;

use support::START;
use support::info::Score;
use support::program::Program;
use support::referee::Referee;
use support::shell::tandem;

/// The openings that `genfens` prints.
fn openings(commands: &[&str]) -> Vec<String> {
    let run = tandem(commands).succeeded();
    let fens: Vec<_> =
        run.out.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    assert_eq!(fens.len(), run.out.lines().count(), "{}", run.out);
    fens.into_iter().map(str::to_owned).collect()
}

#[test]
fn openings_are_legal_different_and_decided_by_their_seed() {
    let first = openings(&["genfens 12 seed 7 book None", "quit"]);
    assert_eq!(first.len(), 12);
    for fen in &first {
        let game = Referee::new(fen, false);
        assert!(!game.is_over(), "{fen}");
        assert_eq!(game.fen(), *fen, "written as others write it");
    }
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 12);
    assert_eq!(openings(&["genfens 12 seed 7"]), first, "the same seed");
    assert_ne!(openings(&["genfens 12 seed 8"]), first, "another seed");
}

#[test]
fn openings_start_from_a_book_if_there_is_one() {
    let path = std::env::temp_dir().join(format!("tandem-book-{}.epd", std::process::id()));
    let book = path.to_str().expect("a plain path");
    fs::write(&path, "8/8/4k3/4p3/4P3/4K3/3P4/8 w - - bm d4; id \"pawns\";\n\n").expect("written");
    let fens = openings(&[&format!("genfens 3 seed 1 book {book}")]);
    assert_eq!(fens.len(), 3);
    for fen in &fens {
        assert!(fen.split(' ').next().is_some_and(|board| !board.contains(['q', 'r'])), "{fen}");
    }
    fs::write(&path, "not a position\n").expect("written");
    let mut program = Program::start();
    for line in [
        &format!("genfens 3 seed 1 book {book}"),
        "genfens 3 seed 1 book /nonexistent.epd",
        "genfens",
        "genfens many seed 1",
        "genfens 3 seed",
        "genfens 3",
    ] {
        let answer = program.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(answer[0].starts_with("info string ") && !answer[0].contains("genfens rn"));
    }
    program.quit();
    fs::remove_file(&path).expect("ours");
}

#[test]
fn the_speed_of_the_machine_is_one_line() {
    let run = tandem(&["speedtest 2 4 1"]).succeeded();
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    let words: Vec<&str> = run.last_line().rsplitn(5, ' ').collect();
    let ["nps", nps, "nodes", nodes, _] = words[..] else { panic!("{}", run.out) };
    assert!(nps.parse::<u64>().is_ok() && nodes.parse::<u64>().is_ok(), "{}", run.out);
    let mut program = Program::start();
    for line in ["speedtest 0", "speedtest 1 x", "speedtest 1 1 99999"] {
        let answer = program.ask(line);
        assert!(answer.len() == 1 && answer[0].starts_with("info string "), "{line}: {answer:?}");
    }
    program.send("speedtest 1 1 3600");
    program.sync();
    program.send("stop");
    program.sync();
    program.quit();
}

#[test]
fn weaker_play_keeps_the_rules_of_the_protocol() {
    let mut program = Program::start();
    program.set_option("UCI_LimitStrength", "true");
    for rating in ["900", "1500", "2200", "2900"] {
        program.set_option("UCI_Elo", rating);
        let mut game = Referee::start();
        for _ in 0..24 {
            if game.is_over() {
                break;
            }
            program.position(&game.setup());
            let answer = program.go("wtime 5000 btime 5000");
            game.check(&answer);
            game.play(&answer.best).expect("checked");
        }
    }
    program.quit();
}

#[test]
fn the_seed_decides_weaker_play() {
    let play = |seed: &str| {
        let mut program = Program::start();
        program.set_option("UCI_LimitStrength", "true");
        program.set_option("UCI_Elo", "1000");
        program.set_option("Seed", seed);
        let mut game = Referee::start();
        for _ in 0..16 {
            // Such players may be mated early.
            if game.is_over() {
                break;
            }
            program.position(&game.setup());
            let best = program.go("nodes 2000").best;
            game.play(&best).expect("legal");
        }
        program.quit();
        game.setup()
    };
    let first = play("1");
    assert_eq!(play("1"), first);
    assert!((2..6).any(|seed| play(&seed.to_string()) != first), "always {first}");
}

#[test]
fn a_weak_player_still_mates_with_king_and_rook() {
    let mut program = Program::start();
    program.set_option("UCI_LimitStrength", "true");
    program.set_option("UCI_Elo", "900");
    let mut game = Referee::new("8/8/3k4/8/8/4K3/8/R7 w - - 0 1", false);
    while !game.is_over() {
        program.position(&game.setup());
        let answer = program.go("movetime 100");
        game.check(&answer);
        game.play(&answer.best).expect("checked");
    }
    assert!(game.is_checkmate(), "{}", game.setup());
    program.quit();
}

#[test]
fn full_strength_returns_when_the_limit_is_lifted() {
    let mut program = Program::start();
    program.position("startpos");
    let before = program.go("depth 7").nodes();
    program.set_option("UCI_LimitStrength", "true");
    program.go("depth 7");
    program.set_option("UCI_LimitStrength", "false");
    program.send("ucinewgame");
    program.position("startpos");
    let answer = program.go("depth 7");
    assert_eq!(answer.nodes(), before);
    assert!(matches!(answer.last().score, Score::Centipawns(_)));
    assert_eq!(program.fen(), START);
    program.quit();
}
