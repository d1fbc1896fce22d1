//! The same position with colours changed.

use super::{Builder, Position, PositionError};
use crate::{Piece, Square};

impl Position {
    /// The position seen from the other side: ranks mirrored, colours changed, the other side to
    /// move. It has the same moves and deserves the same score.
    ///
    /// # Errors
    /// Never for a legal position; the sentence would say what became impossible.
    pub fn flipped(&self) -> Result<Self, PositionError> {
        let mut parts = Builder::of(self);
        for (square, piece) in Square::all().zip(self.board) {
            parts.board[square.flip_rank().index()] =
                piece.map(|piece| Piece::new(!piece.color(), piece.kind()));
        }
        parts.side = !self.side;
        parts.castling = self.castling.flip_ranks();
        parts.en_passant = self.en_passant.map(Square::flip_rank);
        parts.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_flipped_is_the_same_and_once_has_as_many_moves() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position: Position = fen.parse().unwrap();
            let flipped = position.flipped().unwrap();
            assert_eq!(flipped.count_legal(), position.count_legal());
            assert_eq!(flipped.flipped().unwrap(), position);
        }
    }
}
