//! `tandem fleet` from the shell: plans run by hand and by real workers of HyperQueue, of which one is killed;
//! what shards are together, and what is wrong with them.

#![cfg(unix)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use support::shell::{Run, tandem};
use tandem_games::visits::{VisitedGame, VisitsReader};

/// Tiny games that differ, as words of `tandem selfplay`.
const WORDS: &[&str] = &[
    "--nodes",
    "200",
    "--max-plies",
    "40",
    "--both",
    "option.EvalFile=none option.PolicyFile=none option.Hash=1 option.Temperature=1",
];

/// Folders of a test.
struct Yard(tempfile::TempDir);

impl Yard {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("written");
        path.display().to_string()
    }

    /// Plans that description as `plan`.
    fn plan(&self, description: &str) -> Plan {
        let file = self.write("plan.toml", description);
        let run = tandem(&["fleet", "plan", &file]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        Plan(self.path("plan"))
    }
}

struct Plan(PathBuf);

impl Plan {
    fn name(&self) -> String {
        self.0.display().to_string()
    }

    fn task(&self, number: u64) -> Run {
        tandem(&["fleet", "run", &self.name(), "--task", &number.to_string()])
    }

    /// Does all tasks, one after another.
    fn do_all(&self) {
        for number in 1..=self.tasks() {
            let run = self.task(number);
            assert_eq!(run.code, Some(0), "task {number}: {}", run.err);
        }
    }

    fn tasks(&self) -> u64 {
        let text = fs::read_to_string(self.0.join("plan.json")).expect("a plan");
        let plan: Value = serde_json::from_str(&text).expect("JSON");
        let stages = plan["stages"].as_array().expect("stages");
        stages.iter().map(|stage| stage["tasks"].as_u64().expect("a number")).sum()
    }

    fn status(&self) -> Value {
        let run = tandem(&["fleet", "status", &self.name(), "--json"]).succeeded();
        serde_json::from_str(&run.out).expect("JSON")
    }

    fn merge(&self, more: &[&str]) -> (Run, Value) {
        let name = self.name();
        let run = tandem(&[&["fleet", "merge", name.as_str(), "--json"], more].concat());
        let json = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        (run, json)
    }

    fn shards(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.join("shards")).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }
}

fn selfplay(size: u64, shard: u64) -> String {
    format!(
        "job = 'selfplay'\nsize = {size}\nshard_size = {shard}\nseed = 9\narguments = {}\n",
        json!(WORDS)
    )
}

