//! `tandem lab` from the shell: every experiment at the scale of a toy, interrupted, resumed and refused.

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::program::{PATIENCE, wait_for_exit};
use support::shell::{Run, tandem};
use tandem_games::words;

/// Tiny games. Two at a time, so that their order varies.
const TINY: &[&str] = &["--both", "option.EvalFile=none option.Hash=1", "--concurrency", "2"];

struct Shelf(tempfile::TempDir);

impl Shelf {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The arguments of an experiment in a folder of that name.
    fn words(&self, folder: &str, words: &[&str]) -> Vec<String> {
        let out = self.path(folder).display().to_string();
        let common = TINY.iter().copied().chain(["--out", &out]);
        ["lab"].into_iter().chain(words.iter().copied()).chain(common).map(str::to_owned).collect()
    }

    fn run(&self, folder: &str, words: &[&str]) -> Run {
        let words = self.words(folder, words);
        tandem(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Does an experiment to its end, and looks at what must be in every report.
    fn done(&self, folder: &str, words: &[&str]) -> Value {
        let run = self.run(folder, &[words, &["--json"]].concat()).succeeded();
        let printed: Value = serde_json::from_str(&run.out).expect("one JSON object");
        let path = self.path(folder);
        let kept = fs::read_to_string(path.join("report.json")).expect("a report");
        assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON"), printed);
        assert_eq!(printed["experiment"], words[0]);
        assert_eq!(
            (&printed["seed"], &printed["networks"]),
            (&1.into(), &vec!["the plain evaluation"].into())
        );
        let priors = printed["priors"][0].as_str().expect("priors");
        assert!(priors.starts_with("pn-"), "{priors}");
        assert!(printed["hardware"].is_string() && printed["settings"]["both"].is_string());
        assert!(printed["command"].as_str().is_some_and(|command| command.contains(words[0])));
        let text = fs::read_to_string(path.join("report.md")).expect("a report");
        for word in
            ["## What came of it", "## Beside the paper", "Seed 1.", "Priors of moves", "paper"]
        {
            assert!(text.contains(word), "{word}: {text}");
        }
        let pictures = printed["pictures"].as_array().expect("pictures");
        assert!(!pictures.is_empty());
        for picture in pictures {
            let name = picture.as_str().expect("a name");
            assert!(text.contains(&format!("]({name})")), "{name} is not shown");
            assert!(fs::read_to_string(path.join(name)).is_ok_and(|svg| svg.ends_with("</svg>\n")));
        }
        // What is to be published is all that stands in the folder itself.
        let entries =
            fs::read_dir(&path).expect("the folder").map(|entry| entry.expect("an entry"));
        let published = ["md", "json", "svg", "toml"].map(Some);
        for entry in entries.filter(|entry| entry.file_name() != "games") {
            let kind = entry.path().extension().and_then(|kind| kind.to_str()).map(str::to_owned);
            assert!(published.contains(&kind.as_deref()), "{}", entry.path().display());
        }
        printed
    }

    fn refused(&self, folder: &str, words: &[&str], said: &str) {
        let run = self.run(folder, words);
        assert!(matches!(run.code, Some(1 | 2)), "{words:?}: {:?} {}", run.code, run.err);
        assert_eq!(run.out, "", "{words:?}");
        assert!(run.err.contains(said) && !run.err.contains("panicked"), "{words:?}: {}", run.err);
    }

    /// Ends the program as a power cut does it, once so many games are kept.
    fn kill_after(&self, folder: &str, words: &[&str], games: usize) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(self.words(folder, words))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let end = Instant::now() + PATIENCE;
        while self.games(folder) < games {
            assert!(Instant::now() < end, "no game is finished in time");
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("killed");
        wait_for_exit(&mut child, PATIENCE).expect("it has ended");
        assert!(!self.path(folder).join("report.md").exists(), "it was done before");
    }

    /// Games that are kept.
    fn games(&self, folder: &str) -> usize {
        let Ok(entries) = fs::read_dir(self.path(folder).join("games")) else { return 0 };
        let journals = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
        let lines = |path| fs::read_to_string(path).unwrap_or_default().lines().count();
        journals.map(|path| lines(path).saturating_sub(1)).sum()
    }
}

/// The command that a point names plays the same games.
fn same_alone(point: &Value) {
    let words = words::words(point["command"].as_str().expect("a command")).expect("words");
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).chain(["--json"]).collect();
    let alone: Value = serde_json::from_str(&tandem(&words).succeeded().out).expect("JSON");
    assert_eq!(alone["counts"], point["counts"], "{words:?}");
}

/// A report without what differs from one run to the next.
fn lasting(mut report: Value) -> Value {
    let report_map = report.as_object_mut().expect("an object");
    for name in ["date", "played"] {
        assert!(report_map.remove(name).is_some(), "{name}");
    }
    for point in report_map["points"].as_array_mut().expect("points") {
        assert!(point.as_object_mut().expect("an object").remove("efforts").is_some());
    }
    report
}

const CONTEMPT: &[&str] =
    &["contempt-wdl", "--games", "3", "--nodes", "30", "--limits", "5,1000000"];

#[test]
fn an_interrupted_experiment_goes_on_and_ends_as_others_do() {
    let shelf = Shelf::new();
    let whole = shelf.done("whole", CONTEMPT);
    assert_eq!(whole["points"].as_array().map(Vec::len), Some(2));
    same_alone(&whole["points"][0]);
    shelf.kill_after("parts", CONTEMPT, 2);
    let parts = shelf.done("parts", CONTEMPT);
    assert_eq!(shelf.games("parts"), 6);
    assert_eq!(lasting(parts), lasting(whole.clone()));
    let again = shelf.done("parts", CONTEMPT);
    assert_eq!(lasting(again), lasting(whole));
}

#[test]
fn temperatures_are_compared_and_their_games_lent_to_the_repetitions() {
    let shelf = Shelf::new();
    let own = shelf.done("temperature-wdl", &["temperature-wdl", "--games", "3", "--nodes", "20"]);
    let words = ["repetitions", "--games", "3", "--nodes", "20", "--limits", "5"];
    let lent = shelf.done("repetitions", &words);
    assert_eq!(lent["points"][1]["counts"], own["points"][0]["counts"]);
    // Thinking takes another time in another run, so these games were not played again.
    assert_eq!(lent["points"][1]["efforts"], own["points"][0]["efforts"]);
    assert_eq!(lent["points"][2]["efforts"], own["points"][1]["efforts"]);
    let alone = shelf.done("elsewhere/repetitions", &words);
    assert_eq!(lasting(alone), lasting(lent));
}

#[test]
fn odds_are_given_by_both_colours_with_and_without_contempt() {
    let shelf = Shelf::new();
    let words = [
        "odds-nodes",
        "--games",
        "4",
        "--nodes",
        "20,40",
        "--odds",
        "queen,knight",
        "--opponent-nodes",
        "30",
        "--giver",
        "option.Hash=1 option.Temperature=0.7",
    ];
    let report = shelf.done("odds", &words);
    let results = report["results"].as_array().expect("results");
    assert_eq!(results.len(), 4);
    let count = |side: &Value| {
        ["wins", "draws", "losses"]
            .iter()
            .map(|name| side[name].as_u64().expect("a count"))
            .sum::<u64>()
    };
    for result in results {
        assert_eq!((count(&result["puct"]), count(&result["contempt"])), (4, 4), "{result}");
    }
    let points = report["points"].as_array().expect("points");
    // Two positions for the queen, four for the knight; two variants and two numbers of positions.
    assert_eq!(points.len(), 4 * (2 + 4));
    for point in points {
        let command = point["command"].as_str().expect("a command");
        assert!(command.contains("--white-nodes") && command.contains("--fen"), "{command}");
    }
    same_alone(&points[2]);
}

#[test]
fn a_match_has_both_colours_after_self_play_of_both_players() {
    let shelf = Shelf::new();
    let words = ["contempt-match", "--games", "4", "--nodes", "20", "--selfplay-games", "3"];
    let report = shelf.done("match", &words);
    let names: Vec<_> =
        report["points"].as_array().expect("points").iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["sclimit-5", "puct-tau2", "match-contempt-white", "match-contempt-black"]);
    let results = &report["results"];
    let colours = ["contempt_white", "contempt_black"].map(|side| results[side]["games"].clone());
    assert_eq!((&results["match"]["games"], colours), (&4.into(), [2.into(), 2.into()]));
    let played = |side: usize, name: &str| {
        let options = &report["points"][2]["settings"]["players"][side]["options"];
        let all = options.as_array().expect("options").clone();
        all.into_iter().find(|option| option[0] == name).map(|option| option[1].clone())
    };
    assert_eq!(played(0, "ScLimit"), Some("5".into()));
    assert_eq!((played(1, "ScLimit"), played(1, "Temperature")), (None, Some("0.9".into())));

