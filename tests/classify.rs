//! `tandem classify`: types, reasons and strategies, of one position and of many.

mod support;

use serde_json::Value;

use support::shell::{Run, tandem, tandem_reading};
use support::{KIWIPETE, START};

const ITALIAN: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
const ROOK: &str = "8/8/8/3k4/8/3K4/8/3R4 w - - 0 1";
const TENSION: &str = "r1bq1rk1/ppp1bppp/2n2n2/3pp3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7";

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

#[test]
fn the_papers_examples_come_out_as_in_its_table_7() {
    let table = [
        (START, "highly strategic", 0.4, 0.6, 4, 0.5),
        (ITALIAN, "strategic", 0.32, 0.68, 4, 0.4),
        (TENSION, "balanced", 0.25, 0.75, 6, 0.3),
        (ROOK, "balanced", 0.2, 0.8, 6, 0.3),
    ];
    for (fen, kind, mcts, alphabeta, depth, threshold) in table {
        let report = json(&tandem(&["classify", "--fen", fen, "--json"]).succeeded());
        assert_eq!((&report["fen"], &report["type"]), (&fen.into(), &kind.into()), "{report}");
        let strategy = &report["strategy"];
        assert_eq!(strategy["table"], "Paper");
        assert_eq!((&strategy["mcts"], &strategy["alphabeta"]), (&mcts.into(), &alphabeta.into()));
        assert_eq!(strategy["verification_depth"], depth, "{fen}");
        assert_eq!(strategy["override_pawns"], threshold, "{fen}");
    }
}

#[test]
fn a_position_is_explained_with_reasons_and_features() {
    let human = tandem(&["classify", "--fen", KIWIPETE]).succeeded().out;
    let words = [
        KIWIPETE,
        "balanced",
        "25 % MCTS, 75 % alpha-beta",
        "tension in the centre",
        "captures         8",
        "hanging          White 0, Black 1",
    ];
    for word in words {
        assert!(human.contains(word), "{word}: {human}");
    }
    let report = json(&tandem(&["classify", "--fen", KIWIPETE, "--json"]).succeeded());
    assert_eq!(report["features"]["captures"], 8, "{report}");
    assert_eq!(report["features"]["hanging"]["black"], 1, "{report}");
    assert_eq!(report["features"]["in_check"], false, "{report}");
    let weights = |toward: &str| {
        let reasons = report["reasons"].as_array().expect("a list").iter();
        let of = reasons.filter(|reason| reason["toward"] == toward);
        of.filter_map(|reason| reason["weight"].as_f64()).sum::<f64>()
    };
    for toward in ["tactical", "strategic"] {
        let sum = report[toward].as_f64().expect("a number");
        assert!(sum > 0.0 && (weights(toward) - sum).abs() < 1e-9, "{toward}: {report}");
    }
}

#[test]
fn positions_on_standard_input_give_a_line_each() {
    let input = format!("{START}\n\n{ITALIAN}\r\n{ROOK}");
    for args in [&["classify"][..], &["classify", "-"]] {
        let run = tandem_reading(args, &input).succeeded();
        let lines: Vec<Vec<&str>> =
            run.out.lines().map(|line| line.split('\t').collect()).collect();
        let expected = [
            ["highly strategic", "0.00", "0.60", "40 %", "60 %", "4", "0.50", START],
            ["strategic", "0.20", "0.60", "32 %", "68 %", "4", "0.40", ITALIAN],
            ["balanced", "0.40", "0.30", "20 %", "80 %", "6", "0.30", ROOK],
        ];
        assert_eq!(lines, expected);
    }
    let run = tandem_reading(&["classify", "--json"], &input).succeeded();
    let types: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("one object a line")["type"].take())
        .collect();
    assert_eq!(types, ["highly strategic", "strategic", "balanced"]);
}

#[test]
fn lines_that_are_no_position_are_named_and_the_rest_goes_on() {
    let input = format!("{START}\nnowhere\n8/8/8/8/8/8/8/8 w - - 0 1\n{ROOK}\n");
    for args in [&["classify"][..], &["classify", "--json"], &["classify", "-"]] {
        let run = tandem_reading(args, &input);
        assert_eq!(run.code, Some(1), "{args:?}: {}{}", run.out, run.err);
        let kinds = ["highly strategic", "balanced"];
        assert_eq!(run.out.lines().count(), kinds.len(), "{}", run.out);
        assert!(run.out.lines().zip(kinds).all(|(line, kind)| line.contains(kind)), "{}", run.out);
        let mistakes: Vec<&str> = run.err.lines().collect();
        assert_eq!(mistakes.len(), 2, "{}", run.err);
        assert!(mistakes[0].starts_with("tandem: line 2: "), "{}", run.err);
        assert!(mistakes[1].starts_with("tandem: line 3: ") && mistakes[1].contains("king"));
    }
}

#[test]
fn without_any_position_it_is_the_start_position_unless_a_list_was_announced() {
    assert!(tandem(&["classify"]).succeeded().out.contains(START));
    assert_eq!(json(&tandem(&["classify", "--json"]).succeeded())["fen"], START);
    assert_eq!(tandem(&["classify", "-"]).succeeded().out, "");
}

#[test]
fn the_strategy_comes_from_the_table_that_was_asked_for() {
    let paper = json(&tandem(&["classify", "--strategy", "paper", "--json"]).succeeded());
    let tuned = json(&tandem(&["classify", "--strategy", "Tuned", "--json"]).succeeded());
    assert_eq!(paper["type"], tuned["type"]);
    assert_eq!(
        (&paper["strategy"]["table"], &tuned["strategy"]["table"]),
        (&"Paper".into(), &"Tuned".into())
    );
    assert_ne!(paper["strategy"]["verification_depth"], tuned["strategy"]["verification_depth"]);
}

#[test]
fn the_time_of_a_call_is_measured() {
    let input = format!("{START}\n{KIWIPETE}\n");
    let report = json(&tandem_reading(&["classify", "--time", "--json"], &input).succeeded());
    assert_eq!(report["positions"], 2, "{report}");
    let nanoseconds = report["nanoseconds_per_call"].as_f64().expect("a number");
    assert!(nanoseconds > 1.0 && nanoseconds < 1e6, "{report}");
    let run = tandem(&["classify", "--time", "-"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("no position"), "{}", run.err);
}

#[test]
fn wrong_usage_is_refused_with_a_sentence() {
    let table: &[(&[&str], &str)] = &[
        (&["classify", "--fen", "nowhere"], "FEN"),
        (&["classify", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["classify", "--strategy", "mine"], "paper"),
        (&["classify", "--fen", START, "-"], "-"),
        (&["classify", "more"], "more"),
    ];
    for (args, word) in table {
        let run = tandem(args).refused();
        assert!(run.err.contains(word), "{args:?}: {}", run.err);
    }
}
