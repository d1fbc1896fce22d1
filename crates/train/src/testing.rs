//! Positions for tests, the same every time.

use tandem_chess::{Position, Random};
use tandem_classic::Evaluation;

use crate::{GameResult, Sample};

/// Positions from random play, a few of each game.
pub(crate) fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut position = Position::startpos();
        for _ in 0..random.below(120) {
            let moves: Vec<_> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
            if random.below(5) == 0 {
                positions.push(position);
            }
        }
    }
    positions.truncate(count);
    positions
}

/// Positions of real games.
pub(crate) fn game_positions() -> Vec<Position> {
    let games = include_str!("../../nnue/data/games.txt");
    let follow = |game: &str| {
        let mut line = vec![Position::startpos()];
        for text in game.split_whitespace() {
            let last = &line[line.len() - 1];
            line.push(last.after(last.parse_uci(text).expect("the games are legal")));
        }
        line
    };
    games.lines().flat_map(follow).collect()
}

/// A sample labelled with the plain evaluation and the result that it makes likely.
pub(crate) fn labelled(position: &Position) -> Sample {
    let score = 2 * Evaluation::Positional.evaluate(position).0;
    let result = match score {
        ..-200 => GameResult::Loss,
        -200..=200 => GameResult::Draw,
        _ => GameResult::Win,
    };
    Sample::new(position, score, result).expect("no more pieces than at the start")
}

/// Samples from random play, labelled with the plain evaluation.
pub(crate) fn random_samples(seed: u64, count: usize) -> Vec<Sample> {
    random_positions(seed, count).iter().map(labelled).collect()
}
