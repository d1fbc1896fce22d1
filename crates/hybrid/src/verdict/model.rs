//! The model that says whether an explored move is better than alpha-beta's: a logistic regression.

use serde::{Deserialize, Serialize};

use super::features::{COUNT, NAMES};

/// The model in the program.
const OWN: &str = include_str!("../../data/verdict.toml");

/// What a feature counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// Its name.
    pub name: String,
    /// Its mean where the model was fitted.
    pub mean: f64,
    /// Its spread there.
    pub spread: f64,
    /// What a spread more adds to the log odds.
    pub weight: f64,
}

/// Where a model comes from, for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// How the data were collected.
    pub data: String,
    /// Disagreements from which it was fitted, and on which it was tested.
    pub disagreements: [usize; 2],
    /// Expected score gained for each tested disagreement over always playing alpha-beta's move, and the
    /// standard error.
    pub gain: [f64; 2],
    /// How many of the tested moves it would have played.
    pub played: usize,
    /// What follows from that.
    pub conclusion: String,
}

/// A logistic regression with its calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The explored move is played from this probability on.
    pub threshold: f64,
    /// The log odds of a disagreement that is average in everything.
    pub intercept: f64,
    /// What multiplies the log odds, and what is added then, so that probabilities are what they say.
    pub calibration: [f64; 2],
    /// What is known about the model.
    pub card: Card,
    /// What each feature counts, in the order of [`NAMES`].
    pub features: Vec<Coefficient>,
}

impl Model {
    /// The model in the program.
    ///
    /// # Panics
    /// If it is damaged, which a test rules out.
    #[must_use]
    pub fn own() -> Self {
        Self::parse(OWN).expect("the program's own model is sound")
    }

    /// A model from the text of a file.
    ///
    /// # Errors
    /// The text is no model, as a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let model: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let names: Vec<&str> = model.features.iter().map(|feature| feature.name.as_str()).collect();
        if names != NAMES {
            return Err(format!("a model has the features {}, in this order", NAMES.join(", ")));
        }
        let numbers = model.features.iter().flat_map(|f| [f.mean, f.spread, f.weight]);
        let others = [model.threshold, model.intercept, model.calibration[0], model.calibration[1]];
        if !numbers.chain(others).all(f64::is_finite) {
            return Err("a number of the model is not finite".to_owned());
        }
        if model.features.iter().any(|feature| feature.spread <= 0.0) {
            return Err("the spread of a feature is not positive".to_owned());
        }
        Ok(model)
    }

    /// The text of a file that [`parse`](Self::parse) understands.
    ///
    /// # Errors
    /// Never for a model whose numbers are finite.
    pub fn to_text(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }

    /// How likely it is that the explored move is the better one.
    #[must_use]
    pub fn probability(&self, features: &[f64; COUNT]) -> f64 {
        let terms = self.features.iter().zip(features);
        let sum: f64 = terms.map(|(f, value)| f.weight * (value - f.mean) / f.spread).sum();
        let [slope, offset] = self.calibration;
        logistic(slope * (self.intercept + sum) + offset)
    }

    /// Whether an explored move of that probability is to be played.
    #[must_use]
    pub fn advises(&self, probability: f64) -> bool {
        probability >= self.threshold
    }
}

/// The probability of those log odds.
#[must_use]
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::DIRECTIONS;

    #[test]
    fn the_programs_own_model_is_sound_and_reads_what_it_writes() {
        let model = Model::own();
        assert_eq!(Model::parse(&model.to_text().unwrap()).unwrap(), model);
        for (feature, direction) in model.features.iter().zip(DIRECTIONS) {
            assert!(feature.weight * f64::from(direction) >= 0.0, "{}", feature.name);
        }
    }

    #[test]
    fn the_better_a_move_looks_the_likelier_it_is_played() {
        let mut model = Model::own();
        for (feature, direction) in model.features.iter_mut().zip(DIRECTIONS) {
            feature.weight = f64::from(direction) * 0.7;
        }
        (model.intercept, model.calibration) = (0.0, [1.0, 0.0]);
        let average: [f64; COUNT] = std::array::from_fn(|i| model.features[i].mean);
        assert!((model.probability(&average) - 0.5).abs() < 1e-12);
        for (i, direction) in DIRECTIONS.into_iter().enumerate() {
            let mut more = average;
            more[i] += model.features[i].spread;
            let change = model.probability(&more) - 0.5;
            assert!(change * f64::from(direction) >= 0.0 && (direction == 0 || change != 0.0));
        }
        assert!((logistic(2.0_f64.ln()) - 2.0 / 3.0).abs() < 1e-12);
        model.threshold = 0.6;
        assert!(model.advises(0.6) && !model.advises(0.599));
    }

    #[test]
    fn what_is_no_model_is_refused_with_a_sentence() {
        let text = Model::own().to_text().unwrap();
        assert!(Model::parse("threshold = 1").is_err());
        let error = Model::parse(&text.replace("value_gap", "valuegap")).unwrap_err();
        assert!(error.contains("in this order"), "{error}");
        let mut model = Model::own();
        model.features[0].spread = 0.0;
        assert!(Model::parse(&model.to_text().unwrap()).unwrap_err().contains("positive"));
    }
}
