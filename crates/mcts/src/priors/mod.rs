//! How likely each move seems before it is tried.

mod heuristic;
mod network;
mod noise;

pub use heuristic::Heuristic;
pub use noise::mix_noise;

use tandem_chess::{Move, Position};
use tandem_nnue::PolicyEvaluator;

use crate::math::exp;
use crate::params::thousandths;
use crate::tunables as t;

/// Judges moves before any is tried. Each thread has its own.
pub trait Priors: Send {
    /// A number for each of the legal moves: the likelihood of a move is to those of the others as the
    /// exponential of its number.
    fn judge(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]);

    /// Which priors these are.
    fn policy(&self) -> Policy;
}

/// Which priors a search goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// By a policy network, where there is one; by chess knowledge otherwise.
    #[default]
    Network,
    /// By chess knowledge, as the hybrid paper has it.
    Heuristic,
    /// All moves alike, for comparison.
    Uniform,
}

impl Policy {
    /// Such priors for one thread, with that network if there is one.
    #[must_use]
    pub fn priors(self, network: Option<&PolicyEvaluator>) -> Box<dyn Priors> {
        match (self, network) {
            (Self::Network, Some(network)) => Box::new(network.clone()),
            (Self::Network, None) | (Self::Heuristic, _) => Box::new(Heuristic),
            (Self::Uniform, _) => Box::new(Uniform),
        }
    }

    /// How alike such likelihoods become below the root, if a user says nothing.
    #[must_use]
    pub fn temperature(self) -> f32 {
        thousandths(match self {
            Self::Network => t::network_temperature(),
            Self::Heuristic | Self::Uniform => t::policy_temperature(),
        })
    }

    /// The same at the root.
    #[must_use]
    pub fn root_temperature(self) -> f32 {
        thousandths(match self {
            Self::Network => t::network_root_temperature(),
            Self::Heuristic | Self::Uniform => t::root_temperature(),
        })
    }
}

/// All moves alike.
pub struct Uniform;

impl Priors for Uniform {
    fn judge(&mut self, _: &Position, _: &[Move], logits: &mut [f32]) {
        logits.fill(0.0);
    }

    fn policy(&self) -> Policy {
        Policy::Uniform
    }
}

/// Turns numbers into likelihoods that add up to one. A higher temperature makes them more alike.
pub fn softmax(logits: &mut [f32], temperature: f32) {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sharpness = 1.0 / temperature;
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = exp((*logit - highest) * sharpness);
        sum += *logit;
    }
    let share = 1.0 / sum;
    for likelihood in logits {
        *likelihood *= share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihoods_add_up_and_flatten_with_temperature() {
        for temperature in [0.5, 1.0, 3.0] {
            let mut logits = [1.0, -3.0, 0.0, 88.0, 2.0];
            softmax(&mut logits, temperature);
            assert!((logits.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let likeliest = |temperature| {
            let mut logits = [1.0, 0.0];
            softmax(&mut logits, temperature);
            logits[0]
        };
        assert!(likeliest(0.5) > likeliest(1.0) && likeliest(1.0) > likeliest(2.0));
    }

    #[test]
    fn uniform_priors_know_nothing() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let mut logits = vec![5.0; moves.len()];
        Uniform.judge(&position, &moves, &mut logits);
        softmax(&mut logits, 1.0);
        assert!(logits.iter().all(|&p| (p - 0.05).abs() < 1e-6));
    }
}
