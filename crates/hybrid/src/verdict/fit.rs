//! Fitting the model to disagreements of which somebody knows who was right.
//!
//! What counts is not how often the explored move is better but by how much. So each disagreement weighs as
//! much as lies between its moves, and a probability of a half is where nothing is expected to be gained.

use super::features::{COUNT, DIRECTIONS, NAMES};
use super::model::{Card, Coefficient, Model, logistic};

/// A disagreement that was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The game that it is from: games are never split between fitting and testing.
    pub game: u64,
    /// What a model sees of it.
    pub features: [f64; COUNT],
    /// By how much the expected score (0 to 1) of the explored move is better.
    pub gain: f64,
}

/// How a model is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// How strongly weights are drawn to nothing.
    pub ridge: f64,
    /// The probability from which on the explored move is played: above a half, because a model that errs
    /// both ways is to err on the side of what is known to be good.
    pub threshold: f64,
    /// In how many parts games are divided, each of which is tested by a model of the others.
    pub folds: u64,
}

impl Default for Fitting {
    fn default() -> Self {
        Self { ridge: 0.05, threshold: 0.55, folds: 5 }
    }
}

/// What a disagreement that was kept from the fitting looks like to its model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// How likely the explored move seemed to be the better one.
    pub probability: f64,
    /// By how much it was.
    pub gain: f64,
    /// Whether it would have been played.
    pub is_played: bool,
}

impl Test {
    /// What is gained over always playing alpha-beta's move.
    #[must_use]
    pub const fn gained(&self) -> f64 {
        if self.is_played { self.gain } else { 0.0 }
    }
}

/// The mean of what is gained for each disagreement, and its standard error.
#[must_use]
pub fn mean_gain(tests: &[Test]) -> [f64; 2] {
    let count = tests.len().max(1) as f64;
    let mean = tests.iter().map(Test::gained).sum::<f64>() / count;
    let spread = tests.iter().map(|test| (test.gained() - mean).powi(2)).sum::<f64>();
    [mean, (spread / (count - 1.0).max(1.0) / count).sqrt()]
}

/// Steps of the descent: with numbers of the same size it is over long before.
const STEPS: usize = 3000;
/// How far a step goes.
const PACE: f64 = 0.3;

impl Fitting {
    /// The model of all samples, with what tests of models of parts of them say on its card; and those tests.
    ///
    /// If they do not show a gain, the model answers with alpha-beta.
    #[must_use]
    pub fn fit(&self, samples: &[Sample], data: &str) -> (Model, Vec<Test>) {
        let raw = self.cross(samples, [1.0, 0.0]);
        let calibration = calibrate(&raw);
        let tests = self.cross(samples, calibration);
        let gain = mean_gain(&tests);
        let played = tests.iter().filter(|test| test.is_played).count();
        let is_gain = gain[0] > 2.0 * gain[1] && played > 0;
        let mut model = self.plain(samples);
        model.calibration = calibration;
        let tested = samples.len();
        let conclusion = if is_gain {
            "the explored move is played where it is expected to gain".to_owned()
        } else {
            // No probability is that high.
            model.threshold = 2.0;
            "tests show no gain beyond two standard errors: alpha-beta's move is played unless the explored \
             one wins by force"
                .to_owned()
        };
        model.card = Card {
            data: data.to_owned(),
            disagreements: [samples.len(), tested],
            gain,
            played,
            conclusion,
        };
        (model, tests)
    }

    /// How each sample looks to a model of the games in other parts.
    fn cross(&self, samples: &[Sample], calibration: [f64; 2]) -> Vec<Test> {
        let folds = self.folds.max(2);
        let mut tests = vec![None; samples.len()];
        for fold in 0..folds {
            let is_held = |sample: &Sample| part(sample.game, folds) == fold;
            let others: Vec<Sample> = samples.iter().filter(|s| !is_held(s)).cloned().collect();
            let model = Model { calibration, ..self.plain(&others) };
            for (test, sample) in tests.iter_mut().zip(samples).filter(|(_, s)| is_held(s)) {
                let probability = model.probability(&sample.features);
                let is_played = model.advises(probability);
                *test = Some(Test { probability, gain: sample.gain, is_played });
            }
        }
        tests.into_iter().flatten().collect()
    }

    /// The model of those samples, without calibration.
    fn plain(&self, samples: &[Sample]) -> Model {
        let scale: [(f64, f64); COUNT] = std::array::from_fn(|i| moments(samples, i));
        let scaled: Vec<[f64; COUNT]> = samples
            .iter()
            .map(|s| std::array::from_fn(|i| (s.features[i] - scale[i].0) / scale[i].1))
            .collect();
        let gains: Vec<f64> = samples.iter().map(|sample| sample.gain).collect();
        let (intercept, weights) = descend(&scaled, &gains, self.ridge);
        let features = (0..COUNT).map(|i| Coefficient {
            name: NAMES[i].to_owned(),
            mean: scale[i].0,
            spread: scale[i].1,
            weight: weights[i],
        });
        Model {
            threshold: self.threshold,
            intercept,
            calibration: [1.0, 0.0],
            card: Card::default(),
            features: features.collect(),
        }
    }
}

/// The part that a game belongs to.
fn part(game: u64, folds: u64) -> u64 {
    (game.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) % folds
}

