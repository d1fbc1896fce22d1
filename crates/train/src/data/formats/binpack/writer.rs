//! Writing chains into chunks.

use super::{HEADER, MAGIC, chain};
use crate::data::formats::{Writer, lost};
use crate::data::io::{Target, UnitWriter};
use crate::data::{DataError, Record};

/// A chunk is closed when it has grown to this.
const CHUNK: usize = 1 << 20;

/// Writes binpack. Positions off the line of a game have no move and are left out.
pub struct BinpackWriter<T: Target> {
    out: UnitWriter<T>,
    chunk: Vec<u8>,
    games: u64,
    off_line: u64,
}

impl<T: Target + Send> BinpackWriter<T> {
    /// Writes to that target; the name is for errors.
    pub fn new(target: T, file: &str) -> Self {
        let out = UnitWriter::new(target, file);
        Self { out, chunk: Vec::new(), games: 0, off_line: 0 }
    }

    fn close_chunk(&mut self) -> Result<(), DataError> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let mut unit = Vec::with_capacity(HEADER + self.chunk.len());
        unit.extend(MAGIC);
        unit.extend((self.chunk.len() as u32).to_le_bytes());
        unit.append(&mut self.chunk);
        self.out.add(&unit, std::mem::take(&mut self.games))
    }

    #[cfg(test)]
    pub(crate) fn into_target(mut self) -> T
    where
        T: Default,
    {
        self.close_chunk().unwrap();
        self.out.into_target()
    }
}

impl<T: Target + Send> Writer for BinpackWriter<T> {
    fn write(&mut self, record: &Record) -> Result<(), DataError> {
        let before = self.chunk.len();
        if let Err(reason) = chain::put(record, &mut self.chunk) {
            self.chunk.truncate(before);
            return Err(DataError::Unfit { format: "binpack", reason });
        }
        self.games += 1;
        self.off_line += record.branches().len() as u64;
        if self.chunk.len() >= CHUNK { self.close_chunk() } else { Ok(()) }
    }

    fn hand_over(&mut self) -> Result<(), DataError> {
        self.out.write_out()
    }

    fn finish(&mut self) -> Result<(), DataError> {
        self.close_chunk()?;
        self.out.finish()
    }

    fn bytes(&self) -> u64 {
        self.out.len() + self.chunk.len() as u64
    }

    fn losses(&self) -> Vec<String> {
        lost(self.off_line, "they are off the line of their game, and no move is played in them")
    }
}

