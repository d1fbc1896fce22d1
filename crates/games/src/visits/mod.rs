//! Games with what the search knew before each move: its value and how often it tried every move.
//!
//! A file is a sequence of frames and nothing else, so files can be joined by `cat`. A frame is the
//! marker `TDV1`, the length of its payload and the payload's CRC-32 (both 32 bits), and the payload: a
//! note about the file, with which every file begins, or a whole game. `docs/training-data.md` describes
//! every byte.

mod payload;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::io;
use std::path::PathBuf;

use tandem_chess::{Move, MoveList, PieceType, Position};
use thiserror::Error;

pub use reader::{VisitsReader, places};
pub use writer::{VisitsWriter, note};

use crate::end::End;
use crate::frame::Marker;
use crate::play::{Played, PlayedGame};
use crate::player;
use crate::statistics::GameScore;

/// Begins every frame.
const MARKER: Marker = *b"TDV1";

/// Values count in these parts of one.
const FRACTION: f32 = 10_000.0;

/// Why records cannot be read or written.
#[derive(Debug, Error)]
pub enum VisitsError {
    /// The system refuses.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is not as it was written.
    #[error("{0}: damaged at byte {1}: {2}")]
    Damaged(PathBuf, u64, String),
    /// A game that should be there is not.
    #[error("{0}: at byte {1} game {2} is missing; choose another name with --out to begin anew")]
    Missing(PathBuf, u64, u64),
    /// No frame has room for the game.
    #[error("{0}: game {1} is too long to be kept")]
    TooLong(PathBuf, u64),
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedGame {
    /// Its number in the work that it belongs to.
    pub number: u64,
    /// Where it began.
    pub start: Position,
    /// Its moves.
    pub steps: Vec<Step>,
    /// The result for White.
    pub white: GameScore,
    /// How it ended.
    pub end: End,
}

/// A move, and what was known before it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub m: Move,
    /// What the position was worth for the side that moved; none for moves from a book.
    pub value: Option<Value>,
    /// The moves that were tried and how often, in the order of [`in_order`]; empty for moves from a book
    /// and for searches that do not count.
    pub visits: Vec<(Move, u64)>,
}

/// What a position was worth, in ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The chance to win less the chance to lose.
    pub q: i16,
    /// The chance of a draw.
    pub draw: u16,
}

impl From<player::Value> for Value {
    fn from(value: player::Value) -> Self {
        Self {
            q: (value.q.clamp(-1.0, 1.0) * FRACTION).round() as i16,
            draw: (value.draw.clamp(0.0, 1.0) * FRACTION).round() as u16,
        }
    }
}

impl Step {
    /// A move as a player made it.
    fn played(played: &Played) -> Self {
        let mut visits = played.insight.visits.clone();
        visits.sort_by_key(|&(m, _)| place(m));
        Self { m: played.m, value: played.insight.value.map(Value::from), visits }
    }
}

impl VisitedGame {
    /// A game as it was played; none if a fault ended it.
    #[must_use]
    pub fn new(number: u64, game: &PlayedGame) -> Option<Self> {
        let book =
            game.opening.moves().iter().map(|&m| Step { m, value: None, visits: Vec::new() });
        Some(Self {
            number,
            start: *game.opening.start(),
            steps: book.chain(game.moves.iter().map(Step::played)).collect(),
            white: game.ending.score(),
            end: End::of(&game.ending)?,
        })
    }
}

/// The legal moves in the order of the file: by the square that they come from, the one that they go to,
/// and what a pawn becomes. It does not depend on how moves are generated.
#[must_use]
pub fn in_order(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_by_key(|&m| place(m));
    moves
}

fn place(m: Move) -> (usize, usize, usize) {
    (m.from().index(), m.to().index(), m.becomes().map_or(0, PieceType::index))
}
