//! The option `Backend` on a machine with software Vulkan (Debian's package mesa-vulkan-drivers), and on one
//! without any GPU.

mod support;

use std::time::{Duration, Instant};

use support::KIWIPETE;
use support::program::Program;
use support::referee::Referee;

/// No driver for Vulkan is found by loaders old and new.
const NO_GPU: [(&str, &str); 2] =
    [("VK_DRIVER_FILES", "/nonexistent.json"), ("VK_ICD_FILENAMES", "/nonexistent.json")];

fn start(backend: &str, variables: &[(&str, &str)]) -> Program {
    let mut program = Program::start_where(&[], variables);
    program.set_option("SearchMode", "MCTS");
    program.set_option("Backend", backend);
    program
}

fn sentences(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info string")).collect()
}

#[test]
fn a_search_goes_over_to_the_gpu_and_answers_with_a_legal_move() {
    let before = Instant::now();
    let mut program = start("gpu", &[]);
    program.set_option("Threads", "2");
    assert!(before.elapsed() < Duration::from_secs(5), "nothing waits for the GPU");
    let game = Referee::new(KIWIPETE, false);
    program.position(&game.setup());
    program.send("go infinite");
    program.read_until(|line| line.starts_with("info string batches are evaluated by "));
    std::thread::sleep(Duration::from_millis(300));
    program.send("stop");
    game.check(&program.answer());
    for limits in ["nodes 20000", "movetime 300", "wtime 2000 btime 2000"] {
        program.send(&format!("go {limits}"));
        let lines = program.read_until(|line| line.starts_with("bestmove"));
        let told = sentences(&lines);
        // A machine that is busy with other tests may be too slow.
        assert!(told.iter().all(|line| line.contains("in time")), "{told:?}");
    }
    let answer = program.ask("mcts 1");
    assert!(answer.is_empty(), "{answer:?}");
    let profile = program.read_until(|line| line.contains("backpropagation"));
    for part in ["positions a batch", "of those wanted", "in flight a thread", "overlap"] {
        assert!(profile.iter().any(|line| line.contains(part)), "{part}: {profile:?}");
    }
    program.quit();
}

#[test]
fn without_a_gpu_the_processor_evaluates_and_one_sentence_says_so() {
    let mut program = start("gpu", &NO_GPU);
    let game = Referee::new(KIWIPETE, false);
    program.position(&game.setup());
    program.send("go infinite");
    let lines = program.read_until(|line| line.starts_with("info string no GPU was found"));
    assert_eq!(sentences(&lines).len(), 1, "{lines:?}");
    // Long enough for the GPU to be tried again.
    std::thread::sleep(Duration::from_millis(2500));
    program.send("stop");
    let lines = program.read_until(|line| line.starts_with("bestmove"));
    assert!(sentences(&lines).is_empty(), "{lines:?}");
    game.check(&program.go("nodes 3000"));
    program.quit();
}

#[test]
fn auto_is_as_good_as_cpu_where_the_only_gpu_is_software_or_there_is_none() {
    let tree = |backend: &str, variables: &[(&str, &str)]| {
        let mut program = start(backend, variables);
        program.set_option("VerboseMoveStats", "true");
        program.position(&format!("fen {KIWIPETE}"));
        program.send("go nodes 20000");
        let lines = program.read_until(|line| line.starts_with("bestmove"));
        let tree: Vec<String> = sentences(&lines).into_iter().cloned().collect();
        program.set_option("VerboseMoveStats", "false");
        // Long enough for a GPU to be looked for.
        program.send("go movetime 1200");
        let lines = program.read_until(|line| line.starts_with("bestmove"));
        assert!(sentences(&lines).is_empty(), "{lines:?}");
        program.quit();
        tree
    };
    let expected = tree("cpu", &[]);
    assert!(expected.len() > 40, "{expected:?}");
    assert_eq!(tree("auto", &[]), expected);
    assert_eq!(tree("auto", &NO_GPU), expected);
}

#[test]
fn batches_judge_by_the_policy_in_force_on_the_gpu_as_on_the_cpu() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.policy");
    let other = tandem_nnue::PolicyNetwork::random(64, 5).unwrap();
    std::fs::write(&file, other.to_bytes()).unwrap();
    let trees = |backend: &str| {
        let mut program = start(backend, &[]);
        program.set_option("BatchSize", "32");
        program.set_option("VerboseMoveStats", "true");
        ["", file.to_str().unwrap(), ""].map(|name| {
            program.set_option("PolicyFile", name);
            program.position(&format!("fen {KIWIPETE}"));
            if backend == "gpu" {
                // Another policy is another network for the device.
                program.send("go infinite");
                let serves = "info string batches are evaluated by ";
                program.read_until(|line| line.starts_with(serves));
                program.send("stop");
                program.read_until(|line| line.starts_with("bestmove"));
            }
            program.send("ucinewgame");
            program.position(&format!("fen {KIWIPETE}"));
            program.send("go nodes 6000");
            let lines = program.read_until(|line| line.starts_with("bestmove"));
            let moves = lines.into_iter().filter(|line| line.contains(" N: "));
            moves.collect::<Vec<String>>()
        })
    };
    let expected = trees("cpu");
    assert!(expected[0].len() > 40 && expected[0] != expected[1] && expected[0] == expected[2]);
    assert_eq!(trees("gpu"), expected);
}
