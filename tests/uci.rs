//! The protocol around the search: who the engine is, what can be set, where the pieces stand.

mod support;

use std::collections::HashSet;
use std::fs;
use std::time::Duration;

use support::program::Program;
use support::referee::Referee;
use support::{KIWIPETE, START};

/// The options with names that GUIs and match runners know.
const STANDARD_OPTIONS: [&str; 21] = [
    "Hash",
    "Clear Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "Move Overhead",
    "EvalFile",
    "EvalFileSmall",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Syzygy50MoveRule",
    "OwnBook",
    "BookFile",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_AnalyseMode",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_Opponent",
    "Debug Log File",
];

#[test]
fn the_handshake_names_the_engine_and_ends_with_uciok() {
    let mut program = Program::start();
    program.send("uci");
    let lines = program.read_until(|line| line == "uciok");
    assert!(lines[0].starts_with("id name Tandem"), "{lines:?}");
    assert!(lines[1].strip_prefix("id author ").is_some_and(|name| !name.is_empty()));
    let mut names = HashSet::new();
    for line in &lines[2..lines.len() - 1] {
        let name = check_option(line);
        assert!(names.insert(name.to_ascii_lowercase()), "twice: {line}");
    }
    for name in STANDARD_OPTIONS {
        assert!(names.contains(&name.to_ascii_lowercase()), "no option {name}");
    }
    program.quit();
}

/// Checks that a GUI can read the declaration of an option. Gives its name.
fn check_option(line: &str) -> &str {
    let rest = line.strip_prefix("option name ").unwrap_or_else(|| panic!("{line}"));
    let (name, kind) = rest.split_once(" type ").unwrap_or_else(|| panic!("{line}"));
    assert!(!name.is_empty() && !name.contains("value"), "{line}");
    let (kind, rest) = kind.split_once(' ').unwrap_or((kind, ""));
    match kind {
        "button" => assert_eq!(rest, "", "{line}"),
        "check" => assert!(["default true", "default false"].contains(&rest), "{line}"),
        "string" => assert!(rest.strip_prefix("default ").is_some_and(|d| !d.is_empty()), "{line}"),
        "spin" => {
            let words: Vec<&str> = rest.split(' ').collect();
            let ["default", default, "min", min, "max", max] = words[..] else { panic!("{line}") };
            let [default, min, max] =
                [default, min, max].map(|word| word.parse::<i64>().expect("a whole number"));
            assert!(min <= default && default <= max, "{line}");
        }
        "combo" => {
            let mut parts = rest.split(" var ");
            let default = parts.next().and_then(|part| part.strip_prefix("default "));
            let choices: Vec<&str> = parts.collect();
            assert!(choices.contains(&default.expect("a default")), "{line}");
        }
        _ => panic!("an unknown type: {line}"),
    }
    name
}

/// A GUI may send back every option as it was declared.
#[test]
fn every_option_accepts_its_own_default() {
    let mut program = Program::start();
    program.send("uci");
    for line in program.read_until(|line| line == "uciok") {
        let Some(rest) = line.strip_prefix("option name ") else { continue };
        let (name, kind) = rest.split_once(" type ").expect("checked elsewhere");
        let set = match kind.split_once(" default ") {
            None => format!("setoption name {name}"),
            Some((_, rest)) => {
                let value = rest.split(" min ").next().and_then(|rest| rest.split(" var ").next());
                format!("setoption name {name} value {}", value.expect("a default"))
            }
        };
        let answer = program.ask(&set);
        // A program that was built without a policy network says so to whoever asks for one.
        let is_told = name == "Policy"
            && answer.iter().all(|line| line.contains("there is no policy network"));
        assert!(answer.is_empty() || is_told, "{set}: {answer:?}");
    }
    Referee::start().check(&program.go("depth 4"));
    program.quit();
}

#[test]
fn option_names_know_no_case_and_values_may_have_spaces() {
    let mut program = Program::start();
    program.set_option("hAsH", "8");
    program.set_option("uci_chess960", "TRUE");
    program.set_option("clear hash", "");
    assert!(program.ask("setoption name Clear Hash").is_empty());
    let path = std::env::temp_dir().join(format!("tandem log {}.txt", std::process::id()));
    program.set_option("Debug Log File", path.to_str().expect("a plain path"));
    program.ask("d");
    program.quit();
    assert!(fs::read_to_string(&path).expect("a log").contains("isready"));
    fs::remove_file(&path).expect("ours");
}

