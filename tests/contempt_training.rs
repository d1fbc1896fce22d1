//! `tandem lab contempt-training` from the shell, at the scale of a toy.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::program::{PATIENCE, wait_for_exit};
use support::shell::tandem;
use tandem_nnue::{Network, PolicyNetwork};

const TOY: &[&str] = &[
    "lab",
    "contempt-training",
    "--games",
    "3",
    "--nodes",
    "16",
    "--validation-games",
    "1",
    "--match-games",
    "2",
    "--start-games",
    "2",
    "--concurrency",
    "2",
    "--both",
    "option.Hash=1",
    "--set",
    "begin.value=random",
    "--set",
    "begin.policy=random",
    "--set",
    "begin.l1=128",
    "--set",
    "begin.hidden=64",
    "--set",
    "value.training.batch=64",
    "--set",
    "value.data.shuffle=1000",
    "--set",
    "policy.training.batch=64",
    "--set",
    "policy.data.shuffle=1000",
];

fn words(out: &Path, more: &[&str]) -> Vec<String> {
    let out = out.display().to_string();
    TOY.iter().chain(&["--out", &out]).chain(more).map(|&word| word.to_owned()).collect()
}

fn report(out: &Path) -> Value {
    let words = words(out, &["--json"]);
    let run = tandem(&words.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
    let printed: Value = serde_json::from_str(&run.out).expect("one JSON object");
    let kept = fs::read_to_string(out.join("report.json")).expect("a report");
    assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON"), printed);
    printed
}

#[test]
fn two_pairs_learn_from_as_many_positions_and_meet() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let out = folder.path().join("whole");
    let report = report(&out);
    let results = &report["results"];
    let number = |kind: &str, name: &str| results[kind][name].as_u64().expect("a count");
    assert_eq!(number("tau2", "games"), 3);
    // As many positions, to within the last game; and not a game more than that takes.
    let [budget, positions] = ["tau2", "contempt"].map(|kind| number(kind, "positions"));
    assert!(positions >= budget, "{positions} {budget}");
    assert!(positions < budget + 1000 && number("contempt", "playouts") > 0);
    let steps = |kind: &str, network: &str| results[kind]["learnt"][network]["steps"].clone();
    for network in ["value", "policy"] {
        assert_eq!(steps("contempt", network), steps("tau2", network), "equal compute");
        assert!(results["tau2"]["learnt"][network]["validation"].is_f64());
    }
    assert_eq!(results["match"]["games"], 2);
    assert_eq!(results["against_start"].as_array().map(Vec::len), Some(2));
    let mut names = Vec::new();
    for kind in ["contempt", "tau2"] {
        let pair = out.join(format!("games/{kind}-networks/network"));
        assert_eq!(Network::load(pair.with_extension("nnue")).expect("one").architecture().l1, 128);
        assert_eq!(PolicyNetwork::load(pair.with_extension("policy")).expect("one").hidden(), 64);
        assert!(!out.join(format!("games/{kind}-networks/value/state.bin")).exists());
        names.push(results[kind]["learnt"]["networks"].clone());
    }
    assert_ne!(names[0], names[1]);
    let text = fs::read_to_string(out.join("report.md")).expect("a report");
    let value = names[0]["value"].as_str().expect("a name");
    for word in ["The matches.", "(w+l)/d", "The trainings.", value, "begin.value", "paper"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    for picture in ["match.svg", "games.svg"] {
        assert!(fs::read_to_string(out.join(picture)).is_ok_and(|svg| svg.ends_with("</svg>\n")));
    }
}

/// A report without what differs from one run to the next, and without the folder's name.
fn lasting(mut report: Value, out: &Path) -> String {
    let map = report.as_object_mut().expect("an object");
    for name in ["date", "played"] {
        assert!(map.remove(name).is_some(), "{name}");
    }
    for point in map["points"].as_array_mut().expect("points") {
        assert!(point.as_object_mut().expect("an object").remove("efforts").is_some());
    }
    report.to_string().replace(&out.display().to_string(), "OUT")
}

#[test]
fn an_experiment_that_was_ended_anywhere_comes_to_the_same_report() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let [whole, parts]: [PathBuf; 2] = ["whole", "parts"].map(|name| folder.path().join(name));
    // The order in which games end decides the order in which they are learnt from.
    let one = |out: &Path| {
        let mut words = words(out, &["--json"]);
        let place = words.iter().position(|word| word == "--concurrency").expect("it is there");
        "1".clone_into(&mut words[place + 1]);
        words
    };
    let run = |out: &Path| -> Value {
        let words = one(out);
        let run = tandem(&words.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
        serde_json::from_str(&run.out).expect("one JSON object")
    };
    for file in [
        "start/network.nnue",
        "tau2.visits",
        "contempt.visits",
        "contempt-networks/value/config.toml",
        "contempt-networks/policy/state.bin",
        "match-contempt-black.jsonl",
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(one(&parts))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let start = Instant::now();
        while !parts.join("games").join(file).exists() {
            assert!(start.elapsed() < 5 * PATIENCE, "{file} is not there in time");
            if parts.join("report.md").exists() {
                break;
            }
            thread::sleep(Duration::from_micros(500));
        }
        child.kill().expect("killed");
        wait_for_exit(&mut child, PATIENCE).expect("it has ended");
    }
    assert_eq!(lasting(run(&parts), &parts), lasting(run(&whole), &whole));
}

#[test]
fn what_makes_no_experiment_is_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let out = folder.path().join("wrong").display().to_string();
    let refused = |more: [&str; 2], said: &str| {
        let words = [&["lab", "contempt-training", "--out", &out], &more[..]].concat();
        let run = tandem(&words);
        assert_eq!(run.code, Some(1), "{more:?}: {}", run.err);
        assert!(run.err.contains(said), "{more:?}: {}", run.err);
    };
    refused(["--match-games", "3"], "--match-games 3: expected an even number");
    refused(["--set", "selfplay.games=3"], "one of the tables begin, passes, value, policy");
    refused(["--set", "value.training.batch=0"], "[value]: `training.batch` is 0");
    refused(["--set", "valuable=1"], "--set valuable=1");
    refused(["--set", "begin.value=nothing.nnue"], "nothing.nnue");
}
