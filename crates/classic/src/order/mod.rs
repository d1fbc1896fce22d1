//! In which order the moves of a node are tried. Alpha-beta is the better the earlier it meets the
//! move that refutes a line.

mod captures_first;
mod informed;

pub use captures_first::CapturesFirst;
pub use informed::{Experience, Informed, is_tactical};

use tandem_chess::{Move, Position};

use crate::Rules;

/// What a search already knows about a node when it looks for an order.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// The best move of an earlier search of the same position.
    pub table_move: Option<Move>,
    /// What refuted other lines.
    pub experience: &'a Experience,
    /// How far the node is from the root.
    pub ply: usize,
}

/// An order of the legal moves.
pub trait Order: Sized {
    /// Whether the order gets better if cutoffs are noted in the [`Experience`].
    const LEARNS: bool;

    /// Takes from the hints what it needs.
    fn new<R: Rules>(position: &Position, hints: Hints) -> Self;

    /// Calls `visit` with each legal move, in order, until it answers with an error. (The
    /// innermost loop of the program is twice as fast this way round as with an iterator.)
    ///
    /// # Errors
    /// What `visit` returned.
    fn visit<R: Rules, E>(
        self,
        position: &Position,
        visit: impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E>;
}
