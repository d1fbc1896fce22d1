//! A game: a position with the history that repetition and the fifty-move rule need.

use std::fmt;

use thiserror::Error;

use crate::{Color, KeyHistory, Move, Position};

/// How a game ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One side was mated; the winner.
    Checkmate(Color),
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Fifty moves of each side without a capture or pawn move.
    FiftyMoves,
    /// The position has occurred three times.
    ThreefoldRepetition,
}

impl Outcome {
    /// Who won, if anyone.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate(winner) => Some(winner),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate(winner) => write!(f, "{winner} wins by checkmate"),
            Self::Stalemate => f.write_str("draw by stalemate"),
            Self::InsufficientMaterial => f.write_str("draw by insufficient material"),
            Self::FiftyMoves => f.write_str("draw by the fifty-move rule"),
            Self::ThreefoldRepetition => f.write_str("draw by threefold repetition"),
        }
    }
}

/// A move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is not legal in {1}")]
pub struct IllegalMove(String, String);

/// A position and how it came about.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    history: KeyHistory,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl Game {
    /// A game that begins with that position.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, position: start, moves: Vec::new(), history: KeyHistory::new() }
    }

    /// The position in which the game began.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of all positions before the present one.
    #[must_use]
    pub const fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The move is not legal; nothing has changed.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(m) {
            return Err(IllegalMove(m.to_string(), self.position.to_string()));
        }
        self.history.push(self.position.key());
        self.moves.push(m);
        self.position = self.position.after(m);
        Ok(())
    }

    /// How often the present position has occurred, this time included.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        1 + self.history.occurrences(&self.position).count()
    }

    /// How the game has ended, if it has. Mate comes before the fifty-move rule.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate(!position.side_to_move())
            } else {
                Outcome::Stalemate
            });
        }
        if position.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if position.halfmove_clock() >= 100 {
            Some(Outcome::FiftyMoves)
        } else if self.repetitions() >= 3 {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(fen.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_third_occurrence_ends_the_game() {
        let twice = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        assert_eq!(play(START, twice).outcome(), None);
        let thrice = format!("{twice} f6g8");
        assert_eq!(play(START, &thrice).outcome(), Some(Outcome::ThreefoldRepetition));
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        let game = play(START, "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8");
        assert_eq!(game.repetitions(), 1);
    }

    #[test]
    fn mate_on_the_hundredth_half_move_counts() {
        let game = play("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8");
        assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::White)));
        let game = play("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a7");
        assert_eq!(game.outcome(), Some(Outcome::FiftyMoves));
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::default();
        let m = Move::normal("e2".parse().unwrap(), "e5".parse().unwrap());
        assert!(game.play(m).is_err());
        assert_eq!(game.position(), &Position::startpos());
        assert!(game.moves().is_empty());
    }
}
