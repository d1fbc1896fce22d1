//! The program in conversation: lines in, lines out, every wait with an end.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::info::{Answer, Info};

/// How long anything may take on a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running `tandem`, killed when dropped.
pub struct Program {
    child: Child,
    /// Lines go through a thread of their own, so that a program that does not read blocks nobody.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    errors: Arc<Mutex<String>>,
    /// Both sides of the conversation, for the message when something is wrong.
    transcript: Vec<String>,
}

impl Program {
    /// A UCI session.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The program with arguments.
    pub fn start_with(args: &[&str]) -> Self {
        Self::start_where(args, &[])
    }

    /// The program with arguments, where those variables are set.
    pub fn start_where(args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
            .args(args)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("piped");
        let (input, from_test) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in from_test {
                // The program may end before it has read everything.
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (to_test, output) = channel();
        thread::spawn(move || {
            for line in stdout.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8(line).expect("what the program prints is UTF-8");
                if to_test.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = Arc::new(Mutex::new(String::new()));
        let (mut stderr, heard) = (child.stderr.take().expect("piped"), errors.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                heard.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Self { child, input: Some(input), output, errors, transcript: Vec::new() }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]);
        self.transcript.push(format!("> {}", shown.trim_end()));
        let input = self.input.as_ref().expect("input is still open");
        // If the program is gone, the next wait says so.
        let _ = input.send(bytes.to_vec());
    }

    /// The next line, if one comes in that time.
    pub fn next_line(&mut self, within: Duration) -> Option<String> {
        match self.output.recv_timeout(within) {
            Ok(line) => {
                self.transcript.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.fail("the program has ended"),
        }
    }

    /// All lines up to and with the first one that fits.
    pub fn read_until(&mut self, fits: impl Fn(&str) -> bool) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.next_line(end.saturating_duration_since(Instant::now())) {
                Some(line) => lines.push(line),
                None => self.fail("no such line in time"),
            }
            if lines.last().is_some_and(|line| fits(line)) {
                return lines;
            }
        }
    }

    /// What is printed before the answer to `isready`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// What is printed before the answer to a word that nobody has sent before: in a session in
    /// which anything may have asked for `readyok`.
    pub fn catch_up(&mut self) -> Vec<String> {
        let word = format!("word-{}", self.transcript.len());
        self.send(&word);
        let mut lines = self.read_until(|line| line.contains(&word));
        lines.pop();
        lines
    }

    /// What is printed in answer to a line that starts no search.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Sets an option, which is accepted without a word.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let answer = self.ask(&format!("setoption name {name} value {value}"));
        assert!(answer.is_empty(), "{name} = {value}: {answer:?}");
    }

    /// Sets a position, which is accepted without a word.
    pub fn position(&mut self, setup: &str) {
        let answer = self.ask(&format!("position {setup}"));
        assert!(answer.is_empty(), "{setup}: {answer:?}");
    }

    /// The FEN that `d` shows.
    pub fn fen(&mut self) -> String {
        let lines = self.ask("d");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| panic!("no FEN in {lines:?}")).to_owned()
    }

    /// Searches and waits for the answer.
    pub fn go(&mut self, limits: &str) -> Answer {
        self.send(&format!("go {limits}"));
        self.answer()
    }

    /// The lines up to the next `bestmove`, understood.
    pub fn answer(&mut self) -> Answer {
        let start = Instant::now();
        let lines = self.read_until(|line| line.starts_with("bestmove"));
        Answer::parse(&lines, start.elapsed())
    }

    /// The next line about the search.
    pub fn next_info(&mut self) -> Info {
        let lines = self.read_until(|line| Info::parse(line).is_some());
        lines.last().and_then(|line| Info::parse(line)).expect("just read")
    }

    /// Nothing is printed that fits, for that long.
    pub fn never(&mut self, during: Duration, fits: impl Fn(&str) -> bool) {
        let end = Instant::now() + during;
        while let Some(line) = self.next_line(end.saturating_duration_since(Instant::now())) {
            if fits(&line) {
                self.fail(&format!("unexpected: {line}"));
            }
        }
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.transcript.push("> (end of input)".to_owned());
        self.input = None;
    }

    /// Interrupts the program as Ctrl-C does.
    pub fn interrupt(&self) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", "INT", "--", &id]).status().expect("kill");
        assert!(status.success());
    }

    /// How many threads the process has, where the system tells.
    pub fn threads(&self) -> Option<usize> {
        Some(std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?.count())
    }

    /// Says `quit` and expects a good end. Gives what was still printed.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.end()
    }

    /// Expects that the program ends by itself, well. Gives what was still printed.
    pub fn end(mut self) -> Vec<String> {
        match wait_for_exit(&mut self.child, PATIENCE) {
            Some(status) if status.success() => {}
            Some(status) => self.fail(&format!("ended with {status}")),
            None => self.fail("does not end"),
        }
        if self.errors.lock().unwrap().contains("panicked") {
            self.fail("something panicked");
        }
        self.output.iter().collect()
    }

    /// Fails the test with the end of the conversation.
    pub fn fail(&self, what: &str) -> ! {
        let from = self.transcript.len().saturating_sub(40);
        // What it says as it dies may arrive a moment later.
        thread::sleep(Duration::from_millis(100));
        let errors = self.errors.lock().unwrap().clone();
        let talk = self.transcript[from..].join("\n");
        panic!("{what}; the conversation:\n{talk}\nstandard error:\n{errors}");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a process to end in that time.
pub fn wait_for_exit(child: &mut Child, within: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + within;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().expect("the process is ours") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(2));
    }
    None
}
