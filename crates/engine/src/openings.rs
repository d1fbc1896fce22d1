//! Openings made by chance, for games and training data without a book.

use tandem_alphabeta::AlphaBeta;
use tandem_chess::{Game, Position, Random};
use tandem_nnue::Networks;
use tandem_search::{Control, Limits, Score, Search as _, Settings};

use crate::evaluation::Evaluation;

/// A short search says how balanced an opening is.
const NODES: u64 = 1000;
/// Half-moves that are left to chance; one more in every second opening, so that both sides begin.
const PLIES: usize = 8;

/// Makes openings from a seed: random moves from a starting position, kept if neither side is
/// already better than a limit.
pub struct Openings {
    random: Random,
    starts: Vec<Position>,
    search: AlphaBeta<Evaluation>,
    /// The largest advantage that is accepted, in centipawns.
    limit: i32,
}

impl Openings {
    /// Openings from those starting positions (the usual one if there are none), each within
    /// `limit` centipawns of balance as the networks see it.
    #[must_use]
    pub fn new(seed: u64, starts: Vec<Position>, limit: i32, networks: Option<&Networks>) -> Self {
        let networks = networks.cloned();
        let starts = if starts.is_empty() { vec![Position::startpos()] } else { starts };
        let settings = Settings { hash: 1, ..Settings::default() };
        Self {
            random: Random::new(seed),
            starts,
            search: AlphaBeta::new(&settings, move || Evaluation::new(networks.as_ref())),
            limit,
        }
    }

    fn play(&mut self) -> Option<Game> {
        let start = self.starts[self.random.below(self.starts.len())];
        let mut game = Game::new(start);
        for _ in 0..PLIES + self.random.below(2) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[self.random.below(moves.len())]).ok()?;
        }
        game.outcome().is_none().then_some(game)
    }

    fn is_balanced(&mut self, game: &Game) -> bool {
        let mut score = None;
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        self.search.new_game();
        self.search.search(game, &limits, &Control::default(), &mut |progress| {
            score = Some(progress.score);
        });
        matches!(score, Some(Score::Centipawns(value)) if value.abs() <= self.limit)
    }
}

/// Without end: what is not balanced is tried again.
impl Iterator for Openings {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        loop {
            if let Some(game) = self.play()
                && self.is_balanced(&game)
            {
                return Some(game);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_its_openings_and_another_gives_others() {
        let fens = |seed| -> Vec<String> {
            Openings::new(seed, Vec::new(), 150, None)
                .take(5)
                .map(|game| game.position().to_string())
                .collect()
        };
        assert_eq!(fens(1), fens(1));
        assert_ne!(fens(1), fens(2));
    }
}
