//! Teachers: who says what a position is worth.

mod line;
mod network;
mod search;
mod uci;

pub use network::NetworkLabeller;
pub use search::SearchLabeller;
pub use uci::{UciLabeller, UciTeacher};

use tandem_chess::{Move, Position};
use tandem_engine::Score;
use tandem_nnue::WinRate;
use thiserror::Error;

/// A mate on the board, for the side that gave it; further away it is one less for each ply.
const MATE: i32 = 32_000;

/// A shown score in the internal unit. Hundredths of a pawn, turned back into it, are off by two at
/// most.
#[must_use]
pub fn internal(score: Score, position: &Position) -> i32 {
    match score {
        Score::Centipawns(shown) => WinRate::of(position).value(shown),
        Score::Mate(plies) if plies > 0 => MATE - plies,
        Score::Mate(plies) => -MATE - plies,
    }
}

/// Why a teacher gave no score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the teacher gives no score: {0}")]
pub struct LabelError(pub String);

/// Gives scores along a game. It follows the line move by move, so that what it has computed for one
/// position serves the next.
pub trait Labeller: Send {
    /// Begins a new game with that position.
    ///
    /// # Errors
    /// The teacher is gone.
    fn begin(&mut self, start: &Position) -> Result<(), LabelError>;

    /// Goes on by a legal move.
    fn push(&mut self, m: Move);

    /// Takes back the last move.
    fn pop(&mut self);

    /// The score of the position at the end of the line for its side to move, in the engine's
    /// internal unit; none if the teacher failed and can go on with other positions.
    ///
    /// # Errors
    /// The teacher is gone.
    fn score(&mut self) -> Result<Option<i32>, LabelError>;
}
