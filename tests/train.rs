//! `tandem train` from the shell: a training from its settings to its network.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::program::{PATIENCE, wait_for_exit};
use support::random::Random;
use support::shell::tandem;
use tandem_chess::Position;
use tandem_nnue::Network;

/// A folder with samples and settings, gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, settings: &str) -> Self {
        let name = format!("tandem-train-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("train.txt"), samples(1, 3000)).unwrap();
        fs::write(folder.join("validation.txt"), samples(2, 300)).unwrap();
        fs::write(folder.join("broken.txt"), "nonsense\n").unwrap();
        fs::write(folder.join("settings.toml"), settings).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Lines of samples from random play; whoever has more pieces is ahead.
fn samples(seed: u64, count: usize) -> String {
    let (mut random, mut position) = (Random::new(seed), Position::startpos());
    let mut text = String::new();
    for _ in 0..count {
        let moves: Vec<_> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            0 => Position::startpos(),
            _ => position.after(random.pick(&moves)),
        };
        let pieces = |color| position.color(color).count() as i32;
        let score = 200 * (pieces(tandem_chess::Color::White) - pieces(tandem_chess::Color::Black));
        writeln!(text, "{position} | {score} | 0.5").unwrap();
    }
    text
}

fn settings(batches: u64, superbatches: u64) -> String {
    format!(
        "[data]\ntrain = [\"train.txt\"]\nvalidation = [\"validation.txt\"]\nshuffle = 3000\n\
         [model]\nl1 = 128\n\
         [training]\nbatch = 256\nbatches = {batches}\nsuperbatches = {superbatches}\n"
    )
}

#[test]
fn a_training_leaves_a_network_that_the_program_evaluates_with() {
    let scratch = Scratch::new("whole", &settings(8, 2));
    let out = scratch.path("out");
    let run = tandem(&["train", "--config", &scratch.path("settings.toml"), "--out", &out]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.last_line().contains("network.nnue") && run.out.contains("validation"),
        "{}",
        run.out
    );
    assert_eq!(run.err.lines().count(), 2, "a line for each superbatch: {}", run.err);
    let network = format!("{out}/network.nnue");
    let eval = tandem(&["eval", "--net", &network]).succeeded();
    assert!(!eval.out.is_empty());
    tandem(&["net", "verify", &network]).succeeded();
    for file in ["config.toml", "log.jsonl", "loss.svg", "state.bin"] {
        assert!(Path::new(&out).join(file).exists(), "{file}");
    }

    let again = tandem(&["train", "--config", &scratch.path("settings.toml"), "--out", &out]);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("--resume"), "{}", again.err);
}

