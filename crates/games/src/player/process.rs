//! A UCI engine in a process of its own.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use tandem_chess::{CastlingNotation, Color, Game, Position};
use tandem_engine::{Clock, Limits};

use super::family::Family;
use super::listener::ATTENTION;
use super::{
    Announcement, Fault, Identity, Insight, Listener, Player, Reply, StartError, Thought, info,
};
use crate::digest;
use crate::spec::{PlayerSpec, Program};

/// How long it may take to leave when it is told to.
const LEAVE: Duration = Duration::from_millis(500);
/// How long it may take to answer when it is told to stop thinking.
const STOP: Duration = Duration::from_secs(2);
/// What is longer is no line of UCI; the rest of it is not kept.
const LONGEST_LINE: u64 = 1 << 14;
/// Lines that may wait unread. An engine that says more waits itself.
const UNREAD: usize = 1024;

/// A running engine and the way to talk to it.
pub struct Process {
    child: Child,
    /// Ended after the engine itself has left.
    _family: Family,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
    identity: Identity,
    castling: CastlingNotation,
    /// How long it may take to get ready.
    ready: Duration,
}

/// An option as the engine declares it.
struct Declared {
    name: String,
    default: String,
}

impl Process {
    /// Starts a program, hears who it is and sets its options.
    ///
    /// # Errors
    /// It cannot be run, is no UCI engine or lacks an option.
    pub fn start(spec: &PlayerSpec, program: &Program, chess960: bool) -> Result<Self, StartError> {
        let cannot = |error| StartError::Program(spec.name.clone(), program.command.clone(), error);
        let mut command = Command::new(&program.command);
        command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        Family::begin(&mut command);
        let mut child = command.spawn().map_err(cannot)?;
        let family = Family::of(&child);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(cannot(io::Error::other("it has no pipes")));
        };
        let (sender, lines) = mpsc::sync_channel(UNREAD);
        std::thread::spawn(move || read_lines(BufReader::new(output), &sender));
        let identity =
            Identity { engine: String::new(), network: None, priors: None, program: None };
        let castling =
            if chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        let ready = spec.ready;
        let mut process = Self { child, _family: family, input, lines, identity, castling, ready };
        let declared =
            process.introduce().map_err(|fault| StartError::Protocol(spec.name.clone(), fault))?;
        process.set_options(spec, &declared, chess960)?;
        process.ready().map_err(|fault| StartError::Protocol(spec.name.clone(), fault))?;
        process.identity.network = network(spec, &declared);
        process.identity.program = digest::of_program(&program.command);
        Ok(process)
    }

    /// Hears the engine's name and options.
    fn introduce(&mut self) -> Result<Vec<Declared>, Fault> {
        self.tell("uci")?;
        let mut declared = Vec::new();
        let deadline = Instant::now() + self.ready;
        loop {
            let (_, line) = self.hear(deadline, self.ready)?;
            if line == "uciok" {
                return Ok(declared);
            } else if let Some(name) = line.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.identity.engine);
            } else if let Some(option) = line.strip_prefix("option name ") {
                declared.extend(declaration(option));
            }
        }
    }

    fn set_options(
        &mut self,
        spec: &PlayerSpec,
        declared: &[Declared],
        chess960: bool,
    ) -> Result<(), StartError> {
        let fail = |fault| StartError::Protocol(spec.name.clone(), fault);
        let chess960 = chess960.then(|| ("UCI_Chess960".to_owned(), "true".to_owned()));
        for (name, value) in spec.options.iter().chain(&chess960) {
            let known = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name));
            let Some(known) = known else {
                return Err(StartError::Option(spec.name.clone(), name.clone()));
            };
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            self.tell(&format!("setoption name {}{value}", known.name)).map_err(fail)?;
        }
        Ok(())
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.tell("isready")?;
        let deadline = Instant::now() + self.ready;
        while self.hear(deadline, self.ready)?.1 != "readyok" {}
        Ok(())
    }

    fn tell(&mut self, line: &str) -> Result<(), Fault> {
        let told = self.input.write_all(format!("{line}\n").as_bytes());
        told.and_then(|()| self.input.flush()).map_err(|_| self.crashed())
    }

    /// The next line and when it came.
    fn hear(&mut self, deadline: Instant, patience: Duration) -> Result<(Instant, String), Fault> {
        let wait = deadline.saturating_duration_since(Instant::now());
        // Someone who never pauses would otherwise be listened to for ever.
        if wait.is_zero() {
            return Err(Fault::Hung(patience));
        }
        self.lines.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => Fault::Hung(patience),
            RecvTimeoutError::Disconnected => self.crashed(),
        })
    }

    /// How the program ended, or that it closed its output.
    fn crashed(&mut self) -> Fault {
        let status = self.wait(LEAVE).map(|status| status.to_string());
        Fault::Crashed(status.unwrap_or_else(|| "it closed its output".to_owned()))
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if start.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }
}

