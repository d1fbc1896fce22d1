//! Positions and moves as text, in and out.

mod board;
mod fen;
mod san;
mod uci;

pub use board::Style;
pub use fen::FenError;
pub use uci::{CastlingNotation, MoveTextError};

/// At most this many characters of a user's text are repeated in an error.
const QUOTED: usize = 40;

/// A piece of the user's text, made printable and short enough for a sentence.
pub(crate) fn quote(text: &str) -> String {
    let mut letters = text.chars().flat_map(char::escape_debug);
    let mut shown: String = letters.by_ref().take(QUOTED).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}
