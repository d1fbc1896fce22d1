//! What a session answers.

mod support;

use serde_json::{Value, json};
use support::{Client, Running};

const SICILIAN: &str = "r1bqkb1r/1p3ppp/p1nppn2/6B1/3NP3/2N5/PPPQ1PPP/2KR1B1R w kq - 0 8";

fn analyse(client: &mut Client<'_>, id: u64, more: &Value) {
    let mut request = json!({ "type": "analyse", "id": id, "game": {} });
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    client.send(&request.to_string());
}

/// Listens to an analysis until what it tells is enough.
fn listen(client: &mut Client<'_>, id: u64, enough: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = client.hear_of("analysis");
        if message["id"] == id && enough(&message) {
            return message;
        }
    }
}

#[test]
fn an_analysis_tells_of_both_searches_every_move_and_the_verdict() {
    let running = Running::new(1);
    let mut client = running.connect();
    analyse(&mut client, 1, &json!({ "game": { "fen": SICILIAN }, "lines": 2 }));
    let position = client.hear_of("position");
    assert_eq!(position["id"], 1);
    assert_eq!(position["outcome"], Value::Null);
    assert!(position["kind"].as_str().unwrap().contains("al"), "{position}");
    assert!(!position["reasons"].as_array().unwrap().is_empty());
    assert_eq!(position["features"].as_array().unwrap().len(), 17);
    let told = listen(&mut client, 1, |told| {
        let has_both = ["proven", "explored"].iter().all(|side| told[side][1]["pv"][1].is_string());
        let is_whole = |of: &Value| of["prior"].is_number() && of["score"].is_object();
        has_both
            && told["moves"].as_array().unwrap().iter().filter(|of| is_whole(of)).count() > 20
            && told["deliberation"]["explored"].is_object()
    });
    assert!(told["nodes"].as_u64().unwrap() > 100 && told["running"] == true);
    let wdl: u64 =
        told["proven"][0]["wdl"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(wdl, 1000);
    client.send(r#"{"type":"stop","id":2}"#);
    let last = listen(&mut client, 1, |told| told["running"] == false);
    assert_eq!(last["deliberation"]["final"], true);
    assert!(!last["deliberation"]["reason"].as_str().unwrap().is_empty());
}

#[test]
fn thought_is_restricted_to_the_moves_that_were_asked_for() {
    let running = Running::new(1);
    let mut client = running.connect();
    for (id, mode) in [(1, "hybrid"), (2, "alphabeta"), (3, "mcts")] {
        analyse(&mut client, id, &json!({ "only": ["a2a3", "h2h3"], "mode": mode, "lines": 2 }));
        let side = if mode == "mcts" { "explored" } else { "proven" };
        let told = listen(&mut client, id, |told| told[side][1]["depth"].as_u64() > Some(2));
        for line in told[side].as_array().unwrap() {
            assert!(["a2a3", "h2h3"].contains(&line["pv"][0].as_str().unwrap()), "{mode}: {line}");
        }
    }
}

#[test]
fn updates_come_at_most_ten_times_a_second() {
    let running = Running::new(1);
    let mut client = running.connect();
    analyse(&mut client, 1, &json!({}));
    listen(&mut client, 1, |_| true);
    let start = std::time::Instant::now();
    for _ in 0..10 {
        listen(&mut client, 1, |_| true);
    }
    assert!(start.elapsed() > std::time::Duration::from_millis(900), "{:?}", start.elapsed());
}

#[test]
fn what_was_asked_before_is_no_longer_told() {
    let running = Running::new(1);
    let mut client = running.connect();
    for id in 1..20 {
        let fen = if id % 2 == 0 { SICILIAN } else { "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" };
        analyse(&mut client, id, &json!({ "game": { "fen": fen } }));
    }
    while client.hear_of("position")["id"] != 19 {}
    let told = client.hear_of("analysis");
    assert_eq!(told["id"], 19);
    let told = listen(&mut client, 19, |told| told["proven"][0]["score"]["mate"] == 1);
    assert_eq!(told["proven"][0]["pv"], json!(["d1d8"]));
}

#[test]
fn a_game_that_is_over_is_not_thought_about() {
    let running = Running::new(1);
    let mut client = running.connect();
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
    analyse(&mut client, 1, &json!({ "game": { "moves": moves } }));
    let outcome = &client.hear_of("position")["outcome"];
    assert_eq!(outcome["result"], "0-1");
    assert_eq!(outcome["reason"], "Black wins by checkmate");
    let pace = json!({ "kind": "fixed", "milliseconds": 50 });
    let request = json!({ "type": "move", "id": 2, "game": { "moves": moves }, "pace": pace });
    client.send(&request.to_string());
    let played = client.hear_of("played");
    assert_eq!((&played["move"], &played["outcome"]["result"]), (&Value::Null, &json!("0-1")));
}

#[test]
fn the_engine_plays_by_clock_by_rating_and_at_odds() {
    let running = Running::new(1);
    let mut client = running.connect();
    let fixed = json!({ "kind": "fixed", "milliseconds": 60 });
    let clock = json!({ "kind": "clock", "left": [2000, 2000], "increment": [0, 0] });
    let queenless = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (id, game, more) in [
        (1, json!({}), json!({ "pace": clock })),
        (2, json!({}), json!({ "pace": fixed, "rating": 900 })),
        (3, json!({ "fen": queenless, "moves": ["e2e4"] }), json!({ "pace": fixed, "odds": true })),
        (4, json!({ "moves": ["e2e4", "c7c5"] }), json!({ "pace": fixed })),
    ] {
        let mut request = json!({ "type": "move", "id": id, "game": game });
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        client.send(&request.to_string());
        let played = client.hear_of("played");
        assert_eq!(played["id"], id);
        assert!(played["move"].as_str().is_some_and(|m| m.len() == 4), "{played}");
        assert!(played["score"].is_object() && played["outcome"].is_null(), "{played}");
    }
}

#[test]
fn a_mate_that_the_engine_gives_ends_the_game() {
    let running = Running::new(1);
    let mut client = running.connect();
    let game = json!({ "moves": ["f2f3", "e7e5", "g2g4"] });
    let pace = json!({ "kind": "fixed", "milliseconds": 200 });
    client.send(&json!({ "type": "move", "id": 1, "game": game, "pace": pace }).to_string());
    let played = client.hear_of("played");
    assert_eq!((&played["move"], &played["outcome"]["result"]), (&json!("d8h4"), &json!("0-1")));
}

#[test]
fn a_game_is_gone_through_position_by_position_and_can_be_stopped() {
    let running = Running::new(1);
    let mut client = running.connect();
    let game = json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"] });
    let request = |id, milliseconds| {
        json!({ "type": "review", "id": id, "game": game, "milliseconds": milliseconds })
            .to_string()
    };
    client.send(&request(1, 60));
    for ply in 0..=4 {
        let told = client.hear_of("reviewed");
        assert_eq!((&told["ply"], &told["plies"]), (&json!(ply), &json!(4)));
        if ply == 3 {
            assert_eq!(told["pv"], json!(["d8h4"]));
            assert_eq!(told["score"], json!({ "mate": 1 }));
        }
    }
    client.send(&request(2, 500));
    client.hear_of("reviewed");
    client.send(r#"{"type":"stop","id":3}"#);
    client.send(r#"{"type":"start","id":4,"number":0}"#);
    assert_eq!(client.hear().unwrap()["type"], "start", "nothing more of the game is told");
}

#[test]
fn the_tree_can_be_looked_into_while_it_grows_and_afterwards() {
    let running = Running::new(1);
    let mut client = running.connect();
    let ask = |client: &mut Client<'_>, line: &[&str]| {
        client.send(&json!({ "type": "tree", "id": 7, "line": line }).to_string());
        client.hear_of("branches")["branches"].as_array().unwrap().clone()
    };
    for mode in ["hybrid", "mcts"] {
        analyse(&mut client, 1, &json!({ "mode": mode }));
        listen(&mut client, 1, |told| {
            told["moves"][0]["visits"].as_u64().is_some_and(|visits| visits > 300)
        });
        for is_running in [true, false] {
            let root = ask(&mut client, &[]);
            assert_eq!(root.len(), 20, "{mode}");
            let visits: Vec<u64> =
                root.iter().map(|branch| branch["visits"].as_u64().unwrap()).collect();
            assert!(visits.is_sorted_by(|a, b| a >= b) && visits[0] > 100, "{visits:?}");
            assert_eq!(root[0]["leads_on"], true);
            let below = ask(&mut client, &[root[0]["move"].as_str().unwrap()]);
            let tries: u64 = below.iter().map(|branch| branch["visits"].as_u64().unwrap()).sum();
            assert!(tries > 50, "{mode}: {below:?}");
            if is_running {
                client.send(r#"{"type":"stop","id":2}"#);
                listen(&mut client, 1, |told| told["running"] == false);
            }
        }
    }
    analyse(&mut client, 3, &json!({ "mode": "alphabeta" }));
    listen(&mut client, 3, |_| true);
    assert!(ask(&mut client, &[]).is_empty(), "alpha-beta has no tree");
}

#[test]
fn a_tree_that_is_proven_can_still_be_looked_into() {
    let running = Running::new(1);
    let mut client = running.connect();
    analyse(&mut client, 1, &json!({ "game": { "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" } }));
    listen(&mut client, 1, |told| told["proven"][0]["score"]["mate"] == 1);
    client.send(r#"{"type":"tree","id":2,"line":[]}"#);
    let told = client.hear_of("branches");
    assert!(told["branches"].as_array().unwrap().iter().any(|branch| branch["move"] == "d1d8"));
}