    let balanced = [&words[..], &["--balance", "--rounds", "2", "--tolerance", "1.05"]].concat();
    shelf.kill_after("balanced", &balanced, 4);
    let report = shelf.done("balanced", &balanced);
    let tunings = report["results"]["tunings"].as_array().expect("tunings");
    for tuning in tunings {
        let steps = tuning["steps"].as_array().map(Vec::len);
        assert!((1..=2).contains(&steps.expect("steps")), "{tuning}");
    }
    assert_eq!(tunings.len(), 2);
    assert_eq!(lasting(report), lasting(shelf.done("again", &balanced)));
}

#[test]
fn limits_are_looked_for_and_the_same_ones_found_after_an_interruption() {
    let shelf = Shelf::new();
    let words = ["schedule", "--games", "3", "--nodes", "40,20", "--rounds", "3"];
    let whole = shelf.done("whole", &words);
    let found = whole["results"]["by_nodes"].as_array().expect("numbers of positions");
    assert_eq!(found.iter().map(|each| &each["nodes"]).collect::<Vec<_>>(), [20, 40]);
    for each in found {
        let limit = each["tuning"]["found"].as_f64().expect("a limit");
        assert!((1.0..=40.0).contains(&limit), "{each}");
    }
    shelf.kill_after("parts", &words, 4);
    assert_eq!(lasting(shelf.done("parts", &words)), lasting(whole));
}

