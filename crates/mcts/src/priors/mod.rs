//! How likely each move seems before it is tried.

mod heuristic;
mod noise;

pub use heuristic::Heuristic;
pub use noise::mix_noise;

use tandem_chess::{Move, Position};

use crate::math::exp;

/// Judges moves before any is tried. Each thread has its own.
pub trait Priors: Send {
    /// A number for each of the legal moves: the likelihood of a move is to those of the others as the
    /// exponential of its number.
    fn judge(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]);
}

/// Which priors a search goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// By chess knowledge, as the hybrid paper has it.
    #[default]
    Heuristic,
    /// All moves alike, for comparison.
    Uniform,
}

impl Policy {
    /// Such priors for one thread.
    #[must_use]
    pub fn priors(self) -> Box<dyn Priors> {
        match self {
            Self::Heuristic => Box::new(Heuristic),
            Self::Uniform => Box::new(Uniform),
        }
    }
}

/// All moves alike.
pub struct Uniform;

impl Priors for Uniform {
    fn judge(&mut self, _: &Position, _: &[Move], logits: &mut [f32]) {
        logits.fill(0.0);
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
