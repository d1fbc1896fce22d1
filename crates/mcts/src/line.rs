//! The line of positions from the root to where a playout stands.

use tandem_chess::{Game, KeyHistory, Move, Position};
use tandem_search::Evaluate;

/// The line of one thread, with the evaluator and the history of keys that follow it. What two playouts
/// in a row have in common is not done again.
pub struct Line<E> {
    pub evaluator: E,
    keys: KeyHistory,
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    position: Position,
    /// The move that led here.
    m: Option<Move>,
    /// Whether the game is drawn here because of how it got here.
    is_drawn: bool,
}

impl<E: Evaluate> Line<E> {
    pub fn new(evaluator: E) -> Self {
        Self { evaluator, keys: KeyHistory::new(), places: Vec::new() }
    }

    /// Begins with the last position of a game.
    pub fn reset(&mut self, game: &Game) {
        let position = *game.position();
        self.evaluator.reset(&position);
        self.keys = game.history().clone();
        self.places.clear();
        self.places.push(Place { position, m: None, is_drawn: false });
    }

    /// The position so many plies from the root.
    #[inline]
    pub fn position(&self, ply: usize) -> &Position {
        &self.places[ply].position
    }

    /// Whether the position there is drawn by repetition or by the fifty-move rule.
    #[inline]
    pub fn is_drawn(&self, ply: usize) -> bool {
        self.places[ply].is_drawn
    }

    /// Plays a move from the position at that ply.
    #[inline]
    pub fn follow(&mut self, ply: usize, m: Move) {
        if self.places.get(ply + 1).is_some_and(|place| place.m == Some(m)) {
            return;
        }
        self.trim(ply);
        let before = &self.places[ply].position;
        self.keys.push(before.key());
        let position = before.after(m);
        let is_drawn = self.is_draw(&position, ply + 1);
        self.evaluator.push(&position);
        self.places.push(Place { position, m: Some(m), is_drawn });
    }

    /// Goes back to that ply.
    #[inline]
    pub fn trim(&mut self, ply: usize) {
        while self.places.len() > ply + 1 {
            self.places.pop();
            self.keys.pop();
            self.evaluator.pop();
        }
    }

    /// The evaluation of a position that is not on the line. The evaluator has to
    /// [come back](Self::come_back) before the line goes on.
    pub fn evaluate_apart(&mut self, position: &Position) -> i32 {
        self.evaluator.reset(position);
        self.evaluator.evaluate(position)
    }

    /// Leads the evaluator back to the end of the line.
    pub fn come_back(&mut self) {
        self.evaluator.reset(&self.places[0].position);
        self.places[1..].iter().for_each(|place| self.evaluator.push(&place.position));
    }

    /// Within the tree one repetition is enough: what was worth repeating once will be again. A
    /// position from before the root must have occurred twice.
    fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmove_clock() >= 100 && (!position.in_check() || position.has_legal_move()) {
            return true;
        }
        let mut earlier = self.keys.occurrences(position);
        match earlier.next() {
            Some(ago) if ago < ply => true,
            Some(_) => earlier.next().is_some(),
            None => false,
        }
    }
}
