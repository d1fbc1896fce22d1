//! `tandem serve`: how it begins, fails and ends. What it serves is tested beside its crate, and in a browser.

mod support;

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use support::shell::tandem;

#[test]
fn wrong_words_are_wrong_usage() {
    for args in [
        &["--port", "70000"][..],
        &["--threads", "0"],
        &["--hash", "0"],
        &["--pages", "0"],
        &["--option", "Hash"],
        &["--option", "Nonsense=1"],
    ] {
        tandem(&[&["serve"], args].concat()).refused();
    }
}

#[test]
fn a_server_that_cannot_serve_says_why() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    let token = token.to_str().unwrap();
    let table: &[(&[&str], &str)] = &[
        (&["--port", &port, "--token-file", token], "choose another with --port"),
        (&["--option", "EvalFile=/nonexistent.nnue"], "/nonexistent.nnue"),
        (&["--token-file", "/proc/nowhere/token"], "/proc/nowhere/token"),
    ];
    for (args, word) in table {
        let run = tandem(&[&["serve"], *args].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{args:?}: {}", run.err);
        assert!(run.err.starts_with("tandem: ") && run.err.contains(word), "{args:?}: {}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn it_prints_its_address_and_ends_cleanly_when_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let mut addresses = Vec::new();
    for _ in 0..2 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(["serve", "--port", "0", "--token-file"])
            .arg(folder.path().join("token"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/#token=").unwrap();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        assert_eq!(token.len(), 48);
        addresses.push(token.to_owned());
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(addresses[0], addresses[1], "the token is the same after a restart");
}
