//! `tandem train policy` from the shell: from moves to a network that foresees moves.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::program::{PATIENCE, wait_for_exit};
use support::random::Random;
use support::shell::{Run, tandem};
use tandem_chess::Position;
use tandem_nnue::PolicyNetwork;
use tempfile::TempDir;

/// Lines of positions from random play. Whoever can take takes the most valuable piece; otherwise the move
/// is played that goes farthest up the alphabet.
fn lines(seed: u64, count: usize) -> String {
    let (mut random, mut position) = (Random::new(seed), Position::startpos());
    let mut text = String::new();
    for _ in 0..count {
        let moves: Vec<_> = position.legal_moves().into_iter().collect();
        if moves.is_empty() {
            position = Position::startpos();
            continue;
        }
        let worth = |m: &tandem_chess::Move| (position.captured_by(*m), m.to_string());
        let best = moves.iter().copied().max_by_key(worth).unwrap();
        writeln!(
            text,
            "{position} | {}",
            position.uci(best, tandem_chess::CastlingNotation::Chess960)
        )
        .unwrap();
        position = position.after(random.pick(&moves));
    }
    text
}

/// A folder with moves and settings.
fn scratch(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("train.txt"), lines(1, 3000)).unwrap();
    fs::write(folder.path().join("validation.txt"), lines(2, 400)).unwrap();
    fs::write(folder.path().join("settings.toml"), settings).unwrap();
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn settings(batches: u64, superbatches: u64) -> String {
    format!(
        "[data]\ntrain = [\"train.txt\"]\nvalidation = [\"validation.txt\"]\nshuffle = 3000\n\
         [model]\nhidden = 64\n\
         [training]\nbatch = 256\nbatches = {batches}\nsuperbatches = {superbatches}\n\
         [learning_rate]\nstart = 0.01\nwarmup = 5\n"
    )
}

fn train(folder: &TempDir) -> Run {
    let (config, out) = (path(folder, "settings.toml"), path(folder, "out"));
    tandem(&["train", "policy", "--config", &config, "--out", &out])
}

#[test]
fn a_training_leaves_a_network_that_foresees_as_much_as_was_measured() {
    let folder = scratch(&settings(60, 2));
    let run = train(&folder);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.last_line().contains("network.policy") && run.out.contains("top-5"), "{}", run.out);
    assert_eq!(run.err.lines().count(), 2, "a line for each superbatch: {}", run.err);
    for file in ["config.toml", "log.jsonl", "loss.svg", "accuracy.svg", "state.bin"] {
        assert!(folder.path().join("out").join(file).exists(), "{file}");
    }

    let (network, data) = (path(&folder, "out/network.policy"), path(&folder, "validation.txt"));
    let words = ["train", "policy", "--evaluate", &network, "--data", &data];
    let text = tandem(&words).succeeded().out;
    assert!(text.contains("top-1") && text.contains("perplexity"), "{text}");
    let json = tandem(&[&words[..], &["--json"]].concat()).succeeded().out;
    let found: Value = serde_json::from_str(&json).unwrap();
    let log = fs::read_to_string(folder.path().join("out/log.jsonl")).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    for key in ["positions", "top1", "top5", "cross_entropy", "temperature"] {
        let [found, expected] = [&found, &last["validation"]].map(|of| of[key].as_f64().unwrap());
        assert!((found - expected).abs() < 1e-5, "{key}: {found} {expected}");
    }
    assert!(found["top1"].as_f64().unwrap() > 0.15, "{json}");
    assert!(found["network"].as_str().unwrap().starts_with("pn-"));

    let again = train(&folder);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("--resume"), "{}", again.err);
    let out = path(&folder, "out");
    tandem(&["train", "policy", "--resume", &out, "--set", "training.batch=8"]).refused();
}

