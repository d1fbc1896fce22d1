//! Reading games, checked.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::payload::{self, Payload};
use super::{MARKER, VisitedGame, VisitsError};
use crate::frame::{HEADER, Header};

/// Gives the games of a file, one after another. Behind damage it gives none.
pub struct VisitsReader<R> {
    input: R,
    path: PathBuf,
    offset: u64,
    notes: Vec<String>,
    is_over: bool,
}

impl VisitsReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(path: &Path) -> Result<Self, VisitsError> {
        let file = File::open(path).map_err(|error| VisitsError::File(path.to_owned(), error))?;
        Ok(Self::new(BufReader::new(file), path))
    }
}

/// Shows where each game of a file stands: its number, the byte where its frame begins, and the frame's length.
///
/// # Errors
/// The file cannot be read or is damaged.
pub fn places(path: &Path, mut each: impl FnMut(u64, u64, usize)) -> Result<(), VisitsError> {
    let mut reader = VisitsReader::open(path)?;
    loop {
        let offset = reader.offset();
        let Some(payload) = reader.next_payload()? else { return Ok(()) };
        match payload::number_of(&payload) {
            Ok(Some(number)) => each(number, offset, (reader.offset() - offset) as usize),
            Ok(None) => {}
            Err(reason) => return Err(reader.damage(offset, reason)),
        }
    }
}

impl<R: Read> VisitsReader<R> {
    /// Reads that stream; the name is for errors.
    pub fn new(input: R, path: &Path) -> Self {
        Self { input, path: path.to_owned(), offset: 0, notes: Vec::new(), is_over: false }
    }

    /// How many bytes have been read.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// What the file says about itself, as far as it has been read.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The next game; none at the end.
    ///
    /// # Errors
    /// The file cannot be read or is damaged, at a byte that is named.
    pub fn next_game(&mut self) -> Result<Option<VisitedGame>, VisitsError> {
        loop {
            let offset = self.offset;
            let Some(payload) = self.next_payload()? else { return Ok(None) };
            match payload::read(&payload) {
                Ok(Payload::Game(game)) => return Ok(Some(game)),
                Ok(Payload::Note(text)) => self.notes.push(text),
                Err(reason) => return Err(self.damage(offset, reason)),
            }
        }
    }

    /// The next frame's payload; none at the end.
    pub(super) fn next_payload(&mut self) -> Result<Option<Vec<u8>>, VisitsError> {
        if self.is_over {
            return Ok(None);
        }
        let offset = self.offset;
        let head = self.take(HEADER)?;
        if head.is_empty() {
            return Ok(None);
        }
        let Some(head) = head.first_chunk() else {
            return Err(self.damage(offset, "the file ends within the frame of a game".to_owned()));
        };
        let header = match Header::read(MARKER, head) {
            Ok(header) => header,
            Err(reason) => return Err(self.damage(offset, reason)),
        };
        let payload = self.take(header.length)?;
        if payload.len() < header.length {
            return Err(self.damage(offset, "the file ends within a game".to_owned()));
        }
        if !header.fits(&payload) {
            return Err(self.damage(offset, "the checksum of a game is wrong".to_owned()));
        }
        Ok(Some(payload))
    }

    /// The next bytes, fewer if the file ends.
    fn take(&mut self, count: usize) -> Result<Vec<u8>, VisitsError> {
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(count as u64).read_to_end(&mut bytes);
        read.map_err(|error: io::Error| VisitsError::File(self.path.clone(), error))?;
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }

    fn damage(&mut self, offset: u64, reason: String) -> VisitsError {
        self.is_over = true;
        VisitsError::Damaged(self.path.clone(), offset, reason)
    }
}
