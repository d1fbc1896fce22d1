//! Whose move is played where the searches do not agree.
//!
//! What is certain decides first. Then `Phased` goes by the threshold of the hybrid paper's Algorithm 1, and
//! `Concurrent` by a [`Model`] that was fitted to disagreements which a much deeper search has decided.

mod features;
mod fit;
mod model;

pub use features::{COUNT, DIRECTIONS, Disagreement, NAMES};
pub use fit::{Fitting, Sample, Test, mean_gain};
pub use model::{Card, Coefficient, Model, logistic};

/// Whose move is played, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Whether the explored move is played.
    pub follows_explorer: bool,
    /// How likely it is the better one, where the model was asked.
    pub probability: Option<f64>,
    /// Why.
    pub reason: &'static str,
}

impl Verdict {
    /// Alpha-beta's move, for that reason.
    #[must_use]
    pub const fn prover(reason: &'static str) -> Self {
        Self { follows_explorer: false, probability: None, reason }
    }

    /// The explored move, for that reason.
    #[must_use]
    pub const fn explorer(reason: &'static str) -> Self {
        Self { follows_explorer: true, probability: None, reason }
    }

    /// What the model says.
    #[must_use]
    pub fn by_model(model: &Model, disagreement: &Disagreement) -> Self {
        let probability = model.probability(&disagreement.features());
        let verdict = if model.advises(probability) {
            Self::explorer("the model expects it to gain")
        } else {
            Self::prover("the model expects no gain from the explored move")
        };
        Self { probability: Some(probability), ..verdict }
    }

    /// What the paper's algorithm says: alpha-beta overrules if its move is better by more than a threshold,
    /// both in centipawns.
    #[must_use]
    pub const fn by_threshold(gap: i32, threshold: i32) -> Self {
        if gap > threshold {
            Self::prover("its move is better by more than the threshold")
        } else {
            Self::explorer("alpha-beta's move is not better by more than the threshold")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PositionType;

    #[test]
    fn a_threshold_has_to_be_exceeded() {
        assert!(Verdict::by_threshold(30, 30).follows_explorer);
        assert!(!Verdict::by_threshold(31, 30).follows_explorer);
    }

    #[test]
    fn a_model_gives_its_probability_with_its_verdict() {
        let disagreement = Disagreement {
            kind: PositionType::Balanced,
            own: 0.1,
            verified: 0.05,
            depth: 12,
            value_own: 0.1,
            value_explored: 0.2,
            share_own: 0.2,
            share_explored: 0.6,
            seconds: 0.1,
            playouts: 900,
        };
        let mut model = Model::own();
        for (intercept, follows_explorer) in [(-50.0, false), (50.0, true)] {
            (model.intercept, model.threshold) = (intercept, 0.5);
            model.calibration = [1.0, 0.0];
            let verdict = Verdict::by_model(&model, &disagreement);
            assert_eq!(verdict.follows_explorer, follows_explorer);
            assert!(verdict.probability.is_some_and(|p| (p > 0.5) == follows_explorer));
        }
    }
}
