//! A board printed for people.

use std::fmt::Write as _;

use crate::{Position, Square};

/// How the pieces of a printed board look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Letters as in FEN, which every terminal shows.
    Letters,
    /// Unicode chess figurines.
    Figurines,
}

impl Position {
    /// The board as lines of text, White below, with files and ranks named.
    #[must_use]
    pub fn board(&self, style: Style) -> String {
        const RULE: &str = "  +---+---+---+---+---+---+---+---+\n";
        let mut text = String::from(RULE);
        for rank in (0..8).rev() {
            write!(text, "{} ", rank + 1).expect("a string takes everything");
            for file in 0..8 {
                let shown = match (self.piece_on(Square::new(file, rank)), style) {
                    (None, _) => ' ',
                    (Some(piece), Style::Letters) => piece.letter(),
                    (Some(piece), Style::Figurines) => piece.figurine(),
                };
                write!(text, "| {shown} ").expect("a string takes everything");
            }
            text.push_str("|\n");
            text.push_str(RULE);
        }
        text.push_str("    a   b   c   d   e   f   g   h\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles_show_every_piece_in_its_place() {
        let position = Position::startpos();
        let letters = position.board(Style::Letters);
        let rows: Vec<_> = letters.lines().filter(|line| line.contains('|')).collect();
        assert_eq!(rows[0], "8 | r | n | b | q | k | b | n | r |");
        assert_eq!(rows[6], "2 | P | P | P | P | P | P | P | P |");
        let figurines = position.board(Style::Figurines);
        assert!(figurines.contains("8 | ♜ | ♞ | ♝ | ♛ | ♚ | ♝ | ♞ | ♜ |"));
        assert!(figurines.contains("1 | ♖ | ♘ | ♗ | ♕ | ♔ | ♗ | ♘ | ♖ |"));
    }
}
