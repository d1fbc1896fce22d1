//! Moves: one alone, sets that share an origin, and lists.

mod chess_move;
mod full_move;
mod move_set;

pub use chess_move::{Move, MoveKind};
pub use full_move::FullMove;
pub use move_set::{MoveSet, Moves, Origin};

/// Room for every legal move of any position: the most that is known is 218.
pub type MoveList = arrayvec::ArrayVec<Move, 256>;
