//! The program run from a shell, to its end.

use std::io::{Read, Write as _};
use std::process::{Command, Stdio};
use std::thread;

use super::program::{PATIENCE, wait_for_exit};

/// What a run left behind.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    /// The run succeeded and said nothing beside its results.
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "out: {}\nerr: {}", self.out, self.err);
        assert_eq!(self.err, "", "standard error");
        self
    }

    /// The run was refused as wrong usage, with words on standard error only.
    pub fn refused(self) -> Self {
        assert_eq!(self.code, Some(2), "out: {}\nerr: {}", self.out, self.err);
        assert_eq!(self.out, "", "standard output");
        assert!(!self.err.trim().is_empty(), "no word about what is wrong");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// `tandem` with these arguments and nothing to read.
pub fn tandem(args: &[&str]) -> Run {
    tandem_reading(args, "")
}

/// `tandem` with these arguments and that on standard input.
pub fn tandem_reading(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_owned();
    // A program that does not read may be gone before all is written.
    thread::spawn(move || stdin.write_all(input.as_bytes()));
    let out = collect(child.stdout.take().expect("piped"));
    let err = collect(child.stderr.take().expect("piped"));
    let code = wait_for_exit(&mut child, 5 * PATIENCE).and_then(|status| status.code());
    if code.is_none() {
        let _ = child.kill();
    }
    Run { code, out: out.join().expect("read"), err: err.join().expect("read") }
}

fn collect(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8(bytes).expect("what the program prints is UTF-8")
    })
}