#[cfg(unix)]
#[test]
fn an_interrupted_training_goes_on() {
    let folder = scratch(&settings(60, 3));
    let (config, out) = (path(&folder, "settings.toml"), path(&folder, "out"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(["train", "policy", "--config", &config, "--out", &out])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let state = Path::new(&out).join("state.bin");
    let start = Instant::now();
    while !state.exists() && start.elapsed() < 5 * PATIENCE {
        thread::sleep(Duration::from_millis(2));
    }
    let interrupt = ["-INT", &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(interrupt).status().expect("kill runs").success());
    let status = wait_for_exit(&mut child, 5 * PATIENCE).expect("it ends");
    assert!(status.success());
    let words = std::io::read_to_string(child.stderr.take().expect("piped")).unwrap();
    assert!(words.contains("--resume") && words.contains("of 180"), "{words}");

    let run = tandem(&["train", "policy", "--resume", &out]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("superbatch 3"), "{}", run.out);
    let network = PolicyNetwork::load(Path::new(&out).join("network.policy")).unwrap();
    assert_eq!(network.hidden(), 64);
    // A training of another kind is not gone on with.
    let other = tandem(&["train", "--resume", &out]);
    assert_eq!(other.code, Some(1));
    assert!(other.err.contains("no saved training of this kind"), "{}", other.err);
}

#[test]
fn games_without_scores_serve() {
    let folder = scratch(&settings(4, 1).replace("train.txt", "master.games"));
    let games = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n\
                 [Result \"0-1\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 0-1\n\n";
    let (pgn, file) = (path(&folder, "master.pgn"), path(&folder, "master.games"));
    fs::write(&pgn, games).unwrap();
    tandem(&["datagen", "pgn", &pgn, "--out", &file]).succeeded();
    let run = train(&folder);
    assert_eq!(run.code, Some(0), "{}", run.err);

    let network = path(&folder, "out/network.policy");
    let measure = |change: &str| {
        let words = ["train", "policy", "--evaluate", &network, "--data", &file, "--json"];
        let json = tandem(&[&words[..], &["--set", change]].concat()).succeeded().out;
        serde_json::from_str::<Value>(&json).unwrap()["positions"].as_u64().unwrap()
    };
    assert_eq!(measure("data.movers=all"), 20);
    assert_eq!(measure("data.movers=winners"), 10);
    assert_eq!(measure("data.filter=ply=4"), 12);

    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 0x11;
    fs::write(&file, bytes).unwrap();
    let words = ["train", "policy", "--evaluate", &network, "--data", &file];
    let run = tandem(&words);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("master.games: damaged at byte "), "{}", run.err);
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    let run = train(&folder);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("master.games: damaged at byte "), "{}", run.err);
}

#[test]
fn wrong_settings_and_data_are_named() {
    let good = settings(1, 1);
    let trained_on = |file: &str| good.replace("\"train.txt\"", &format!("\"{file}\""));
    let init = good.replace("hidden = 64", "hidden = 64\ninit = \"none.policy\"");
    let example = tandem(&["train", "policy", "--example-config"]).succeeded().out;
    let table: &[(&str, &[&str])] = &[
        ("[model]\nl1 = 256", &["l1", "expected"]),
        ("[model]\nhidden = 99", &["model.hidden", "multiple of 64"]),
        ("[data]\nfilter = \"cheque\"", &["data.filter", "cheque"]),
        (&trained_on("nothing.games"), &["nothing.games"]),
        (&trained_on("settings.toml"), &["settings.toml", "format"]),
        (&trained_on("some.bullet"), &["some.bullet", "no moves"]),
        (&trained_on("broken.txt"), &["broken.txt, line 1", "FEN | move"]),
        (&init, &["model.init", "none.policy"]),
        (&example, &["data.train"]),
    ];
    for (text, words) in table {
        let folder = scratch(text);
        fs::write(folder.path().join("broken.txt"), "nonsense\n").unwrap();
        fs::write(folder.path().join("some.bullet"), "").unwrap();
        let run = train(&folder);
        assert_eq!(run.code, Some(1), "{}", run.err);
        for word in *words {
            assert!(run.err.contains(word), "{word}: {}", run.err);
        }
    }
    let folder = scratch(&good);
    let (data, no_network) = (path(&folder, "train.txt"), path(&folder, "settings.toml"));
    let run = tandem(&["train", "policy", "--evaluate", &no_network, "--data", &data]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("settings.toml"), "{}", run.err);
    for words in [&["train", "policy"][..], &["train", "policy", "--evaluate", &no_network]] {
        tandem(words).refused();
    }
}
