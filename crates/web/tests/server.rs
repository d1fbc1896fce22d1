//! Who gets a session, what the page may do, and what becomes of those who ask for too much.

mod support;

use support::Running;
use tokio_tungstenite::tungstenite::Message;

#[test]
fn only_our_own_page_with_the_token_gets_a_session() {
    let running = Running::new(4);
    let (origin, token) = (running.origin(), running.token.to_string());
    let local = format!("http://localhost:{}", running.port);
    assert!(running.connect_as(Some(&origin), &token).is_ok());
    assert!(running.connect_as(Some(&local), &token).is_ok());
    let wrong = "0".repeat(token.len());
    for (origin, token) in [
        (None, token.as_str()),
        (Some("http://evil.example"), &token),
        (Some("null"), &token),
        (Some("http://127.0.0.1:1"), &token),
        (Some(origin.as_str()), ""),
        (Some(&origin), &wrong),
        (Some(&origin), &token[1..]),
    ] {
        assert_eq!(running.connect_as(origin, token).err(), Some(403), "{origin:?} {token}");
    }
}

#[test]
fn a_name_that_only_leads_here_is_refused() {
    let running = Running::new(1);
    let ask = |path: &str, host: &str| {
        running.raw(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    let own = format!("127.0.0.1:{}", running.port);
    assert!(ask("/", &own).starts_with("HTTP/1.1 200"));
    for path in ["/", "/app.js", "/socket", "/nowhere"] {
        let answer = ask(path, &format!("evil.example:{}", running.port));
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    assert!(ask("/nowhere", &own).starts_with("HTTP/1.1 404"));
    let known = format!("/known?token={}", running.token);
    assert!(ask(&known, &own).starts_with("HTTP/1.1 204"));
    assert!(ask("/known?token=x", &own).starts_with("HTTP/1.1 403"));
}

#[test]
fn every_answer_keeps_browsers_to_the_rules() {
    let running = Running::new(1);
    for path in ["/", "/app.js", "/app.css", "/icon.svg", "/nowhere"] {
        let answer = running.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n",
            running.port
        ));
        let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"));
        for rule in ["nosniff", "no-referrer", "frame-ancestors 'none'"] {
            assert!(head.contains(rule), "{rule} is not in {head}");
        }
        for lax in ["unsafe-inline", "unsafe-eval", "*"] {
            assert!(!head.contains(lax), "{lax} is in {head}");
        }
    }
}

#[test]
fn the_page_comes_compressed_for_whoever_understands_that() {
    let running = Running::new(1);
    let ask = |encoding: &str| {
        let host = format!("localhost:{}", running.port);
        running.raw_bytes(&format!(
            "GET /app.js HTTP/1.1\r\nHost: {host}\r\n{encoding}Connection: close\r\n\r\n"
        ))
    };
    let (packed, plain) = (ask("Accept-Encoding: gzip, br\r\n"), ask(""));
    let words = |answer: &[u8]| String::from_utf8_lossy(answer).to_lowercase();
    assert!(words(&packed).contains("content-encoding: gzip"));
    assert!(!words(&plain).contains("content-encoding"));
    assert!(words(&plain).contains("websocket") && packed.len() < plain.len() / 2);
}

#[test]
fn hostile_messages_are_answered_and_the_session_lives_on() {
    let running = Running::new(1);
    let mut client = running.connect();
    for (text, expected) in [
        ("", "this is no request"),
        ("{", "this is no request"),
        ("[]", "this is no request"),
        ("null", "this is no request"),
        (r#"{"type":"analyse"}"#, "missing field `id`"),
        (r#"{"type":"dance","id":1}"#, "unknown variant `dance`"),
        (r#"{"type":"stop","id":-1}"#, "invalid value"),
        (r#"{"type":"stop","id":1,"extra":1}"#, "unknown field `extra`"),
        (r#"{"type":"analyse","id":1,"game":{"fen":"rubbish"}}"#, "expected 8, separated"),
        (r#"{"type":"analyse","id":1,"game":{"moves":["e2e5"]}}"#, "move 1 of the game, 'e2e5'"),
        (r#"{"type":"analyse","id":1,"game":{},"only":["e2e5"]}"#, "e2e5"),
        (r#"{"type":"analyse","id":1,"game":{},"lines":0}"#, "lines is 0; expected 1 to 8"),
        (r#"{"type":"analyse","id":1,"game":{},"lines":1000000}"#, "expected 1 to 8"),
        (r#"{"type":"review","id":1,"game":{},"milliseconds":0}"#, "milliseconds is 0"),
        (r#"{"type":"tree","id":1,"line":["a1a1"]}"#, "'a1a1'"),
        (r#"{"type":"start","id":1,"number":960}"#, "number is 960; expected 0 to 959"),
        (
            r#"{"type":"move","id":1,"game":{},"rating":7,"pace":{"kind":"fixed","milliseconds":1}}"#,
            "UCI_Elo",
        ),
    ] {
        let message = client.refusal(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
    client.send_message(Message::binary(vec![0, 159, 146, 150]));
    assert_eq!(client.hear_of("error")["message"], "this is no text");
    let deep = "[".repeat(20_000);
    assert!(client.refusal(&deep).contains("this is no request"));
    let long = format!(r#"{{"type":"stop","id":1,"x":"{}"}}"#, "x".repeat(70_000));
    assert!(client.refusal(&long).contains("bytes; expected at most 65536"));
    client.send(r#"{"type":"start","id":9,"number":518}"#);
    let fen = client.hear_of("start")["fen"].as_str().unwrap().to_owned();
    assert!(fen.starts_with("rnbqkbnr/pppppppp/"), "{fen}");
}

#[test]
fn messages_without_measure_end_the_session_and_not_the_server() {
    let running = Running::new(1);
    let mut client = running.connect();
    client.send(&"x".repeat(1 << 20));
    assert!(client.hear().is_none(), "closed");
    drop(client);
    // The place is free again, soon.
    let mut client = reconnect(&running);
    for _ in 0..400 {
        client.send("{");
    }
    let mut refusals = Vec::new();
    while let Some(message) = client.hear() {
        refusals.push(message["message"].as_str().unwrap_or_default().to_owned());
    }
    assert!(refusals.len() < 80, "a flood is not answered message by message");
    assert!(refusals.last().unwrap().contains("too many requests"));
    drop(client);
    reconnect(&running);
}

fn reconnect(running: &Running) -> support::Client<'_> {
    let token = running.token.to_string();
    for _ in 0..200 {
        let mut client = running.connect_as(Some(&running.origin()), &token).unwrap();
        if client.hear().is_some() {
            return client;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the place was never free again");
}

#[test]
fn there_are_no_more_sessions_than_were_allowed() {
    let running = Running::new(1);
    let _first = running.connect();
    let token = running.token.to_string();
    let mut second = running.connect_as(Some(&running.origin()), &token).unwrap();
    assert!(second.hear().is_none(), "turned away");
}

#[test]
fn a_server_that_ends_tells_its_pages() {
    let mut running = Running::new(2);
    let port = running.port;
    {
        let mut client = running.connect();
        client.send(r#"{"type":"analyse","id":1,"game":{}}"#);
        client.hear_of("analysis");
    }
    let start = std::time::Instant::now();
    running.end();
    assert!(start.elapsed() < std::time::Duration::from_secs(10));
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}