#[cfg(test)]
mod tests {
    use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter};
    use tandem_chess::{CastlingNotation, Color, Position, Random};

    use super::*;
    use crate::data::castling::has_standard_castling;
    use crate::data::formats::BinpackReader;
    use crate::data::testing::{random_record_from, read_all, start};
    use crate::data::{GameResult, Label, Recorder};

    /// Games of standard chess with at least one move.
    fn records(count: usize, seed: u64) -> Vec<Record> {
        let mut random = Random::new(seed);
        std::iter::from_fn(|| {
            let start = start(&mut random);
            let start = if has_standard_castling(&start) { start } else { Position::startpos() };
            Some(random_record_from(&mut random, start, false))
        })
        .filter(|record| !record.plies().is_empty())
        .take(count)
        .collect()
    }

    fn write(records: &[Record]) -> Vec<u8> {
        let mut writer = BinpackWriter::new(Vec::new(), "data");
        for record in records {
            writer.write(record).unwrap();
        }
        writer.into_target()
    }

    fn read(bytes: &[u8]) -> Vec<Result<Record, String>> {
        read_all(BinpackReader::new(bytes, "data"))
    }

    #[test]
    fn games_come_back_as_they_were() {
        let records = records(400, 1);
        let bytes = write(&records);
        let games: Vec<_> = read(&bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(games, records);
    }

    #[test]
    fn the_published_crate_reads_what_we_write_and_writes_what_we_read() {
        let records = records(200, 2);
        let bytes = write(&records);
        let mut theirs = CompressedTrainingDataEntryReader::from_slice(&bytes).unwrap();
        let mut again = CompressedTrainingDataEntryWriter::new_in_memory().unwrap();
        for record in &records {
            record.visit(|sample| {
                let entry = theirs.next();
                let (position, side) = (sample.position, sample.position.side_to_move());
                assert_eq!(entry.pos.fen().unwrap(), position.to_string());
                assert_eq!(Some(entry.score), sample.score());
                assert_eq!(entry.result, i16::from(sample.result.half_points(side)) - 1);
                assert_eq!(u32::from(entry.ply), sample.game_ply());
                let m = sample.m.unwrap();
                let uci = entry.mv.as_uci();
                let castling = position.uci(m, CastlingNotation::Chess960);
                assert!(uci == position.uci(m, CastlingNotation::Standard) || uci == castling);
                again.write_entry(&entry).unwrap();
            });
        }
        assert!(!theirs.has_next());
        assert_eq!(again.into_bytes().unwrap(), bytes, "their writer makes the same bytes");
    }

    #[test]
    fn a_missing_score_is_stockfishs_none() {
        let record = crate::data::testing::record("e2e4 e7e5 g1f3", GameResult::WhiteWins);
        let bytes = write(std::slice::from_ref(&record));
        let mut theirs = CompressedTrainingDataEntryReader::from_slice(&bytes).unwrap();
        for _ in 0..3 {
            assert_eq!(theirs.next().score, 32_002);
        }
        assert_eq!(read(&bytes), [Ok(record)]);
    }

    #[test]
    fn chess960_castling_rights_are_refused_and_nothing_is_written() {
        let start: Position =
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9".parse().unwrap();
        let mut recorder = Recorder::new(start);
        let m = start.legal_moves()[0];
        recorder.play(m, Some(Label::new(Color::White, 1))).unwrap();
        let mut writer = BinpackWriter::new(Vec::new(), "data");
        let error = writer.write(&recorder.finish(GameResult::Draw)).unwrap_err().to_string();
        assert_eq!(error, "binpack cannot carry this: castling rights of Chess960");
        assert_eq!(writer.bytes(), 0);
    }

    #[test]
    fn a_file_cut_anywhere_gives_its_whole_games_and_a_place() {
        let records = records(8, 3);
        let bytes = write(&records);
        for length in 1..bytes.len() {
            let games = read(&bytes[..length]);
            let (last, sound) = games.split_last().unwrap();
            let error = last.as_ref().unwrap_err();
            assert!(error.starts_with("data: damaged at byte "), "{error}");
            for (game, record) in sound.iter().zip(&records) {
                assert_eq!(game.as_ref(), Ok(record), "cut at {length}");
            }
        }
    }

    #[test]
    fn damage_to_a_chunk_costs_the_rest_of_it_and_the_next_is_read() {
        let (first, second) = (write(&records(20, 4)), write(&records(3, 5)));
        let joined: Vec<u8> = [first.clone(), second.clone()].concat();
        let mut random = Random::new(6);
        let mut noticed = 0;
        for _ in 0..2000 {
            let mut damaged = joined.clone();
            damaged[random.below(first.len())] = random.bits() as u8;
            let games = read(&damaged);
            noticed += usize::from(games.iter().any(Result::is_err));
            for record in records(3, 5) {
                assert!(games.contains(&Ok(record)));
            }
        }
        assert!(noticed > 1500, "{noticed}");
    }

    #[test]
    fn random_bytes_hold_no_game() {
        let mut random = Random::new(4);
        for length in 1..400 {
            let mut bytes: Vec<_> = (0..length).map(|_| random.bits() as u8).collect();
            assert!(read(&bytes).iter().all(Result::is_err));
            bytes.splice(0..0, *b"BINP\x40\0\0\0");
            assert!(read(&bytes).iter().any(Result::is_err));
        }
    }
}
