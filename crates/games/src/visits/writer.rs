//! Writing games, whole ones only.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use super::reader::VisitsReader;
use super::{MARKER, VisitedGame, VisitsError, payload};
use crate::frame::{self, MAX_PAYLOAD};

/// Adds games to a file.
pub struct VisitsWriter {
    file: File,
    path: PathBuf,
    /// How many bytes of the file are whole frames.
    length: u64,
}

impl VisitsWriter {
    /// Opens a file, new or with the games of those numbers in that order. What stands behind them is cut
    /// off: a game that was not wholly kept. A new file begins with the note.
    ///
    /// # Errors
    /// The file cannot be used, or does not hold those games.
    pub fn resume(path: &Path, note: &str, kept: &[u64]) -> Result<Self, VisitsError> {
        let fail = |error: io::Error| VisitsError::File(path.to_owned(), error);
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.map_err(fail)?;
        let length = length_of(&file, path, kept)?;
        file.set_len(length).map_err(fail)?;
        let mut writer = Self { file, path: path.to_owned(), length };
        if length == 0 {
            writer.add(&payload::note(note))?;
        }
        Ok(writer)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The disk does not take it; the file ends with a whole game.
    pub fn write(&mut self, game: &VisitedGame) -> Result<(), VisitsError> {
        let payload = payload::game(game);
        if payload.len() > MAX_PAYLOAD {
            return Err(VisitsError::TooLong(self.path.clone(), game.number));
        }
        self.add(&payload)
    }

    fn add(&mut self, payload: &[u8]) -> Result<(), VisitsError> {
        let mut bytes = Vec::new();
        frame::wrap(MARKER, payload, &mut bytes);
        if let Err(error) = self.file.write_all(&bytes) {
            let _ = self.file.set_len(self.length);
            return Err(VisitsError::File(self.path.clone(), error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// The frame with which a file begins.
#[must_use]
pub fn note(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame::wrap(MARKER, &payload::note(text), &mut bytes);
    bytes
}

/// Where the last of those games ends.
fn length_of(file: &File, path: &Path, kept: &[u64]) -> Result<u64, VisitsError> {
    let mut reader = VisitsReader::new(BufReader::new(file), path);
    let mut length = 0;
    let mut kept = kept.iter().peekable();
    while let Some(&&wanted) = kept.peek() {
        let offset = reader.offset();
        let missing = || VisitsError::Missing(path.to_owned(), offset, wanted);
        let payload = reader.next_payload()?.ok_or_else(missing)?;
        match payload::number_of(&payload) {
            Ok(Some(number)) if number == wanted => kept.next(),
            Ok(None) => None,
            _ => return Err(missing()),
        };
        length = reader.offset();
    }
    Ok(length)
}
