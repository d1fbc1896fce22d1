//! The rules of chess, complete and fast: what every other part of Tandem stands on.

pub mod attacks;
mod bitboard;
mod color;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use moves::{Move, MoveKind, MoveList, MoveSet, Moves, Origin};
pub use piece::{Piece, PieceType};
pub use square::{Square, SquareError};
