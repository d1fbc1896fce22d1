//! Openings made by chance, for games and training data without a book.

use tandem_alphabeta::AlphaBeta;
use tandem_chess::{Color, Game, Position, Random};
use tandem_nnue::Networks;
use tandem_search::{Control, Limits, Score, Search as _, Settings};

use crate::evaluation::Evaluation;

/// A short search says how balanced an opening is.
const NODES: u64 = 1000;
/// Half-moves that are left to chance; one more in every second opening, so that both sides begin.
const PLIES: usize = 8;

/// Makes openings from a seed: random moves from a starting position, kept if neither side is
/// already much better off than at the start.
pub struct Openings {
    random: Random,
    starts: Vec<Position>,
    search: AlphaBeta<Evaluation>,
    /// The largest gain that is accepted, in centipawns.
    limit: i32,
}

impl Openings {
    /// Openings from those starting positions (the usual one if there are none). As the networks see
    /// it, neither side has gained more than `limit` centipawns.
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

    /// Goes on as if it had begun with that seed.
    pub fn reseed(&mut self, seed: u64) {
        self.random = Random::new(seed);
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

    /// Whether the game's value for White is still about what it was at the start. With pieces
    /// missing from one side the start itself is not balanced.
    fn is_balanced(&mut self, game: &Game) -> bool {
        let start = Game::new(*game.start());
        let before =
            if *game.start() == Position::startpos() { Some(0) } else { self.value(&start) };
        match (before, self.value(game)) {
            (Some(before), Some(now)) => (now - before).abs() <= self.limit,
            _ => false,
        }
    }

    /// Centipawns for White; none for a mate.
    fn value(&mut self, game: &Game) -> Option<i32> {
        let mut score = None;
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        self.search.new_game();
        self.search.search(game, &limits, &Control::default(), &mut |progress| {
            score = Some(progress.score);
        });
        match score? {
            Score::Centipawns(value) if game.position().side_to_move() == Color::White => {
                Some(value)
            }
            Score::Centipawns(value) => Some(-value),
            Score::Mate(_) => None,
        }
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
    use tandem_chess::PieceType;

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

    #[test]
    fn at_odds_the_odds_count_as_balance() {
        let start = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
        let mut openings = Openings::new(3, vec![start.unwrap()], 150, None);
        let game = openings.next().unwrap();
        assert_eq!(game.position().kind(PieceType::Queen).count(), 1);
        openings.reseed(3);
        assert_eq!(openings.next().unwrap().position(), game.position());
    }
}
