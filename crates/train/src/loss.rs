//! What is made small: the distance between the chances that the network and the target give.

use serde::{Deserialize, Serialize};

use crate::Ramp;
use crate::batch::Target;

/// The distance between two chances, |p - q| to a power. Scores become chances as
/// `(1 + s((x - offset) / scaling) - s((-x - offset) / scaling)) / 2` with the logistic function `s`:
/// the difference of the chances to win and to lose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Loss {
    /// The power of the distance.
    pub power: f64,
    /// The share of the target's score in the target; the rest is the game's result. Where that is
    /// unknown, the score is the whole target.
    pub lambda: Ramp,
    /// The score of the network with an even chance to win.
    pub in_offset: f64,
    /// How many points of the network's score make the chance grow by about the factor e.
    pub in_scaling: f64,
    /// The same for the target's score.
    pub out_offset: f64,
    /// The same for the target's score.
    pub out_scaling: f64,
    /// Whether the network learns scores as the program will show them. The program multiplies the
    /// network's output by a factor that depends on the material and the fifty-move count; if true,
    /// the network learns what makes the product right, if false, its bare output is compared.
    pub final_scores: bool,
}

impl Default for Loss {
    fn default() -> Self {
        Self {
            power: 2.5,
            lambda: Ramp { start: 1.0, end: 1.0 },
            in_offset: 270.0,
            in_scaling: 340.0,
            out_offset: 270.0,
            out_scaling: 380.0,
            final_scores: true,
        }
    }
}

/// A loss with the share of the score that holds in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepLoss {
    power: f32,
    lambda: f32,
    input: Curve,
    output: Curve,
    final_scores: bool,
}

/// From a score to a chance.
#[derive(Clone, Copy, Debug)]
struct Curve {
    offset: f32,
    scaling: f32,
}

impl Curve {
    /// The chance, and how much it grows with the score.
    fn at(self, score: f32) -> (f32, f32) {
        let logistic = |x: f32| 1.0 / (1.0 + (-x / self.scaling).exp());
        let (win, loss) = (logistic(score - self.offset), logistic(-score - self.offset));
        let growth = (win * (1.0 - win) + loss * (1.0 - loss)) / (2.0 * self.scaling);
        (0.5 * (1.0 + win - loss), growth)
    }
}

impl Loss {
    /// The loss in a step, counted from 0, of so many.
    pub(crate) fn at(&self, step: u64, total: u64) -> StepLoss {
        StepLoss {
            power: self.power as f32,
            lambda: self.lambda.at(step, total) as f32,
            input: Curve { offset: self.in_offset as f32, scaling: self.in_scaling as f32 },
            output: Curve { offset: self.out_offset as f32, scaling: self.out_scaling as f32 },
            final_scores: self.final_scores,
        }
    }
}

impl StepLoss {
    /// The loss where the network says `score`, and how much it grows with the score.
    pub fn of(&self, score: f32, target: &Target) -> (f32, f32) {
        let factor = if self.final_scores { target.scale } else { 1.0 };
        let (chance, growth) = self.input.at(score * factor);
        let wanted = self.output.at(target.score).0;
        let result = target.result.unwrap_or(wanted);
        let wanted = self.lambda * wanted + (1.0 - self.lambda) * result;
        let distance = chance - wanted;
        let slope = self.power * distance.abs().powf(self.power - 1.0) * distance.signum();
        (distance.abs().powf(self.power), slope * growth * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_loss() {
        for power in [2.0, 2.5] {
            let lambda = Ramp { start: 0.7, end: 0.7 };
            let loss = Loss { power, lambda, ..Loss::default() }.at(0, 1);
            for score in [-900.0, -100.0, 0.0, 30.0, 400.0, 1500.0] {
                let target = Target { score: 120.0, result: Some(1.0), scale: 1.2 };
                let (up, down) = (loss.of(score + 2.0, &target).0, loss.of(score - 2.0, &target).0);
                let slope = loss.of(score, &target).1;
                assert!(((up - down) / 4.0 - slope).abs() < 2e-6, "{score}");
            }
        }
    }

    #[test]
    fn the_right_score_costs_nothing() {
        let curves = Loss { out_scaling: 340.0, ..Loss::default() };
        let target = Target { score: 240.0, result: Some(0.0), scale: 1.25 };
        assert!(curves.at(0, 1).of(192.0, &target).0 < 1e-9);
        let bare = Loss { final_scores: false, ..curves };
        assert!(bare.at(0, 1).of(240.0, &target).0 < 1e-9);
        assert!(bare.at(0, 1).of(192.0, &target).0 > 1e-5);
    }

    #[test]
    fn without_a_result_the_score_is_all() {
        let lambda = Ramp { start: 0.3, end: 0.3 };
        let mixed = Loss { lambda, out_scaling: 340.0, ..Loss::default() }.at(0, 1);
        let target = |result| Target { score: 240.0, result, scale: 1.25 };
        assert!(mixed.of(192.0, &target(None)).0 < 1e-9);
        assert!(mixed.of(192.0, &target(Some(0.0))).0 > 1e-2);
    }
}
