//! Every way to begin a search and to end one.

mod support;

use std::time::{Duration, Instant};

use support::program::Program;
use support::referee::Referee;
use support::{KIWIPETE, START};

/// Positions that no search should find easy to mishandle.
const POSITIONS: [&str; 6] = [
    START,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // In check, with one way out.
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
    // The fifty-move rule is a ply away.
    "8/8/8/4k3/8/8/4K2R/8 w - - 99 80",
];

#[test]
fn every_limit_is_answered() {
    let mut program = Program::start();
    for limits in [
        "depth 6",
        "depth 0",
        "nodes 5000",
        "nodes 1",
        "nodes 0",
        "movetime 50",
        "movetime 1",
        "movetime 0",
        "movetime -20",
        "wtime 300 btime 300",
        "wtime 300 btime 300 winc 20 binc 20",
        "wtime 300 btime 300 movestogo 1",
        "wtime 300 btime 300 winc 5 binc 5 movestogo 40",
        "wtime 300 btime 300 movestogo 0",
        "wtime 1 btime 1",
        "wtime 0 btime 0",
        "wtime -50 btime -50",
        "wtime -50 btime -50 winc 100 binc 100",
        "winc 10 binc 10 wtime 200 btime 200 depth 20 nodes 100000",
        "wtime 9999999999999 btime 9999999999999 depth 4",
        "mate 1 nodes 2000",
    ] {
        for fen in POSITIONS {
            let game = Referee::new(fen, false);
            program.position(&game.setup());
            game.check(&program.go(limits));
        }
    }
    program.quit();
}

#[test]
fn the_clock_of_one_side_is_enough() {
    let mut program = Program::start();
    for limits in ["wtime 300", "btime 300", "wtime 300 winc 10", "btime 300 binc 10"] {
        for moves in ["", " moves e2e4"] {
            program.position(&format!("startpos{moves}"));
            program.go(limits);
        }
    }
    program.quit();
}

#[test]
fn limits_are_kept() {
    let mut program = Program::start();
    program.position(&format!("fen {KIWIPETE}"));
    for depth in [1, 2, 5, 7] {
        let answer = program.go(&format!("depth {depth}"));
        assert_eq!(answer.infos.iter().map(|info| info.depth).max(), Some(depth));
    }
    program.send("ucinewgame");
    program.position(&format!("fen {KIWIPETE}"));
    for nodes in [1, 100, 2000, 30_000] {
        let visited = program.go(&format!("nodes {nodes}")).nodes();
        assert!(visited <= nodes + 1500, "{visited} nodes instead of {nodes}");
    }
    for movetime in [20, 200] {
        let answer = program.go(&format!("movetime {movetime}"));
        assert!(answer.last().time <= movetime + 1000, "{answer:?}");
        assert!(answer.took >= Duration::from_millis(movetime / 2), "{answer:?}");
    }
    program.quit();
}

#[test]
fn only_the_named_moves_are_considered() {
    let mut program = Program::start();
    let game = Referee::new(KIWIPETE, false);
    program.position(&game.setup());
    for moves in [&["a2a3"][..], &["e1c1", "a1b1"], &["h1g1", "h1g1", "e2a6"]] {
        let answer = program.go(&format!("depth 5 searchmoves {}", moves.join(" ")));
        game.check(&answer);
        for info in &answer.infos {
            assert!(moves.contains(&info.pv[0].as_str()), "{info:?}");
        }
        let other_order = program.go(&format!("searchmoves {} depth 4", moves.join(" ")));
        assert!(moves.contains(&other_order.best.as_str()));
    }
    program.quit();
}