#[cfg(unix)]
#[test]
fn an_interrupted_training_goes_on() {
    let scratch = Scratch::new("interrupted", &settings(100, 3));
    let out = scratch.path("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(["train", "--config", &scratch.path("settings.toml"), "--out", &out])
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
    assert!(words.contains("--resume") && words.contains("of 300"), "{words}");

    let run = tandem(&["train", "--resume", &out]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("superbatch 3"), "{}", run.out);
    assert_eq!(Network::load(format!("{out}/network.nnue")).unwrap().architecture().l1, 128);
}

#[test]
fn the_example_is_a_file_of_settings() {
    let example = tandem(&["train", "--example-config"]).succeeded().out;
    let scratch = Scratch::new("example", &example);
    let out = scratch.path("out");
    let run = tandem(&["train", "--config", &scratch.path("settings.toml"), "--out", &out]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("data.train"), "{}", run.err);
}

#[test]
fn wrong_settings_and_data_are_named() {
    let good = settings(1, 1);
    let trained_on = |file: &str| good.replace("\"train.txt\"", &format!("\"{file}\""));
    let table: &[(&str, &[&str])] = &[
        ("[model]\nl3 = 1", &["l3", "expected"]),
        ("[model]\nl1 = 99", &["model.l1", "multiple of 128"]),
        (&good.replace("train.txt", "nothing.txt"), &["nothing.txt"]),
        (&trained_on("broken.txt"), &["broken.txt, line 1", "FEN"]),
        (&trained_on("settings.toml"), &["settings.toml", "format", "expected one of games"]),
        ("[data]\nfilter = \"cheque\"", &["data.filter", "cheque"]),
        (&good.replace("l1 = 128", "l1 = 128\ninit = \"none.nnue\""), &["model.init", "none.nnue"]),
    ];
    for (i, (text, words)) in table.iter().enumerate() {
        let scratch = Scratch::new(&format!("bad-{i}"), text);
        let out = scratch.path("out");
        let run = tandem(&["train", "--config", &scratch.path("settings.toml"), "--out", &out]);
        assert_eq!(run.code, Some(1), "{}", run.err);
        for word in *words {
            assert!(run.err.contains(word), "{word}: {}", run.err);
        }
    }
    let run = tandem(&["train", "--resume", "/nonexistent"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("/nonexistent"), "{}", run.err);
    tandem(&["train"]).refused();
}

#[test]
fn games_against_itself_become_a_network() {
    let config =
        settings(6, 2).replace("train.txt", "own.games").replace("validation.txt", "other.games");
    let scratch = Scratch::new("loop", &config);
    for (file, seed, games) in [("own.games", "1", "24"), ("other.games", "2", "4")] {
        let file = scratch.path(file);
        let words =
            ["datagen", "selfplay", &file, "--games", games, "--nodes", "60", "--seed", seed];
        let run = tandem(&words).succeeded();
        assert!(run.out.contains(&format!("{games} games")), "{}", run.out);
    }
    let out = scratch.path("out");
    let run = tandem(&["train", "--config", &scratch.path("settings.toml"), "--out", &out]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let network = Network::load(format!("{out}/network.nnue")).unwrap();
    assert_eq!(network.architecture().l1, 128);
}

#[test]
fn a_training_ends_at_the_gate() {
    let text = format!("{}[gate]\nnodes = 40\nelo1 = 300.0\nhash = 1\n", settings(4, 1));
    let scratch = Scratch::new("gate", &text);
    let (config, out, best) =
        (scratch.path("settings.toml"), scratch.path("out"), scratch.path("best.nnue"));
    let no_place = tandem(&["train", "--config", &config, "--out", &out, "--gate"]);
    assert_eq!(no_place.code, Some(1));
    assert!(no_place.err.contains("gate.promote_to"), "{}", no_place.err);
    assert!(!Path::new(&out).exists(), "nothing was trained for a gate that cannot be played");

    // A network that has hardly begun to learn loses against the plain evaluation.
    let gate = ["--gate", "--promote-to", &best];
    let run = tandem(&[&["train", "--config", &config, "--out", &out][..], &gate].concat());
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(run.last_line().starts_with("not promoted: "), "{}", run.out);
    assert!(run.out.contains("the evaluation without a network"), "{}", run.out);
    assert!(!Path::new(&best).exists());
    assert!(Path::new(&out).join("gate/games.pgn").exists());

    let again = tandem(&[&["train", "--resume", &out][..], &gate].concat());
    assert_eq!(again.code, Some(3), "{}{}", again.out, again.err);
    let other = tandem(&["train", "--resume", &out, "--set", "training.batch=8"]);
    assert_eq!(other.code, Some(1));
    assert!(other.err.contains("keeps its settings"), "{}", other.err);
}

#[test]
fn networks_teach_themselves_from_random_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/self-taught");
    let results = |generations: &str| {
        let output = Command::new(&script)
            .arg(folder.path())
            .arg(generations)
            .env("TANDEM", env!("CARGO_BIN_EXE_tandem"))
            .envs([("GAMES", "8"), ("NODES", "40"), ("EPOCHS", "1")])
            .env("MATCH", "4")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(folder.path().join("elo.tsv")).unwrap()
    };
    let first = results("1");
    assert_eq!(first.lines().count(), 3, "{first}");
    assert!(first.lines().nth(1).unwrap().starts_with("1\t0\t4\t"), "{first}");
    assert!(first.lines().nth(2).unwrap().starts_with("1\tplain\t4\t"), "{first}");
    let second = results("2");
    assert!(second.starts_with(&first), "{second}");
    assert_eq!(second.lines().count(), 5, "{second}");
}
