//! Moves as UCI writes them.

use thiserror::Error;

use super::quote;
use crate::{Move, PieceType, Position, Square};

/// How castling is written in UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CastlingNotation {
    /// The king's two steps, e1g1.
    #[default]
    Standard,
    /// King takes rook, e1h1, as `UCI_Chess960` demands.
    Chess960,
}

/// Why a text is no legal move here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveTextError {
    /// No move looks like that.
    #[error("'{0}' is no move: expected {1}")]
    Unreadable(String, &'static str),
    /// Readable, but the rules forbid it.
    #[error("'{0}' is not legal here: {1}")]
    Illegal(String, String),
    /// Several legal moves fit.
    #[error("'{0}' is ambiguous here: it could be {1}")]
    Ambiguous(String, String),
}

impl Position {
    /// The move as UCI text.
    #[must_use]
    pub fn uci(&self, m: Move, notation: CastlingNotation) -> String {
        if m.is_castling() && notation == CastlingNotation::Standard {
            format!("{}{}", m.from(), m.castled_king())
        } else {
            m.to_string()
        }
    }

    /// Reads a legal move in UCI text. Castling may be written either way.
    ///
    /// # Errors
    /// Says whether the text is no move at all or why the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveTextError> {
        const EXPECTED: &str = "squares and promotion as in e2e4 or e7e8q";
        let unreadable = || MoveTextError::Unreadable(quote(text), EXPECTED);
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(unreadable());
        }
        let from: Square = text[..2].parse().map_err(|_| unreadable())?;
        let to: Square = text[2..4].parse().map_err(|_| unreadable())?;
        let becomes = match text.chars().nth(4) {
            None => None,
            Some(letter) => match PieceType::from_letter(letter) {
                Some(kind) if PieceType::PROMOTIONS.contains(&kind) => Some(kind),
                _ => return Err(unreadable()),
            },
        };
        let legal = self.legal_moves();
        // Exact squares first: in Chess960 a king's step may look like standard castling.
        legal
            .iter()
            .find(|m| m.from() == from && m.to() == to && m.becomes() == becomes)
            .or_else(|| {
                legal.iter().find(|m| {
                    m.is_castling()
                        && m.from() == from
                        && m.castled_king() == to
                        && becomes.is_none()
                })
            })
            .copied()
            .ok_or_else(|| MoveTextError::Illegal(quote(text), self.why_not(from, to, becomes)))
    }

    /// A reason, for people, why no legal move goes from there to there.
    fn why_not(&self, from: Square, to: Square, becomes: Option<PieceType>) -> String {
        let side = self.side_to_move();
        let legal = self.legal_moves();
        match self.piece_on(from) {
            None => format!("{from} is empty"),
            Some(piece) if piece.color() != side => {
                format!(
                    "the {} on {from} is {}'s and {side} is to move",
                    piece.kind().name(),
                    !side
                )
            }
            Some(_) if legal.is_empty() => format!("{side} has no legal move"),
            Some(piece) => {
                let name = piece.kind().name();
                match (becomes, legal.iter().any(|m| m.from() == from && m.to() == to)) {
                    (None, true) => "the promotion piece is missing, as in e7e8q".to_owned(),
                    (Some(_), true) => format!("the {name} does not promote there"),
                    (_, false) if self.in_check() => {
                        format!("{side} is in check and the {name} on {from} cannot go to {to}")
                    }
                    (_, false) if self.pinned().contains(from) => {
                        format!("the {name} on {from} is pinned and cannot go to {to}")
                    }
                    (_, false) => format!("the {name} on {from} cannot go to {to}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_read_in_both_notations_and_written_in_the_asked_one() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        let m = position.parse_uci("e1g1").unwrap();
        assert_eq!(position.parse_uci("e1h1"), Ok(m));
        assert_eq!(position.uci(m, CastlingNotation::Standard), "e1g1");
        assert_eq!(position.uci(m, CastlingNotation::Chess960), "e1h1");
    }

    #[test]
    fn a_king_step_wins_over_castling_that_looks_alike() {
        let position: Position = "4k3/8/8/8/8/8/8/5K1R w K - 0 1".parse().unwrap();
        assert!(!position.parse_uci("f1g1").unwrap().is_castling());
        assert!(position.parse_uci("f1h1").unwrap().is_castling());
    }

    #[test]
    fn refusals_name_the_reason() {
        let position = Position::startpos();
        for (text, reason) in [
            ("e7e5", "White is to move"),
            ("e4e5", "e4 is empty"),
            ("e2e5", "the pawn on e2 cannot go to e5"),
            ("e2e4q", "does not promote"),
            ("hello", "is no move"),
            ("e2é4", "is no move"),
            ("", "is no move"),
        ] {
            let error = position.parse_uci(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
