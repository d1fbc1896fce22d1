//! The likeliest distribution of results among those of a given strength.
//!
//! Results fall into `N` classes with scores evenly spaced from 0 to 1: three for games, five for
//! pairs. Given how often each class was observed, these functions find the class probabilities that
//! make the observation likeliest while the distribution has a given mean, or a given surplus of its
//! mean over ½ in standard deviations. The method is Michel Van den Bergh's.

/// Counted for a class that was never seen, so that no distribution is ruled out.
const UNSEEN: f64 = 1e-3;

/// Rounds of [`Observed::with_surplus`] at most; a handful is enough unless the strengths asked for
/// are far from anything a match tests.
const ROUNDS: usize = 200;

/// The score of a class.
fn score<const N: usize>(class: usize) -> f64 {
    class as f64 / (N - 1) as f64
}

/// Mean and variance of the score where class `i` weighs `weights[i]`; zeros if nothing weighs.
pub(super) fn moments<const N: usize>(weights: &[f64; N]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return (0.0, 0.0);
    }
    let expect = |value: &dyn Fn(f64) -> f64| {
        weights.iter().enumerate().map(|(i, weight)| weight * value(score::<N>(i))).sum::<f64>()
            / total
    };
    let mean = expect(&|score| score);
    (mean, expect(&|score| (score - mean).powi(2)))
}

/// By how many of its standard deviations the mean is above ½.
fn surplus<const N: usize>(probabilities: &[f64; N]) -> f64 {
    let (mean, variance) = moments(probabilities);
    (mean - 0.5) / variance.sqrt()
}

/// What was seen: how many results, and the share of each class, none of which is zero.
#[derive(Clone, Copy)]
pub(super) struct Observed<const N: usize> {
    total: f64,
    shares: [f64; N],
}

impl<const N: usize> Observed<N> {
    pub(super) fn new(counts: [u64; N]) -> Self {
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total = counts.iter().sum();
        Self { total, shares: counts.map(|count| count / total) }
    }

    /// How much likelier the second distribution makes the observation than the first, as the
    /// logarithm of the ratio.
    pub(super) fn log_ratio(&self, first: &[f64; N], second: &[f64; N]) -> f64 {
        let each = self.shares.iter().zip(first.iter().zip(second));
        self.total * each.map(|(share, (a, b))| share * (b / a).ln()).sum::<f64>()
    }

    /// The likeliest distribution with that mean, which lies between 0 and 1.
    pub(super) fn with_mean(&self, mean: f64) -> [f64; N] {
        self.with_zero_expectation(&std::array::from_fn(|i| score::<N>(i) - mean))
    }

    /// The likeliest distribution whose mean is `target` of its standard deviations above ½.
    ///
    /// For a positive target, the mean less `target` standard deviations is the largest expectation
    /// that any member of a family of parabolas has, and the member that attains it is known from
    /// the mean and deviation of the distribution. So rounds of "likeliest distribution for which
    /// this parabola has expectation ½" and "parabola of that distribution" lead to the answer. Each
    /// round leaves a distribution with at least the target surplus; with such a one, the next
    /// parabola is above ½ for some class and below for the lowest, so every round has a solution.
    pub(super) fn with_surplus(&self, target: f64) -> [f64; N] {
        if target == 0.0 {
            return self.with_mean(0.5);
        }
        if target < 0.0 {
            let mut mirrored = *self;
            mirrored.shares.reverse();
            let mut probabilities = mirrored.with_surplus(-target);
            probabilities.reverse();
            return probabilities;
        }
        let mut probabilities = self.raised(target);
        for _ in 0..ROUNDS {
            let (mean, variance) = moments(&probabilities);
            let deviation = variance.sqrt();
            let parabola = std::array::from_fn(|i| {
                let distance = (score::<N>(i) - mean) / deviation;
                score::<N>(i) - 0.5 - target * deviation * (1.0 + distance * distance) / 2.0
            });
            let next = self.with_zero_expectation(&parabola);
            let settled = next.iter().zip(&probabilities).all(|(a, b)| (a - b).abs() < 1e-13);
            probabilities = next;
            if settled {
                break;
            }
        }
        probabilities
    }