#[test]
fn an_infinite_search_answers_only_when_told() {
    let mut program = Program::start();
    let mated = "fen 4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1";
    let stalemated = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let forced = "fen 4k3/8/8/8/8/8/4q3/4K3 w - - 0 1";
    let short = "fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    for setup in ["startpos", mated, stalemated, forced, short] {
        for limits in
            ["infinite", "ponder wtime 50 btime 50", "ponder movetime 5", "ponder depth 1"]
        {
            program.position(setup);
            program.send(&format!("go {limits}"));
            program.never(Duration::from_millis(60), |line| line.starts_with("bestmove"));
            assert!(program.sync().iter().all(|line| line.starts_with("info ")));
            program.send("stop");
            program.read_until(|line| line.starts_with("bestmove"));
        }
    }
    program.quit();
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut program = Program::start();
    let game = Referee::new(KIWIPETE, false);
    program.set_option("Ponder", "true");
    program.position(&game.setup());
    for limits in ["wtime 500 btime 500", "movetime 100", "depth 5", "nodes 500", "wtime 1 btime 1"]
    {
        program.send(&format!("go ponder {limits}"));
        program.never(Duration::from_millis(120), |line| line.starts_with("bestmove"));
        program.send("ponderhit");
        let lines = program.read_until(|line| line.starts_with("bestmove"));
        let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        assert!(game.legal_moves().iter().any(|m| m == best));
    }
    program.quit();
}

#[test]
fn the_engine_is_ready_while_it_thinks() {
    let mut program = Program::start();
    program.position("startpos");
    program.send("go infinite");
    program.next_info();
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(5));
        let asked = Instant::now();
        let before = program.sync();
        assert!(before.iter().all(|line| line.starts_with("info ")), "{before:?}");
        assert!(asked.elapsed() < Duration::from_secs(5));
    }
    program.send("stop");
    Referee::start().check(&program.answer());
    program.quit();
}

/// The figure is printed; only a wait that a player would notice is an error.
#[test]
fn stop_is_obeyed_quickly() {
    let mut program = Program::start();
    let game = Referee::new(KIWIPETE, false);
    let mut waits = Vec::new();
    for threads in ["1", "2"] {
        program.set_option("Threads", threads);
        for thought in [0, 5, 20, 80, 150] {
            program.position(&game.setup());
            program.send("go infinite");
            std::thread::sleep(Duration::from_millis(thought));
            let asked = Instant::now();
            program.send("stop");
            game.check(&program.answer());
            waits.push(asked.elapsed());
        }
    }
    println!("from stop to bestmove: {waits:?}");
    assert!(waits.iter().min().is_some_and(|wait| *wait < Duration::from_millis(200)));
    assert!(waits.iter().all(|wait| *wait < Duration::from_secs(5)), "{waits:?}");
    program.quit();
}

#[test]
fn a_search_inside_a_search_ends_the_first() {
    let mut program = Program::start();
    program.position("startpos");
    for _ in 0..5 {
        program.send("go infinite");
    }
    program.send("position startpos moves e2e4");
    program.send("go depth 2");
    for _ in 0..5 {
        Referee::start().check(&program.answer());
    }
    let mut game = Referee::start();
    game.play("e2e4").expect("legal");
    game.check(&program.answer());
    program.never(Duration::from_millis(100), |line| line.starts_with("bestmove"));
    program.quit();
}

#[test]
fn a_new_position_does_not_disturb_a_running_search() {
    let mut program = Program::start();
    program.position("startpos");
    program.send("go infinite");
    program.next_info();
    program.send(&format!("position fen {KIWIPETE}"));
    program.send("stop");
    Referee::start().check(&program.answer());
    assert_eq!(program.fen(), KIWIPETE);
    program.quit();
}

#[test]
fn no_legal_move_is_answered_with_none() {
    let mut program = Program::start();
    for fen in [
        "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 12 99",
    ] {
        let game = Referee::new(fen, false);
        program.position(&format!("fen {fen}"));
        for limits in ["depth 5", "movetime 20", "nodes 100", "wtime 1 btime 1", "mate 2"] {
            game.check(&program.go(limits));
        }
    }
    program.quit();
}

#[test]
fn many_threads_search_one_position() {
    let mut program = Program::start();
    let game = Referee::new(KIWIPETE, false);
    for threads in ["2", "7", "64"] {
        program.set_option("Threads", threads);
        program.position(&game.setup());
        game.check(&program.go("depth 6"));
        game.check(&program.go("nodes 20000"));
        game.check(&program.go("movetime 50"));
    }
    program.set_option("Threads", "1");
    game.check(&program.go("depth 4"));
    program.quit();
}
