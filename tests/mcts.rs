//! Monte Carlo tree search as a GUI meets it.

mod support;

use std::time::{Duration, Instant};

use support::info::Score;
use support::program::Program;
use support::random::Random;
use support::referee::Referee;
use support::{KIWIPETE, START, soak};

/// The position with the most legal moves, 218; and one with a single one.
const EXTREMES: [&str; 2] =
    ["R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"];

fn start(threads: u32) -> Program {
    let mut program = Program::start();
    program.set_option("SearchMode", "MCTS");
    program.set_option("Threads", &threads.to_string());
    program
}

#[test]
fn every_limit_is_answered_with_a_legal_move() {
    let mut program = start(2);
    for limits in [
        "depth 3",
        "nodes 1",
        "nodes 0",
        "nodes 3000",
        "movetime 30",
        "movetime 0",
        "wtime 300 btime 300",
        "wtime 300 btime 300 winc 20 binc 20 movestogo 3",
        "wtime 1 btime 1",
        "wtime -50 btime -50",
        "mate 1 nodes 2000",
    ] {
        for fen in [START, KIWIPETE, EXTREMES[0], EXTREMES[1]] {
            let game = Referee::new(fen, false);
            program.position(&game.setup());
            game.check(&program.go(limits));
        }
    }
    program.quit();
}

#[test]
fn nodes_are_playouts() {
    let mut program = start(1);
    for nodes in [100, 5000] {
        program.send("ucinewgame");
        program.position("startpos");
        assert_eq!(program.go(&format!("nodes {nodes}")).infos.last().unwrap().nodes, nodes);
    }
    program.quit();
}

#[test]
fn a_proven_mate_is_shown_and_played() {
    let mut program = start(1);
    program.position("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let answer = program.go("nodes 20000");
    assert_eq!(
        (answer.infos.last().unwrap().score, answer.best.as_str()),
        (Score::Mate(1), "a1a8")
    );
    program.quit();
}

#[test]
fn every_move_is_told_of_in_the_form_of_lc0() {
    let mut program = start(1);
    program.set_option("VerboseMoveStats", "true");
    program.position("startpos");
    program.send("go nodes 2000");
    let lines = program.read_until(|line| line.starts_with("bestmove"));
    let told: Vec<_> = lines.iter().filter(|line| line.contains(" N: ")).collect();
    assert_eq!(told.len(), 21, "{told:?}");
    assert!(told[20].starts_with("info string node "), "{}", told[20]);
    for line in &told {
        for part in ["(P: ", "(WL: ", "(D: ", "(M: ", "(Q: ", "(U: ", "(S: ", "(V: "] {
            assert!(line.contains(part), "{line}");
        }
    }
    let visits = |line: &str| -> u32 {
        let rest = line.split(" N: ").nth(1).expect("visits");
        rest.split_whitespace().next().expect("a number").parse().expect("a number")
    };
    assert_eq!(visits(told[20]), 2000);
    assert!(told[..20].is_sorted_by_key(|line| visits(line)));
    program.quit();
}

#[test]
fn a_batch_or_a_search_at_the_leaves_changes_nothing_about_the_protocol() {
    for (name, value) in [("BatchSize", "16"), ("LeafSearch", "quiescence"), ("Policy", "uniform")]
    {
        let mut program = start(2);
        program.set_option(name, value);
        let game = Referee::new(KIWIPETE, false);
        program.position(&game.setup());
        game.check(&program.go("nodes 3000"));
        program.quit();
    }
}

#[test]
fn the_word_to_stop_ends_a_search_that_has_run_out_of_memory() {
    let mut program = start(2);
    program.set_option("Hash", "1");
    program.position(&format!("fen {KIWIPETE}"));
    program.send("go infinite");
    std::thread::sleep(Duration::from_millis(700));
    let before = Instant::now();
    program.send("stop");
    program.answer();
    // Ten milliseconds are measured by the benchmarks; other tests share the machine with this one.
    assert!(before.elapsed() < Duration::from_secs(2));
    program.quit();
}

#[test]
fn whatever_is_said_in_whatever_order_each_search_is_answered() {
    let mut random = Random::new(77);
    for _ in 0..2 * soak() {
        let mut program = start(2);
        program.set_option("Hash", "2");
        for _ in 0..25 {
            let fen = random.pick(&[START, KIWIPETE, EXTREMES[0], EXTREMES[1]]);
            program.position(&format!("fen {fen}"));
            match random.below(4) {
                0 => program.send("go nodes 500"),
                1 => program.send("go infinite"),
                2 => program.send("go ponder wtime 100 btime 100"),
                _ => program.send("go movetime 20"),
            }
            std::thread::sleep(Duration::from_millis(random.below(15) as u64));
            if random.below(3) == 0 {
                program.send("ponderhit");
            }
            program.send("stop");
            program.answer();
            if random.below(5) == 0 {
                program.send("ucinewgame");
            }
        }
        program.quit();
    }
}

#[test]
fn the_command_mcts_says_where_time_goes() {
    let mut program = Program::start();
    program.position(&format!("fen {KIWIPETE}"));
    program.send("mcts 1");
    let lines = program.read_until(|line| line.trim_start().starts_with("backpropagation"));
    for word in ["playouts a second", "network evaluations", "table hit rate", "selection"] {
        assert!(lines.iter().any(|line| line.contains(word)), "{lines:?}");
    }
    assert!(program.ask("mcts soon").concat().contains("seconds"));
    program.quit();
}