    /// The observed shares, shifted towards high scores as far as needed to have the target surplus
    /// or a little more.
    fn raised(&self, target: f64) -> [f64; N] {
        let tilted = |tilt: f64| -> [f64; N] {
            let weights: [f64; N] =
                std::array::from_fn(|i| self.shares[i] * (tilt * (score::<N>(i) - 1.0)).exp());
            let total: f64 = weights.iter().sum();
            weights.map(|weight| weight / total)
        };
        if surplus(&self.shares) >= target {
            return self.shares;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while surplus(&tilted(high)) < target {
            low = high;
            high *= 2.0;
        }
        for _ in 0..10 {
            let middle = f64::midpoint(low, high);
            if surplus(&tilted(middle)) < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        tilted(high)
    }

    /// The likeliest distribution for which these values, some positive and some negative, have an
    /// expectation of zero.
    ///
    /// By Lagrange it is `share / (1 + x * value)`, with the one `x` that keeps all probabilities
    /// positive and makes the expectation zero. No probability exceeds 1, which gives bounds for
    /// `x`; between them the expectation falls, and Newton's method finds the zero, with a step of
    /// bisection where it would leave the bounds.
    fn with_zero_expectation(&self, values: &[f64; N]) -> [f64; N] {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (&value, &share) in values.iter().zip(&self.shares) {
            let bound = (share - 1.0) / value;
            if value > 0.0 {
                low = low.max(bound);
            } else if value < 0.0 {
                high = high.min(bound);
            }
        }
        let mut x: f64 = 0.0;
        for _ in 0..ROUNDS {
            let (mut expectation, mut slope) = (0.0, 0.0);
            for (&value, &share) in values.iter().zip(&self.shares) {
                let part = value / (1.0 + x * value);
                expectation += share * part;
                slope += share * part * part;
            }
            if expectation > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let step = x + expectation / slope;
            let next = if step > low && step < high { step } else { f64::midpoint(low, high) };
            let settled = (next - x).abs() <= 1e-15 * x.abs();
            x = next;
            if settled {
                break;
            }
        }
        std::array::from_fn(|i| self.shares[i] / (1.0 + x * values[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [[u64; 5]; 6] = [
        [50, 287, 610, 387, 73],
        [0, 1236, 4490, 1474, 1],
        [144, 3, 1, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 1000, 0, 0],
        [1_000_000, 0, 0, 0, 1],
    ];

    #[test]
    fn the_constraint_holds_and_probabilities_sum_to_one() {
        for counts in COUNTS {
            let observed = Observed::new(counts);
            for target in [-3.0, -0.5, -0.01, 0.0, 0.01, 0.5, 3.0] {
                let found = observed.with_surplus(target);
                assert!(found.iter().all(|&p| p > 0.0));
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{counts:?} {target}");
                assert!((surplus(&found) - target).abs() < 1e-6, "{counts:?} {target} {found:?}");
                let mean = 1.0 / (1.0 + (-target).exp());
                let found = observed.with_mean(mean);
                assert!(found.iter().all(|&p| p > 0.0));
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{counts:?} {mean}");
                assert!((moments(&found).0 - mean).abs() < 1e-9, "{counts:?} {mean}");
            }
        }
    }

    #[test]
    fn what_was_seen_is_itself_the_likeliest_with_its_own_mean() {
        let observed = Observed::new([50, 287, 610, 387, 73]);
        let (mean, _) = moments(&observed.shares);
        for found in [observed.with_mean(mean), observed.with_surplus(surplus(&observed.shares))] {
            for (p, share) in found.iter().zip(observed.shares) {
                assert!((p - share).abs() < 1e-9);
            }
        }
    }
}
