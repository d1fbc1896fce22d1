//! How well moves are foreseen.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// How well a network foresees moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// How many positions it was measured on.
    pub positions: u64,
    /// The mean cross-entropy, in nats.
    pub cross_entropy: f64,
    /// Its exponential: among so many equally likely moves one would be as much at a loss.
    pub perplexity: f64,
    /// How often the best move was the likeliest.
    pub top1: f64,
    /// How often the best move was among the five likeliest.
    pub top5: f64,
}

/// Adds up what positions come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meter {
    positions: u64,
    cross_entropy: f64,
    top1: u64,
    top5: u64,
}

impl Meter {
    /// Adds a position: the logits of its moves, and what each deserves.
    pub fn add(&mut self, logits: impl Iterator<Item = f64> + Clone, targets: &[f32]) {
        let largest = logits.clone().fold(f64::MIN, f64::max);
        let sum: f64 = logits.clone().map(|logit| (logit - largest).exp()).sum();
        let logarithm = largest + sum.ln();
        let parts = logits.clone().zip(targets);
        self.cross_entropy +=
            parts.map(|(logit, &target)| f64::from(target) * (logarithm - logit)).sum::<f64>();
        self.positions += 1;
        let best = super::model::largest(targets);
        let Some(own) = logits.clone().nth(best) else { return };
        // Of equally likely moves the first counts as the likelier.
        let is_before = |&(place, logit): &(usize, f64)| match logit.total_cmp(&own) {
            Ordering::Greater => true,
            Ordering::Equal => place < best,
            Ordering::Less => false,
        };
        let before = logits.enumerate().filter(is_before).count();
        self.top1 += u64::from(before == 0);
        self.top5 += u64::from(before < 5);
    }

    /// What all positions come to.
    pub fn measures(&self) -> Measures {
        let positions = self.positions as f64;
        let cross_entropy = self.cross_entropy / positions;
        Measures {
            positions: self.positions,
            cross_entropy,
            perplexity: cross_entropy.exp(),
            top1: self.top1 as f64 / positions,
            top5: self.top5 as f64 / positions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_of_their_definitions() {
        let mut meter = Meter::default();
        // Likelihoods of 1/2, 1/4 and 1/4; the second is played.
        let half = [0.5_f64.ln(), 0.25_f64.ln(), 0.25_f64.ln()];
        meter.add(half.into_iter(), &[0.0, 1.0, 0.0]);
        // Eight equal moves: the first five of them are the likeliest.
        meter.add([0.0; 8].into_iter(), &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        meter.add([0.0; 8].into_iter(), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let found = meter.measures();
        let expected = (4.0_f64.ln() + 2.0 * 8.0_f64.ln()) / 3.0;
        assert_eq!(found.positions, 3);
        assert!((found.cross_entropy - expected).abs() < 1e-12);
        assert!((found.perplexity - expected.exp()).abs() < 1e-12);
        assert!((found.top1 - 1.0 / 3.0).abs() < 1e-12 && (found.top5 - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn shares_cost_at_least_their_own_uncertainty() {
        let shares = [0.75, 0.25];
        let cost = |logits: [f64; 2]| {
            let mut meter = Meter::default();
            meter.add(logits.into_iter(), &shares);
            meter.measures().cross_entropy
        };
        let entropy = -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
        assert!((cost([0.75_f64.ln(), 0.25_f64.ln()]) - entropy).abs() < 1e-7);
        assert!(cost([0.0, 0.0]) > entropy && cost([3.0, 0.0]) > entropy);
    }
}
