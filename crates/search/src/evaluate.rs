//! What a search asks of an evaluation.

use tandem_chess::Position;

/// The evaluation of one thread. It follows the line that the search looks at, so that what it
/// has computed for one position serves the next.
pub trait Evaluate: Send {
    /// A game begins that has nothing to do with those before: what they taught is forgotten.
    fn new_game(&mut self) {}

    /// Another position is going to be searched. Told to one thread alone.
    fn new_search(&mut self) {}

    /// Begins a new line with that position.
    fn reset(&mut self, position: &Position);

    /// Goes on to the position after a move or a null move.
    fn push(&mut self, after: &Position);

    /// Goes back to the position before.
    fn pop(&mut self);

    /// The score of the position at the end of the line, for its side to move.
    fn evaluate(&mut self, position: &Position) -> i32;

    /// A score in hundredths of a pawn, as people read it.
    fn centipawns(&self, value: i32, position: &Position) -> i32;

    /// Win, draw and loss in thousandths for the side to move, if the evaluation knows.
    fn wdl(&self, value: i32, position: &Position) -> Option<[u16; 3]>;

    /// For how many positions a score has really been computed so far, by a network or by the plain
    /// evaluation: what was remembered or follows from a rule is not counted.
    fn evaluations(&self) -> u64;
}
