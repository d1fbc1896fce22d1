//! Policy networks as a user meets them: loaded, refused, shown and put away.

mod support;

use std::path::Path;

use support::KIWIPETE;
use support::program::Program;
use support::referee::Referee;
use support::shell::tandem;
use tandem_nnue::Digest;

/// A file with a policy network of random numbers.
fn random(folder: &Path, seed: &str) -> String {
    let path = folder.join(format!("random-{seed}.policy")).display().to_string();
    tandem(&["net", "random", &path, "--policy", "64", "--seed", seed]).succeeded();
    path
}

fn start(threads: &str) -> Program {
    let mut program = Program::start();
    program.set_option("SearchMode", "MCTS");
    program.set_option("Threads", threads);
    program.set_option("VerboseMoveStats", "true");
    program
}

/// What a search from Kiwipete says of its moves.
fn search(program: &mut Program) -> Vec<String> {
    program.send("ucinewgame");
    program.position(&Referee::new(KIWIPETE, false).setup());
    program.send("go nodes 1500");
    let lines = program.read_until(|line| line.starts_with("bestmove"));
    lines.into_iter().filter(|line| line.contains(" N: ")).collect()
}

/// The prior of a move among those lines, in per cent.
fn prior(lines: &[String], m: &str) -> f32 {
    let line = lines.iter().find(|line| line.starts_with(&format!("info string {m} ")));
    let (_, rest) = line.expect("the move is told of").split_once("(P: ").expect("a prior");
    rest.split_once('%').expect("per cent").0.trim().parse().expect("a number")
}

#[test]
fn a_policy_network_changes_the_search_and_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = start("1");
    let before = search(&mut program);
    program.set_option("PolicyFile", &random(folder.path(), "1"));
    let first = search(&mut program);
    assert_ne!(first, before);
    assert_eq!(search(&mut program), first, "the same again");
    program.set_option("PolicyFile", &random(folder.path(), "2"));
    assert_ne!(search(&mut program), first);
    program.set_option("Policy", "uniform");
    let uniform = search(&mut program);
    let priors = [prior(&uniform, "e2a6"), prior(&uniform, "a2a3")];
    assert!((priors[0] - priors[1]).abs() < 0.1, "{priors:?}");
    program.set_option("Policy", "network");
    program.set_option("PolicyFile", "<empty>");
    assert_eq!(search(&mut program), before);
    program.quit();
}

#[test]
fn the_moves_that_eval_shows_are_those_that_the_search_goes_by() {
    let folder = tempfile::tempdir().unwrap();
    let file = random(folder.path(), "7");
    let mut program = start("1");
    program.set_option("PolicyFile", &file);
    program.position(&Referee::new(KIWIPETE, false).setup());
    let said = program.ask("eval").join("\n");
    let shown = tandem(&["eval", "--fen", KIWIPETE, "--policy", &file]).succeeded().out;
    let (_, likely) = said.split_once("Likely moves  ").expect("likely moves");
    assert!(shown.contains(likely.trim_end()), "{said}\n{shown}");
    assert!(shown.contains("Policy        pn-"), "{shown}");
    let json = tandem(&["eval", "--fen", KIWIPETE, "--policy", &file, "--json"]).succeeded().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let likely = json["likely_moves"].as_array().unwrap();
    assert_eq!(likely.len(), 48);
    // The search flattens what the network says, but keeps its order.
    let lines = search(&mut program);
    let of = |place: usize| prior(&lines, likely[place][0].as_str().unwrap());
    assert!(of(0) >= of(1) && of(1) > of(46) && of(46) >= of(47));
    program.quit();
}

#[test]
fn two_threads_search_with_a_policy_network() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = start("2");
    program.set_option("PolicyFile", &random(folder.path(), "1"));
    for fen in
        [KIWIPETE, "8/P6k/8/8/8/8/p6K/8 w - - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"]
    {
        let chess960 = fen.contains("GB");
        program.set_option("UCI_Chess960", if chess960 { "true" } else { "false" });
        let game = Referee::new(fen, chess960);
        program.position(&game.setup());
        game.check(&program.go("nodes 20000"));
        program.set_option("BatchSize", if chess960 { "16" } else { "0" });
    }
    program.quit();
}

#[test]
fn a_file_that_is_no_policy_network_leaves_the_last_one_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = random(folder.path(), "3");
    let bytes = std::fs::read(&file).unwrap();
    let mut program = start("1");
    program.set_option("PolicyFile", &file);
    let before = search(&mut program);
    let damaged = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let half = bytes.len() / 2;
    let files = [
        ("/nonexistent.policy".to_owned(), "cannot be read"),
        ("Cargo.toml".to_owned(), "no policy network"),
        ("networks/default.nnue".to_owned(), "no policy network"),
        ("/".to_owned(), "cannot be read"),
        ("/dev/null".to_owned(), "ends inside the first word"),
        (damaged("version", &|bytes| bytes[4] = 9), "of version 9"),
        (damaged("hidden", &|bytes| bytes[11] = 0xFF), "neurons"),
        (damaged("half", &|bytes| bytes.truncate(half)), "more bytes are needed"),
        (damaged("bit", &|bytes| *bytes.last_mut().unwrap() ^= 1), "checksum"),
        (damaged("long", &|bytes| bytes.push(0)), "1 bytes too many"),
        (damaged("pn-0123456789ab.policy", &|_| {}), "promises a SHA-256"),
    ];
    for (file, words) in files {
        let answer = program.ask(&format!("setoption name PolicyFile value {file}"));
        assert_eq!(answer.len(), 1, "{answer:?}");
        assert!(answer[0].starts_with("info string option PolicyFile: "), "{answer:?}");
        assert!(answer[0].contains(words), "{words}: {answer:?}");
        assert_eq!(search(&mut program), before, "{file}");
    }
    program.quit();
}

