//! `AdamW`, computed only where gradients are.
//!
//! Most rows of the feature transformer see no gradient in a step. Dense `AdamW` would still decay
//! their weights and let their fading momentum move them; here a row is brought up to date when it
//! is next needed, with what those steps did in sum:
//!
//! - decay: the product of the factors, exactly;
//! - moments: powers of the betas, exactly;
//! - momentum: after `i` steps without a gradient the step is `rate(i) * b1^i m / (sqrt(b2^i v) + e)`.
//!   Taking `e` to shrink with the root makes the sum `m / (sqrt(v) + e)` times a number that is the
//!   same for the whole row. Only `e`, which matters where gradients are almost 0, is treated a
//!   little differently.

mod schedule;

pub use schedule::{LearningRate, Ramp, RateShape};

use serde::{Deserialize, Serialize};

use crate::kernels::{AdamStep, CatchUp};

/// The numbers of `AdamW`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Optimiser {
    /// How much of the first moment is kept in a step.
    pub beta1: f64,
    /// How much of the second moment is kept in a step.
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Weights shrink by this times the learning rate in a step; biases do not.
    pub weight_decay: f64,
    /// The gradient's norm over all numbers is brought down to this; 0 is no limit.
    pub gradient_clip: f64,
}

impl Default for Optimiser {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.01, gradient_clip: 1.0 }
    }
}

/// Momentum that is smaller than this share of itself moves nothing.
const NEGLIGIBLE: f64 = 1e-9;

/// What to do with one row in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowPlan {
    /// Brings the row up to the step before; none where it is there.
    pub catch_up: Option<CatchUp>,
    /// The step itself.
    pub step: AdamStep,
}

/// The steps that were taken, as far as rows that were left behind must know them. It follows from
/// the settings and the number of steps alone.
pub struct Clock {
    settings: Optimiser,
    schedule: LearningRate,
    total: u64,
    /// The learning rate with bias corrections of each step; the first has number 1.
    rates: Vec<f64>,
    /// The logarithm of the decay from the beginning to the end of each step.
    decays: Vec<f64>,
}

impl Clock {
    /// After that many of `total` steps.
    pub(crate) fn new(settings: Optimiser, schedule: LearningRate, total: u64, steps: u64) -> Self {
        let mut clock = Self { settings, schedule, total, rates: vec![0.0], decays: vec![0.0] };
        for _ in 0..steps {
            clock.advance();
        }
        clock
    }

    /// Goes on to the next step.
    pub(crate) fn advance(&mut self) {
        let step = self.rates.len() as u64;
        let rate = self.schedule.at(step - 1, self.total);
        let [first, second] =
            [self.settings.beta1, self.settings.beta2].map(|beta| 1.0 - beta.powf(step as f64));
        self.rates.push(rate * second.sqrt() / first);
        let decay = (1.0 - rate * self.settings.weight_decay).ln();
        self.decays.push(self.decays[self.decays.len() - 1] + decay);
    }

    /// The number of the step in progress.
    pub(crate) fn step(&self) -> u64 {
        self.rates.len() as u64 - 1
    }

    /// What the step in progress does to numbers that were last updated in step `last`.
    pub(crate) fn plan(&self, last: u64) -> RowPlan {
        let now = self.step();
        let gap = now - 1 - last;
        let decay = self.decays[now as usize] - self.decays[now as usize - 1];
        let keep = |beta: f64| (beta.powf((gap + 1) as f64) as f32, (1.0 - beta) as f32);
        RowPlan {
            catch_up: (gap > 0).then(|| self.catch_up(last, now - 1)),
            step: AdamStep {
                gradient_scale: 1.0,
                first: keep(self.settings.beta1),
                second: keep(self.settings.beta2),
                decay: decay.exp() as f32,
                rate: self.rates[now as usize] as f32,
                epsilon: self.epsilon(now),
            },
        }
    }

