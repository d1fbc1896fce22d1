//! The rules of chess, complete and fast: what every other part of Tandem stands on.
//!
//! ```
//! use tandem_chess::Position;
//!
//! let position = Position::startpos();
//! let m = position.parse_san("e4")?;
//! assert_eq!(position.after(m).legal_moves().len(), 20);
//! # Ok::<(), tandem_chess::MoveTextError>(())
//! ```

pub mod attacks;
mod bitboard;
mod color;
mod game;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod random;
mod repetition;
mod square;
mod tablebase;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use game::{Game, IllegalMove, Outcome};
pub use moves::{FullMove, Move, MoveKind, MoveList, MoveSet, Moves, Origin};
pub use notation::{CastlingNotation, FenError, MoveTextError, Style};
pub use perft::{perft, perft_divide, perft_parallel, perft_until};
pub use piece::{Piece, PieceType};
pub use position::{Builder, Checks, Observer, Position, PositionError, see};
pub use random::Random;
pub use repetition::KeyHistory;
pub use square::{Square, SquareError};
pub use tablebase::{RankedMove, RankedMoves, Tablebase, Wdl};