/// The same games in one process.
fn alone(yard: &Yard, size: u64) -> PathBuf {
    let (out, size) = (yard.path("alone"), size.to_string());
    let words = ["selfplay", "--seed", "9", "--games", &size, "--out", out.to_str().unwrap()];
    let run = tandem(&[&words, WORDS].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    out
}

/// What a journal says of each game but for the time that it took.
fn journal(name: &Path) -> BTreeMap<u64, Value> {
    let text = fs::read_to_string(name.with_extension("jsonl")).expect("a journal");
    let games = text.lines().skip(1).map(|line| {
        let mut game: Value = serde_json::from_str(line).expect("JSON");
        let game = game.as_object_mut().expect("an object");
        game.retain(|key, _| key != "efforts" && key != "pgn");
        (game["number"].as_u64().expect("a number"), Value::Object(game.clone()))
    });
    let games: Vec<_> = games.collect();
    let count = games.len();
    let games: BTreeMap<_, _> = games.into_iter().collect();
    assert_eq!(games.len(), count, "a game is there twice");
    games
}

/// What was thought in each game.
fn visits(name: &Path) -> BTreeMap<u64, VisitedGame> {
    let mut reader = VisitsReader::open(&name.with_extension("visits")).expect("a file of visits");
    let games = std::iter::from_fn(|| reader.next_game().expect("a sound file"));
    games.map(|game| (game.number, game)).collect()
}

fn assert_same_games(plan: &Plan, alone: &Path) {
    let merged = plan.0.join("merged/games");
    assert_eq!(journal(&merged), journal(alone));
    assert!(visits(&merged) == visits(alone), "something else was thought");
    let events = |name: &Path| {
        fs::read_to_string(name.with_extension("pgn")).expect("PGN").matches("[Event ").count()
    };
    assert_eq!(events(&merged), events(alone));
}

/// With real workers of HyperQueue, which `PyPI` has for Linux on x86-64.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod workers {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::support::program::{PATIENCE, wait_for_exit};
    use super::*;

    /// A server or worker of HyperQueue, killed when dropped.
    struct Daemon(Child);

    impl Daemon {
        fn start(words: &[&str]) -> Self {
            let mut child =
                hyperqueue(words).stdout(Stdio::piped()).spawn().expect("python3 starts");
            let out = child.stdout.take().expect("piped");
            let ready =
                BufReader::new(out).lines().map_while(Result::ok).any(|line| line == "ready");
            assert!(
                ready,
                "HyperQueue does not start: see its words above, or run scripts/test-setup"
            );
            Self(child)
        }

        /// Ends it at once, without a word to anybody.
        fn kill(&mut self) {
            self.0.kill().expect("it was running");
            self.0.wait().expect("it has ended");
        }
    }

    impl Drop for Daemon {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn hyperqueue(words: &[&str]) -> Command {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/hyperqueue");
        let mut command = Command::new("python3");
        // Its input stays open for as long as it is to live.
        command.arg(script).args(words).stdin(Stdio::piped());
        command
    }

    /// The parent of a process, as Linux tells it.
    fn parent_of(pid: u64) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        text.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    }

    /// A shard in which at least one game is finished and the process at work on it.
    fn in_mid_shard(plan: &Plan) -> Option<(PathBuf, u64)> {
        plan.shards().into_iter().filter(|path| path.extension().is_some()).find_map(|path| {
            let games = fs::read_to_string(path.join("games.jsonl")).ok()?.lines().count();
            let note: Value =
                serde_json::from_str(fs::read_to_string(path.join("run.json")).ok()?.trim())
                    .ok()?;
            (games > 1).then_some((path, note["pid"].as_u64()?))
        })
    }

    #[test]
    fn real_workers_of_which_one_is_killed_play_the_games_of_one_process() {
        let yard = Yard::new();
        let plan = yard.plan(&selfplay(119, 3));
        assert_eq!(plan.tasks(), 40);
        let place = yard.path("server").display().to_string();
        let _server = Daemon::start(&["serve", &place]);
        let mut workers = [(); 2].map(|()| Daemon::start(&["work", &place]));
        let mut job = hyperqueue(&["submit", &place, &plan.name()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 starts");

        // A worker dies while a shard of its is neither begun nor complete.
        let start = Instant::now();
        let killed = loop {
            let found = in_mid_shard(&plan).and_then(|(path, pid)| Some((path, parent_of(pid)?)));
            let worker = found.and_then(|(path, parent)| {
                let worker =
                    workers.iter_mut().find(|worker| u64::from(worker.0.id()) == parent)?;
                Some((path, worker))
            });
            if let Some((path, worker)) = worker {
                worker.kill();
                break path;
            }
            assert!(start.elapsed() < 2 * PATIENCE, "no shard is being done: {}", plan.status());
            thread::sleep(Duration::from_millis(2));
        };
        let _another = Daemon::start(&["work", &place]);
        let code = wait_for_exit(&mut job, 4 * PATIENCE).and_then(|status| status.code());
        assert_eq!(code, Some(0), "{}", plan.status());
        let complete = killed.with_extension("");
        assert!(complete.exists(), "{} was left unfinished", killed.display());

        let status = plan.status();
        assert_eq!(status["stages"][0]["done"], 40);
        assert_eq!(status["counts"]["games"], 119);
        assert!(status["rate"].as_f64().is_some_and(|rate| rate > 0.0), "{status}");
        let (run, merged) = plan.merge(&[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!((&merged["sound"], &merged["results"]["games"]), (&json!(40), &json!(119)));
        assert_same_games(&plan, &alone(&yard, 119));
    }
}

#[test]
fn damaged_and_missing_shards_are_named_and_nothing_is_put_together() {
    let yard = Yard::new();
    let plan = yard.plan(&selfplay(8, 2));
    let waiting = plan.status();
    assert_eq!((&waiting["stages"][0]["waiting"], &waiting["games"]), (&json!(4), &json!(8)));
    for number in [1, 2, 4] {
        assert_eq!(plan.task(number).code, Some(0));
    }
    assert!(plan.task(1).err.contains("complete already"));
    assert_eq!(plan.task(5).code, Some(1));
    let file = plan.shards()[1].join("games.jsonl");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let (run, merged) = plan.merge(&[]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("task 3, shard 3/4 is missing"), "{}", run.err);
    let damage = "task 2, shard 2/4 is damaged: ";
    assert!(run.err.contains(damage) && run.err.contains("games.jsonl: is damaged"), "{}", run.err);
    assert_eq!((&merged["sound"], &merged["files"]), (&json!(2), &json!([])));
    assert!(!plan.0.join("merged").exists());
    let (run, merged) = plan.merge(&["--partial"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(merged["counts"]["games"], 4);
    assert_eq!(journal(&plan.0.join("merged/games")).len(), 4);
    // What is missing is done, and what is damaged is done anew, once it is out of the way.
    fs::remove_dir_all(&plan.shards()[1]).unwrap();
    plan.do_all();
    assert_eq!(plan.merge(&[]).0.code, Some(0));
    assert_same_games(&plan, &alone(&yard, 8));
}

#[test]
fn a_missing_network_and_a_full_disk_fail_a_shard_with_a_sentence() {
    let yard = Yard::new();
    let net = yard.write("some.nnue", "not read before it is looked at");
    let words = [&WORDS[..4], &["--both", "option.EvalFile={value} option.Hash=1"]].concat();
    let plan = yard.plan(&format!(
        "job = 'selfplay'\nsize = 2\nshard_size = 1\narguments = {}\n[networks]\nvalue = {{ file = '{net}' }}\n",
        json!(words)
    ));
    let copy = fs::read_dir(plan.0.join("networks")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(copy).unwrap();
    let run = plan.task(1);
    assert_eq!(run.code, Some(1));
    let status = plan.status();
    assert_eq!(
        (&status["stages"][0]["failed"], &status["stages"][0]["waiting"]),
        (&json!(1), &json!(1))
    );
    let sentence = status["tasks"][0]["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with("network 'value': ") && sentence.contains("missing"),
        "{sentence}"
    );
    assert!(run.err.contains(sentence), "{}", run.err);
    let text = tandem(&["fleet", "status", &plan.name()]).succeeded().out;
    assert!(text.contains("1 failed") && text.contains(sentence), "{text}");

    // No file may be longer than 4 KiB: as if there were no room.
    let yard = Yard::new();
    let plan = yard.plan(&selfplay(4, 2));
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' fleet run '{}' --task 1",
        env!("CARGO_BIN_EXE_tandem"),
        plan.name()
    );
    let limited = Command::new("sh").args(["-c", &script]).output().expect("sh starts");
    assert_eq!(limited.status.code(), Some(1));
    let status = plan.status();
    let sentence = status["tasks"][0]["sentence"].as_str().unwrap();
    assert!(sentence.contains("games.") && sentence.contains("File too large"), "{sentence}");
    assert_eq!(status["tasks"][0]["standing"], "failed");
    // With room it goes on, and no game is lost or doubled.
    plan.do_all();
    assert_eq!(plan.merge(&[]).0.code, Some(0));
    assert_same_games(&plan, &alone(&yard, 4));
}

#[test]
fn a_match_in_shards_has_the_results_of_one_in_one_piece() {
    let yard = Yard::new();
    let words = [
        "--player",
        "name=a nodes=60 option.EvalFile=none",
        "--player",
        "name=b nodes=20 option.EvalFile=none",
        "--max-plies",
        "60",
        "--seed",
        "4",
    ];
    let arguments: Vec<&str> = words[..6].to_vec();
    let plan = yard.plan(&format!(
        "job = 'match'\nsize = 14\nshard_size = 4\nseed = 4\narguments = {}\n",
        json!(arguments)
    ));
    plan.do_all();
    let (run, merged) = plan.merge(&["--sprt=0:50"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let out = yard.path("alone");
    let alone = ["match", "--games", "14", "--json", "--out", out.to_str().unwrap()];
    let alone = tandem(&[&alone[..], &words].concat());
    let alone: Value = serde_json::from_str(&alone.out).expect("JSON");
    let results = &merged["results"];
    assert_eq!(results["pairings"], alone["pairings"]);
    assert_eq!(results["white"], alone["white"]);
    assert!(results["sprt"]["llr"].is_number(), "{results}");
    assert_eq!(journal(&plan.0.join("merged/games")), journal(&out));
    let part = tandem(&[&["match", "--sprt", "--shard", "1/2"], &words[..]].concat());
    assert_eq!(part.code, Some(1));
    assert!(part.err.contains("an SPRT judges all games"), "{}", part.err);
}

#[test]
fn training_data_labels_and_experiments_come_in_shards_too() {
    let yard = Yard::new();
    let data = yard.plan(
        "job = 'datagen'\nsize = 5\nshard_size = 2\narguments = ['--nodes', '30', '--net', 'none']\n",
    );
    data.do_all();
    let (run, merged) = data.merge(&[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(merged["counts"]["games"], 5);
    let file = data.0.join("merged/games.games").display().to_string();
    let stats = tandem(&["datagen", "stats", &file, "--json"]).succeeded();
    let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
    assert_eq!(stats["statistics"]["games"], 5, "{stats}");

    let yard = Yard::new();
    let game = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";
    let pgn = yard.write("some.pgn", &game.repeat(7));
    let labels = yard.plan(&format!(
        "job = 'labels'\nshards = 3\narguments = ['{{pgn}}']\n[files]\npgn = {{ file = '{pgn}' }}\n"
    ));
    labels.do_all();
    assert_eq!(labels.merge(&[]).1["counts"]["games"], 7);

    let yard = Yard::new();
    let pgn = yard.write("some.pgn", &game.repeat(5));
    let studies = yard.plan(&format!(
        "job = 'analyze'\nshards = 2\narguments = ['{{pgn}}', '--nodes', '50', '--mode', 'alphabeta']\n\
         [files]\npgn = {{ file = '{pgn}' }}\n"
    ));
    studies.do_all();
    assert_eq!(studies.merge(&[]).1["counts"]["games"], 5);
    let merged = |name: &str| fs::read_to_string(studies.0.join("merged").join(name)).expect(name);
    assert_eq!(merged("analysis.jsonl").lines().count(), 5);
    assert_eq!(merged("annotated.pgn").matches("[Event ").count(), 5);

    let yard = Yard::new();
    let words =
        ["temperature-wdl", "--nodes", "20", "--both", "option.EvalFile=none option.Hash=1"];
    let lab = yard
        .plan(&format!("job = 'lab'\nsize = 3\nshard_size = 2\narguments = {}\n", json!(words)));
    lab.do_all();
    let (run, merged) = lab.merge(&[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(merged["counts"]["games"], 6, "three games of each of two points");
    let out = lab.0.join("merged").display().to_string();
    let report =
        tandem(&[&["lab"], &words[..], &["--games", "3", "--out", &out, "--json"]].concat());
    assert_eq!(report.code, Some(0), "{}", report.err);
    let alone = yard.path("alone").display().to_string();
    let words = [&["lab"], &words[..], &["--games", "3", "--out", &alone, "--json"]].concat();
    let alone = tandem(&words);
    let counts = |text: &str| -> Vec<Value> {
        let report: Value = serde_json::from_str(text).expect("JSON");
        let points = report["points"].as_array().expect("points");
        points.iter().map(|point| point["counts"].clone()).collect()
    };
    assert_eq!(counts(&report.out), counts(&alone.out));
}

/// Two generations at the scale of a toy.
const TOY: &str = "\
[loop]
generations = 2
concurrency = 1
[begin]
value = 'random'
policy = 'random'
l1 = 128
hidden = 64
[selfplay]
games = 4
portions = 2
validation_games = 1
nodes = 16
limit = 3
options = 'option.Temperature=1 option.Hash=1'
openings = 'chance'
max_plies = 60
[gate]
nodes = 16
games = 6
elo1 = 20.0
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

#[test]
fn the_loop_of_a_fleet_learns_what_the_loop_of_one_machine_learns() {
    for ahead in [false, true] {
        let yard = Yard::new();
        let settings = if ahead {
            TOY.replace("concurrency = 1\n", "concurrency = 1\nahead = true\n")
                .replace("limit = 3\n", "limit = 3\ntarget = 0.0\n")
        } else {
            TOY.to_owned()
        };
        let config = yard.write("toy.toml", &settings);
        let plan = yard.plan("job = 'loop'\nconfig = 'toy.toml'\nshard_size = 2\n");
        plan.do_all();
        assert!(
            plan.status()["stages"].as_array().unwrap().iter().all(|s| s["done"] == s["tasks"])
        );
        assert_eq!(plan.merge(&[]).0.code, Some(0));
        let out = yard.path("alone");
        let alone = tandem(&["train", "loop", "--config", &config, "--out", out.to_str().unwrap()]);
        assert_eq!(alone.code, Some(0), "{}", alone.err);
        let read = |folder: &Path, name: &str| fs::read(folder.join(name)).expect(name);
        let fleet = plan.0.join("loop");
        for name in ["best.nnue", "best.policy", "log.jsonl", "generation-2/network.nnue"] {
            assert!(read(&fleet, name) == read(&out, name), "{name} differs, ahead: {ahead}");
        }
    }
}

#[test]
fn descriptions_that_make_no_work_are_refused_before_anything_is_made() {
    let yard = Yard::new();
    for (text, said) in [
        (
            "job = 'selfplay'\nsize = 5\narguments = ['--nodes', 'many']",
            "arguments: invalid value 'many'",
        ),
        (
            "job = 'selfplay'\nsize = 5\narguments = ['--colour']",
            "arguments: unexpected argument '--colour'",
        ),
        ("job = 'selfplay'\nsize = 0", "size: 0"),
        ("job = 'match'\nsize = 4", "arguments: the following required arguments"),
        ("job = 'selfplay'\nsize = 5\n[networks]\nx = { file = 'nowhere.nnue' }", "networks.x: "),
    ] {
        let file = yard.write("bad.toml", text);
        let run = tandem(&["fleet", "plan", &file]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        assert!(run.err.contains(said), "{text}: {}", run.err);
        assert!(!yard.path("bad/plan.json").exists());
    }
    let example = tandem(&["fleet", "plan", "--example"]).succeeded().out;
    let file = yard.write("example.toml", &example);
    yard.write("best.nnue", "any file has a hash");
    assert_eq!(tandem(&["fleet", "plan", &file]).succeeded().out.lines().count(), 5);
    let again = tandem(&["fleet", "plan", &file]);
    assert!(again.err.contains("holds a plan already"), "{}", again.err);
    let none = tandem(&["fleet", "status", &yard.path("nowhere").display().to_string()]);
    assert!(none.code == Some(1) && none.err.contains("holds no plan"), "{}", none.err);
}
