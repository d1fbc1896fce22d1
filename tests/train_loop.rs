//! `tandem train loop` from the shell: generations at the scale of a toy, interrupted, resumed and refused.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::program::{PATIENCE, wait_for_exit};
use support::shell::{Run, tandem};
use tandem_nnue::{Network, PolicyNetwork};

/// Two generations of four games. One game at a time, so that nothing is left to the order of events.
const TOY: &str = "\
[loop]
generations = 2
concurrency = 1
[begin]
value = \"random\"
policy = \"random\"
l1 = 128
hidden = 64
[selfplay]
games = 4
portions = 2
validation_games = 1
nodes = 16
limit = 3
options = \"option.Temperature=1 option.Hash=1\"
openings = \"chance\"
max_plies = 60
[gate]
nodes = 16
games = 6
elo1 = 400.0
hash = 1
[measure]
games = 2
nodes = 16
[value.data]
shuffle = 1000
[value.training]
batch = 64
threads = 1
[policy.data]
shuffle = 1000
[policy.training]
batch = 64
threads = 1
";

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        fs::write(folder.path().join("toy.toml"), TOY).expect("written");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn words(&self, out: &str, more: &[&str]) -> Vec<String> {
        let (config, out) = (self.path("toy.toml"), self.path(out));
        let words =
            ["train", "loop", "--config", config.to_str().unwrap(), "--out", out.to_str().unwrap()];
        words.iter().chain(more).map(|&word| word.to_owned()).collect()
    }

    fn run(&self, out: &str, more: &[&str]) -> Run {
        let words = self.words(out, more);
        tandem(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn state(&self, out: &str) -> Value {
        let text = fs::read_to_string(self.path(out).join("state.json")).expect("a state");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Begins or goes on, and ends the program with that signal once a file has so many bytes.
    fn end_at(&self, out: &str, more: &[&str], file: &str, bytes: u64, signal: &str) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(self.words(out, more))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let (path, start) = (self.path(out).join(file), Instant::now());
        while fs::metadata(&path).map_or(0, |data| data.len()) < bytes {
            assert!(start.elapsed() < 5 * PATIENCE, "{file} is not there in time");
            thread::sleep(Duration::from_micros(200));
        }
        let words = [signal.to_owned(), child.id().to_string()];
        // It may have come to its end by itself.
        let _ = Command::new("kill").args(words).stderr(Stdio::null()).status();
        wait_for_exit(&mut child, 5 * PATIENCE).expect("it ends");
    }
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_loop_leaves_networks_games_and_a_curve_of_elo() {
    let scratch = Scratch::new();
    let run = scratch.run("out", &["--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let printed: Value = serde_json::from_str(&run.out).expect("one JSON object");
    let out = scratch.path("out");
    let kept: Value = serde_json::from_slice(&bytes(&out, "loop.json")).expect("JSON");
    assert_eq!(printed, kept);
    let generations = kept["generations"].as_array().expect("generations");
    assert_eq!(generations.len(), 2);
    for (place, generation) in generations.iter().enumerate() {
        assert_eq!(
            (&generation["generation"], &generation["games"]),
            (&(place + 1).into(), &4.into())
        );
        assert!(generation["portions"][0]["limit"].is_u64(), "{generation}");
        assert!(generation["value"]["validation"].as_f64().is_some_and(|loss| loss > 0.0));
        assert!(generation["policy"]["top1"].is_f64() && generation["gate"]["llr"].is_f64());
        for score in ["against_first", "against_previous"] {
            assert_eq!(generation[score]["games"], 2);
        }
        // The second learns from the games of both.
        let samples = |of: &Value| of["policy"]["samples"].as_u64().expect("samples");
        assert!(place == 0 || samples(generation) > samples(&generations[0]));
        let pair = format!("generation-{}/network", place + 1);
        let value = Network::load(out.join(format!("{pair}.nnue"))).expect("a network");
        assert_eq!(value.architecture().l1, 128);
        assert_eq!(
            PolicyNetwork::load(out.join(format!("{pair}.policy"))).expect("one").hidden(),
            64
        );
        assert!(!out.join(format!("generation-{}/value/state.bin", place + 1)).exists());
        assert!(out.join(format!("generation-{}/matches/gate.pgn", place + 1)).exists());
    }
    let best = kept["best"].as_u64().expect("a number");
    for end in ["nnue", "policy"] {
        let winner = bytes(&out, &format!("generation-{best}/network.{end}"));
        assert!(bytes(&out, &format!("best.{end}")) == winner, "{end}");
    }
    assert_eq!(String::from_utf8(bytes(&out, "log.jsonl")).unwrap().lines().count(), 2);
    assert!(bytes(&out, "elo.svg").starts_with(b"<svg"));

    // What is done is not done again, and a longer loop goes on behind it.
    let again = scratch.run("out", &[]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(!again.err.contains("generation 1:") && again.out.starts_with("# The learning loop"));
    let folder = out.to_str().unwrap();
    let more = tandem(&["train", "loop", "--resume", folder, "--set", "loop.generations=3"]);
    assert_eq!(more.code, Some(0), "{}", more.err);
    assert!(more.err.contains("generation 3:") && !more.err.contains("generation 2: games"));
    assert!(more.out.contains("| 3 | "), "{}", more.out);
}

#[cfg(unix)]
#[test]
fn a_loop_that_was_ended_anywhere_comes_to_the_same_state() {
    let scratch = Scratch::new();
    // A game that is under way when a test is decided may count or not, so this one is not decided.
    let undecided = ["--set", "gate.elo1=5"];
    let whole = scratch.run("whole", &undecided);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    for (file, bytes, signal) in [
        ("generation-0/network.policy", 1, "-KILL"),
        ("generation-1/games/1.pgn", 500, "-KILL"),
        ("generation-1/value/config.toml", 1, "-INT"),
        ("generation-1/value/state.bin", 1, "-KILL"),
        ("generation-1/policy/config.toml", 1, "-INT"),
        ("generation-1/matches/gate.pgn", 500, "-INT"),
        ("generation-1/matches/first.jsonl", 1, "-KILL"),
        ("generation-2/games/2.visits", 1, "-INT"),
        ("generation-2/matches/gate.pgn", 1, "-KILL"),
    ] {
        scratch.end_at("parts", &undecided, file, bytes, signal);
    }
    let last = scratch.run("parts", &undecided);
    assert_eq!(last.code, Some(0), "{}", last.err);
    assert_eq!(scratch.state("parts"), scratch.state("whole"));
    let [whole, parts] = ["whole", "parts"].map(|name| scratch.path(name));
    for name in ["best.nnue", "best.policy", "generation-2/network.nnue", "log.jsonl", "elo.svg"] {
        assert!(bytes(&whole, name) == bytes(&parts, name), "{name}");
    }
}

#[test]
fn wrong_and_changed_settings_are_refused_by_their_key() {
    let scratch = Scratch::new();
    for (word, said) in [
        ("selfplay.game=3", "unknown field `game`"),
        ("selfplay.nodes=0", "`selfplay.nodes` is 0"),
        ("value.training.batch=0", "in [value]: `training.batch` is 0"),
        ("policy.model.init=a.policy", "`policy.model.init`"),
        ("begin.value=nothing.nnue", "nothing.nnue"),
        ("selfplay.options=option.Hasch=1", "no option 'Hasch'"),
    ] {
        let run = scratch.run("wrong", &["--set", word]);
        assert_eq!(run.code, Some(1), "{word}: {}", run.err);
        assert!(run.err.contains(said), "{word}: {}", run.err);
    }
    scratch.end_at("out", &[], "generation-1/games/1.jsonl", 1, "-KILL");
    for (word, said) in [
        ("selfplay.games=5", "`selfplay.games` 4, now it is 5"),
        ("value.loss.power=2", "`value.loss.power` 2.5, now it is 2"),
        ("loop.seed=9", "`loop.seed` 1, now it is 9"),
    ] {
        let run = scratch.run("out", &["--set", word]);
        assert_eq!(run.code, Some(1), "{word}: {}", run.err);
        assert!(run.err.contains(said), "{word}: {}", run.err);
    }
    let state = scratch.path("out").join("state.json");
    fs::write(&state, "{}").expect("written");
    let run = scratch.run("out", &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("state.json") && run.err.contains("no state"), "{}", run.err);
    let nothing = scratch.path("nothing").display().to_string();
    let run = tandem(&["train", "loop", "--resume", &nothing]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("no learning loop"), "{}", run.err);
    tandem(&["train", "loop"]).refused();
    let example = tandem(&["train", "loop", "--example-config"]).succeeded().out;
    assert!(example.contains("[selfplay]") && example.contains("[policy.training]"));
}
