//! One position.

use serde_json::Value;

use super::conversation::CPU;
use super::schema::Schemas;
use super::support::KIWIPETE;
use super::support::shell::tandem;

#[test]
fn a_position_is_shown_as_a_table() {
    let words = ["analyze", "--fen", KIWIPETE, "--movetime", "300ms", "--threads", "1"];
    let run = tandem(&[&words[..], CPU].concat());
    let text = run.succeeded().out;
    for words in
        [KIWIPETE, "White to move: ", "Lines\n", "Type     balanced", "Verdict ", "visits   prior"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.lines().filter(|line| line.contains(" % ")).count() >= 20, "{text}");
    assert!(text.contains("alpha-beta ") && text.contains("MCTS "), "{text}");
}

#[test]
fn json_of_a_position_is_that_of_the_schema() {
    let words = ["analyze", "--moves", "e4 c5 g1f3", "--nodes", "5000", "--json", "--multipv", "3"];
    let run = tandem(&[&words[..], &["--threads", "1"], CPU].concat()).succeeded();
    let mut analysis: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(analysis["sideToMove"], "black");
    for (name, value) in
        [("id", "x".into()), ("turnNumber", 3.into()), ("isDuringSearch", false.into())]
    {
        analysis[name] = value;
    }
    Schemas::load().answer(&analysis.to_string());
    let proven = |line: &&Value| line["search"] == "alphabeta";
    assert_eq!(analysis["lines"].as_array().expect("lines").iter().filter(proven).count(), 3);
}

#[test]
fn options_reach_the_engine() {
    let words = ["analyze", "--fen", KIWIPETE, "--mode", "mcts", "--nodes", "100", "--json"];
    let run = tandem(&[&words[..], &["--option", "Policy=uniform"], CPU].concat()).succeeded();
    let analysis: Value = serde_json::from_str(&run.out).expect("JSON");
    let priors = analysis["moves"].as_array().expect("moves").iter();
    let priors: Vec<f64> = priors.filter_map(|record| record["prior"].as_f64()).collect();
    assert!(priors.len() == 48 && priors.iter().all(|prior| (prior - 1.0 / 48.0).abs() < 1e-4));
}

#[test]
fn wrong_words_are_refused() {
    for words in [
        ["--fen", "nonsense"],
        ["--movetime", "0"],
        ["--movetime", "soon"],
        ["--option", "CPuct"],
        ["--option", "CPuct=x"],
        ["--option", "Threads=2"],
        ["--option", "Nonsense=1"],
        ["--mode", "guess"],
        ["--multipv", "0"],
    ] {
        tandem(&["analyze", words[0], words[1]]).refused();
    }
    for words in [["--moves", "e5"], ["--graph", "x.svg"], ["/does/not/exist.pgn", "--json"]] {
        let run = tandem(&["analyze", words[0], words[1]]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
    }
}
