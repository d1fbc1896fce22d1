//! The two searches in tandem as a GUI meets them.

mod support;

use std::time::{Duration, Instant};

use serde_json::Value;
use support::info::Score;
use support::program::Program;
use support::random::Random;
use support::referee::Referee;
use support::shell::tandem;
use support::{KIWIPETE, START, soak};

/// The position with the most legal moves, one with a single one, and one in which the fifty-move rule is a ply
/// away.
const EXTREMES: [&str; 3] = [
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
    "8/8/8/4k3/8/8/4K2R/8 w - - 99 80",
];

const SCHEDULES: [&str; 2] = ["Concurrent", "Phased"];

fn start(schedule: &str, threads: u32) -> Program {
    let mut program = Program::start();
    program.set_option("SearchMode", "Hybrid");
    program.set_option("HybridSchedule", schedule);
    program.set_option("Threads", &threads.to_string());
    program
}

#[test]
fn every_limit_is_answered_with_a_legal_move() {
    for (schedule, threads) in [("Concurrent", 2), ("Concurrent", 1), ("Phased", 2)] {
        let mut program = start(schedule, threads);
        for limits in [
            "depth 3",
            "depth 0",
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
            for fen in [START, KIWIPETE, EXTREMES[0], EXTREMES[1], EXTREMES[2]] {
                let game = Referee::new(fen, false);
                program.position(&game.setup());
                game.check(&program.go(limits));
            }
        }
        program.quit();
    }
}

#[test]
fn the_position_ends_without_a_move_where_there_is_none() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        for fen in ["4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            let game = Referee::new(fen, false);
            program.position(&format!("fen {fen}"));
            for limits in ["depth 5", "movetime 20", "nodes 100"] {
                game.check(&program.go(limits));
            }
        }
        program.quit();
    }
}

#[test]
fn a_mate_is_announced_and_played() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        program.position("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        for limits in ["depth 6", "movetime 100", "mate 1", "nodes 20000"] {
            let answer = program.go(limits);
            assert_eq!(answer.last().score, Score::Mate(1), "{schedule} {limits}");
            assert_eq!(answer.best, "a1a8");
        }
        program.quit();
    }
}

#[test]
fn an_infinite_search_answers_only_when_told_and_a_ponder_hit_starts_the_clock() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        let game = Referee::new(KIWIPETE, false);
        let is_legal = |lines: &[String]| {
            let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
            assert!(game.legal_moves().iter().any(|m| m == best), "{lines:?}");
        };
        program.set_option("Ponder", "true");
        program.position(&game.setup());
        for limits in ["infinite", "ponder wtime 50 btime 50", "ponder depth 1"] {
            program.send(&format!("go {limits}"));
            program.never(Duration::from_millis(60), |line| line.starts_with("bestmove"));
            program.send("stop");
            // What there is to say may have been said before.
            is_legal(&program.read_until(|line| line.starts_with("bestmove")));
        }
        for limits in ["wtime 500 btime 500", "movetime 100", "depth 5", "nodes 500"] {
            program.send(&format!("go ponder {limits}"));
            program.never(Duration::from_millis(80), |line| line.starts_with("bestmove"));
            program.send("ponderhit");
            is_legal(&program.read_until(|line| line.starts_with("bestmove")));
        }
        program.quit();
    }
}

#[test]
fn several_lines_and_chosen_moves_are_heeded() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        let game = Referee::new(KIWIPETE, false);
        program.position(&game.setup());
        let answer = program.go("movetime 100 searchmoves a2a3 h1g1");
        game.check(&answer);
        assert!(["a2a3", "h1g1"].contains(&answer.best.as_str()));
        program.set_option("MultiPV", "3");
        let answer = program.go("movetime 150");
        game.check(&answer);
        assert_eq!(answer.infos.iter().map(|info| info.multipv).max(), Some(3));
        assert_eq!(answer.last().pv[0], answer.best);
        program.quit();
    }
}

#[test]
fn chess960_is_played_in_its_own_notation() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        program.set_option("UCI_Chess960", "true");
        let mut game =
            Referee::new("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true);
        for _ in 0..6 {
            program.position(&game.setup());
            let answer = program.go("nodes 4000");
            game.check(&answer);
            game.play(&answer.best).expect("legal");
        }
        program.quit();
    }
}

