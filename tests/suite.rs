//! `tandem suite`: test positions solved by the real program and by engines that misbehave.

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use support::shell::{Run, tandem};

const BRATKO_KOPEC: &str = "tests/data/bratko-kopec.epd";
const MATES: &str = "tests/data/mates.epd";

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

/// A file of that name with those lines.
fn file(name: &str, lines: &[&str]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, lines.join("\n")).expect("the folder for tests can be written to");
    path.display().to_string()
}

/// The attempts of a player: position, and whether it is solved.
fn solved<'a>(report: &'a Value, player: &str) -> Vec<(&'a str, bool)> {
    let attempts = report["attempts"].as_array().expect("a list").iter();
    attempts
        .filter(|attempt| attempt["player"] == player)
        .map(|attempt| {
            let name = attempt["position"].as_str().expect("a name");
            (name, attempt["solved"].as_bool().expect("yes or no"))
        })
        .collect()
}

#[test]
fn short_mates_are_found_within_fixed_nodes() {
    let report = json(&tandem(&["suite", MATES, "--nodes", "100000", "--json"]).succeeded());
    let player = &report["players"][0];
    assert_eq!((&player["solved"], &player["attempted"]), (&12.into(), &12.into()), "{report:#}");
    assert_eq!(report["files"][0]["positions"], 12);
    assert_eq!(report["files"][0]["sha256"].as_str().map(str::len), Some(12));
    assert_eq!(report["interrupted"], false);
    for attempt in report["attempts"].as_array().expect("a list") {
        let (solution, nodes) = (&attempt["solution"], &attempt["nodes"]);
        assert!(solution["nodes"].as_u64() <= nodes.as_u64(), "{attempt:#}");
        assert!(solution["seconds"].as_f64() <= attempt["seconds"].as_f64(), "{attempt:#}");
        assert!(attempt["mate"].is_i64() && attempt["fault"].is_null(), "{attempt:#}");
    }
    // The same nodes find the same moves, one position at a time or several.
    let again = tandem(&["suite", MATES, "--nodes", "100000", "--json", "--concurrency", "2"]);
    let again = json(&again.succeeded());
    let found = |report: &Value| -> Vec<(String, String)> {
        let attempts = report["attempts"].as_array().expect("a list");
        attempts
            .iter()
            .map(|a| (a["move"].to_string(), a["solution"]["nodes"].to_string()))
            .collect()
    };
    assert_eq!(found(&report), found(&again));
}

#[test]
fn players_are_compared_position_by_position() {
    let players = ["--player", "name=quick nodes=1", "--player", "name=slow"];
    let limit = ["--nodes", "3000"];
    let args = [&["suite", BRATKO_KOPEC][..], &players, &limit].concat();
    let run = tandem(&args).succeeded();
    for part in [
        "unsolved\n  position  wanted",
        "quick and slow\n  both solved: ",
        "\n  only quick: ",
        "\n  only slow: ",
        "\n  neither: ",
        "\nplayers\n  quick: Tandem ",
        "/24 (",
        ", 3000 nodes a move\n    options: default\n    solved ",
        "nodes/s ",
        "\nconditions\n  positions: 24 from tests/data/bratko-kopec.epd (sha256 ",
        "\n  unusable: 0\n  attempts: all 48 made\n  hardware: ",
    ] {
        assert!(run.out.contains(part), "{part:?} is not in {}", run.out);
    }
    let report = json(&tandem(&[&args[..], &["--json"]].concat()).succeeded());
    let (quick, slow) = (solved(&report, "quick"), solved(&report, "slow"));
    let only = |one: &[(&str, bool)], other: &[(&str, bool)]| -> Vec<Value> {
        let pairs = one.iter().zip(other);
        pairs.filter(|(a, b)| a.1 && !b.1).map(|(a, _)| a.0.into()).collect()
    };
    let comparison = &report["comparisons"][0];
    assert_eq!(comparison["only_first"], Value::from(only(&quick, &slow)));
    assert_eq!(comparison["only_second"], Value::from(only(&slow, &quick)));
    assert_eq!(report["players"][1]["solved"], slow.iter().filter(|(_, is)| *is).count());
}

#[test]
fn verbose_says_a_line_for_each_position_and_player() {
    let players = ["--player", "name=one", "--player", "name=two"];
    let args = [&["suite", MATES, "--nodes", "500", "--verbose"][..], &players].concat();
    let run = tandem(&args).succeeded();
    let lines: Vec<&str> = run.out.lines().take_while(|line| !line.starts_with("unsol")).collect();
    assert_eq!(lines.len(), 24, "{}", run.out);
    assert!(lines[0].starts_with("mates.epd:3: one "), "{}", lines[0]);
    assert!(lines[1].starts_with("mates.epd:3: two "), "{}", lines[1]);
}