impl Player for Process {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.tell("ucinewgame")?;
        self.ready()
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        patience: Duration,
        mut listener: Option<&mut dyn Listener>,
    ) -> Result<Reply, Fault> {
        self.tell(&position_command(game, self.castling))?;
        // What it still had to say about something else is not about this move.
        self.lines.try_iter().take(UNREAD).for_each(drop);
        let start = Instant::now();
        self.tell(&go_command(limits, game.position().side_to_move()))?;
        let mut deadline = start + patience;
        let mut thought = Thought::default();
        let mut is_told_to_stop = false;
        loop {
            if !is_told_to_stop && listener.as_mut().is_some_and(|listener| listener.has_enough()) {
                self.tell("stop")?;
                is_told_to_stop = true;
                deadline = deadline.min(Instant::now() + STOP);
            }
            let wait = if listener.is_some() {
                deadline.min(Instant::now() + ATTENTION)
            } else {
                deadline
            };
            let (heard, line) = match self.hear(wait, patience) {
                Err(Fault::Hung(_)) if wait < deadline => continue,
                other => other?,
            };
            let time = heard.saturating_duration_since(start);
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => {
                    info::heed(&line, &mut thought);
                    if let Some(listener) = &mut listener
                        && let Some(m) = info::best_move(&line, game.position())
                    {
                        listener.hear(&Announcement { m, thought, time });
                    }
                }
                Some("bestmove") => {
                    let text = words.next().unwrap_or("nothing");
                    let m = game.position().parse_uci(text);
                    let m = m.map_err(|error| Fault::Illegal(error.to_string()))?;
                    let insight = Insight::default();
                    return Ok(Reply { m, thought, insight, elapsed: time });
                }
                _ => {}
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whether it leaves by itself or must be ended, nothing of it stays.
        let _ = self.tell("quit");
        if self.wait(LEAVE).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Passes on what the engine prints, line by line, until it ends or nobody listens.
fn read_lines(mut output: impl BufRead, sender: &SyncSender<(Instant, String)>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_cut_off = line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n");
        if is_cut_off && output.skip_until(b'\n').is_err() {
            return;
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if sender.send((Instant::now(), text)).is_err() {
            return;
        }
    }
}

fn declaration(option: &str) -> Option<Declared> {
    let (name, rest) = option.split_once(" type ")?;
    let default = rest.split_once(" default ").map_or("", |(_, default)| default);
    let default = default.split(" min ").next().unwrap_or(default);
    Some(Declared { name: name.trim().to_owned(), default: default.trim().to_owned() })
}

/// The network of an engine: the file that it was given, or the one that it says it uses unless told
/// otherwise.
fn network(spec: &PlayerSpec, declared: &[Declared]) -> Option<String> {
    if let Some(file) = spec.option("EvalFile").filter(|file| !file.is_empty()) {
        return Some(digest::of_network(file).unwrap_or_else(|| file.to_owned()));
    }
    let default = declared.iter().find(|option| option.name == "EvalFile")?;
    (!matches!(default.default.as_str(), "" | "<empty>")).then(|| default.default.clone())
}

fn position_command(game: &Game, castling: CastlingNotation) -> String {
    let mut position = *game.start();
    let mut command = if position == Position::startpos() {
        "position startpos".to_owned()
    } else if castling == CastlingNotation::Chess960 {
        format!("position fen {}", position.shredder_fen())
    } else {
        format!("position fen {position}")
    };
    for (i, &m) in game.moves().iter().enumerate() {
        let word = if i == 0 { " moves " } else { " " };
        command.push_str(word);
        command.push_str(&position.uci(m, castling));
        position = position.after(m);
    }
    command
}

fn go_command(limits: &Limits, side: Color) -> String {
    let mut command = "go".to_owned();
    if let Some(own) = limits.clock(side) {
        for (color, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
            // Engines expect both clocks; an opponent without one is shown with ours.
            let Clock { remaining, increment } = limits.clock(color).unwrap_or(own);
            let _ = write!(command, " {letter}time {}", remaining.as_millis().max(1));
            let _ = write!(command, " {letter}inc {}", increment.as_millis());
        }
    }
    if let Some(moves) = limits.moves_to_go {
        let _ = write!(command, " movestogo {moves}");
    }
    if let Some(time) = limits.movetime {
        let _ = write!(command, " movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(command, " nodes {nodes}");
    }
    if let Some(depth) = limits.depth {
        let _ = write!(command, " depth {depth}");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_holds_all_limits() {
        let clock =
            Clock { remaining: Duration::from_millis(1500), increment: Duration::from_millis(20) };
        let limits = Limits {
            clocks: [None, Some(clock)],
            moves_to_go: Some(3),
            nodes: Some(7),
            depth: Some(4),
            ..Limits::default()
        };
        assert_eq!(
            go_command(&limits, Color::Black),
            "go wtime 1500 winc 20 btime 1500 binc 20 movestogo 3 nodes 7 depth 4"
        );
        assert_eq!(
            go_command(
                &Limits { movetime: Some(Duration::from_millis(9)), ..Limits::default() },
                Color::White
            ),
            "go movetime 9"
        );
    }

    #[test]
    fn a_game_is_told_from_its_start() {
        let mut game = Game::default();
        assert_eq!(position_command(&game, CastlingNotation::Standard), "position startpos");
        for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1"] {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        let command = position_command(&game, CastlingNotation::Standard);
        assert_eq!(command, "position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1");
        assert!(position_command(&game, CastlingNotation::Chess960).ends_with("e1h1"));
        let end = Game::new("8/8/8/8/8/4k3/8/4K2R w K - 0 1".parse().unwrap());
        let command = position_command(&end, CastlingNotation::Standard);
        assert_eq!(command, "position fen 8/8/8/8/8/4k3/8/4K2R w K - 0 1");
    }

    #[test]
    fn rubbish_is_read_without_end_of_memory() {
        let (sender, lines) = mpsc::sync_channel(UNREAD);
        let rubbish = [vec![0xFF; 1 << 17], b"\n\nbestmove e2e4\r\n".to_vec()].concat();
        read_lines(BufReader::new(rubbish.as_slice()), &sender);
        drop(sender);
        let lines: Vec<String> = lines.iter().map(|(_, line)| line).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1..], ["", "bestmove e2e4"]);
    }
}
