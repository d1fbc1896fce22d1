//! `tandem train --gate` from the shell: who is better takes the place of the other, and nobody else.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::program::{PATIENCE, wait_for_exit};
use support::shell::{Run, tandem};
use tandem_nnue::{Architecture, Encoding, FeatureSet, Network, Parameters};

/// Fast games and a test that asks for a large gain.
const FAST: &[&str] = &[
    "--set",
    "gate.nodes=40",
    "--set",
    "gate.elo1=300",
    "--set",
    "gate.concurrency=2",
    "--set",
    "gate.hash=1",
];

/// A folder with a network that knows what pieces are worth and one that does not.
struct Arena(tempfile::TempDir);

impl Arena {
    fn new() -> Self {
        let arena = Self(tempfile::tempdir().expect("a folder for the test"));
        network(&arena.path("good.nnue"), [208, 620, 640, 1000, 1900]);
        network(&arena.path("bad.nnue"), [1, 2, 1, 2, 1]);
        arena
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).expect("JSON")
    }

    /// The words of a gate for a network, kept in that folder.
    fn words(&self, candidate: &str, out: &str, more: &[&str]) -> Vec<String> {
        let (candidate, best, out) = (self.path(candidate), self.path("best.nnue"), self.path(out));
        let words = ["train", "--gate", "--candidate", &candidate, "--promote-to", &best];
        words
            .into_iter()
            .chain(["--out", &out])
            .chain(FAST.iter().copied())
            .chain(more.iter().copied())
            .map(str::to_owned)
            .collect()
    }

    fn gate(&self, candidate: &str, out: &str, more: &[&str]) -> Run {
        let words = self.words(candidate, out, more);
        tandem(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Writes a network that values pieces by what they are.
fn network(path: &str, values: [i32; 5]) {
    // Rows of a king's place: for each kind of piece 64 squares of one's own and 64 of the opponent's.
    const ROWS: usize = 704;
    const BUCKETS: usize = 8;
    let shape = Architecture { features: FeatureSet::HalfKa, l1: 128 };
    let mut parameters = Parameters::zero(shape, "a network for tests");
    for (i, value) in parameters.psqt.iter_mut().enumerate() {
        let plane = i / BUCKETS % ROWS / 64;
        let sign = if plane.is_multiple_of(2) { 16 } else { -16 };
        *value = sign * values.get(plane / 2).unwrap_or(&0);
    }
    let network = Network::from_parameters(&parameters).expect("a network");
    fs::write(path, network.to_bytes(Encoding::Leb128)).expect("written");
}

#[test]
fn the_better_network_takes_the_place_and_the_worse_one_does_not() {
    let arena = Arena::new();
    fs::copy(arena.path("bad.nnue"), arena.path("best.nnue")).unwrap();
    let (good, bad) = (arena.read("good.nnue"), arena.read("bad.nnue"));

    let run = arena.gate("good.nnue", "first", &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.last_line().starts_with("promoted: "), "{}", run.out);
    assert!(arena.read("best.nnue") == good);
    let record = arena.json("best.json");
    assert_eq!(record, arena.json("first/gate/gate.json"));
    assert_eq!(record["decision"], "promoted");
    assert_eq!(record["sprt"]["verdict"], "accept-h1");
    assert!(record["results"]["wins"].as_u64() > record["results"]["losses"].as_u64(), "{record}");
    assert!(record["results"]["elo"]["lower"].as_f64() > Some(0.0), "{record}");
    assert_ne!(record["new"]["sha256"], record["old"]["sha256"]);

    // The same command finds that all is done, and plays nothing.
    let journal = arena.read("first/gate/games.jsonl");
    let again = arena.gate("good.nnue", "first", &[]);
    assert_eq!((again.code, &again.out), (Some(0), &run.out), "{}", again.err);
    assert!(arena.read("first/gate/games.jsonl") == journal);

    let worse = arena.gate("bad.nnue", "second", &[]);
    assert_eq!(worse.code, Some(3), "{}{}", worse.out, worse.err);
    assert!(worse.last_line().starts_with("not promoted: "), "{}", worse.out);
    assert!(arena.read("best.nnue") == good && arena.read("bad.nnue") == bad);
    assert_eq!(arena.json("second/gate/gate.json")["decision"], "not-promoted");
    assert_eq!(arena.json("best.json"), record);

    let same = arena.gate("good.nnue", "third", &[]);
    assert_eq!(same.code, Some(3), "{}{}", same.out, same.err);
    assert_eq!(same.last_line(), "not promoted: it is the old network");

    let other = arena.gate("good.nnue", "second", &[]);
    assert_eq!(other.code, Some(1), "{}{}", other.out, other.err);
    assert!(other.err.contains("another network"), "{}", other.err);
}

#[test]
fn too_few_games_decide_nothing_and_more_of_them_go_on() {
    let arena = Arena::new();
    let against = ["--against", &arena.path("bad.nnue")];
    let few = arena.gate("good.nnue", "out", &[&against[..], &["--set", "gate.games=2"]].concat());
    assert_eq!(few.code, Some(4), "{}{}", few.out, few.err);
    assert!(few.last_line().starts_with("undecided: 2 games"), "{}", few.out);
    assert!(!Path::new(&arena.path("best.nnue")).exists());
    let first = String::from_utf8(arena.read("out/gate/games.jsonl")).unwrap();
    let more = arena.gate("good.nnue", "out", &against);
    assert_eq!(more.code, Some(0), "{}{}", more.out, more.err);
    let all = String::from_utf8(arena.read("out/gate/games.jsonl")).unwrap();
    let games: Vec<_> = first.lines().skip(1).collect();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| all.contains(game)), "games were played twice");
    assert!(arena.read("best.nnue") == arena.read("good.nnue"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_gate_leaves_the_old_network_and_goes_on() {
    let arena = Arena::new();
    fs::copy(arena.path("bad.nnue"), arena.path("best.nnue")).unwrap();
    // With a test for next to nothing there is time to interrupt it.
    let slow = ["--set", "gate.elo1=0.01"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(arena.words("good.nnue", "out", &slow))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let journal = arena.path("out/gate/games.jsonl");
    let start = Instant::now();
    let games = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while games() < 4 && start.elapsed() < 5 * PATIENCE {
        thread::sleep(Duration::from_millis(2));
    }
    let interrupt = ["-INT", &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(interrupt).status().expect("kill runs").success());
    let status = wait_for_exit(&mut child, 5 * PATIENCE).expect("it ends");
    let words = std::io::read_to_string(child.stdout.take().expect("piped")).unwrap();
    assert_eq!(status.code(), Some(4), "{words}");
    assert!(words.lines().last().unwrap().starts_with("undecided: stopped"), "{words}");
    assert!(arena.read("best.nnue") == arena.read("bad.nnue"));

    let run = arena.gate("good.nnue", "out", &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(arena.read("best.nnue") == arena.read("good.nnue"));
}

#[test]
fn a_place_that_changes_under_a_gate_ends_it() {
    let arena = Arena::new();
    fs::copy(arena.path("bad.nnue"), arena.path("best.nnue")).unwrap();
    let few = arena.gate("good.nnue", "out", &["--set", "gate.games=2"]);
    assert_eq!(few.code, Some(4), "{}{}", few.out, few.err);
    network(&arena.path("best.nnue"), [9, 9, 9, 9, 9]);
    let other = arena.read("best.nnue");
    let run = arena.gate("good.nnue", "out", &[]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.err.contains("best.nnue has changed since the gate began"), "{}", run.err);
    assert!(arena.read("best.nnue") == other);
}

#[test]
fn what_makes_no_gate_is_named() {
    let arena = Arena::new();
    fs::write(arena.path("broken.nnue"), "nonsense").unwrap();
    let (good, best) = (arena.path("good.nnue"), arena.path("best.nnue"));
    let (broken, out) = (arena.path("broken.nnue"), arena.path("out"));
    let start = ["train", "--gate", "--out", &out, "--candidate"];
    for (words, said) in [
        (&[good.as_str()][..], "--promote-to"),
        (&[&broken, "--promote-to", &best], "broken.nnue"),
        (&["/nonexistent.nnue", "--promote-to", &best], "/nonexistent.nnue"),
        (&[&good, "--promote-to", &best, "--against", &broken], "broken.nnue"),
        (&[&good, "--promote-to", &best, "--set", "gate.games=7"], "`gate.games` is 7"),
        (&[&good, "--promote-to", &best, "--set", "gate.speed=7"], "speed"),
        (&[&good, "--promote-to", &best, "--set", "gate.book=/nonexistent.epd"], "nonexistent.epd"),
    ] {
        let run = tandem(&[&start[..], words].concat());
        assert_eq!(run.code, Some(1), "{words:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(said), "{words:?}: {}", run.err);
    }
    assert!(!Path::new(&best).exists());
    tandem(&["train", "--gate"]).refused();
    tandem(&["train", "--candidate", &good]).refused();
    tandem(&["train", "--resume", &out, "--gate", "--candidate", &good]).refused();
}
