//! Positions on standard input, one a line.

use std::io::{self, BufRead as _};

use tandem_chess::Position;

/// A line of standard input.
pub struct Line {
    /// From 1.
    number: usize,
    text: String,
}

impl Line {
    /// The position that the line describes, or a sentence that names the line.
    pub fn position(&self) -> Result<Position, String> {
        self.text.trim().parse().map_err(|error| format!("line {}: {error}", self.number))
    }

    /// Whether there is nothing to read in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The lines of standard input. What is no text is read as far as it is: it is no position either.
pub fn lines() -> impl Iterator<Item = Result<Line, String>> {
    io::stdin().lock().split(b'\n').enumerate().map(|(index, line)| {
        let line = line.map_err(|error| format!("cannot read standard input: {error}"))?;
        Ok(Line { number: index + 1, text: String::from_utf8_lossy(&line).into_owned() })
    })
}
