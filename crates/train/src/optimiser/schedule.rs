//! Numbers that change while training goes on.

use serde::{Deserialize, Serialize};

/// The course of the learning rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RateShape {
    /// Always the same.
    Constant,
    /// Half a wave of a cosine from start to end.
    #[default]
    Cosine,
    /// The same factor in each step, from start to end.
    Exponential,
}

/// The learning rate of each step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearningRate {
    /// Its course.
    pub shape: RateShape,
    /// At the beginning, after the warm-up.
    pub start: f64,
    /// In the last step; not used where it is constant.
    pub end: f64,
    /// Over so many steps at the beginning, the rate rises from almost 0.
    pub warmup: u64,
}

impl Default for LearningRate {
    fn default() -> Self {
        Self { shape: RateShape::Cosine, start: 1e-3, end: 1e-5, warmup: 500 }
    }
}

impl LearningRate {
    /// The rate of a step, counted from 0, of so many.
    #[must_use]
    pub fn at(&self, step: u64, total: u64) -> f64 {
        let progress = progress(step, total);
        let rate = match self.shape {
            RateShape::Constant => self.start,
            RateShape::Cosine => {
                let wave = f64::midpoint(1.0, (std::f64::consts::PI * progress).cos());
                self.end + (self.start - self.end) * wave
            }
            RateShape::Exponential => self.start * (self.end / self.start).powf(progress),
        };
        rate * ((step + 1) as f64 / (self.warmup + 1) as f64).min(1.0)
    }
}

/// A number that goes in a straight line from start to end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// In the first step.
    pub start: f64,
    /// In the last step.
    pub end: f64,
}

impl Ramp {
    /// The number in a step, counted from 0, of so many.
    #[must_use]
    pub fn at(self, step: u64, total: u64) -> f64 {
        self.start + (self.end - self.start) * progress(step, total)
    }
}

/// 0 in the first step, 1 in the last.
fn progress(step: u64, total: u64) -> f64 {
    (step as f64 / total.saturating_sub(1).max(1) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_begin_and_end_where_they_should() {
        for shape in [RateShape::Constant, RateShape::Cosine, RateShape::Exponential] {
            let rate = LearningRate { shape, start: 1e-3, end: 1e-5, warmup: 0 };
            let is = |step, expected: f64| (rate.at(step, 101) / expected - 1.0).abs() < 1e-9;
            assert!(is(0, 1e-3));
            match shape {
                RateShape::Constant => assert!(is(50, 1e-3) && is(100, 1e-3)),
                RateShape::Cosine => assert!(is(50, f64::midpoint(1e-3, 1e-5)) && is(100, 1e-5)),
                RateShape::Exponential => assert!(is(50, 1e-4) && is(100, 1e-5)),
            }
        }
    }

    #[test]
    fn the_warm_up_rises_to_the_start() {
        let rate = LearningRate { shape: RateShape::Constant, start: 1.0, end: 1.0, warmup: 9 };
        assert!((rate.at(0, 100) - 0.1).abs() < 1e-12);
        assert!((rate.at(4, 100) - 0.5).abs() < 1e-12);
        assert!((rate.at(9, 100) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_ramp_is_a_straight_line() {
        let ramp = Ramp { start: 1.0, end: 0.6 };
        assert!((ramp.at(50, 101) - 0.8).abs() < 1e-12);
        assert!((ramp.at(100, 101) - 0.6).abs() < 1e-12);
        assert!((Ramp { start: 0.3, end: 0.3 }.at(0, 1) - 0.3).abs() < 1e-12);
    }
}