#[test]
fn how_the_choice_came_about_is_told_where_it_is_asked_for() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        program.position(&format!("fen {KIWIPETE}"));
        assert!(program.go("movetime 60").strings.is_empty());
        program.set_option("HybridInfo", "true");
        let told = program.go("movetime 150").strings;
        for word in ["type: ", "proven: ", "explored: ", "verdict: ", "exchanges: "] {
            let count = told.iter().filter(|line| line.starts_with(&format!("hybrid {word}")));
            assert_eq!(count.count(), 1, "{word}: {told:?}");
        }
        assert!(told[0].contains("% of the time for MCTS"), "{told:?}");
        assert!(told[3].contains("because"), "{told:?}");
        program.quit();
    }
}

#[test]
fn the_parts_can_be_switched_off() {
    let mut program = start("Phased", 1);
    program.set_option("HybridInfo", "true");
    let game = Referee::new(KIWIPETE, false);
    program.position(&game.setup());
    for (name, value) in
        [("HybridStrategy", "Paper"), ("Classifier", "false"), ("Verifier", "false")]
    {
        program.set_option(name, value);
        let answer = program.go("nodes 6000");
        game.check(&answer);
        let is_alone = answer.strings.iter().any(|line| line.contains("hybrid proven: none"));
        assert_eq!(is_alone, name == "Verifier", "{:?}", answer.strings);
    }
    program.quit();
}

#[test]
fn the_same_nodes_give_the_same_move_where_one_search_follows_the_other() {
    let run = || {
        let mut program = start("Phased", 1);
        program.set_option("HybridInfo", "true");
        let answers = [START, KIWIPETE].map(|fen| {
            program.position(&format!("fen {fen}"));
            let answer = program.go("nodes 30000");
            let told: Vec<_> = answer
                .strings
                .iter()
                .filter(|line| !line.contains("of the time"))
                .cloned()
                .collect();
            (answer.best.clone(), answer.last().pv.clone(), told)
        });
        program.quit();
        answers
    };
    assert_eq!(run(), run());
}

#[test]
fn the_word_to_stop_ends_a_search_in_little_memory() {
    for schedule in SCHEDULES {
        let mut program = start(schedule, 2);
        program.set_option("Hash", "1");
        program.position(&format!("fen {KIWIPETE}"));
        let mut waits = Vec::new();
        for thought in [0, 5, 30, 400] {
            program.send("go infinite");
            std::thread::sleep(Duration::from_millis(thought));
            let before = Instant::now();
            program.send("stop");
            program.answer();
            waits.push(before.elapsed());
        }
        println!("{schedule}: from stop to bestmove: {waits:?}");
        // Ten milliseconds are measured by the benchmarks; other tests share the machine with this one.
        assert!(waits.iter().all(|wait| *wait < Duration::from_secs(2)), "{waits:?}");
        program.quit();
    }
}

#[test]
fn the_bench_counts_what_both_searches_do() {
    let words = ["bench", "hybrid", "--time", "0.05", "--hash", "8", "--json"];
    let report: Value = serde_json::from_str(&tandem(&words).succeeded().out).expect("JSON");
    let rows = |table: &str| report[table].as_array().expect("rows").clone();
    assert_eq!((rows("modes").len(), rows("ablation").len()), (4, 5));
    for row in rows("ablation") {
        let name = row["name"].as_str().expect("a name");
        let (explores, proves) = (name != "pure alpha-beta", name != "pure MCTS");
        assert_eq!(row["playouts"].as_u64() > Some(0), explores, "{row}");
        assert_eq!(row["alphabeta_nodes"].as_u64() > Some(0), proves, "{row}");
    }
    assert!(report["stop_median_ms"].as_f64() > Some(0.0));
}

#[test]
fn a_game_is_played_to_a_finish_by_the_clock() {
    let mut program = start("Concurrent", 2);
    let mut game = Referee::start();
    for _ in 0..30 {
        if game.legal_moves().is_empty() {
            break;
        }
        program.position(&game.setup());
        let answer = program.go("wtime 400 btime 400 winc 10 binc 10");
        game.check(&answer);
        game.play(&answer.best).expect("legal");
    }
    program.quit();
}

#[test]
fn whatever_is_said_in_whatever_order_each_search_is_answered() {
    let mut random = Random::new(78);
    for _ in 0..2 * soak() {
        let mut program = start("Concurrent", 2);
        for _ in 0..20 {
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
            match random.below(8) {
                0 => program.send("ucinewgame"),
                1 => program.set_option("HybridSchedule", random.pick(&SCHEDULES)),
                2 => program.set_option("Hash", random.pick(&["1", "2", "9"])),
                3 => program.set_option("Threads", random.pick(&["1", "2", "5"])),
                _ => {}
            }
        }
        program.quit();
    }
}
