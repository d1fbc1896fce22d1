//! Priors by a policy network.

use tandem_chess::{Move, Position};
use tandem_nnue::PolicyEvaluator;

use tandem_search::bare_king;

use super::{Heuristic, Policy, Priors};

impl Priors for PolicyEvaluator {
    fn judge(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]) {
        // Whoever has a bare king has given up in the games that networks learn from, so they do not know how it
        // is mated.
        if bare_king(position).is_none() {
            return Self::judge(self, position, moves, logits);
        }
        Heuristic.judge(position, moves, logits);
        let scale = Policy::Network.temperature() / Policy::Heuristic.temperature();
        for logit in logits {
            *logit *= scale;
        }
    }

    fn policy(&self) -> Policy {
        Policy::Network
    }
}
