//! Which kind of castling a position has.

use tandem_chess::{Color, Position};

/// Whether castling, if there still is any, is that of standard chess.
pub fn has_standard_castling(position: &Position) -> bool {
    position.castling_rooks().into_iter().all(|rook| {
        let color = if rook.rank() == 0 { Color::White } else { Color::Black };
        matches!(rook.file(), 0 | 7) && position.king(color).file() == 4
    })
}