#[test]
fn the_debug_log_holds_both_sides_of_the_conversation() {
    let path = std::env::temp_dir().join(format!("tandem-log-{}.txt", std::process::id()));
    let mut program = Program::start();
    program.set_option("Debug Log File", path.to_str().expect("a plain path"));
    program.position("startpos moves e2e4");
    let answer = program.go("depth 3");
    program.set_option("Debug Log File", "<empty>");
    program.ask("position startpos moves d2d4");
    program.quit();
    let log = fs::read_to_string(&path).expect("a log");
    fs::remove_file(&path).expect("ours");
    for line in [">> position startpos moves e2e4", ">> go depth 3", "<< readyok"] {
        assert!(log.contains(line), "no '{line}' in {log}");
    }
    assert!(log.contains(&format!("<< bestmove {}", answer.best)), "{log}");
    assert!(!log.contains("d2d4\n>> isready"), "it goes on after it was switched off: {log}");
}

#[test]
fn positions_are_set_in_every_way_that_guis_use() {
    let mut program = Program::start();
    assert_eq!(program.fen(), START);
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let table = [
        ("startpos", START),
        ("startpos moves", START),
        ("startpos moves e2e4", after_e4),
        (&format!("fen {KIWIPETE}"), KIWIPETE),
        ("  startpos\t moves   e2e4  ", after_e4),
        (&format!("fen {START} moves e2e4"), after_e4),
        (
            "startpos moves e2e4 c7c5 e4e5 d7d5 e5d6",
            "rnbqkbnr/pp2pppp/3P4/2p5/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
        ),
        ("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n", "N7/7k/8/8/8/8/8/K7 b - - 0 1"),
        ("fen 4k3/8/8/8/8/8/8/4K2R w K - 99 120 moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 100 120"),
        // A square behind a pawn that nobody can take is not worth keeping.
        ("fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", after_e4),
    ];
    for (setup, fen) in table {
        program.position(setup);
        assert_eq!(program.fen(), fen, "{setup}");
    }
    program.send("ucinewgame");
    program.position("startpos");
    assert_eq!(program.fen(), START);
    program.quit();
}

#[test]
fn a_long_game_is_followed_to_its_end() {
    let mut random = support::random::Random::new(5);
    let mut program = Program::start();
    for _ in 0..3 {
        let mut game = Referee::start();
        for _ in 0..600 {
            if !game.play_random(&mut random) {
                break;
            }
        }
        program.position(&game.setup());
        assert_eq!(program.fen(), game.fen());
        game.check(&program.go("nodes 200"));
    }
    program.quit();
}

#[test]
fn castling_is_written_as_the_options_say() {
    let mut program = Program::start();
    let both = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let castled = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
    // Both ways are understood with either setting; each writes its own.
    for (option, moves, fen) in [
        ("false", ["e1g1", "e1c1"], castled.to_owned()),
        ("true", ["e1h1", "e1a1"], castled.replace(" kq ", " ha ")),
    ] {
        program.set_option("UCI_Chess960", option);
        program.position(both);
        let lines = perft(&mut program, 1);
        for m in moves {
            assert!(lines.contains(&format!("{m}: 1")), "{m} in {lines:?}");
        }
        for m in ["e1g1", "e1h1"] {
            program.position(&format!("{both} moves {m}"));
            assert_eq!(program.fen(), fen, "{m}");
        }
        program.position(both);
        let answer = program.go(&format!("depth 2 searchmoves {}", moves[0]));
        assert_eq!(answer.best, moves[0]);
    }
    program.quit();
}

#[test]
fn chess960_games_are_played_in_their_notation() {
    let mut program = Program::start();
    program.set_option("UCI_Chess960", "true");
    for fen in [
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
        "nbbqrkrn/pppppppp/8/8/8/8/PPPPPPPP/BRKQNBRN w GBge - 0 1",
        // King and rook both stand where the other goes, or need not move at all.
        "5rkr/8/8/8/8/8/8/1RKR4 w DBhf - 0 1",
        "4k3/8/8/8/8/8/8/R1K3R1 w GA - 0 1",
    ] {
        let mut game = Referee::new(fen, true);
        for _ in 0..6 {
            if game.is_over() {
                break;
            }
            program.position(&game.setup());
            let answer = program.go("nodes 3000");
            game.check(&answer);
            game.play(&answer.best).expect("checked");
        }
    }
    program.quit();
}

