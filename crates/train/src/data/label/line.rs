//! The line that a teacher follows.

use tandem_chess::{Game, Move, Position};

use super::LabelError;

/// A game after each of its moves, so that moves can be taken back.
#[derive(Default)]
pub struct Line(Vec<Game>);

impl Line {
    /// Begins anew with that position.
    pub fn begin(&mut self, start: &Position) {
        self.0.clear();
        self.0.push(Game::new(*start));
    }

    /// Goes on by a legal move.
    pub fn push(&mut self, m: Move) {
        let mut game = self.0.last().cloned().unwrap_or_default();
        let played = game.play(m);
        debug_assert!(played.is_ok(), "{played:?}");
        self.0.push(game);
    }

    /// Takes back the last move.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// The game up to where the line is now.
    ///
    /// # Errors
    /// Nothing was begun.
    pub fn game(&self) -> Result<&Game, LabelError> {
        self.0.last().ok_or_else(|| LabelError("no game was begun".into()))
    }
}
