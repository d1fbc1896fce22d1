//! Whatever is sent, the program lives, says in one sentence what is wrong, and keeps its position.

mod support;

use std::time::{Duration, Instant};

use support::program::{PATIENCE, Program};
use support::random::Random;
use support::referee::Referee;
use support::{KIWIPETE, START};

/// Lines that ask for nothing possible, with a word that the answer must have.
const REFUSED: &[(&str, &str)] = &[
    ("hello", "hello"),
    ("UCI", "UCI"),
    ("xyzzy go depth 3", "xyzzy"),
    ("position", "startpos"),
    ("position nowhere", "startpos"),
    ("position startpos e2e4", "startpos"),
    ("position fen", "FEN"),
    ("position moves e2e4", "startpos"),
    ("position startpos moves e2e5", "e2e5"),
    ("position startpos moves e2e4 e2e4", "e2"),
    ("position startpos moves e2e4 xx", "xx"),
    ("position startpos moves e2e4 0000", "0000"),
    ("position startpos moves e7e5", "e7"),
    ("position startpos moves e2e4q", "e2e4q"),
    ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
    ("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1", "king"),
    ("position fen 4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "king"),
    ("position fen 4k3/8/8/8/8/8/8/4K2P w - - 0 1", "pawn"),
    ("position fen 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "check"),
    ("position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "castling"),
    ("position fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en-passant"),
    ("position fen 4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "z9"),
    ("position fen 4k3/8/8/8/8/8/8/4K3 white - - 0 1", "white"),
    ("position fen 4k3/8/8/8/8/8/4K3 w - - 0 1", "rank"),
    ("position fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1", "9"),
    ("position fen 4k3/8/8/8/8/8/8/4K3x w - - 0 1", "rank 1"),
    ("position fen 4k3/8/8/8/8/8/8/4K3 w - - many 1", "many"),
    ("position fen QQQQkQQQ/QQQQQQQQ/QQ6/8/8/8/8/4K3 w - - 0 1", "White"),
    ("position fen 4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "pawns"),
    ("go depth", "depth"),
    ("go depth x", "x"),
    ("go depth 1.5", "1.5"),
    ("go wtime", "wtime"),
    ("go wtime soon btime later", "soon"),
    ("go nodes 1e6", "1e6"),
    ("go sideways", "sideways"),
    ("go searchmoves e2e5", "e2"),
    ("go perft", "perft"),
    ("go perft many", "many"),
    ("go movetime 0x10", "0x10"),
    ("setoption", "name"),
    ("setoption Hash 5", "name"),
    ("setoption name", "option"),
    ("setoption name Nonsense value 3", "Nonsense"),
    ("setoption name Hash", "Hash"),
    ("setoption name Hash value", "Hash"),
    ("setoption name Hash value 0", "Hash"),
    ("setoption name Hash value -7", "Hash"),
    ("setoption name Hash value 99999999999999999999", "Hash"),
    ("setoption name Hash value lots", "lots"),
    ("setoption name Threads value 0", "Threads"),
    ("setoption name MultiPV value 0", "MultiPV"),
    ("setoption name UCI_Chess960 value maybe", "maybe"),
    ("setoption name UCI_ShowWDL value", "UCI_ShowWDL"),
    ("setoption name Debug Log File value /nonexistent/folder/log", "/nonexistent/folder/log"),
    ("setoption name Debug Log File value /", "log file"),
    ("setoption name EvalFile value /nonexistent.nnue", "/nonexistent.nnue"),
    ("setoption name EvalFile value /dev/null", "/dev/null"),
    ("setoption name EvalFile value /", "EvalFile"),
    ("setoption name EvalFile value Cargo.toml", "Cargo.toml"),
    ("bench deep", "bench"),
    ("bench 0", "bench"),
];

#[test]
fn bad_input_gets_one_sentence_and_changes_nothing() {
    let mut program = Program::start();
    program.position(&format!("fen {KIWIPETE}"));
    for (line, word) in REFUSED {
        let answer = program.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        let sentence = answer[0].strip_prefix("info string ").unwrap_or_else(|| {
            panic!("{line}: {answer:?}");
        });
        assert!(sentence.to_lowercase().contains(&word.to_lowercase()), "{line}: {sentence}");
        assert!(sentence.len() < 300, "{line}: {sentence}");
        assert_eq!(program.fen(), KIWIPETE, "{line}");
    }
    Referee::new(KIWIPETE, false).check(&program.go("depth 4"));
    program.quit();
}

#[test]
fn refused_moves_leave_the_last_game_whole() {
    let mut program = Program::start();
    program.position("startpos moves e2e4 e7e5");
    let before = program.fen();
    assert_eq!(program.ask("position startpos moves d2d4 d7d5 e1e3").len(), 1);
    assert_eq!(program.fen(), before);
    program.quit();
}

#[test]
fn strange_bytes_are_survived() {
    let mut program = Program::start();
    let long = vec![b'x'; 2 << 20];
    let long_move = [&b"position startpos moves "[..], &b"e2e4 ".repeat(500_000)].concat();
    let words = b"go ".repeat(700_000);
    let all: Vec<u8> = (0..=255).filter(|byte| ![b'\n', b'\r'].contains(byte)).collect();
    let table: [&[u8]; 12] = [
        b"\xff\xfe\xfd",
        b"\0",
        b"\0\0\0go depth 3\0",
        b"position fen \xf0\x9f\x92\xa9",
        b"position startpos moves e2\xc3",
        b"\xef\xbb\xbfuci\x00",
        b"setoption name \x1b[31mHash value \xe2\x99\x9a",
        b"go depth \xd9\xa3",
        &all,
        &long,
        &long_move,
        &words,
    ];
    for bytes in table {
        program.send_bytes(bytes);
        program.send_bytes(b"\n");
        let answer = program.sync();
        let sentences = answer.iter().filter(|line| line.starts_with("info string ")).count();
        assert_eq!((answer.len(), sentences), (1, 1), "{:?}", answer.first());
        assert!(answer[0].len() < 400, "{}", answer[0]);
        assert_eq!(program.fen(), START);
    }
    // A last line without its end counts as a line.
    program.send_bytes(b"isready");
    program.close_input();
    assert_eq!(program.end(), ["readyok"]);
}

#[test]
fn storms_of_commands_are_weathered() {
    let mut program = Program::start();
    let before = settled_threads(&mut program);
    for _ in 0..100 {
        program.send("go infinite");
        program.send("stop");
        program.send("stop");
        program.send("ponderhit");
    }
    program.send_bytes(&b"stop\n".repeat(5000));
    program.send_bytes(&b"go depth 1\n".repeat(100));
    program.send_bytes(&b"go infinite\nucinewgame\n".repeat(20));
    program.send_bytes(&b"go ponder\nponderhit\nstop\n".repeat(50));
    let lines = program.sync();
    let bestmoves = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    // The last of the searches to depth 1 may have been ended by what follows; all have answered.
    assert_eq!(bestmoves, 100 + 100 + 20 + 50);
    no_more_threads_than(&mut program, before);
    program.quit();
}

#[test]
fn the_end_of_input_ends_every_search() {
    for go in [
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go mate 5",
        "go\nposition startpos moves e2e4\ngo infinite",
        "setoption name Threads value 4\ngo infinite",
    ] {
        let mut program = Program::start();
        program.send(go);
        std::thread::sleep(Duration::from_millis(30));
        program.close_input();
        program.end();
    }
}

#[test]
fn random_sessions_are_survived() {
    for seed in 0..24 * support::soak() {
        let mut random = Random::new(seed);
        let mut program = Program::start();
        let before = settled_threads(&mut program);
        for _ in 0..60 {
            let line = hostile_line(&mut random);
            program.send_bytes(&line);
            match random.below(12) {
                0 => check_output(&program.catch_up()),
                1 => std::thread::sleep(Duration::from_millis(random.next() % 5)),
                _ => {}
            }
        }
        program.send("stop");
        check_output(&program.catch_up());
        // It still plays.
        program.set_option("Threads", "1");
        program.set_option("MultiPV", "1");
        program.set_option("UCI_Chess960", "false");
        program.position("startpos");
        let game = Referee::start();
        let answer = program.go("depth 2");
        assert!(game.legal_moves().contains(&answer.best), "seed {seed}: {answer:?}");
        no_more_threads_than(&mut program, before);
        if seed % 2 == 0 {
            program.send(random.pick(&["go infinite", "go ponder", "go mate 9", "stop", "go"]));
            program.close_input();
            program.end();
        } else {
            program.quit();
        }
    }
}

// The words that random sessions are made of.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "7",
    "100",
    "65536",
    "2147483648",
    "-9223372036854775808",
    "1e9",
    "0.5",
    "99999999999999999999999",
    "x",
    "",
    "+3",
];
const LIMITS: [&str; 12] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];
const SETUPS: [&str; 8] = [
    "startpos",
    "startpos moves e2e4 e7e5 g1f3",
    "fen 4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1",
    "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 99 1 moves e1h1",
    "fen k7/8/8/8/8/8/8/K7 w - - 150 200",
    "startpos moves e2e4 e2e4",
];
const NAMES: [&str; 12] = [
    "MultiPV",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "Ponder",
    "Move Overhead",
    "Clear Hash",
    "EvalFile",
    "SyzygyPath",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Contempt",
    "",
];
const VALUES: [&str; 10] =
    ["true", "false", "0", "1", "3", "-5", "99999999999", "words with spaces", "<empty>", ""];
const PLAIN: [&str; 14] = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "flip",
    "help",
    "debug on",
    "",
    "register later",
    "go perft 2",
    "eval",
    "quit now",
];

/// A line made of what a session is made of, in an order and with values nobody wants.
fn hostile_line(random: &mut Random) -> Vec<u8> {
    let mut line = match random.below(8) {
        0 | 1 => {
            let mut words = vec!["go"];
            for _ in 0..random.below(4) {
                words.extend([random.pick(&LIMITS), random.pick(&NUMBERS)]);
            }
            words.join(" ")
        }
        2 | 3 => format!("position {}", random.pick(&SETUPS)),
        4 => format!("setoption name {} value {}", random.pick(&NAMES), random.pick(&VALUES)),
        5 => {
            let threads = random.pick(&["1", "2", "3", "0", "many"]);
            format!("setoption name Threads value {threads}")
        }
        _ => random.pick(&PLAIN).replace("quit now", "quiet"),
    }
    .into_bytes();
    match random.below(8) {
        0 => line.truncate(random.below(line.len() + 1)),
        1 if !line.is_empty() => {
            let at = random.below(line.len());
            line[at] = random.next() as u8;
        }
        2 => line.extend((0..random.below(40)).map(|_| random.next() as u8)),
        _ => {}
    }
    // Nothing of this is meant to end the session.
    if line.windows(4).any(|word| word == b"quit" || word == b"exit") {
        line.clear();
    }
    line.push(b'\n');
    line
}

/// Every line is of a kind that the program prints on purpose.
fn check_output(lines: &[String]) {
    for line in lines.iter().filter(|line| line.starts_with("info ")) {
        support::info::Info::parse(line);
    }
    for line in lines.iter().filter(|line| line.starts_with("bestmove")) {
        let best = line.split(' ').nth(1).unwrap_or_default();
        assert!(best == "(none)" || (4..=5).contains(&best.len()), "{line}");
    }
}

/// How many threads there are when nothing is going on.
fn settled_threads(program: &mut Program) -> Option<usize> {
    program.go("depth 1");
    program.send("stop");
    program.sync();
    program.threads()
}

/// Threads that are done may take a moment to vanish.
fn no_more_threads_than(program: &mut Program, before: Option<usize>) {
    program.send("stop");
    program.sync();
    let end = Instant::now() + PATIENCE;
    while program.threads() > before {
        assert!(Instant::now() < end, "{:?} threads, {before:?} before", program.threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}
