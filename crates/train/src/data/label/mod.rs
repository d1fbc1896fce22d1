//! Teachers: who says what a position is worth.

mod network;
mod search;

pub use network::NetworkLabeller;
pub use search::SearchLabeller;

use tandem_chess::{Move, Position};
use thiserror::Error;

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
    /// internal unit.
    ///
    /// # Errors
    /// The teacher is gone or does not answer.
    fn score(&mut self) -> Result<i32, LabelError>;
}
