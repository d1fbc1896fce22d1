//! A conversation with the running program.

use std::time::Duration;

use serde_json::Value;

use super::schema::Schemas;
use super::support::program::{PATIENCE, Program};

/// No device is looked for, which may have its own words on standard error.
pub const CPU: &[&str] = &["--option", "Backend=cpu"];

/// A program that answers questions.
pub struct Conversation {
    program: Program,
    schemas: Schemas,
}

impl Conversation {
    pub fn start(args: &[&str]) -> Self {
        let args = [&["analyze", "-", "--hash", "32"], CPU, args].concat();
        Self { program: Program::start_with(&args), schemas: Schemas::load() }
    }

    pub fn ask(&mut self, line: &str) {
        self.program.send(line);
    }

    pub fn ask_bytes(&mut self, bytes: &[u8]) {
        self.program.send_bytes(bytes);
    }

    /// The next answer.
    pub fn hear(&mut self) -> Value {
        let line = self.program.next_line(PATIENCE).expect("an answer in time");
        self.schemas.answer(&line)
    }

    /// The next answer that is one, not a partial report.
    pub fn hear_last(&mut self) -> Value {
        loop {
            let answer = self.hear();
            if answer["isDuringSearch"] != true {
                return answer;
            }
        }
    }

    /// Whether nothing comes in that time.
    pub fn is_silent(&mut self, time: Duration) -> bool {
        self.program.next_line(time).is_none()
    }

    /// Interrupts the program; answers with what is said until it has ended well.
    pub fn interrupt(self) -> Vec<Value> {
        let Self { program, schemas } = self;
        program.interrupt();
        program.end().iter().map(|line| schemas.answer(line)).collect()
    }

    /// Ends the input; answers with what is said until the program has ended well.
    pub fn finish(self) -> Vec<Value> {
        let Self { mut program, schemas } = self;
        program.close_input();
        program.end().iter().map(|line| schemas.answer(line)).collect()
    }
}
