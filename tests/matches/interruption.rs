//! A match that is told to stop.

use std::process::{Child, Command, Output};

use crate::arena::Arena;
use crate::support::shell::Run;

/// Sends a signal as a shell does; a negative number is a whole process group.
fn signal(name: &str, target: &str) {
    let status = Command::new("kill").args(["-s", name, "--", target]).status().expect("kill");
    assert!(status.success());
}

fn end(child: Child) -> Run {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Interrupts an endless match after its first games, and reads what it says about itself.
fn interrupted(arena: &Arena, name: &str, target: impl Fn(&Child) -> String) {
    let players = [arena.fake("one", "late:0.05"), arena.fake("two", "fine")];
    let book = arena.start_book();
    let [one, two] = &players;
    let args = ["--player", one, "--player", two, "--games", "10000", "--book", &book];
    let child = arena.spawn(&args);
    arena.wait_for_lines(4);
    signal(name, &target(&child));
    let run = end(child);
    arena.expect_empty();
    let played = arena.result(&run);
    crate::audit::audit(&played);
    assert!(played.games.len() >= 3);
    assert_eq!(played.faults("one") + played.faults("two"), 0, "{}", run.err);
    let report = &played.report;
    assert_eq!(report["scheduled"], 10_000);
    let dropped = report["dropped"].as_u64().expect("a count");
    assert!(dropped <= 1, "the game that was being played, if any was: {report}");
    let why = report["dropped_why"].as_str().expect("a sentence");
    assert!(why.contains("interrupted"), "{why}");
}

#[test]
fn sigint_ends_a_match_with_a_summary() {
    interrupted(&Arena::new(), "INT", |child| child.id().to_string());
}

#[test]
fn sigterm_ends_a_match_with_a_summary() {
    interrupted(&Arena::new(), "TERM", |child| child.id().to_string());
}

/// A terminal sends Ctrl-C to the engines too. That is no fault of theirs.
#[test]
fn ctrl_c_in_a_terminal_costs_no_engine_its_game() {
    interrupted(&Arena::new(), "INT", |child| format!("-{}", child.id()));
}

#[test]
fn who_asks_twice_does_not_wait() {
    let arena = Arena::new();
    let (one, two) = (arena.fake("one", "hang"), arena.fake("two", "fine"));
    let book = arena.start_book();
    let args = ["--player", &one, "--player", &two, "--games", "2", "--book", &book];
    let child = arena.spawn(&args);
    while !std::fs::read_to_string(arena.path("one.log")).is_ok_and(|log| log.contains("go ")) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    signal("INT", &child.id().to_string());
    // The first must have been heard before the second comes.
    std::thread::sleep(std::time::Duration::from_millis(300));
    signal("INT", &child.id().to_string());
    let run = end(child);
    assert_eq!(run.code, Some(130), "{}", run.err);
    arena.expect_empty();
}