#[test]
fn whoever_asks_for_a_network_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = start("1");
    program.set_option("PolicyFile", "none");
    program.set_option("Policy", "heuristic");
    let heuristic = search(&mut program);
    let told = program.ask("setoption name Policy value network");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("there is no policy network"), "{told:?}");
    assert_eq!(search(&mut program), heuristic);
    program.set_option("PolicyFile", &random(folder.path(), "1"));
    assert_eq!(program.ask("setoption name Policy value network"), Vec::<String>::new());
    assert_ne!(search(&mut program), heuristic);
    program.quit();
}

#[test]
fn the_policy_network_of_the_repository_is_in_the_program() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("networks/default.policy");
    // What drivers say on standard error is not the program's.
    let doctor = tandem(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "{}", doctor.err);
    let doctor = doctor.out;
    let info = tandem(&["net", "info", "--policy", "--json"]);
    let Ok(bytes) = std::fs::read(&own) else {
        assert_eq!(info.code, Some(1));
        assert!(info.err.contains("there is no policy network in this program"), "{}", info.err);
        assert!(doctor.contains("policy network   none in the program"), "{doctor}");
        return;
    };
    let digest = Digest::of(&bytes);
    let info: serde_json::Value = serde_json::from_str(&info.succeeded().out).unwrap();
    assert_eq!(info["sha256"], digest.to_string());
    assert!(doctor.contains(&digest.policy_name()), "{doctor}");
    tandem(&["net", "verify", own.to_str().unwrap()]).succeeded();
}

#[test]
fn policy_files_are_told_from_networks_by_what_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let file = random(folder.path(), "5");
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(random(folder.path(), "5")).unwrap());
    let verified = tandem(&["net", "verify", &file]).succeeded().out;
    assert!(verified.contains("whole, 3072 -> 64 -> 3760"), "{verified}");
    let info = tandem(&["net", "info", &file]).succeeded().out;
    assert!(info.contains("3072 -> 64 -> 3760") && info.contains("random numbers"), "{info}");
    let renamed = folder.path().join("renamed").display().to_string();
    std::fs::copy(&file, &renamed).unwrap();
    let json = tandem(&["net", "info", &renamed, "--json"]).succeeded().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["hidden"], 64);
    assert_eq!(json["file_bytes"], std::fs::metadata(&file).unwrap().len());
    let refused = tandem(&["net", "random", "unwritten.policy", "--policy", "100"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("100 neurons"), "{}", refused.err);
}

#[test]
fn bench_policy_measures_every_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let file = random(folder.path(), "1");
    let run = tandem(&["bench", "policy", &file, "--rounds", "1", "--json"]).succeeded();
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert!(report["moves_per_position"].as_f64().unwrap() > 20.0);
    let kernels = report["networks"][0]["kernels"].as_array().unwrap();
    assert!(kernels.iter().any(|row| row["kernel"] == "scalar"));
    for row in kernels {
        assert_eq!(row["judgements"], report["positions"]);
        assert_eq!(row["checksum"], kernels[0]["checksum"]);
        assert!(row["microseconds_per_position"].as_f64().unwrap() > 0.0);
    }
    let human = tandem(&["bench", "policy", &file, "--rounds", "1"]).succeeded().out;
    assert!(human.contains("us/position") && human.contains("scalar"), "{human}");
    let mcts = ["bench", "mcts", "--time", "0.05", "--policy-net", &file, "--json"];
    let report: serde_json::Value = serde_json::from_str(&tandem(&mcts).succeeded().out).unwrap();
    assert!(report["policy"].as_str().unwrap().starts_with("pn-"), "{}", report["policy"]);
}

#[test]
fn the_program_carries_a_policy_network_that_often_agrees_with_a_strong_engine() {
    let moves = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/train/data/stockfish-moves.txt");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/networks/default.policy");
    let said = tandem(&["train", "policy", "--evaluate", own, "--data", moves, "--json"]);
    let measures: serde_json::Value =
        serde_json::from_str(&said.succeeded().out).expect("one JSON object");
    assert!(measures["positions"].as_u64() > Some(5000), "{measures}");
    assert!(measures["top1"].as_f64() > Some(0.35), "{measures}");
    let shown = tandem(&["net", "info", "--policy"]).succeeded().out;
    let name = Digest::of(&std::fs::read(own).expect("the network")).policy_name();
    assert!(shown.contains(&name), "{shown}");
}
