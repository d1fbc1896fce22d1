//! bulletformat: single positions in 32 bytes, as the trainer bullet reads them.

use std::io::Read;

use tandem_chess::{Bitboard, Builder, Color, Piece, PieceType, Position, Square};

use super::{Reader, Writer, board, lost};
use crate::data::io::{Target, UnitWriter, Window};
use crate::data::{DataError, GameResult, Label, Record, Recorder, Sample};

const SIZE: usize = 32;

/// Reads bulletformat. Each position becomes a record without moves in which White is to move: the
/// format keeps the board as the side to move sees it, without castling, en passant and counters.
///
/// A record that is no position is damage, behind which the next one is read. There are no
/// checksums: a changed score or a piece changed into another cannot be noticed.
pub struct BulletReader<R> {
    input: Window<R>,
}

impl<R: Read + Send> BulletReader<R> {
    /// Reads that stream; the name is for errors.
    pub fn new(input: R, file: &str) -> Self {
        Self { input: Window::new(input, file) }
    }
}

impl<R: Read + Send> Reader for BulletReader<R> {
    fn next_game(&mut self) -> Result<Option<Record>, DataError> {
        let offset = self.input.offset();
        let bytes = self.input.look(SIZE)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let Some(bytes) = bytes.first_chunk() else {
            let error = self.input.damage(offset, false, "the file ends within a position");
            self.input.give_up();
            return Err(error);
        };
        let read = unpack(bytes);
        self.input.take(SIZE);
        match read {
            Ok(record) => Ok(Some(record)),
            Err(reason) => Err(self.input.damage(offset, true, reason)),
        }
    }

    fn offset(&self) -> u64 {
        self.input.offset()
    }
}

fn unpack(bytes: &[u8; SIZE]) -> Result<Record, String> {
    let mut parts = Builder::empty();
    for (square, code) in board::pieces(bytes)? {
        if code & 7 > 5 {
            return Err(format!("an unknown piece on {square}"));
        }
        let piece = Piece::new(Color::from_bit(code >> 3), PieceType::from_index(code & 7));
        parts.board[square.index()] = Some(piece);
    }
    let position = parts.build().map_err(|error| format!("an impossible position: {error}"))?;
    if bytes[27..29] != kings(&position) {
        return Err("kings that stand elsewhere than the position says".into());
    }
    let result = GameResult::from_index(bytes[26])
        .ok_or_else(|| format!("a result number {}, expected 0 to 2", bytes[26]))?;
    let score = i16::from_le_bytes([bytes[24], bytes[25]]);
    let mut recorder = Recorder::new(position);
    let label = Some(Label::new(Color::White, i32::from(score)));
    recorder.branch(&[], label).map_err(|error| error.to_string())?;
    Ok(recorder.finish(result))
}

/// Both kings' squares as their own sides see them; White is the side to move.
fn kings(position: &Position) -> [u8; 2] {
    let [white, black] = Color::ALL.map(|color| position.king(color));
    [white, black.flip_rank()].map(|square| square.index() as u8)
}

fn pack(sample: &Sample<'_>, score: i16) -> [u8; SIZE] {
    let (position, us) = (sample.position, sample.position.side_to_move());
    let seen = |square: Square| if us == Color::White { square } else { square.flip_rank() };
    let occupied: Bitboard = position.occupied().into_iter().map(seen).collect();
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (i, square) in occupied.into_iter().enumerate() {
        // Looking twice from the other side is looking from one's own.
        let Some(piece) = position.piece_on(seen(square)) else { continue };
        let code = piece.kind() as u8 | u8::from(piece.color() != us) << 3;
        bytes[8 + i / 2] |= code << (4 * (i % 2));
    }
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = sample.half_points();
    bytes[27] = seen(position.king(us)).index() as u8;
    bytes[28] = seen(position.king(!us)).flip_rank().index() as u8;
    bytes
}

/// Writes bulletformat: every position that has a score.
pub struct BulletWriter<T: Target> {
    out: UnitWriter<T>,
    written: u64,
    unscored: u64,
}

impl<T: Target + Send> BulletWriter<T> {
    /// Writes to that target; the name is for errors.
    pub fn new(target: T, file: &str) -> Self {
        Self { out: UnitWriter::new(target, file), written: 0, unscored: 0 }
    }
}

