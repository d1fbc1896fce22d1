//! Writing frames.

use tandem_games::frame;

use super::{MARKER, Mark, payload};
use crate::data::formats::Writer;
use crate::data::io::{Target, UnitWriter};
use crate::data::{DataError, Record};

/// Longer notes are cut.
const MAX_NOTE: usize = 4096;

/// Writes Tandem's games, a frame for each.
pub struct GamesWriter<T: Target> {
    out: UnitWriter<T>,
    frame: Vec<u8>,
}

impl<T: Target + Send> GamesWriter<T> {
    /// Writes to that target; the name is for errors.
    pub fn new(target: T, file: &str) -> Self {
        Self { out: UnitWriter::new(target, file), frame: Vec::new() }
    }

    fn add(&mut self, payload: &[u8], games: u64) -> Result<(), DataError> {
        self.frame.clear();
        frame::wrap(MARKER, payload, &mut self.frame);
        self.out.add(&self.frame, games)
    }

    #[cfg(test)]
    pub(crate) fn into_target(self) -> T
    where
        T: Default,
    {
        self.out.into_target()
    }
}

impl<T: Target + Send> Writer for GamesWriter<T> {
    fn write(&mut self, record: &Record) -> Result<(), DataError> {
        self.add(&payload::game(record), 1)
    }

    fn note(&mut self, text: &str) -> Result<(), DataError> {
        self.add(&payload::note(&text[..text.floor_char_boundary(MAX_NOTE)]), 0)
    }

    fn mark(&mut self, mark: &Mark) -> Result<(), DataError> {
        self.add(&payload::mark(mark), 0)
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
    use tandem_chess::Random;

    use super::*;
    use crate::data::formats::{GamesReader, Reader as _};
    use crate::data::testing::{random_record, read_all};

    fn records(count: usize) -> Vec<Record> {
        let mut random = Random::new(11);
        (0..count).map(|_| random_record(&mut random, true)).collect()
    }

    fn write(records: &[Record]) -> Vec<u8> {
        let mut writer = GamesWriter::new(Vec::new(), "data");
        writer.note("made for a test").unwrap();
        for record in records {
            writer.write(record).unwrap();
        }
        writer.into_target()
    }

    fn read(bytes: &[u8]) -> Vec<Result<Record, String>> {
        read_all(GamesReader::new(bytes, "data"))
    }

    #[test]
    fn games_come_back_as_they_were() {
        let records = records(300);
        let bytes = write(&records);
        let games: Vec<_> = read(&bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(games, records);
        let positions: usize = records.iter().map(Record::positions).sum();
        assert!(bytes.len() < 7 * positions, "{} bytes, {positions} positions", bytes.len());
    }

    #[test]
    fn joined_files_are_a_file_and_notes_are_heard_once() {
        let records = records(5);
        let bytes = write(&records).repeat(3);
        let mut reader = GamesReader::new(bytes.as_slice(), "data");
        let mut count = 0;
        while reader.next_game().unwrap().is_some() {
            count += 1;
        }
        assert_eq!((count, reader.notes()), (15, ["made for a test".to_owned()].as_slice()));
    }

    #[test]
    fn a_file_cut_anywhere_gives_its_whole_games_and_the_place_of_the_cut() {
        let records = records(6);
        let bytes = write(&records);
        let mut ends = vec![write(&[]).len()];
        ends.extend((1..=records.len()).map(|count| write(&records[..count]).len()));
        for length in ends[0]..bytes.len() {
            let whole = ends.iter().rposition(|&end| end <= length).unwrap();
            let games = read(&bytes[..length]);
            for (game, record) in games.iter().zip(&records[..whole]) {
                assert_eq!(game.as_ref(), Ok(record));
            }
            if length == ends[whole] {
                assert_eq!(games.len(), whole);
            } else {
                assert_eq!(games.len(), whole + 1);
                let error = games[whole].as_ref().unwrap_err();
                let place = format!("data: damaged at byte {}: the file ends", ends[whole]);
                assert!(error.starts_with(&place), "{error}");
            }
        }
    }

    #[test]
    fn every_flipped_bit_costs_one_game_and_is_named() {
        let records = records(5);
        let bytes = write(&records);
        let mut random = Random::new(3);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << random.below(8);
            let games = read(&damaged);
            let errors: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
            assert_eq!(errors.len(), 1, "byte {at}: {errors:?}");
            assert!(errors[0].starts_with("data: damaged at byte "), "{}", errors[0]);
            let sound: Vec<_> = games.iter().filter_map(|game| game.as_ref().ok()).collect();
            // The first frame is the note; its loss costs no game.
            assert!(sound.len() >= records.len() - 1, "byte {at}");
            assert!(sound.iter().all(|game| records.contains(game)), "byte {at}");
        }
    }

    #[test]
    fn bytes_in_between_are_passed_over_and_named() {
        let records = records(2);
        let (first, second) = (write(&records[..1]), write(&records[1..]));
        let mut random = Random::new(8);
        for length in [1, 3, 4, 11, 12, 13, 500, 300_000] {
            let mut bytes = first.clone();
            bytes.extend((0..length).map(|_| random.bits() as u8));
            bytes.extend(&second);
            let games = read(&bytes);
            assert_eq!(games[0], Ok(records[0].clone()));
            assert_eq!(games[2], Ok(records[1].clone()));
            let error = games[1].as_ref().unwrap_err();
            let (from, to) = (first.len(), first.len() + length);
            assert!(error.starts_with(&format!("data: damaged at byte {from}: ")), "{error}");
            assert!(error.ends_with(&format!("(the data go on at byte {to})")), "{error}");
        }
    }

    #[test]
    fn random_bytes_hold_no_game() {
        let mut random = Random::new(4);
        for length in 1..600 {
            let bytes: Vec<_> = (0..length).map(|_| random.bits() as u8).collect();
            let games = read(&bytes);
            assert_eq!(games.len(), 1);
            let place = "data: damaged at byte 0: ";
            assert!(games[0].as_ref().unwrap_err().starts_with(place));
        }
    }

    #[test]
    fn a_sound_frame_around_nonsense_is_refused() {
        let mut random = Random::new(6);
        let good = payload::game(&records(1)[0]);
        for at in 0..good.len() {
            let mut payload = good.clone();
            payload[at] = payload[at].wrapping_add(1 + random.below(255) as u8);
            // Whatever comes of it, the reader does not fall.
            let _ = payload::read(&payload);
            let cut = payload::read(&good[..at]);
            assert!(cut.is_err(), "{at}");
        }
        let mut longer = good.clone();
        longer.push(0);
        assert!(payload::read(&longer).is_err());
        assert!(payload::read(&[9, 9]).unwrap_err().contains("unknown kind 9"));
        assert!(payload::read(&[1, 0xff]).unwrap_err().contains("UTF-8"));
    }
}
