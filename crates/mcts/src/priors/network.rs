//! Priors by a policy network.

use tandem_chess::{Move, Position};
use tandem_nnue::PolicyEvaluator;

use super::{Policy, Priors};

impl Priors for PolicyEvaluator {
    fn judge(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]) {
        Self::judge(self, position, moves, logits);
    }

    fn policy(&self) -> Policy {
        Policy::Network
    }
}