#[test]
fn positions_are_looked_at_once_each_and_counted_by_limit() {
    let shelf = Shelf::new();
    let words = [
        "interesting",
        "--games",
        "2",
        "--nodes",
        "20",
        "--limits",
        "5",
        "--positions",
        "12",
        "--shallow",
        "5",
        "--deep",
        "60",
        "--margin",
        "0.02",
    ];
    let whole = shelf.done("whole", &words);
    let rows = whole["results"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert_eq!(row["positions"], 12, "{row}");
    }
    let kept = |name: &str| {
        let path = shelf.path(&format!("{name}/games/sclimit-5-probes.jsonl"));
        let text = fs::read_to_string(path).expect("looks");
        let mut looks: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        looks.sort_unstable();
        looks
    };
    let mut places = kept("whole");
    places.dedup();
    assert_eq!(places.len(), 12);
    // 6 games and 5 looks at positions: files of both count as games here.
    shelf.kill_after("parts", &words, 6 + 5);
    assert_eq!(lasting(shelf.done("parts", &words)), lasting(whole));
    assert_eq!(kept("parts"), kept("whole"));
}

#[test]
fn types_of_positions_are_counted_and_the_papers_examples_agree() {
    let shelf = Shelf::new();
    let games = ["--games", "2", "--nodes", "20"];
    let lent = shelf.done("temperature-wdl", &[&["temperature-wdl"][..], &games].concat());
    let report = shelf.done("classifier", &[&["classifier"][..], &games].concat());
    assert_eq!(report["points"][0]["efforts"], lent["points"][0]["efforts"], "not played again");
    let results = &report["results"];
    let examples = results["table_7"].as_array().expect("examples");
    assert!(examples.len() >= 4 && examples.iter().all(|example| example["agrees"] == true));
    let nanoseconds = results["nanoseconds_per_call"].as_f64().expect("a number");
    assert!(nanoseconds > 1.0 && nanoseconds < 1e6, "{nanoseconds}");
    let mut moves = 0;
    for part in results["games"].as_array().expect("parts") {
        let types = part["types"].as_object().expect("types");
        let sum: u64 = types.values().filter_map(Value::as_u64).sum();
        assert_eq!((types.len(), part["positions"].as_u64()), (5, Some(sum)), "{part}");
        moves += sum;
    }
    let efforts = report["points"][0]["efforts"].as_array().expect("efforts");
    let played: u64 = efforts.iter().filter_map(|effort| effort["moves"].as_u64()).sum();
    assert_eq!(moves, played, "every position in which a move was made");
}

