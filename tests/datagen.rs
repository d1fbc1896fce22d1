//! `tandem datagen`: from PGN to games with scores, and between the formats.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _};
use support::files::{LARGE, network};
use support::random::Random;
use support::shell::{Run, tandem};

/// A folder of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("tandem-datagen-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("the file is there")
    }

    /// Random games as PGN; the third is broken and the fifth has no result.
    fn pgn(&self, name: &str, games: usize, seed: u64) -> String {
        let mut random = Random::new(seed);
        let mut text = String::new();
        for number in 1..=games {
            let mut position = Chess::default();
            text += "[Event \"?\"]\n[Result \"*\"]\n\n";
            for ply in 0..40 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                if ply % 2 == 0 {
                    text += &(ply / 2 + 1).to_string();
                    text += ". ";
                }
                let m = legal[random.below(legal.len())];
                text += &SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
                text.push(' ');
            }
            text += match number {
                3 => "Kxe9 1-0",
                5 => "*",
                _ => random.pick(&["1-0", "0-1", "1/2-1/2"]),
            };
            text += "\n\n";
        }
        let path = self.path(name);
        fs::write(&path, text).expect("written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
}

/// The run failed with one sentence that contains those words.
fn fails(args: &[&str], words: &str) {
    let run = tandem(args);
    assert_eq!(run.code, Some(1), "{args:?}: {}{}", run.out, run.err);
    assert!(run.err.starts_with("tandem: ") && run.err.contains(words), "{args:?}: {}", run.err);
    assert_eq!(run.err.trim_end().lines().count(), 1, "{args:?}: {}", run.err);
}

#[test]
fn games_become_positions_with_the_networks_scores() {
    let folder = Folder::new("labels");
    let (pgn, out, net) = (folder.pgn("a.pgn", 12, 1), folder.path("a.games"), network(LARGE));
    let label = ["--label", "static", "--net", &net, "--off-line", "0.5", "--seed", "9"];
    let args = |out: &str| {
        let start = ["datagen", "pgn", &pgn, "--out", out, "--json", "--threads", "2"];
        start.iter().chain(&label).map(ToString::to_string).collect::<Vec<_>>()
    };
    let run = |out: &str| {
        let args = args(out);
        tandem(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let made = run(&out);
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(made.err.contains("a.pgn: game 3 at byte "), "{}", made.err);
    let report = &json(&made)["report"];
    assert_eq!(report["games"], 12);
    assert_eq!((&report["broken"], &report["unfinished"]), (&1.into(), &1.into()));
    assert_eq!(report["written"], 10);
    assert_eq!(report["labelled"], report["filter"]["kept"]);
    assert!(report["off_line"].as_u64() > Some(100), "{report}");

    run(&folder.path("b.games"));
    assert_eq!(folder.read("a.games"), folder.read("b.games"), "the same seed");

    let viewed = tandem(&["datagen", "view", &out, "--games", "2..2"]).succeeded();
    assert!(viewed.out.starts_with("# game 2: "), "{}", viewed.out);
    let scored = viewed.out.lines().skip(1).filter_map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        assert_eq!(fields.len(), 4, "{line}");
        (fields[2] != "-").then(|| (fields[0].to_owned(), fields[2].to_owned()))
    });
    for (fen, score) in scored.take(3) {
        let explained = tandem(&["eval", "--net", &net, "--fen", &fen, "--json"]).succeeded();
        assert_eq!(json(&explained)["score"].to_string(), score, "{fen}");
    }
    let stats = json(&tandem(&["datagen", "stats", &out, "--json"]).succeeded());
    assert!(stats["notes"][0].as_str().is_some_and(|note| note.contains(LARGE)), "{stats}");
    assert_eq!(stats["statistics"]["games"], 10);
    assert_eq!(stats["statistics"]["scored"], report["labelled"]);
}

