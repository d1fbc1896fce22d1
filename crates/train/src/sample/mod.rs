//! One position to learn from, in 32 bytes.

mod rows;

pub(crate) use rows::{BUCKET_ROWS, KING_BUCKETS, REAL_ROWS, VIRTUAL_ROWS, virtual_row};

use bytemuck::{Pod, Zeroable};
use tandem_chess::{Color, PieceType, Position, Square};
use tandem_nnue::Outputs;

use self::rows::View;

/// How a game ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// The side to move lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The side to move won.
    Win,
    /// The position is off the line of any game: only its score says something about it.
    Unknown,
}

impl GameResult {
    /// The result as seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Points: 0, a half or 1.
    pub(crate) const fn points(self) -> Option<f32> {
        match self {
            Self::Loss => Some(0.0),
            Self::Draw => Some(0.5),
            Self::Win => Some(1.0),
            Self::Unknown => None,
        }
    }
}

/// A position as the network sees it, with what it should learn: a score, the game's result, or
/// both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Sample {
    /// The squares that are not empty, from the side to move's edge of the board.
    occupied: u64,
    /// Four bits for each of them, the first in the low half of a byte: the kind of piece, and 8 if
    /// it is the opponent's.
    pieces: [u8; 16],
    score: i16,
    /// What the program multiplies the network's output by in this position, in units of 2^-14.
    scale: u16,
    result: u8,
    unused: [u8; 3],
}

/// The most pieces that a sample has room for.
const MAX_PIECES: u32 = 32;
/// One in the units of [`Sample::scale`].
const SCALE_ONE: f32 = 16384.0;
const ENEMY: u8 = 8;

impl Sample {
    /// The sample of a position with a score in the engine's internal unit (a pawn is worth about
    /// 208) and the game's result, both from the side to move's view. None where more pieces than
    /// 32 are on the board.
    #[must_use]
    pub fn new(position: &Position, score: i32, result: GameResult) -> Option<Self> {
        if position.occupied().count() > MAX_PIECES {
            return None;
        }
        let us = position.side_to_move();
        let (flip, squares) = match us {
            Color::White => (0, position.occupied()),
            Color::Black => (56, position.occupied().flip_ranks()),
        };
        let (mut occupied, mut pieces, mut count) = (0, [0; 16], 0);
        for square in squares {
            let index = square.index() as u8;
            let Some(piece) = position.piece_on(Square::from_index(index ^ flip)) else { continue };
            let code = piece.kind().index() as u8 | if piece.color() == us { 0 } else { ENEMY };
            occupied |= 1 << index;
            pieces[count / 2] |= code << (4 * (count % 2));
            count += 1;
        }
        Some(Self {
            occupied,
            pieces,
            score: score.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            scale: (scale(position) * SCALE_ONE).round() as u16,
            result: result as u8,
            unused: [0; 3],
        })
    }

    /// The score from the side to move's view.
    #[must_use]
    pub fn score(&self) -> i32 {
        self.score.into()
    }

    /// The game's result for the side to move.
    #[must_use]
    pub fn result(&self) -> GameResult {
        match self.result {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            2 => GameResult::Win,
            _ => GameResult::Unknown,
        }
    }

    /// What the program multiplies the network's output by.
    pub(crate) fn scale(&self) -> f32 {
        f32::from(self.scale) / SCALE_ONE
    }

    /// The layer stack that evaluates the position.
    pub(crate) fn stack(&self) -> usize {
        (self.occupied.count_ones() as usize - 1) / 4
    }

    /// Calls back with the square, kind and owner (true: the opponent) of every piece.
    fn for_each_piece(&self, mut f: impl FnMut(u8, u8, bool)) {
        let mut left = self.occupied;
        let mut count = 0;
        while left != 0 {
            let code = self.pieces[count / 2] >> (4 * (count % 2));
            f(left.trailing_zeros() as u8, code & 7, code & ENEMY != 0);
            left &= left - 1;
            count += 1;
        }
    }

    /// The rows of the features as the side to move and its opponent see them: for each the king's
    /// bucket, and rows within it.
    pub(crate) fn rows(&self, rows: &mut [Vec<u16>; 2]) -> [u8; 2] {
        const KING: u8 = PieceType::King as u8;
        let mut kings = [0; 2];
        self.for_each_piece(|square, kind, is_enemy| {
            if kind == KING {
                kings[usize::from(is_enemy)] = square;
            }
        });
        let views = [View::new(kings[0], false), View::new(kings[1], true)];
        rows.iter_mut().for_each(Vec::clear);
        self.for_each_piece(|square, kind, is_enemy| {
            for (view, rows) in views.iter().zip(rows.iter_mut()) {
                rows.push(view.row(square, kind, is_enemy));
            }
        });
        views.map(|view| view.bucket)
    }
}

/// What the program's final score multiplies the network's output by: more with material on the
/// board, less as the fifty-move rule comes near.
fn scale(position: &Position) -> f32 {
    // Both outputs equal, so that they are not taken for a sign of an unclear position.
    const PROBE: i32 = 4000;
    let outputs = Outputs { psqt: 16 * PROBE, positional: 16 * PROBE };
    outputs.score(position).value() as f32 / (2 * PROBE) as f32
}

#[cfg(test)]
mod tests {
    use tandem_nnue::{Architecture, FeatureSet, Features};

    use super::*;
    use crate::testing::random_positions;

    #[test]
    fn a_sample_has_the_features_of_its_position() {
        let shape = Architecture::new(FeatureSet::HalfKa, 128).unwrap();
        let mut rows = [Vec::new(), Vec::new()];
        for position in random_positions(1, 500) {
            let sample = Sample::new(&position, 0, GameResult::Draw).unwrap();
            let buckets = sample.rows(&mut rows);
            let us = position.side_to_move();
            for (side, color) in [us, !us].into_iter().enumerate() {
                let mut expected = Features::of(&position, color, shape).pieces;
                let base = u32::from(buckets[side]) * BUCKET_ROWS as u32;
                let mut found: Vec<_> = rows[side].iter().map(|&r| base + u32::from(r)).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{position}");
            }
            assert_eq!(sample.stack(), (position.occupied().count() as usize - 1) / 4);
        }
    }

    #[test]
    fn the_scale_is_the_program_s() {
        for position in random_positions(2, 200) {
            let sample = Sample::new(&position, 0, GameResult::Draw).unwrap();
            for half in [-700, -90, 50, 1200] {
                let outputs = Outputs { psqt: 16 * half, positional: 16 * half };
                let expected = outputs.score(&position).value() as f32;
                let found = sample.scale() * 2.0 * half as f32;
                assert!((found - expected).abs() <= 1.5, "{position}: {found} {expected}");
            }
        }
    }

    #[test]
    fn what_is_put_in_comes_out() {
        use GameResult::{Draw, Loss, Unknown, Win};

        let position = Position::startpos();
        for result in [Loss, Draw, Win, Unknown] {
            let sample = Sample::new(&position, -321, result).unwrap();
            assert_eq!((sample.score(), sample.result()), (-321, result));
            let both = result.points().zip(result.reversed().points());
            assert_eq!(both.map(|(one, other)| one + other), (result != Unknown).then_some(1.0));
        }
        let sample = Sample::new(&position, 1_000_000, GameResult::Win).unwrap();
        assert_eq!(sample.score(), 32767);
    }
}
