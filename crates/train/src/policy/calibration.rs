//! The temperature at which a network's likelihoods are right.

use super::model::SUM;

/// Positions whose moves' outputs are known.
#[derive(Debug, Default)]
pub struct Judged {
    /// Where the moves of each position begin, and the end of the last.
    starts: Vec<usize>,
    /// What each move got, in the units of inference.
    outputs: Vec<f32>,
    /// What each move deserves.
    targets: Vec<f32>,
}

/// Temperatures lie between this and its inverse.
const LEAST: f64 = 0.05;
/// So many times the temperature is bettered; each time most digits that are right become twice as many.
const ROUNDS: usize = 12;

impl Judged {
    /// Adds a position.
    pub fn add(&mut self, outputs: &[f32], targets: &[f32]) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.outputs.extend(outputs);
        self.targets.extend(targets);
        self.starts.push(self.outputs.len());
    }

    /// For each position what its moves got and deserve.
    pub fn positions(&self) -> impl Iterator<Item = (&[f32], &[f32])> {
        self.starts.windows(2).map(|bounds| {
            let range = bounds[0]..bounds[1];
            (&self.outputs[range.clone()], &self.targets[range])
        })
    }

    /// The temperature at which the mean cross-entropy is least. As a function of its inverse that is
    /// convex, so Newton's steps lead to it, and halving where they lead too far.
    pub fn temperature(&self) -> f64 {
        let (mut low, mut high) = (LEAST, 1.0 / LEAST);
        let mut inverse = 1.0;
        for _ in 0..ROUNDS {
            let (slope, curvature) = self.slope(inverse);
            if slope > 0.0 {
                high = inverse;
            } else {
                low = inverse;
            }
            let next = inverse - slope / curvature;
            let is_inside = next > low && next < high;
            let next = if is_inside { next } else { f64::midpoint(low, high) };
            if (next - inverse).abs() < 1e-9 {
                break;
            }
            inverse = next;
        }
        1.0 / inverse
    }

    /// How the sum of all cross-entropies grows with the inverse of the temperature, and how that grows.
    fn slope(&self, inverse: f64) -> (f64, f64) {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (outputs, targets) in self.positions() {
            let logit = |&output: &f32| f64::from(output) / f64::from(SUM);
            let largest = outputs.iter().map(logit).fold(f64::MIN, f64::max);
            let [mut sum, mut mean, mut square, mut deserved] = [0.0; 4];
            for (output, &target) in outputs.iter().zip(targets) {
                let below = logit(output) - largest;
                let weight = (inverse * below).exp();
                sum += weight;
                mean += weight * below;
                square += weight * below * below;
                deserved += f64::from(target) * below;
            }
            let mean = mean / sum;
            slope += mean - deserved;
            curvature += square / sum - mean * mean;
        }
        (slope, curvature)
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;

    /// Positions whose moves are drawn as likely as their outputs say at that temperature.
    fn drawn(temperature: f64) -> Judged {
        let mut random = Random::new(4);
        let mut judged = Judged::default();
        for _ in 0..20_000 {
            let logits: [f64; 6] = std::array::from_fn(|_| 4.0 * random.unit());
            let weights = logits.map(|logit| (logit / temperature).exp());
            let best = random.weighted(&weights).unwrap();
            let targets: [f32; 6] = std::array::from_fn(|i| f32::from(u8::from(i == best)));
            judged.add(&logits.map(|logit| logit as f32 * SUM), &targets);
        }
        judged
    }

    #[test]
    fn the_temperature_is_found_at_which_moves_were_drawn() {
        for temperature in [0.4, 1.0, 1.7] {
            let found = drawn(temperature).temperature();
            assert!((found / temperature - 1.0).abs() < 0.05, "{temperature}: {found}");
        }
    }

    #[test]
    fn what_no_temperature_betters_stays_within_bounds() {
        let mut judged = Judged::default();
        judged.add(&[SUM, 0.0], &[1.0, 0.0]);
        let sure = judged.temperature();
        assert!((LEAST..0.5).contains(&sure), "{sure}");
        let mut judged = Judged::default();
        judged.add(&[SUM, 0.0], &[0.0, 1.0]);
        assert!((2.0..=1.0 / LEAST).contains(&judged.temperature()));
        assert!((1.0 / LEAST..).contains(&(1.0 / LEAST)));
        let mut even = Judged::default();
        even.add(&[SUM, SUM], &[0.5, 0.5]);
        assert!(even.temperature().is_finite());
    }
}
