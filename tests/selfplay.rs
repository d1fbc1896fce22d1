//! `tandem selfplay` from the shell: games that can be interrupted, divided and read again.

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::program::{PATIENCE, wait_for_exit};
use support::shell::{Run, tandem};
use tandem_games::visits::VisitsReader;

/// Six tiny games that differ.
const GAMES: &[&str] = &[
    "selfplay",
    "--games",
    "6",
    "--nodes",
    "40",
    "--max-plies",
    "40",
    "--json",
    "--both",
    "option.EvalFile=none option.Hash=1 option.Temperature=1",
];

struct Arena(tempfile::TempDir);

impl Arena {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Plays to the end, kept under that name.
    fn play(&self, name: &str, more: &[&str]) -> Value {
        let out = self.path(name);
        let run = tandem(&[GAMES, &["--out", &out], more].concat()).succeeded();
        serde_json::from_str(&run.out).expect("one JSON object")
    }

    /// The games of a journal by number: start, moves, ending.
    fn games(&self, name: &str) -> Vec<(u64, Value, Value, Value)> {
        let text = fs::read_to_string(self.path(&format!("{name}.jsonl"))).expect("a journal");
        let game = |line: &str| {
            let game: Value = serde_json::from_str(line).expect("a line of JSON");
            let number = game["number"].as_u64().expect("a number");
            (number, game["start"].clone(), game["moves"].clone(), game["end"].clone())
        };
        let mut games: Vec<_> = text.lines().skip(1).map(game).collect();
        games.sort_by_key(|game| game.0);
        games
    }

    /// The numbers and moves in the file of visits.
    fn visits(&self, name: &str) -> Vec<(u64, usize)> {
        let path = PathBuf::from(self.path(&format!("{name}.visits")));
        let mut reader = VisitsReader::open(&path).expect("opened");
        let mut games = Vec::new();
        while let Some(game) = reader.next_game().expect("sound") {
            assert!(game.steps.iter().all(|step| step.value.is_some() && !step.visits.is_empty()));
            games.push((game.number, game.steps.len()));
        }
        assert!(reader.notes()[0].contains("tandem_selfplay"), "{:?}", reader.notes());
        games.sort_unstable();
        games
    }
}

#[test]
fn interrupted_and_resumed_games_are_the_same_as_others() {
    let arena = Arena::new();
    let whole = arena.play("whole", &["--concurrency", "2"]);
    assert_eq!((&whole["games"], &whole["scheduled"]), (&6.into(), &6.into()));
    assert_eq!(whole["counts"]["repeats"].as_array().map(Vec::len), Some(9));
    let games = arena.games("whole");
    assert!(games.iter().map(|game| game.0).eq(0..6));
    let first = &games[0].2;
    assert!(games.iter().any(|game| game.2 != *first), "all games are the same: {first}");

    let out = arena.path("parts");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(GAMES)
        .args(["--out", &out])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let end = Instant::now() + PATIENCE;
    let lines = || fs::read_to_string(format!("{out}.jsonl")).unwrap_or_default().lines().count();
    while lines() < 3 {
        assert!(Instant::now() < end, "no game is finished in time");
        thread::sleep(Duration::from_millis(1));
    }
    // As a power cut does it.
    child.kill().expect("killed");
    wait_for_exit(&mut child, PATIENCE).expect("it has ended");
    // A frame whose game the journal does not know, and half a line.
    let mut visits = fs::read(format!("{out}.visits")).expect("visits");
    visits.extend(b"TDV1half");
    fs::write(format!("{out}.visits"), visits).expect("written");
    let mut journal = fs::read_to_string(format!("{out}.jsonl")).expect("a journal");
    journal.push_str("{\"number\":5,");
    fs::write(format!("{out}.jsonl"), journal).expect("written");

    let resumed = arena.play("parts", &[]);
    assert!(resumed["resumed"].as_u64() >= Some(2), "{resumed}");
    assert_eq!(resumed["counts"], whole["counts"]);
    assert_eq!(arena.games("parts"), games);
    assert_eq!(arena.visits("parts"), arena.visits("whole"));
    assert!(arena.visits("whole").iter().map(|game| game.0).eq(0..6));
    let again = arena.play("parts", &[]);
    assert_eq!((&again["resumed"], &again["counts"]), (&6.into(), &whole["counts"]));
}

