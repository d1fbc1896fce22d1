//! Questions in JSON and their answers.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use super::conversation::Conversation;
use super::support::KIWIPETE;

fn id(answer: &Value) -> &str {
    answer["id"].as_str().expect("an id")
}

#[test]
fn an_answer_tells_of_every_move_what_both_searches_say() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    talk.ask(&format!(r#"{{"id":"a","fen":"{KIWIPETE}","movetime":400,"multipv":2}}"#));
    let answer = talk.hear();
    assert_eq!((id(&answer), &answer["isDuringSearch"]), ("a", &false.into()));
    assert_eq!((&answer["fen"], &answer["mode"]), (&KIWIPETE.into(), &"hybrid".into()));
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 48);
    assert_eq!(answer["best"], moves[0]["move"]);
    for record in moves {
        assert!(record["visits"].is_u64() && record["prior"].is_f64(), "{record}");
        assert!(record["alphabeta"]["score"].is_object(), "{record}");
    }
    let wdl = answer["root"]["wdl"].as_array().expect("chances");
    assert_eq!(wdl.iter().filter_map(Value::as_u64).sum::<u64>(), 1000);
    let lines = answer["lines"].as_array().expect("lines");
    for search in ["alphabeta", "mcts"] {
        assert!(lines.iter().any(|line| line["search"] == search), "{search}: {lines:?}");
    }
    assert_eq!(answer["type"]["name"], "balanced");
    assert_eq!(answer["type"]["features"]["captures"], 8);
    let verdict = &answer["verdict"];
    assert!(verdict["isFinal"] == true && verdict["follows"].is_string(), "{verdict}");
    assert!(talk.finish().is_empty());
}

