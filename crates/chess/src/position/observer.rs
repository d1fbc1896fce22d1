//! What a move changes on the board, told to whoever keeps something in step with it.

use crate::{Piece, Square};

/// Follows the piece changes of [`Position::make`](crate::Position::make), so that accumulators
/// and the like stay up to date without the board knowing them.
pub trait Observer {
    /// A piece appears on an empty square.
    fn put(&mut self, piece: Piece, square: Square);

    /// A piece disappears from a square.
    fn take(&mut self, piece: Piece, square: Square);

    /// A piece goes from one square to another, empty one.
    #[inline]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.take(piece, from);
        self.put(piece, to);
    }
}

/// Nobody is watching.
impl Observer for () {
    #[inline]
    fn put(&mut self, _piece: Piece, _square: Square) {}

    #[inline]
    fn take(&mut self, _piece: Piece, _square: Square) {}
}
