//! Reading frames, and finding the next sound one behind damage.

use std::io::Read;

use tandem_games::frame::{HEADER, Header};

use super::MARKER;
use super::payload::{self, Mark, Payload};
use crate::data::formats::Reader;
use crate::data::io::Window;
use crate::data::{DataError, Record};

/// At most so many notes are kept; a file joined of many parts may repeat itself.
const MAX_NOTES: usize = 100;

/// Reads Tandem's games. Behind damage it goes on with the next frame whose checksum is right.
pub struct GamesReader<R> {
    input: Window<R>,
    notes: Vec<String>,
    /// The last mark of each source.
    marks: Vec<Mark>,
    /// Where the last mark ends.
    marked: u64,
}

/// What stands at a place of the file.
enum Found {
    End,
    Frame(Vec<u8>),
    Damage(String),
}

impl<R: Read + Send> GamesReader<R> {
    /// Reads that stream; the name is for errors.
    pub fn new(input: R, file: &str) -> Self {
        let input = Window::new(input, file);
        Self { input, notes: Vec::new(), marks: Vec::new(), marked: 0 }
    }

    /// How far each source had been worked through, as far as the file has been read.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Where the last mark ends; 0 if there was none.
    pub const fn marked(&self) -> u64 {
        self.marked
    }

    /// Looks at what stands here, without taking it.
    fn look(&mut self) -> Result<Found, DataError> {
        let bytes = self.input.look(HEADER)?;
        if bytes.is_empty() {
            return Ok(Found::End);
        }
        let Some(header) = bytes.first_chunk() else {
            return Ok(Found::Damage("the file ends within the frame of a game".into()));
        };
        let header = match Header::read(MARKER, header) {
            Ok(header) => header,
            Err(reason) => return Ok(Found::Damage(reason)),
        };
        let whole = HEADER + header.length;
        let bytes = self.input.look(whole)?;
        let Some(bytes) = bytes.get(HEADER..whole) else {
            return Ok(Found::Damage("the file ends within a game".into()));
        };
        if header.fits(bytes) {
            Ok(Found::Frame(bytes.to_vec()))
        } else {
            Ok(Found::Damage("the checksum of a game is wrong".into()))
        }
    }

    /// Goes on to the next sound frame, if there is one.
    fn resume(&mut self) -> Result<bool, DataError> {
        self.input.take(1);
        loop {
            let bytes = self.input.look(HEADER)?;
            let place = bytes.windows(MARKER.len()).position(|window| window == MARKER);
            match place {
                Some(place) => {
                    self.input.take(place);
                    if let Found::Frame(_) = self.look()? {
                        return Ok(true);
                    }
                    self.input.take(1);
                }
                // The last bytes may be the beginning of a marker.
                None if bytes.len() >= HEADER => {
                    let passed = bytes.len() - (MARKER.len() - 1);
                    self.input.take(passed);
                }
                None => {
                    self.input.give_up();
                    return Ok(false);
                }
            }
        }
    }
}

impl<R: Read + Send> Reader for GamesReader<R> {
    fn next_game(&mut self) -> Result<Option<Record>, DataError> {
        loop {
            let offset = self.input.offset();
            let frame = match self.look()? {
                Found::End => return Ok(None),
                Found::Frame(frame) => frame,
                Found::Damage(reason) => {
                    let goes_on = self.resume()?;
                    return Err(self.input.damage(offset, goes_on, reason));
                }
            };
            self.input.take(HEADER + frame.len());
            match payload::read(&frame) {
                Ok(Payload::Game(record)) => return Ok(Some(record)),
                Ok(Payload::Note(text)) => {
                    if self.notes.len() < MAX_NOTES && !self.notes.contains(&text) {
                        self.notes.push(text);
                    }
                }
                Ok(Payload::Mark(mark)) => {
                    self.marked = self.input.offset();
                    self.marks.retain(|known| known.source != mark.source);
                    self.marks.push(mark);
                }
                Err(reason) => return Err(self.input.damage(offset, true, reason)),
            }
        }
    }

    fn offset(&self) -> u64 {
        self.input.offset()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// How many bytes from the beginning are sound frames, and whether anything stands behind them.
/// Only checksums are looked at.
pub fn sound_length(input: impl Read + Send, file: &str) -> Result<(u64, bool), DataError> {
    let mut reader = GamesReader::new(input, file);
    loop {
        match reader.look()? {
            Found::End => return Ok((reader.offset(), false)),
            Found::Frame(frame) => reader.input.take(HEADER + frame.len()),
            Found::Damage(_) => return Ok((reader.offset(), true)),
        }
    }
}