#[test]
fn each_mode_tells_what_it_knows() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    for (mode, visits, judged, verdict) in [
        ("alphabeta", false, true, false),
        ("mcts", true, false, false),
        ("hybrid", true, true, true),
    ] {
        talk.ask(&format!(r#"{{"id":"{mode}","mode":"{mode}","nodes":20000}}"#));
        let answer = talk.hear();
        let first = &answer["moves"][0];
        let has = |value: &Value| !value.is_null();
        let known = (has(&first["visits"]), has(&first["alphabeta"]), has(&answer["verdict"]));
        assert_eq!(known, (visits, judged, verdict), "{answer}");
        assert_eq!(
            (&answer["mode"], answer["moves"].as_array().map(Vec::len)),
            (&mode.into(), Some(20))
        );
    }
}

#[test]
fn turns_of_a_game_are_answered_each_by_itself() {
    let mut talk = Conversation::start(&["--threads", "2"]);
    talk.ask(r#"{"id":"g","moves":"f3 e5 g4 Qh4#","analyzeTurns":[4,0,3],"nodes":3000,"mode":"alphabeta"}"#);
    let mut answers: Vec<Value> = (0..3).map(|_| talk.hear()).collect();
    answers.sort_by_key(|answer| answer["turnNumber"].as_u64());
    let turns: Vec<_> = answers.iter().map(|answer| answer["turnNumber"].as_u64()).collect();
    assert_eq!(turns, [Some(0), Some(3), Some(4)]);
    assert_eq!(answers[1]["best"], "d8h4");
    assert_eq!(answers[1]["root"]["score"]["mate"], 1);
    assert_eq!(answers[2]["gameOver"], "Black wins by checkmate");
    assert_eq!(answers[2]["root"]["score"]["mate"], 0);
    assert!(answers[2]["best"].is_null() && answers[2]["moves"] == Value::Array(Vec::new()));
}

#[test]
fn partial_reports_come_if_they_are_asked_for() {
    for mode in ["alphabeta", "mcts", "hybrid"] {
        let mut talk = Conversation::start(&["--threads", "1"]);
        talk.ask(&format!(
            r#"{{"id":"a","movetime":900,"mode":"{mode}","reportDuringSearchEvery":0.1}}"#
        ));
        let mut reports = Vec::new();
        loop {
            let answer = talk.hear();
            if answer["isDuringSearch"] == false {
                assert!(answer["best"].is_string());
                break;
            }
            assert!(answer["best"].is_null(), "nothing is decided yet");
            reports.push(answer);
        }
        assert!((2..=9).contains(&reports.len()), "{mode}: {}", reports.len());
        let last = &reports[reports.len() - 1];
        assert_eq!(last["moves"].as_array().map(Vec::len), Some(20), "{mode}");
        let nodes: Vec<_> = reports.iter().map(|report| report["root"]["nodes"].as_u64()).collect();
        assert!(nodes.is_sorted(), "{mode}: {nodes:?}");
    }
}

#[test]
fn several_positions_are_looked_at_side_by_side() {
    let mut talk = Conversation::start(&["--threads", "2", "--concurrency", "3"]);
    for number in 0..3 {
        talk.ask(&format!(
            r#"{{"id":"{number}","movetime":600000,"reportDuringSearchEvery":0.05}}"#
        ));
    }
    let mut heard = BTreeSet::new();
    while heard.len() < 3 {
        let answer = talk.hear();
        assert_eq!(answer["isDuringSearch"], true, "none is over");
        heard.insert(id(&answer).to_owned());
    }
    talk.ask(r#"{"id":"end","action":"terminate_all"}"#);
    let ends: BTreeSet<String> = (0..4).map(|_| id(&talk.hear_last()).to_owned()).collect();
    assert_eq!(ends.len(), 4);
}

#[test]
fn what_is_more_important_comes_first() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    talk.ask(r#"{"id":"running","movetime":600000,"reportDuringSearchEvery":0.05}"#);
    assert_eq!(id(&talk.hear()), "running");
    for (name, priority) in [("low", -1), ("usual", 0), ("high", 5), ("usual too", 0)] {
        talk.ask(&format!(r#"{{"id":"{name}","nodes":200,"priority":{priority}}}"#));
    }
    talk.ask(r#"{"id":"now","action":"terminate","terminateId":"running"}"#);
    let order: Vec<String> = (0..6).map(|_| id(&talk.hear_last()).to_owned()).collect();
    assert_eq!(order, ["now", "running", "high", "usual", "usual too", "low"]);
}

#[test]
fn what_is_terminated_is_answered_with_what_is_known() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    talk.ask(r#"{"id":"long","movetime":600000,"reportDuringSearchEvery":0.05}"#);
    talk.ask(r#"{"id":"waiting","moves":"e4","analyzeTurns":[0,1],"movetime":600000}"#);
    assert_eq!(id(&talk.hear()), "long");
    talk.ask(r#"{"id":"end it","action":"terminate","terminateId":"waiting","turnNumbers":[1]}"#);
    let not_long = |talk: &mut Conversation| loop {
        let answer = talk.hear();
        if id(&answer) != "long" {
            return answer;
        }
    };
    let (told, skipped) = (not_long(&mut talk), not_long(&mut talk));
    assert_eq!((&told["action"], &told["terminateId"]), (&"terminate".into(), &"waiting".into()));
    assert_eq!((&skipped["turnNumber"], &skipped["noResults"]), (&1.into(), &true.into()));
    talk.ask(r#"{"id":"end that","action":"terminate","terminateId":"long"}"#);
    let mut answers = [talk.hear_last(), talk.hear_last()];
    answers.sort_by_key(|answer| answer["action"].is_null());
    assert_eq!(answers[0]["action"], "terminate");
    assert!(id(&answers[1]) == "long" && answers[1]["best"].is_string());
    talk.ask(r#"{"id":"end all","action":"terminate_all"}"#);
    let mut answers = [talk.hear_last(), talk.hear_last()];
    answers.sort_by_key(|answer| answer["action"].is_null());
    assert_eq!(answers[0]["action"], "terminate_all");
    assert_eq!((id(&answers[1]), &answers[1]["turnNumber"]), ("waiting", &0.into()));
    talk.ask(r#"{"id":"nothing","action":"terminate","terminateId":"unknown"}"#);
    assert_eq!(talk.hear()["action"], "terminate");
    assert!(talk.is_silent(Duration::from_millis(200)));
}

#[test]
fn options_hold_for_their_question_alone() {
    let mut talk = Conversation::start(&["--threads", "1", "--mode", "mcts"]);
    let prior = |talk: &mut Conversation, options: &str| -> Vec<f64> {
        talk.ask(r#"{"id":"f","action":"clear_cache"}"#);
        assert_eq!(talk.hear()["action"], "clear_cache");
        talk.ask(&format!(r#"{{"id":"p","nodes":100,"options":{options}}}"#));
        let answer = talk.hear();
        let moves = answer["moves"].as_array().expect("moves").iter();
        let mut priors: Vec<f64> = moves.filter_map(|record| record["prior"].as_f64()).collect();
        priors.sort_by(f64::total_cmp);
        priors
    };
    let usual = prior(&mut talk, "{}");
    let uniform = prior(&mut talk, r#"{"Policy":"uniform"}"#);
    assert!(uniform.iter().all(|prior| (prior - 0.05).abs() < 1e-4), "{uniform:?}");
    assert!(usual.iter().any(|prior| *prior > 0.1));
    assert_eq!(prior(&mut talk, "{}"), usual);
    talk.ask(r#"{"id":"n","nodes":100,"options":{"EvalFile":"/does/not/exist"}}"#);
    let refused = talk.hear();
    assert_eq!((id(&refused), &refused["field"]), ("n", &"options".into()));
    assert_eq!(prior(&mut talk, "{}"), usual, "a value that cannot be used changes nothing");
}

#[test]
fn the_program_tells_its_version_and_what_means_nothing() {
    let mut talk = Conversation::start(&[]);
    talk.ask(r#"{"id":"v","action":"query_version"}"#);
    assert_eq!(talk.hear()["version"], env!("CARGO_PKG_VERSION"));
    talk.ask(r#"{"id":"w","nodse":5,"nodes":100}"#);
    assert_eq!(talk.hear()["field"], "nodse");
    assert!(talk.hear()["best"].is_string(), "it is answered nevertheless");
}

#[test]
fn chess960_is_spoken() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let mut talk = Conversation::start(&["--threads", "1"]);
    talk.ask(&format!(r#"{{"id":"f","fen":"{fen}","chess960":true,"nodes":500,"moves":["Nf3"]}}"#));
    let answer = talk.hear();
    assert!(answer["fen"].as_str().is_some_and(|fen| fen.contains(" HFhf ")), "{answer}");
    let castling = "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1";
    for (chess960, expected) in [("true", "e1g1"), ("false", "e1g1")] {
        talk.ask(&format!(
            r#"{{"id":"c","fen":"{castling}","chess960":{chess960},"nodes":500,"searchMoves":["O-O"]}}"#
        ));
        assert_eq!(talk.hear()["best"], expected);
    }
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, expected) in [("true", "e1h1"), ("false", "e1g1")] {
        talk.ask(&format!(
            r#"{{"id":"c","fen":"{castling}","chess960":{chess960},"nodes":500,"searchMoves":["O-O"]}}"#
        ));
        assert_eq!(talk.hear()["best"], expected);
    }
}

#[test]
fn the_end_of_input_ends_nothing_that_was_asked() {
    let mut talk = Conversation::start(&["--threads", "2"]);
    for number in 0..6 {
        talk.ask(&format!(r#"{{"id":"{number}","movetime":100}}"#));
    }
    let answers = talk.finish();
    assert_eq!(answers.len(), 6);
    assert!(answers.iter().all(|answer| answer["best"].is_string()));
}

#[cfg(unix)]
#[test]
fn an_interrupt_answers_what_is_under_way() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    talk.ask(r#"{"id":"a","movetime":600000,"reportDuringSearchEvery":0.05}"#);
    talk.ask(r#"{"id":"b","movetime":600000}"#);
    talk.hear();
    let answers = talk.interrupt();
    let last = |name: &str| {
        let mut answers = answers.iter().filter(|answer| id(answer) == name);
        answers.next_back().cloned().expect("an answer")
    };
    assert!(last("a")["best"].is_string() && last("b")["noResults"] == true);
}
