//! viriformat: whole games without a frame, as Viridithas and bullet read them.

use std::io::Read;

use tandem_chess::Color;

use super::{Reader, Writer, board, moves};
use crate::data::io::{Target, UnitWriter, Window};
use crate::data::{DataError, Label, Record, Recorder};

const NAME: &str = "viriformat";
/// Ends a game.
const TERMINATOR: [u8; 4] = [0; 4];

/// Reads viriformat. The format has no checksums: damage is found where it breaks the rules of
/// chess, and since nothing marks where a game begins, nothing behind damage is read.
pub struct ViriReader<R> {
    input: Window<R>,
}

impl<R: Read + Send> ViriReader<R> {
    /// Reads that stream; the name is for errors.
    pub fn new(input: R, file: &str) -> Self {
        Self { input: Window::new(input, file) }
    }

    fn stop(&mut self, offset: u64, reason: impl Into<String>) -> DataError {
        let error = self.input.damage(offset, false, reason);
        self.input.give_up();
        error
    }
}

impl<R: Read + Send> Reader for ViriReader<R> {
    fn next_game(&mut self) -> Result<Option<Record>, DataError> {
        let start = self.input.offset();
        let bytes = self.input.look(board::SIZE)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let Some(header) = bytes.first_chunk() else {
            return Err(self.stop(start, "the file ends within the first position of a game"));
        };
        let header = match board::unpack(header) {
            Ok(header) => header,
            Err(reason) => return Err(self.stop(start, reason)),
        };
        self.input.take(board::SIZE);
        let mut recorder = Recorder::new(header.position);
        loop {
            let offset = self.input.offset();
            let Some(&[m0, m1, s0, s1]) = self.input.look(4)?.first_chunk() else {
                return Err(self.stop(offset, "the file ends within a game"));
            };
            if [m0, m1, s0, s1] == TERMINATOR {
                self.input.take(4);
                return Ok(Some(recorder.finish(header.result)));
            }
            let bits = u16::from_le_bytes([m0, m1]);
            let score = i16::from_le_bytes([s0, s1]);
            let Some(m) = moves::from_bits(bits) else {
                return Err(self.stop(offset, format!("{bits:#06x} is no move")));
            };
            let label = Some(Label::new(Color::White, i32::from(score)));
            if let Err(error) = recorder.play(m, label) {
                return Err(self.stop(offset, error.to_string()));
            }
            self.input.take(4);
        }
    }

    fn offset(&self) -> u64 {
        self.input.offset()
    }
}

/// Writes viriformat. Positions off the line of a game have no move and are left out; a position
/// without a score is refused, because a game cannot have a hole.
pub struct ViriWriter<T: Target> {
    out: UnitWriter<T>,
    off_line: u64,
}

impl<T: Target + Send> ViriWriter<T> {
    /// Writes to that target; the name is for errors.
    pub fn new(target: T, file: &str) -> Self {
        Self { out: UnitWriter::new(target, file), off_line: 0 }
    }
}

impl<T: Target + Send> Writer for ViriWriter<T> {
    fn write(&mut self, record: &Record) -> Result<(), DataError> {
        let no_score =
            || DataError::Unfit { format: NAME, reason: "a position without a score".into() };
        let mut unit = Vec::with_capacity(board::SIZE + 4 * record.plies().len() + 4);
        unit.extend(board::pack(record.start(), record.result()));
        for ply in record.plies() {
            let label = ply.label.ok_or_else(no_score)?;
            unit.extend(moves::to_bits(ply.m).to_le_bytes());
            unit.extend(label.for_side(Color::White).to_le_bytes());
        }
        unit.extend(TERMINATOR);
        self.off_line += record.branches().len() as u64;
        self.out.add(&unit, 1)
    }

    fn losses(&self) -> Vec<String> {
        super::lost(
            self.off_line,
            "they are off the line of their game, and no move is played in them",
        )
    }

    fn hand_over(&mut self) -> Result<(), DataError> {
        self.out.write_out()
    }

    fn finish(&mut self) -> Result<(), DataError> {
        self.out.finish()
    }

    fn bytes(&self) -> u64 {
        self.out.len()
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::{Position, Random};

    use super::*;
    use crate::data::testing::random_record;

    fn write(records: &[Record]) -> Vec<u8> {
        let mut writer = ViriWriter::new(Vec::new(), "data");
        for record in records {
            writer.write(record).unwrap();
        }
        writer.out.into_target()
    }

    fn read(bytes: &[u8]) -> Vec<Result<Record, String>> {
        let mut reader = ViriReader::new(bytes, "data");
        std::iter::from_fn(|| reader.next_game().map_err(|error| error.to_string()).transpose())
            .collect()
    }

    #[test]
    fn the_published_crate_reads_what_we_write_and_writes_what_we_read() {
        let mut random = Random::new(5);
        for _ in 0..100 {
            let record = random_record(&mut random, false);
            let bytes = write(std::slice::from_ref(&record));
            let theirs =
                viriformat::dataformat::Game::deserialise_from(&mut bytes.as_slice(), Vec::new())
                    .unwrap();
            let start = theirs.initial_position().to_string();
            let start: Position = start.parse().unwrap();
            assert_eq!(&start, record.start());
            assert_eq!(theirs.len(), record.plies().len());
            let mut again = Vec::new();
            theirs.serialise_into(&mut again).unwrap();
            assert_eq!(read(&again), [Ok(record)]);
        }
    }

    #[test]
    fn a_game_cut_anywhere_is_named_with_its_place() {
        let record = random_record(&mut Random::new(9), false);
        let bytes = write(&[record.clone(), record.clone()]);
        for length in bytes.len() / 2 + 1..bytes.len() {
            let games = read(&bytes[..length]);
            assert_eq!(games[0], Ok(record.clone()));
            let error = games[1].as_ref().unwrap_err();
            assert!(error.contains("data: damaged at byte "), "{error}");
            assert_eq!(games.len(), 2);
        }
    }

    #[test]
    fn random_bytes_are_refused() {
        let mut random = Random::new(7);
        for length in (1..3000).step_by(7) {
            let bytes: Vec<_> = (0..length).map(|_| random.bits() as u8).collect();
            let games = read(&bytes);
            assert!(games.iter().any(Result::is_err));
        }
    }

    #[test]
    fn what_the_format_has_no_place_for_is_refused_or_stated() {
        let mut writer = ViriWriter::new(Vec::new(), "data");
        let record = crate::data::testing::record("e2e4", crate::data::GameResult::Draw);
        let error = writer.write(&record).unwrap_err().to_string();
        assert_eq!(error, "viriformat cannot carry this: a position without a score");
        assert_eq!((writer.bytes(), writer.losses().len()), (0, 0));
        let record = random_record(&mut Random::new(12), true);
        writer.write(&record).unwrap();
        let count = record.branches().len();
        assert!(writer.losses()[0].starts_with(&format!("{count} positions left out: ")));
    }
}