#[test]
fn parts_together_are_the_whole() {
    let arena = Arena::new();
    let book = arena.path("book.epd");
    let positions = "4k3/4p3/8/8/8/8/4P3/4K3 w - -\n4k3/3p4/8/8/8/8/3P4/4K3 w - -\n";
    fs::write(&book, positions).expect("written");
    let book = ["--book", &book, "--order", "random"];
    let whole = arena.play("whole", &book);
    for part in ["1", "2"] {
        let report = arena.play(part, &[&book[..], &["--shard", &format!("{part}/2")]].concat());
        assert_eq!(report["games"], 3);
    }
    let mut union = [arena.games("1"), arena.games("2")].concat();
    union.sort_by_key(|game| game.0);
    assert_eq!(union, arena.games("whole"));
    assert_eq!(arena.games("2").iter().map(|game| game.0).collect::<Vec<_>>(), [1, 3, 5]);

    let [one, two] = ["1.jsonl", "2.jsonl"].map(|name| arena.path(name));
    let merge = |files: &[&str]| tandem(&[&["selfplay", "--json", "--merge"], files].concat());
    let merged: Value = serde_json::from_str(&merge(&[&two, &one]).succeeded().out).expect("JSON");
    assert_eq!(merged["counts"], whole["counts"]);
    assert_eq!((&merged["games"], &merged["missing"]), (&6.into(), &Value::Array(Vec::new())));
    let half: Value = serde_json::from_str(&merge(&[&two]).succeeded().out).expect("JSON");
    assert_eq!(half["missing"], serde_json::json!([0, 2, 4]));
    arena.play("other", &["--shard", "2/2", "--seed", "5"]);
    for (files, said) in [
        (&[one.as_str(), &one][..], "both hold game 0"),
        (&[&one, &arena.path("other.jsonl")], "other seeds"),
        (&[&arena.path("none.jsonl")], "none.jsonl"),
        (&[&arena.path("book.epd")], "no journal of a self-play"),
    ] {
        let run = merge(files);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{files:?}");
        assert!(run.err.contains(said), "{files:?}: {}", run.err);
    }
}

#[test]
fn every_game_begins_in_the_position_of_the_user() {
    let arena = Arena::new();
    let fen = "4k3/8/8/8/8/8/8/4KQ2 b - - 0 1";
    arena.play("ends", &["--fen", fen, "--black", "option.SearchMode=AlphaBeta"]);
    assert!(arena.games("ends").iter().all(|game| game.1 == fen));
}

fn refused(more: &[&str]) -> Run {
    let run = tandem(&[GAMES, more].concat());
    assert!(matches!(run.code, Some(1 | 2)), "{more:?}: {:?} {}", run.code, run.err);
    assert_eq!(run.out, "", "{more:?}");
    assert!(!run.err.contains("panicked"), "{}", run.err);
    run
}

#[test]
fn what_cannot_be_played_is_refused_with_a_sentence() {
    let mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
    for (more, said) in [
        (&["--white", "option.ScLimit=0"][..], "ScLimit"),
        (&["--black", "option.Temperature=-1"], "Temperature"),
        (&["--black", "option.Nonsense=1"], "no option 'Nonsense'"),
        (&["--white", "option.Seed=1"], "--seed"),
        (&["--white", "nodes=1"], "no option"),
        (&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["--fen", mated], "the game is over"),
        (&["--book", "/nonexistent.epd"], "/nonexistent.epd"),
        (&["--book", "Cargo.toml"], "openings come from"),
        (&["--order", "random"], "--book"),
        (&["--shard", "7/7"], "holds none"),
        (&["--shard", "0/2"], "no part"),
        (&["--tablebases", "/nonexistent"], "/nonexistent"),
        (&["--max-plies", "0"], "max-plies"),
    ] {
        let run = refused(more);
        assert!(run.err.contains(said), "{more:?}: {}", run.err);
    }
}

#[test]
fn kept_games_are_not_mixed_with_others() {
    let arena = Arena::new();
    arena.play("kept", &["--shard", "1/6"]);
    let out = arena.path("kept");
    for (more, said) in [
        (&["--shard", "1/6", "--seed", "9"][..], "seeds"),
        (&["--shard", "2/6"], "parts"),
        (&["--shard", "1/6", "--white", "option.ScLimit=5"], "options"),
    ] {
        let run = refused(&[&["--out", &out], more].concat());
        assert!(run.err.contains(said), "{more:?}: {}", run.err);
    }
    // A journal that was lost leaves games that nobody may overwrite.
    fs::remove_file(format!("{out}.jsonl")).expect("removed");
    assert!(refused(&["--shard", "1/6", "--out", &out]).err.contains("would be lost"));
}
