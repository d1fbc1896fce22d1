//! A folder of its own for a match: the players, the openings, and what the match leaves behind.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::audit::audit;
use crate::pgn::{self, Game};
use crate::support::START;
use crate::support::program::PATIENCE;
use crate::support::shell::{Run, tandem};

pub struct Arena {
    folder: TempDir,
}

/// A match that was played: what it said and what it wrote.
pub struct Match {
    pub report: Value,
    /// What the PGN file holds, as an independent reader sees it.
    pub games: Vec<Game>,
    /// The lines of the journal after the first.
    pub journal: Vec<Value>,
    pub err: String,
}

impl Arena {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for temporary files") }
    }

    /// A file in the folder.
    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("written");
        path
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The settings of a fake engine that shows a behaviour. It plays without a limit of time.
    pub fn fake(&self, name: &str, behaviour: &str) -> String {
        format!("{} nodes=1", self.fake_unlimited(name, behaviour))
    }

    /// The same without any limit.
    pub fn fake_unlimited(&self, name: &str, behaviour: &str) -> String {
        let command = self.fake_command(name, behaviour);
        let (program, arguments) = command.split_first().expect("a program");
        let arguments: Vec<String> = arguments.iter().map(|word| format!("'arg={word}'")).collect();
        format!("name={name} cmd={program} {}", arguments.join(" "))
    }

    /// The words with which a shell starts a fake engine.
    pub fn fake_command(&self, name: &str, behaviour: &str) -> Vec<String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matches/fake_engine.py");
        let (script, folder) = (script.display().to_string(), self.path(""));
        // The system's own starts faster than one that a version manager wraps.
        let system = "/usr/bin/python3";
        let python = if Path::new(system).exists() { system } else { "python3" };
        [python, "-IS", &script, &folder, name, behaviour].map(str::to_owned).to_vec()
    }

    /// A book of the start position alone, from which fake engines can play.
    pub fn start_book(&self) -> String {
        self.write("start.epd", format!("{START}\n"))
    }

    /// The lines that a fake engine heard in all its lives.
    pub fn heard(&self, name: &str) -> Vec<String> {
        self.read(&format!("{name}.log")).lines().map(str::to_owned).collect()
    }

    /// How often a fake engine was started.
    pub fn starts(&self, name: &str) -> usize {
        self.heard(name).iter().filter(|line| *line == "start").count()
    }

    /// The arguments of a match that is kept in this folder and reported as JSON.
    fn arguments(&self, args: &[&str]) -> Vec<String> {
        let mut all = vec!["match".to_owned(), "--json".to_owned()];
        all.extend(["--out".to_owned(), self.path("match")]);
        all.extend(args.iter().map(|&arg| arg.to_owned()));
        all
    }

    /// Runs a match to its end, however it ends; nobody of it is left afterwards.
    pub fn run(&self, args: &[&str]) -> Run {
        let args = self.arguments(args);
        let run = tandem(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!run.err.contains("panicked"), "{}", run.err);
        self.expect_empty();
        run
    }

    /// Plays a match, which succeeds and bears every check.
    pub fn play(&self, args: &[&str]) -> Match {
        let played = self.result(&self.run(args));
        audit(&played);
        played
    }

    /// What a successful run left behind.
    pub fn result(&self, run: &Run) -> Match {
        assert_eq!(run.code, Some(0), "out: {}\nerr: {}", run.out, run.err);
        let report =
            serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error} in {}", run.out));
        let (games, journal) = self.kept();
        Match { report, games, journal, err: run.err.clone() }
    }

    /// The games in the PGN file and the lines of the journal.
    pub fn kept(&self) -> (Vec<Game>, Vec<Value>) {
        let games = pgn::read(&self.path("match.pgn"));
        let line = |line: &str| serde_json::from_str(line).expect("a line of JSON");
        (games, self.read("match.jsonl").lines().skip(1).map(line).collect())
    }

    /// Starts a match in the background, in a process group of its own.
    pub fn spawn(&self, args: &[&str]) -> Child {
        use std::os::unix::process::CommandExt as _;
        Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(self.arguments(args))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("the program starts")
    }

    /// Waits until so many lines are in the journal.
    pub fn wait_for_lines(&self, count: usize) {
        let end = Instant::now() + 5 * PATIENCE;
        let lines = || fs::read_to_string(self.path("match.jsonl")).unwrap_or_default();
        while lines().lines().count() < count {
            assert!(Instant::now() < end, "no {count} lines in the journal in time");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// No process is left whose arguments name this folder: all fake engines do.
    pub fn expect_empty(&self) {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < end, "left behind: {left:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn processes(&self) -> Vec<String> {
        let folder = self.folder.path().display().to_string();
        let entries = fs::read_dir("/proc").expect("the list of processes").flatten();
        // A process may end between the two looks.
        let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines
            .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
            .filter(|line| line.contains(&folder))
            .collect()
    }
}

impl Match {
    /// What the report says about a player.
    pub fn player(&self, name: &str) -> &Value {
        let players = self.report["players"].as_array().expect("a list");
        let player = players.iter().find(|player| player["name"] == name);
        player.unwrap_or_else(|| panic!("no {name} in {}", self.report))
    }

    /// A count in what the report says about a player.
    pub fn count(&self, name: &str, what: &str) -> u64 {
        let player = self.player(name);
        player[what].as_u64().unwrap_or_else(|| panic!("no {what} of {name} in {player}"))
    }

    /// Wins, draws and losses of a player.
    pub fn wdl(&self, name: &str) -> [u64; 3] {
        let results = &self.player(name)["results"];
        ["wins", "draws", "losses"].map(|key| results[key].as_u64().expect("a count"))
    }

    /// All faults of a player, of whatever kind.
    pub fn faults(&self, name: &str) -> u64 {
        FAULTS.iter().map(|kind| self.count(name, kind)).sum()
    }

    /// How each game ended, for people, in the order of the journal.
    pub fn endings(&self) -> Vec<&str> {
        self.journal.iter().map(|game| game["ending"].as_str().expect("a sentence")).collect()
    }
}

/// The kinds of faults as the report names them.
pub const FAULTS: [&str; 5] = ["time_losses", "crashes", "hangs", "illegal_moves", "no_starts"];