    /// What steps without a gradient, those after `last` up to `until`, do to weights.
    pub(crate) fn catch_up(&self, last: u64, until: u64) -> CatchUp {
        let ratio = self.settings.beta1 / self.settings.beta2.sqrt();
        let (mut push, mut power) = (0.0, 1.0);
        for step in last as usize + 1..=until as usize {
            power *= ratio;
            if power < NEGLIGIBLE {
                break;
            }
            // What moved in this step decays in those after it.
            push +=
                self.rates[step] * power * (self.decays[until as usize] - self.decays[step]).exp();
        }
        let decay = self.decays[until as usize] - self.decays[last as usize];
        CatchUp { decay: decay.exp() as f32, push: push as f32, epsilon: self.epsilon(last + 1) }
    }

    /// What moments are multiplied by in that many steps without a gradient.
    pub(crate) fn fade(&self, steps: u64) -> (f32, f32) {
        let fade = |beta: f64| beta.powf(steps as f64) as f32;
        (fade(self.settings.beta1), fade(self.settings.beta2))
    }

    /// The constant beside the root, with its bias correction.
    fn epsilon(&self, step: u64) -> f32 {
        let correction = 1.0 - self.settings.beta2.powf(step as f64);
        (self.settings.epsilon * correction.sqrt()) as f32
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::kernels::{Kernels, LINE, Row};

    fn clock(steps: u64) -> Clock {
        let schedule = LearningRate { start: 0.01, end: 0.001, warmup: 10, ..Default::default() };
        let settings = Optimiser { weight_decay: 0.5, ..Default::default() };
        Clock::new(settings, schedule, 400, steps)
    }

    /// Plain `AdamW` in double precision.
    struct Dense {
        weight: f64,
        first: f64,
        second: f64,
    }

    impl Dense {
        fn step(&mut self, gradient: f64, step: u64) {
            let (settings, schedule) = (clock(0).settings, clock(0).schedule);
            let rate = schedule.at(step - 1, 400);
            let (b1, b2) = (settings.beta1, settings.beta2);
            self.first = b1 * self.first + (1.0 - b1) * gradient;
            self.second = b2 * self.second + (1.0 - b2) * gradient * gradient;
            let m = self.first / (1.0 - b1.powf(step as f64));
            let v = self.second / (1.0 - b2.powf(step as f64));
            self.weight *= 1.0 - rate * settings.weight_decay;
            self.weight -= rate * m / (v.sqrt() + settings.epsilon);
        }
    }

    #[test]
    fn rows_that_are_left_behind_end_where_dense_steps_lead() {
        for kernels in Kernels::available() {
            let mut random = Random::new(7);
            let mut dense = Dense { weight: 0.5, first: 0.0, second: 0.0 };
            let mut weight = Row([0.5; LINE]);
            let (mut first, mut second) = (Row::<LINE>::ZERO, Row::<LINE>::ZERO);
            let (mut clock, mut last) = (clock(0), 0);
            for step in 1..=400 {
                clock.advance();
                // Gradients come in bursts, and then for a long time not.
                let is_reached = step % 90 < 5 || random.below(12) == 0;
                let gradient = if is_reached { random.unit() - 0.3 } else { 0.0 };
                dense.step(gradient, step);
                if is_reached {
                    let plan = clock.plan(last);
                    if let Some(catch_up) = plan.catch_up {
                        kernels.catch_up(&mut weight.0, &first.0, &second.0, &catch_up, 10.0);
                    }
                    let gradient = Row([gradient as f32; LINE]);
                    let (m, v) = (&mut first.0, &mut second.0);
                    kernels.adam(&mut weight.0, m, v, &gradient.0, &plan.step, 10.0);
                    last = step;
                    let error = (f64::from(weight.0[3]) - dense.weight).abs();
                    assert!(error < 2e-4, "{step}: {} {}", weight.0[3], dense.weight);
                }
            }
            assert!((dense.weight - 0.5).abs() > 0.1, "the weight has moved");
        }
    }

    #[test]
    fn a_clock_depends_on_the_number_of_steps_alone() {
        let mut walked = clock(0);
        for _ in 0..50 {
            walked.advance();
        }
        assert_eq!(walked.plan(20), clock(50).plan(20));
    }
}
