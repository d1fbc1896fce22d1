//! The moves that a policy network takes for likely, shown to people.

use std::fmt::Write as _;

use tandem_chess::{CastlingNotation, Move, Position};
use tandem_mcts::softmax;
use tandem_nnue::PolicyEvaluator;

/// So many moves are shown in a line.
const A_LINE: usize = 5;
/// So many moves are shown at the most.
const SHOWN: usize = 10;

/// All legal moves with their likelihoods by that network, the likeliest first. They add up to 1.
#[must_use]
pub fn likely_moves(position: &Position, policy: &PolicyEvaluator) -> Vec<(Move, f32)> {
    let moves = position.legal_moves();
    let mut likelihoods = vec![0.0; moves.len()];
    policy.clone().judge(position, &moves, &mut likelihoods);
    softmax(&mut likelihoods, 1.0);
    let mut likely: Vec<_> = moves.into_iter().zip(likelihoods).collect();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    likely
}

/// The likeliest moves of the position with their likelihoods in per cent, as text.
#[must_use]
pub fn explain_moves(
    position: &Position,
    policy: &PolicyEvaluator,
    notation: CastlingNotation,
) -> String {
    let likely = likely_moves(position, policy);
    if likely.is_empty() {
        return "Likely moves  none: the game is over".to_owned();
    }
    let mut text = String::new();
    for (i, (m, likelihood)) in likely.iter().take(SHOWN).enumerate() {
        text.push_str(match i {
            0 => "Likely moves  ",
            _ if i.is_multiple_of(A_LINE) => "\n              ",
            _ => ", ",
        });
        let _ = write!(text, "{} {:.1} %", position.uci(*m, notation), 100.0 * likelihood);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tandem_nnue::PolicyNetwork;

    use super::*;

    #[test]
    fn likelihoods_are_in_order_and_add_up() {
        let network = Arc::new(PolicyNetwork::random(64, 3).unwrap());
        let policy = PolicyEvaluator::new(network).unwrap();
        let position = Position::startpos();
        let likely = likely_moves(&position, &policy);
        assert_eq!(likely.len(), 20);
        assert!(likely.is_sorted_by(|a, b| a.1 >= b.1));
        assert!((likely.iter().map(|(_, likelihood)| likelihood).sum::<f32>() - 1.0).abs() < 1e-5);
        let text = explain_moves(&position, &policy, CastlingNotation::Standard);
        let first = format!("Likely moves  {} {:.1} %, ", likely[0].0, 100.0 * likely[0].1);
        assert!(text.starts_with(&first) && text.lines().count() == 2, "{text}");
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let text = explain_moves(&mated.parse().unwrap(), &policy, CastlingNotation::Standard);
        assert!(text.contains("the game is over"), "{text}");
    }
}