#[test]
fn perft_lists_the_first_moves_and_their_sum() {
    let mut program = Program::start();
    program.position(&format!("fen {KIWIPETE}"));
    let lines = perft(&mut program, 3);
    let mut sum = 0;
    let mut moves: Vec<String> = Vec::new();
    for line in lines.iter().take_while(|line| !line.is_empty()) {
        let (name, count) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        moves.push(name.to_owned());
        sum += count.parse::<u64>().expect("a whole number");
    }
    let mut legal = Referee::new(KIWIPETE, false).legal_moves();
    legal.sort();
    moves.sort();
    assert_eq!(moves, legal);
    assert_eq!(sum, 97_862);
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 97862"));
    program.quit();
}

/// What `go perft` prints, to its last words.
fn perft(program: &mut Program, depth: u32) -> Vec<String> {
    program.send(&format!("go perft {depth}"));
    let lines = program.read_until(|line| line.starts_with("Nodes searched"));
    program.read_until(str::is_empty);
    lines
}

/// Counting without end is ended like thinking without end.
#[test]
fn endless_counting_can_be_stopped() {
    let mut program = Program::start();
    for endless in ["go perft 30", "go perft 99999999999999999999", "bench 60"] {
        program.send(endless);
        program.sync();
        program.send("stop");
        program.sync();
        assert_eq!(program.fen(), START);
    }
    // A count that ends by itself is not cut short by what follows.
    program.send("go perft 4");
    let lines = program.quit();
    assert!(lines.contains(&"Nodes searched: 197281".to_owned()), "{lines:?}");
}

#[test]
fn d_shows_board_fen_and_verdict() {
    let mut program = Program::start();
    let shown = program.ask("d").join("\n");
    assert!(shown.contains(&format!("Fen: {START}")), "{shown}");
    assert_eq!(shown.matches("| P ").count(), 8, "{shown}");
    program.position("startpos moves f2f3 e7e5 g2g4 d8h4");
    let shown = program.ask("d").join("\n");
    assert!(shown.contains("Checkers: h4") && shown.contains("mate"), "{shown}");
    program.quit();
}

#[test]
fn flip_shows_the_other_side() {
    let mut program = Program::start();
    program.position("startpos moves e2e4");
    assert!(program.ask("flip").is_empty());
    assert_eq!(program.fen(), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    program.quit();
}

#[test]
fn help_lists_what_can_be_typed() {
    let mut program = Program::start();
    let shown = program.ask("help").join("\n");
    for word in ["position", "go ", "setoption", "isready", "quit", "stop"] {
        assert!(shown.contains(word), "no {word} in {shown}");
    }
    program.quit();
}

#[test]
fn commands_that_ask_for_nothing_are_taken_in_silence() {
    let mut program = Program::start();
    for line in ["", "   ", "\t", "debug on", "debug off", "stop", "ponderhit", "ucinewgame", "\r"]
    {
        let answer = program.ask(line);
        assert!(answer.is_empty(), "{line:?}: {answer:?}");
    }
    program.quit();
}

#[test]
fn quit_and_the_end_of_input_end_the_session_at_once() {
    for bounded in
        ["go depth 3", "go infinite", "go ponder wtime 1000 btime 1000", "go movetime 100000"]
    {
        let mut program = Program::start();
        program.send(bounded);
        program.next_info();
        let rest = program.quit();
        assert!(rest.iter().filter(|line| line.starts_with("bestmove")).count() <= 1);
    }
    for open in ["go infinite", "go", "go ponder wtime 1000 btime 1000", "go mate 3"] {
        let mut program = Program::start();
        program.send(open);
        program.next_info();
        program.close_input();
        program.end();
    }
}

#[test]
fn a_session_without_a_terminal_begins_in_silence() {
    let mut program = Program::start();
    assert_eq!(program.next_line(Duration::from_millis(200)), None);
    program.quit();
}

/// Only a person is greeted, with the words that help. `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_is_told_what_can_be_typed() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new("script")
        .args(["-qec", env!("CARGO_BIN_EXE_tandem"), "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script is there (Debian: bsdutils)");
    let stdin = child.stdin.as_mut().expect("piped");
    stdin.write_all(b"isready\nquit\n").expect("written");
    let output = child.wait_with_output().expect("ends");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("tandem help") && shown.contains("readyok"), "{shown}");
}