/// The words for a fake engine that shows a behaviour, as teacher.
fn fake(folder: &Folder, behaviour: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matches/fake_engine.py");
    let (script, folder) = (script.display(), folder.path(""));
    let system = "/usr/bin/python3";
    let python = if Path::new(system).exists() { system } else { "python3" };
    format!("cmd={python} arg=-IS 'arg={script}' 'arg={folder}' arg=fake 'arg={behaviour}' nodes=1")
}

/// A game in which the fake engine's moves are legal.
fn knights(folder: &Folder, moves: usize) -> String {
    let text: String = (0..moves).map(|i| ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "][i % 4]).collect();
    let path = folder.path("knights.pgn");
    fs::write(&path, format!("[Event \"?\"]\n\n{text}1-0\n")).expect("written");
    path
}

#[test]
fn any_engine_can_be_the_teacher() {
    let folder = Folder::new("uci");
    let (pgn, out) = (knights(&folder, 8), folder.path("a.games"));
    let engine = fake(&folder, "info:info depth 9 score cp -50|info depth 9 score cp 9 lowerbound");
    let label = ["--label", "uci", "--engine", &engine, "--pawn", "361"];
    let run = tandem(&[&["datagen", "pgn", &pgn, "--out", &out][..], &label].concat()).succeeded();
    assert!(run.out.contains("scores     8 in "), "{}", run.out);
    let view = tandem(&["datagen", "view", &out]).succeeded().out;
    let scores: Vec<_> = view.lines().skip(1).filter_map(|line| line.split('\t').nth(2)).collect();
    assert_eq!(scores, ["-181"; 8], "{view}");
    let stats = json(&tandem(&["datagen", "stats", &out, "--json"]).succeeded());
    let note = stats["notes"][0].as_str().unwrap_or_default();
    assert!(note.contains("scores of Fake info with 1 nodes a move"), "{note}");
    let heard = String::from_utf8(folder.read("fake.log")).unwrap();
    assert!(heard.contains("position startpos moves g1f3 g8f6\ngo nodes 1\n"), "{heard}");
}

#[test]
fn a_teacher_that_fails_is_started_anew_and_the_position_is_passed_over() {
    for (behaviour, moves, patience) in [("frail", 14, "60"), ("stuck", 4, "0.3")] {
        let folder = Folder::new(behaviour);
        let (pgn, out) = (knights(&folder, moves), folder.path("a.games"));
        let engine = fake(&folder, &format!("{behaviour}:info depth 1 score mate 2"));
        let label = ["--label", "uci", "--engine", &engine, "--patience", patience, "--json"];
        let run = tandem(&[&["datagen", "pgn", &pgn, "--out", &out][..], &label].concat());
        let report = &json(&run.succeeded())["report"];
        let missed = moves / 3;
        assert_eq!(report["unanswered"], missed, "{report}");
        assert_eq!(report["labelled"], moves - missed, "{report}");
        let view = tandem(&["datagen", "view", &out]).succeeded().out;
        let scores = view.lines().skip(1).filter_map(|line| line.split('\t').nth(2));
        let expected = (1..=moves).map(|turn| if turn % 3 == 0 { "-" } else { "31997" });
        assert!(scores.eq(expected), "{view}");
    }
}

#[test]
fn a_teacher_without_scores_ends_the_import() {
    let folder = Folder::new("dumb");
    let (pgn, out) = (knights(&folder, 8), folder.path("a.games"));
    let start = ["datagen", "pgn", &pgn, "--out", &out, "--label", "uci"];
    let dumb = fake(&folder, "fine");
    let nowhere = "cmd=/nonexistent-engine nodes=1";
    for (words, said) in [
        (&["--engine", dumb.as_str()][..], "5 positions in a row have none"),
        (&["--engine", nowhere], "/nonexistent-engine"),
        (&["--engine", "tc=8+0.08"], "a teacher has no clock"),
        (&["--engine", "nodes=5 odds=b1"], "odds and side"),
        (&[], "--label uci needs a teacher"),
        (&["--label", "none", "--engine", nowhere], "--label uci only"),
    ] {
        let _ = fs::remove_file(&out);
        let start = if words.first() == Some(&"--label") { &start[..5] } else { &start[..] };
        fails(&[start, words].concat(), said);
    }
}

#[test]
fn statistics_are_printed_and_drawn() {
    let folder = Folder::new("stats");
    let (pgn, out) = (folder.pgn("a.pgn", 8, 2), folder.path("a.games"));
    assert_eq!(tandem(&["datagen", "pgn", &pgn, "--out", &out]).code, Some(0));
    let plot = folder.path("a.svg");
    let stats = tandem(&["datagen", "stats", &out, "--plot", &plot, "--filter", "check,ply=8"]);
    let stats = stats.succeeded();
    for words in ["games            6 (6 from", "filter           check,ply=8", "    ply "] {
        assert!(stats.out.contains(words), "{words}: {}", stats.out);
    }
    assert!(folder.read("a.svg").starts_with(b"<svg"));
}

#[test]
fn the_model_of_chances_is_fitted_to_games() {
    let folder = Folder::new("winrate");
    let (pgn, scored) = (folder.pgn("a.pgn", 40, 3), folder.path("a.games"));
    let net = network(LARGE);
    let import = ["datagen", "pgn", &pgn, "--out", &scored, "--label", "static", "--net", &net];
    assert_eq!(tandem(&import).code, Some(0));
    let fit = json(&tandem(&["datagen", "winrate", &scored, "--json"]).succeeded());
    assert!(fit["positions"].as_u64().unwrap() > 100);
    assert!(fit["loss"].as_f64().unwrap() < fit["loss_before"].as_f64().unwrap());
    let bare = folder.path("b.games");
    assert_eq!(tandem(&["datagen", "pgn", &pgn, "--out", &bare]).code, Some(0));
    fails(&["datagen", "winrate", &bare], "no position has a score that can be fitted to");
}

#[test]
fn formats_are_converted_and_what_is_lost_is_said() {
    let folder = Folder::new("convert");
    let (pgn, games, net) = (folder.pgn("a.pgn", 10, 3), folder.path("a.games"), network(LARGE));
    let label = ["--label", "static", "--net", &net, "--filter", "none"];
    let made = [&["datagen", "pgn", &pgn, "--out", &games][..], &label].concat();
    assert_eq!(tandem(&made).code, Some(0));
    let convert = |from: &str, to: &str| {
        tandem(&["datagen", "convert", &folder.path(from), &folder.path(to)]).succeeded()
    };
    for format in ["viri", "binpack"] {
        convert("a.games", &format!("a.{format}"));
        convert(&format!("a.{format}"), &format!("{format}.games"));
        let view = |name: &str| tandem(&["datagen", "view", &folder.path(name)]).succeeded().out;
        assert_eq!(view(&format!("{format}.games")), view("a.games"), "{format}");
        assert_eq!(view(&format!("a.{format}")), view("a.games"), "{format}");
    }
    assert!(convert("a.games", "a.bullet").out.contains("castling rights"), "what is lost");
    assert_eq!(folder.read("a.bullet").len() % 32, 0);

    fails(&["datagen", "convert", &folder.path("a.bullet"), &folder.path("x.viri")], "no move");
    assert!(!folder.0.join("x.viri").exists());
    fails(&["datagen", "convert", &games, &folder.path("a.viri")], "a.viri: cannot be opened");
    fails(&["datagen", "convert", &games, &folder.path("a.txt")], "the format of");
    fails(&["datagen", "convert", &games, "/dev/full", "--to", "games"], "/dev/full: cannot be");
}

#[test]
fn damage_is_named_and_passed_over_only_if_asked() {
    let folder = Folder::new("damage");
    let (pgn, games) = (folder.pgn("a.pgn", 10, 4), folder.path("a.games"));
    assert_eq!(tandem(&["datagen", "pgn", &pgn, "--out", &games]).code, Some(0));
    let mut bytes = folder.read("a.games");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    let damaged = folder.path("b.games");
    fs::write(&damaged, &bytes).expect("written");
    for task in ["stats", "view"] {
        let run = tandem(&["datagen", task, &damaged]);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("b.games: damaged at byte "), "{}", run.err);
        let run = tandem(&["datagen", task, &damaged, "--skip-damaged"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.err.contains("the data go on at byte "), "{}", run.err);
    }
    let stats = tandem(&["datagen", "stats", &damaged, "--skip-damaged", "--json"]);
    let stats = json(&stats);
    assert_eq!((&stats["damaged"], &stats["statistics"]["games"]), (&1.into(), &7.into()));
    // A file that was cut is continued behind its last whole game, a damaged one is not.
    fs::write(folder.path("c.games"), &folder.read("a.games")[..middle]).expect("written");
    let args = ["datagen", "pgn", &pgn, "--append", "--out"];
    let appended = tandem(&[&args[..], &[&folder.path("c.games")]].concat());
    assert_eq!(appended.code, Some(0), "{}", appended.err);
    assert!(appended.err.contains("bytes of an unfinished game were cut off"), "{}", appended.err);
    let all = tandem(&["datagen", "view", &folder.path("c.games"), "--games", ".."]);
    assert_eq!(all.code, Some(2), "no range");
    tandem(&["datagen", "view", &folder.path("c.games"), "--games", "1.."]).succeeded();
    let run = tandem(&[&args[..], &[&damaged]].concat());
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert_eq!(fs::read(&damaged).expect("there"), bytes);
}

#[test]
fn an_interrupted_import_is_resumed_as_if_nothing_had_happened() {
    let folder = Folder::new("resume");
    let (pgn, out) = (folder.pgn("a.pgn", 200, 6), folder.path("a.games"));
    let import = |words: &[&str]| {
        let args = ["datagen", "pgn", &pgn, "--dedup", "1", "--off-line", "0.2", "--out", &out];
        tandem(&[&args[..], words].concat())
    };
    assert_eq!(import(&[]).code, Some(0));
    let whole = folder.read("a.games");
    for share in [0, 3, 6, 9] {
        fs::write(&out, &whole[..share * whole.len() / 10]).expect("written");
        let resumed = import(&["--resume"]);
        assert_eq!(resumed.code, Some(0), "{}", resumed.err);
        assert!(folder.read("a.games") == whole, "cut at {share} tenths");
    }
    let other = import(&["--resume", "--seed", "5"]);
    assert_eq!(other.code, Some(1));
    assert!(other.err.contains("was begun with other words: tandem "), "{}", other.err);
    assert!(folder.read("a.games") == whole);
}

#[test]
fn wrong_words_are_refused() {
    let folder = Folder::new("words");
    let (pgn, out) = (folder.pgn("a.pgn", 1, 5), folder.path("a.games"));
    let table: &[&[&str]] = &[
        &["datagen"],
        &["datagen", "pgn", &pgn],
        &["datagen", "pgn", &pgn, "--out", &out, "--filter", "quiet"],
        &["datagen", "pgn", &pgn, "--out", &out, "--off-line", "2"],
        &["datagen", "pgn", &pgn, "--out", &out, "--threads", "0"],
        &["datagen", "pgn", &pgn, "--out", &out, "--pawn", "0"],
        &["datagen", "pgn", &pgn, "--out", &out, "--engine", "speed=3"],
        &["datagen", "view", &out, "--games", "3..1"],
        &["datagen", "convert", &out, "x.viri", "--scale", "0"],
        &["datagen", "stats", &out, "--format", "zip"],
    ];
    for args in table {
        tandem(args).refused();
    }
    fails(&["datagen", "pgn", "/nonexistent.pgn", "--out", &out], "/nonexistent.pgn");
    let label = ["--label", "search", "--net", "/nonexistent.nnue"];
    fails(&[&["datagen", "pgn", &pgn, "--out", &out][..], &label].concat(), "/nonexistent.nnue");
    fails(&["datagen", "stats", "/nonexistent.games"], "/nonexistent.games");
    fails(&["datagen", "pgn", &pgn, "--out", "/dev/full"], "the format of '/dev/full'");
    assert!(!folder.0.join("a.games").exists());
}