impl<T: Target + Send> Writer for BulletWriter<T> {
    fn write(&mut self, record: &Record) -> Result<(), DataError> {
        let mut unit = Vec::with_capacity(SIZE * record.positions());
        record.visit(|sample| match sample.score() {
            Some(score) => unit.extend(pack(sample, score)),
            None => self.unscored += 1,
        });
        self.written += (unit.len() / SIZE) as u64;
        self.out.add(&unit, 1)
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

    fn losses(&self) -> Vec<String> {
        let mut losses = lost(self.unscored, "they have no score");
        if self.written > 0 {
            losses.push(
                "moves, castling rights, en-passant squares and counters are not part of bulletformat"
                    .into(),
            );
        }
        losses
    }
}

#[cfg(test)]
mod tests {
    use bulletformat::ChessBoard;
    use tandem_chess::Random;

    use super::*;
    use crate::data::testing::random_record;

    fn write(record: &Record) -> Vec<u8> {
        let mut writer = BulletWriter::new(Vec::new(), "data");
        writer.write(record).unwrap();
        writer.out.into_target()
    }

    #[test]
    fn the_published_crate_makes_the_same_bytes_of_the_same_positions() {
        let mut random = Random::new(21);
        for _ in 0..60 {
            let record = random_record(&mut random, true);
            let mut theirs = Vec::new();
            record.visit(|sample| {
                let white = sample.label.unwrap().for_side(Color::White);
                let result = ["0.0", "0.5", "1.0"][sample.result.index()];
                let line = format!("{} | {white} | {result}", sample.position);
                let board: ChessBoard = line.parse().unwrap();
                theirs.extend(board.occ.to_le_bytes());
                theirs.extend(board.pcs);
                theirs.extend(board.score.to_le_bytes());
                theirs.extend([board.result, board.ksq, board.opp_ksq, 0, 0, 0]);
            });
            assert_eq!(write(&record), theirs);
        }
    }

    #[test]
    fn positions_come_back_as_the_side_to_move_sees_them() {
        let record = random_record(&mut Random::new(5), true);
        let bytes = write(&record);
        let mut reader = BulletReader::new(bytes.as_slice(), "data");
        record.visit(|sample| {
            let read = reader.next_game().unwrap().unwrap();
            assert_eq!((read.positions(), read.plies().len()), (1, 0));
            read.visit(|again| {
                assert_eq!(again.score(), sample.score());
                assert_eq!(again.half_points(), sample.half_points());
                assert_eq!(again.position.occupied().count(), sample.position.occupied().count());
                assert_eq!(pack(again, 7), pack(sample, 7));
            });
        });
        assert!(reader.next_game().unwrap().is_none());
    }

    #[test]
    fn damaged_positions_are_named_and_the_others_are_read() {
        let record = random_record(&mut Random::new(2), true);
        let bytes = write(&record);
        let count = record.positions();
        for (at, value, reason) in
            [(32, 0, "an impossible position"), (58, 9, "a result number 9"), (59, 64, "kings")]
        {
            let mut damaged = bytes.clone();
            damaged[at..at + if at == 32 { 8 } else { 1 }].fill(value);
            let mut reader = BulletReader::new(damaged.as_slice(), "data");
            let mut sound = 0;
            let mut errors = Vec::new();
            loop {
                match reader.next_game() {
                    Ok(Some(_)) => sound += 1,
                    Ok(None) => break,
                    Err(error) => errors.push(error.to_string()),
                }
            }
            assert_eq!((sound, errors.len()), (count - 1, 1));
            let start = format!("data: damaged at byte 32: {reason}");
            assert!(errors[0].starts_with(&start), "{}", errors[0]);
        }
        for length in bytes.len() - 31..bytes.len() {
            let mut reader = BulletReader::new(&bytes[..length], "data");
            for _ in 1..count {
                assert!(reader.next_game().unwrap().is_some());
            }
            let error = reader.next_game().unwrap_err().to_string();
            let place = format!("data: damaged at byte {}: the file ends", bytes.len() - 32);
            assert!(error.starts_with(&place), "{error}");
            assert!(reader.next_game().unwrap().is_none());
        }
    }

    #[test]
    fn random_bytes_are_refused_record_by_record() {
        let mut random = Random::new(13);
        let bytes: Vec<_> = (0..32 * 200).map(|_| random.bits() as u8).collect();
        let mut reader = BulletReader::new(bytes.as_slice(), "data");
        for _ in 0..200 {
            assert!(reader.next_game().is_err());
        }
        assert!(reader.next_game().unwrap().is_none());
    }
}