/// Mean and spread of a feature; a spread of one where it never changes.
fn moments(samples: &[Sample], feature: usize) -> (f64, f64) {
    let count = samples.len().max(1) as f64;
    let values = || samples.iter().map(|sample| sample.features[feature]);
    let mean = values().sum::<f64>() / count;
    let spread = (values().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    (mean, if spread > 1e-9 { spread } else { 1.0 })
}

/// The intercept and the weights with the least loss: what a decision costs, in logarithms, and the squares of
/// the weights. Weights of the wrong sign are nothing.
fn descend(features: &[[f64; COUNT]], gains: &[f64], ridge: f64) -> (f64, [f64; COUNT]) {
    let total: f64 = gains.iter().map(|gain| gain.abs()).sum();
    let (mut intercept, mut weights) = (0.0, [0.0; COUNT]);
    if total <= 0.0 {
        return (intercept, weights);
    }
    for _ in 0..STEPS {
        let (mut slope, mut slopes) = (0.0, weights.map(|weight| ridge * weight));
        for (x, gain) in features.iter().zip(gains) {
            let odds = intercept + x.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
            let wanted = if *gain > 0.0 { 1.0 } else { 0.0 };
            let error = (logistic(odds) - wanted) * gain.abs() / total;
            slope += error;
            for (sum, x) in slopes.iter_mut().zip(x) {
                *sum += error * x;
            }
        }
        intercept -= PACE * slope;
        for ((weight, slope), direction) in weights.iter_mut().zip(slopes).zip(DIRECTIONS) {
            *weight -= PACE * slope;
            if *weight * f64::from(direction) < 0.0 {
                *weight = 0.0;
            }
        }
    }
    (intercept, weights)
}

/// What to make of the log odds of tests, so that probabilities are what they say. They are never turned
/// round.
fn calibrate(tests: &[Test]) -> [f64; 2] {
    let total: f64 = tests.iter().map(|test| test.gain.abs()).sum();
    let (mut slope, mut offset) = (1.0, 0.0);
    if total <= 0.0 {
        return [slope, offset];
    }
    for _ in 0..STEPS {
        let (mut by_slope, mut by_offset) = (0.0, 0.0);
        for test in tests {
            let probability = test.probability.clamp(1e-9, 1.0 - 1e-9);
            let odds = (probability / (1.0 - probability)).ln();
            let wanted = if test.gain > 0.0 { 1.0 } else { 0.0 };
            let error = (logistic(slope * odds + offset) - wanted) * test.gain.abs() / total;
            by_slope += error * odds;
            by_offset += error;
        }
        slope = (slope - PACE * by_slope).max(0.0);
        offset -= PACE * by_offset;
    }
    [slope, offset]
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;

    /// Disagreements in which the explored move is the better the further its value lies ahead, give or take.
    fn samples(count: u64, signal: f64) -> Vec<Sample> {
        let mut random = Random::new(5);
        let mut number = || random.below(20_001) as f64 / 10_000.0 - 1.0;
        (0..count)
            .map(|i| {
                let features: [f64; COUNT] = std::array::from_fn(|_| number());
                let gain = 0.1 * (signal * (features[1] - features[0] - 0.5) + number());
                Sample { game: i / 4, features, gain }
            })
            .collect()
    }

    #[test]
    fn what_can_be_gained_is_found_and_is_what_tests_say() {
        let samples = samples(800, 1.0);
        let (model, tests) = Fitting::default().fit(&samples, "made up");
        assert_eq!(tests.len(), samples.len());
        let weight = |name: &str| {
            model.features.iter().find(|feature| feature.name == name).map_or(0.0, |f| f.weight)
        };
        assert!(weight("value_gap") > 0.5 && weight("score_gap") < -0.5, "{model:?}");
        assert!(weight("clock").abs() < 0.3);
        let [gain, error] = model.card.gain;
        assert!(gain > 4.0 * error && (0.5..0.6).contains(&model.threshold), "{:?}", model.card);
        // Of moves that seem so likely to be better, about so much of what is at stake is won.
        let near = |low: f64, high: f64| {
            let some = tests.iter().filter(|test| (low..high).contains(&test.probability));
            let (won, all) = some.fold((0.0, 0.0), |(won, all), test| {
                (won + test.gain.max(0.0), all + test.gain.abs())
            });
            won / all
        };
        for (low, high) in [(0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)] {
            let share = near(low, high);
            assert!((low - 0.12..=high + 0.12).contains(&share), "{share} from {low} to {high}");
        }
    }

    #[test]
    fn where_nothing_can_be_gained_the_answer_is_alpha_beta() {
        let mut samples = samples(300, 0.0);
        for sample in &mut samples {
            sample.gain -= 0.02;
        }
        let (model, _) = Fitting::default().fit(&samples, "made up");
        assert!(samples.iter().all(|s| !model.advises(model.probability(&s.features))));
        assert!(model.card.conclusion.contains("alpha-beta's move"), "{:?}", model.card);
        let (nothing, tests) = Fitting::default().fit(&[], "none");
        assert!(tests.is_empty() && !nothing.advises(0.9));
        assert_eq!(Model::parse(&nothing.to_text().unwrap()).unwrap(), nothing);
    }

    #[test]
    fn a_game_is_never_on_both_sides() {
        for folds in [2, 5] {
            let parts: Vec<u64> = (0..200).map(|game| part(game, folds)).collect();
            for fold in 0..folds {
                let share = parts.iter().filter(|&&part| part == fold).count() as f64 / 200.0;
                assert!((share * folds as f64 - 1.0).abs() < 0.5, "{share} of {folds}");
            }
        }
    }

    #[test]
    fn the_mean_gain_counts_moves_that_are_not_played_as_nothing() {
        let test = |gain, is_played| Test { probability: 0.5, gain, is_played };
        let [mean, error] = mean_gain(&[test(0.2, true), test(-0.9, false), test(0.1, true)]);
        assert!((mean - 0.1).abs() < 1e-12 && (error - (0.01_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
