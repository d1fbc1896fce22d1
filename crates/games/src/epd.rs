//! Extended position descriptions: a position and what is known about it, a line each.

use std::fs;
use std::path::Path;

use tandem_chess::{FenError, Position};
use thiserror::Error;

/// Why a line or a file of EPD cannot be used.
#[derive(Debug, Error)]
pub enum EpdError {
    /// The file cannot be read.
    #[error("{0}: cannot be read ({1})")]
    Unreadable(String, std::io::Error),
    /// A line holds no position.
    #[error("{0}, line {1}: {2}")]
    Position(String, usize, FenError),
    /// There is nothing in the file.
    #[error("{0}: holds no position")]
    Empty(String),
}

/// What a line of a file holds: its number, from 1, and the position or why there is none.
pub type NumberedLine = (usize, Result<Epd, FenError>);

/// A position with its operations, such as `bm Nf3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// What is said about it: names and what follows them.
    pub operations: Vec<(String, String)>,
}

impl Epd {
    /// Reads a line. The two counters of a FEN may follow the four fields of a position.
    ///
    /// # Errors
    /// The line does not begin with a legal position.
    pub fn parse(line: &str) -> Result<Self, FenError> {
        // Some collections have been through programs that left zero bytes and tabs behind.
        let line = line.replace(char::is_control, " ");
        let mut rest = line.trim();
        let mut fen = String::new();
        for field in 0..6 {
            let (word, after) = next_word(rest);
            let is_counter = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            if field >= 4 && !is_counter {
                break;
            }
            fen.push_str(word);
            fen.push(' ');
            rest = after;
        }
        let position = Position::from_fen(fen.trim_end())?;
        Ok(Self { position, operations: operations(rest) })
    }

    /// What an operation says.
    #[must_use]
    pub fn operation(&self, name: &str) -> Option<&str> {
        self.operations.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Reads a file, a position a line. Empty lines and those that begin with `#` are passed over.
    ///
    /// # Errors
    /// The file cannot be read or a line holds no legal position.
    pub fn read(path: &Path) -> Result<Vec<Self>, EpdError> {
        let place = |number, error| EpdError::Position(path.display().to_string(), number, error);
        let entries = Self::read_lines(path)?.into_iter();
        entries.map(|(number, entry)| entry.map_err(|error| place(number, error))).collect()
    }

    /// Reads a file like [`read`](Self::read), and gives what each line holds, right or wrong.
    ///
    /// # Errors
    /// The file cannot be read or is empty.
    pub fn read_lines(path: &Path) -> Result<Vec<NumberedLine>, EpdError> {
        let name = || path.display().to_string();
        let text = fs::read(path).map_err(|error| EpdError::Unreadable(name(), error))?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim_start_matches('\u{FEFF}');
        let lines = text.lines().enumerate();
        let entries: Vec<_> = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(i, line)| (i + 1, Self::parse(line)))
            .collect();
        if entries.is_empty() { Err(EpdError::Empty(name())) } else { Ok(entries) }
    }
}

/// The first word, which also ends before a semicolon, and what comes after it.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ';');
    text.split_at(end.unwrap_or(text.len()))
}

/// The operations of a line: separated by semicolons, which quotes protect.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            ';' if !quoted => parts.push(String::new()),
            _ => parts.last_mut().expect("there is a part").push(letter),
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            (name.to_owned(), value.trim().to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_split_at_semicolons_outside_quotes() {
        let line = r#"8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2 Rb3; id "B; K.03"; dm 4;"#;
        let epd = Epd::parse(line).unwrap();
        assert_eq!(epd.operation("bm"), Some("Rxb2 Rb3"));
        assert_eq!(epd.operation("id"), Some("B; K.03"));
        assert_eq!(epd.operation("dm"), Some("4"));
        assert_eq!(epd.operation("am"), None);
    }

    #[test]
    fn control_characters_are_no_more_than_spaces() {
        let epd = Epd::parse("8/8/8/8/8/4k3/8/4K2R\tw K -\0 bm O-O\0; id \"x\0\";\0\r").unwrap();
        assert_eq!((epd.operation("bm"), epd.operation("id")), (Some("O-O"), Some("x")));
        assert_eq!(epd.operations.len(), 2);
    }

    #[test]
    fn the_counters_of_a_fen_are_heeded() {
        let epd = Epd::parse("8/8/8/8/8/4k3/8/4K2R w K - 7 40; v=-385").unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (7, 40));
        assert_eq!(epd.operations, [("v=-385".to_owned(), String::new())]);
        assert_eq!(Epd::parse("8/8/8/8/8/4k3/8/4K2R w K -").unwrap().operations, []);
    }

    #[test]
    fn a_line_without_a_position_is_refused() {
        assert!(Epd::parse("bm Nf3").is_err());
        assert!(Epd::parse("").is_err());
    }
}