#[test]
fn disagreements_are_decided_once_each_and_a_model_is_made_of_them() {
    let shelf = Shelf::new();
    let words = [
        "verdict",
        "--games",
        "2",
        "--nodes",
        "20",
        "--positions",
        "16",
        "--milliseconds",
        "25",
        "--deep",
        "3000",
        "--threads",
        "1",
    ];
    let report = shelf.done("whole", &words);
    let results = &report["results"];
    assert_eq!(results["positions"], 16, "{results}");
    let kept = || {
        let path = shelf.path("whole/games/puct-tau2-disputes.jsonl");
        fs::read_to_string(path).expect("what was seen")
    };
    let before = kept();
    assert_eq!(before.lines().count(), 17);
    let model = fs::read_to_string(shelf.path("whole/verdict.toml")).expect("a model");
    assert!(model.contains("value_gap") && model.contains("tandem lab verdict"), "{model}");
    // Nothing is looked at twice, and the same looks make the same model.
    assert_eq!(lasting(shelf.done("whole", &words)), lasting(report));
    assert_eq!(kept(), before);
    assert_eq!(fs::read_to_string(shelf.path("whole/verdict.toml")).expect("a model"), model);
}

#[test]
fn what_is_kept_is_not_mixed_with_other_settings() {
    let shelf = Shelf::new();
    shelf.done("kept", CONTEMPT);
    shelf.refused("kept", &[CONTEMPT, &["--seed", "2"]].concat(), "other seeds");
    let other = ["contempt-wdl", "--games", "3", "--nodes", "31", "--limits", "5,1000000"];
    shelf.refused("kept", &other, "other numbers of positions");
    let other = ["contempt-wdl", "--games", "3", "--nodes", "30", "--limits", "5"];
    shelf.refused("kept", &other, "other options of its own");
    shelf.refused("kept", &["temperature-wdl", "--games", "3", "--nodes", "30"], "other questions");
    let journal = shelf.path("kept/games/sclimit-5.jsonl");
    let sound = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, sound.replace("\"moves\":", "\"movez\":")).expect("written");
    shelf.refused("kept", CONTEMPT, "no journal");
    fs::write(&journal, sound).expect("written");
    fs::write(shelf.path("kept/games/settings.json"), "[]\n").expect("written");
    shelf.refused("kept", CONTEMPT, "no settings of an experiment");
}

#[test]
fn what_cannot_be_done_is_refused_before_the_first_game() {
    let shelf = Shelf::new();
    for (words, said) in [
        (&["contempt-wdl", "--limits", "5,0"][..], "--limits"),
        (&["contempt-wdl", "--limits", "5,5"], "given twice"),
        (&["contempt-wdl", "--nodes", "0"], "--nodes"),
        (&["contempt-wdl", "--nodes", "10,20"], "takes one number"),
        (&["contempt-wdl", "--games", "0"], "--games"),
        (&["odds-nodes", "--odds", "bishop"], "bishop"),
        (&["odds-nodes", "--games", "1"], "at least 2"),
        (&["odds-nodes", "--giver", "option.Nonsense=1"], "no option 'Nonsense'"),
        (&["odds-nodes", "--giver", "option.Temperature=-1"], "Temperature"),
        (&["odds-nodes", "--opponent", "nodes=3"], "no option"),
        (&["contempt-match", "--games", "3"], "even number"),
        (&["contempt-match", "--limit", "0"], "--limit"),
        (&["contempt-match", "--target", "2"], "--balance"),
        (&["contempt-match", "--temperature-puct", "option.ScLimit=0"], "ScLimit"),
        (&["contempt-match", "--balance", "--temperature-puct", ""], "above 0"),
        (&["schedule", "--target", "0"], "--target"),
        (&["schedule", "--tolerance", "0.5"], "--tolerance"),
        (&["interesting", "--shallow", "100", "--deep", "100"], "less than --deep"),
        (&["interesting", "--margin", "1"], "--margin"),
        (&["verdict", "--ridge=-1"], "--ridge"),
        (&["modes"], "modes"),
    ] {
        shelf.refused("out", words, said);
        assert!(!shelf.path("out").exists(), "{words:?}");
    }
}

#[test]
fn the_experiments_are_listed() {
    let (bare, asked) = (tandem(&["lab"]).succeeded(), tandem(&["lab", "list"]).succeeded());
    assert_eq!(bare.out, asked.out);
    let list: Value =
        serde_json::from_str(&tandem(&["lab", "list", "--json"]).succeeded().out).expect("JSON");
    let names: Vec<&str> = list
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert!(names.len() == 10 && names.iter().all(|name| bare.out.contains(name)), "{names:?}");
}
