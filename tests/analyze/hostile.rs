//! Lines that make no sense: each gets an answer, and the program lives on.

use super::conversation::Conversation;
use super::support::random::Random;
use super::support::soak;

const QUESTIONS: [&str; 6] = [
    r#"{"id":"a","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","nodes":50}"#,
    r#"{"id":"b","moves":["e2e4","e7e5","Nf3"],"analyzeTurns":[0,3],"nodes":50,"multipv":3}"#,
    r#"{"id":"c","mode":"mcts","options":{"CPuct":2,"Policy":"uniform"},"priority":3,"nodes":50}"#,
    r#"{"id":"d","action":"terminate","terminateId":"b","turnNumbers":[0]}"#,
    r#"{"id":"e","searchMoves":["d4"],"chess960":true,"nodes":50,"reportDuringSearchEvery":0.5}"#,
    r#"{"id":"f","action":"query_version"}"#,
];

/// A question with some of its bytes replaced, taken away or repeated.
fn mutated(random: &mut Random) -> Vec<u8> {
    let mut bytes = QUESTIONS[random.below(QUESTIONS.len())].as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[place] = random.below(256) as u8,
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, b"{}[]\",:0-9\\ue"[random.below(13)]),
            _ => bytes.truncate(place + 1),
        }
    }
    bytes
}

#[test]
fn whatever_is_read_every_line_is_answered() {
    let mut random = Random::new(12);
    let mut talk = Conversation::start(&["--threads", "2", "--nodes", "50"]);
    for round in 0..300 * soak() {
        let mut line: Vec<u8> = if round % 3 == 0 {
            (0..random.below(120)).map(|_| random.below(256) as u8).collect()
        } else {
            mutated(&mut random)
        };
        // One line, and not a blank one.
        line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
        line.push(b'.');
        if round % 3 != 0 && random.below(2) == 0 {
            line.pop();
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        line.push(b'\n');
        talk.ask_bytes(&line);
        talk.hear_last();
    }
    // Some were answered several times: with warnings, or for several turns.
    talk.ask(r#"{"id":"the end","nodes":50}"#);
    while talk.hear_last()["id"] != "the end" {}
    assert!(talk.finish().iter().all(|answer| answer["isDuringSearch"] != true));
}

#[test]
fn lines_without_end_and_without_sense_are_refused() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(2 << 20));
    let deep = "[".repeat(100_000);
    let many = format!("{{\"id\":\"m\",\"moves\":[{}\"e4\"]}}", "\"e4\",".repeat(3000));
    for line in [long.as_str(), deep.as_str(), many.as_str(), "\u{0}", "null", "{\"id\":[]}"] {
        talk.ask(line);
        let answer = talk.hear();
        assert!(answer["error"].is_string(), "{answer}");
    }
    talk.ask("");
    talk.ask("   ");
    talk.ask(r#"{"id":"still here","nodes":50}"#);
    assert_eq!(talk.hear()["id"], "still here");
}

#[test]
fn what_is_wrong_is_named_with_the_question_and_the_field() {
    let mut talk = Conversation::start(&["--threads", "1"]);
    let cases = [
        (r#"{"id":"a","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#, "fen"),
        (r#"{"id":"a","moves":["e2e4","e2e4"]}"#, "moves[1]"),
        (r#"{"id":"a","nodes":-1}"#, "nodes"),
        (r#"{"id":"a","options":{"Hash":4096}}"#, "options.Hash"),
    ];
    for (line, field) in cases {
        talk.ask(line);
        let answer = talk.hear();
        assert_eq!((&answer["id"], &answer["field"]), (&"a".into(), &field.into()), "{answer}");
    }
}