#[test]
fn bad_lines_are_reported_and_counted() {
    let path = file(
        "bad-lines.epd",
        &[
            "7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7 + !; c0 \"Qg7=10, Qg2=3\"; id \"good\";",
            "7k/8/5K2/8/8/8/8/6Q1 w - - bm Qx9; id \"no move\";",
            "7k/8/5K2/8/8/8/8/6Q1 w - - bm Nf3; id \"illegal move\";",
            "nonsense",
            "7k/8/5K2/8/8/8/8/6Q1 w - - id \"no goal\";",
            "7k/8/5K2/8/8/8/8/6Q1 w - - am g1g7; id \"avoid\";",
        ],
    );
    let run = tandem(&["suite", &path, "--nodes", "1000"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let notes: Vec<&str> = run.err.lines().collect();
    assert_eq!(notes.len(), 4, "{}", run.err);
    for (note, line) in notes.iter().zip(2..) {
        assert!(note.starts_with(&format!("{path}, line {line}: ")), "{note}");
    }
    let expected = "unusable: 4 (bad move text 2, no legal position 1, nothing to solve 1)";
    assert!(run.out.contains(expected), "{}", run.out);
    assert!(run.out.contains("solved 1/2 (50.0 %)"), "{}", run.out);
    assert!(run.out.contains("points 10/10 (100.0 %)"), "{}", run.out);
    assert!(run.out.contains("  avoid     not Qg7#"), "{}", run.out);
}

/// An engine that behaves as the castling rights of the position tell it.
const MISBEHAVING: &str = r"
while read -r line; do
    case $line in
        uci) echo 'id name Misbehaving'; echo uciok ;;
        isready) echo readyok ;;
        position*startpos*) deed=crash ;;
        position*KQk*) deed=hang ;;
        position*KQ*) deed=illegal ;;
        position*Kq*) deed=babble ;;
        position*) deed=well ;;
        quit) exit 0 ;;
        go*) case $deed in
            crash) exit 3 ;;
            illegal) echo 'bestmove e2e5' ;;
            babble) while echo 'info depth 1 score cp 0 nodes 1'; do :; done ;;
            well)
                echo 'info depth 1 score cp 10 nodes 100 pv e2e4'
                echo 'info depth 2 score cp 10 nodes 200 pv d2d4'
                echo 'info depth 3 score cp 10 nodes 300 pv e2e4'
                echo 'info depth 4 score cp 10 nodes 400 pv e2e4'
                echo 'bestmove e2e4' ;;
        esac ;;
    esac
done
";

#[test]
fn engines_that_misbehave_do_not_end_the_run() {
    let script = file("misbehaving.sh", &[MISBEHAVING]);
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    let lines = ["KQkq", "-", "KQk", "Q", "KQ", "k", "Kq", "q"]
        .map(|castling| format!("{board} {castling} - bm e4; id \"{castling}\";"));
    let path = file("misbehaving.epd", &lines.each_ref().map(String::as_str));
    let engine = format!("cmd=sh arg=\"{script}\" name=odd");
    let args = ["suite", &path, "--movetime", "2", "--patience", "1", "--player", &engine];
    let run = tandem(&[&args[..], &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let report = json(&run);
    let expected = lines.each_ref().map(|line| {
        let castling = line.split(' ').nth(2).expect("castling rights");
        (castling, castling.len() == 1)
    });
    assert_eq!(solved(&report, "odd"), expected);
    let player = &report["players"][0];
    assert_eq!(player["engine"], "Misbehaving");
    for (count, expected) in [("crashes", 1), ("hangs", 2), ("illegal_moves", 1)] {
        assert_eq!(player[count], expected, "{count}: {player:#}");
    }
    let solution = &report["attempts"][1]["solution"];
    assert_eq!((&solution["nodes"], &solution["depth"]), (&300.into(), &3.into()));
    for (note, word) in run.err.lines().zip(["crashed", "no answer", "illegal move", "no answer"]) {
        assert!(note.contains("odd") && note.contains(word), "{note}");
    }
}

#[test]
fn what_cannot_be_run_is_said_in_a_sentence() {
    for (args, word) in [
        (&["suite", "/nonexistent.epd", "--nodes", "1"][..], "/nonexistent.epd"),
        (&["suite", MATES], "limit"),
        (&["suite", MATES, "--nodes", "1", "--player", "cmd=/nonexistent"], "/nonexistent"),
        (&["suite", MATES, "--player", "tc=1+1"], "clock"),
    ] {
        let run = tandem(args);
        assert_eq!(run.code, Some(1), "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.starts_with("tandem: ") && run.err.contains(word), "{args:?}: {}", run.err);
        assert_eq!((run.err.lines().count(), run.out.as_str()), (1, ""), "{args:?}: {}", run.err);
    }
    tandem(&["suite"]).refused();
    tandem(&["suite", MATES, "--movetime", "0"]).refused();
    tandem(&["suite", MATES, "--nodes", "1", "--verbose", "--json"]).refused();
}

/// A terminal's Ctrl-C reaches the whole process group, the engines' shell included.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_was_done() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    let script = file("silent.sh", &[&MISBEHAVING.replace("deed=well", "deed=hang")]);
    let engine = format!("cmd=sh arg=\"{script}\" name=silent movetime=3600");
    let slow = "name=slow movetime=3600";
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(["suite", BRATKO_KOPEC, "--verbose", "--concurrency", "2", "--patience", "2"])
        .args(["--player", "name=fast nodes=100", "--player", &engine, "--player", slow])
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    assert!(first.starts_with("BK.01: fast "), "{first}");
    let group = format!("-{}", child.id());
    let killed = Command::new("kill").args(["-INT", "--", &group]).status().expect("kill runs");
    assert!(killed.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert!(child.wait().expect("it ends").success());
    assert!(rest.contains("; the run was interrupted"), "{rest}");
    assert!(rest.contains("fast: Tandem") && rest.contains("crashes 0, hangs 0"), "{rest}");
}
