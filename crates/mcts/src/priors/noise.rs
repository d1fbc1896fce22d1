//! Noise on the root's priors, so that self-play tries what it would not think of.

use tandem_chess::Random;

use crate::math::{ln, pow};

/// Mixes Dirichlet noise into likelihoods: a share `epsilon` of them becomes noise. The smaller
/// `alpha`, the fewer moves get most of it.
pub fn mix_noise(likelihoods: &mut [f32], alpha: f32, epsilon: f32, random: &mut Random) {
    let noise: Vec<f32> = likelihoods.iter().map(|_| gamma(alpha, random)).collect();
    let sum: f32 = noise.iter().sum();
    if sum <= f32::MIN_POSITIVE {
        return;
    }
    for (likelihood, noise) in likelihoods.iter_mut().zip(noise) {
        *likelihood = (1.0 - epsilon) * *likelihood + epsilon * noise / sum;
    }
}

/// A number with the gamma distribution of that shape (Marsaglia and Tsang's method).
fn gamma(shape: f32, random: &mut Random) -> f32 {
    if shape < 1.0 {
        // A smaller shape is a larger one times a power of chance.
        let chance = (random.unit() as f32).max(f32::MIN_POSITIVE);
        return gamma(shape + 1.0, random) * pow(chance, 1.0 / shape);
    }
    let mode = shape - 1.0 / 3.0;
    let width = 1.0 / (9.0 * mode).sqrt();
    loop {
        let x = normal(random);
        let root = 1.0 + width * x;
        if root <= 0.0 {
            continue;
        }
        let cube = root * root * root;
        let chance = (random.unit() as f32).max(f32::MIN_POSITIVE);
        if ln(chance) < 0.5 * x * x + mode - mode * cube + mode * ln(cube) {
            return mode * cube;
        }
    }
}

/// A number with the normal distribution (Marsaglia's polar method).
fn normal(random: &mut Random) -> f32 {
    loop {
        let (x, y) = (2.0 * random.unit() as f32 - 1.0, 2.0 * random.unit() as f32 - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_keeps_the_sum_and_has_the_right_spread() {
        const ROUNDS: usize = 20_000;
        let mut random = Random::new(1);
        let (mut mean, mut square) = (0.0, 0.0);
        for _ in 0..ROUNDS {
            let mut likelihoods = [0.25; 4];
            mix_noise(&mut likelihoods, 0.3, 1.0, &mut random);
            assert!((likelihoods.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            mean += f64::from(likelihoods[0]);
            square += f64::from(likelihoods[0]).powi(2);
        }
        let (mean, square) = (mean / ROUNDS as f64, square / ROUNDS as f64);
        // A Dirichlet distribution of four parts of 0.3: mean 1/4, variance (1/4)(3/4)/(1.2 + 1).
        assert!((mean - 0.25).abs() < 0.01, "{mean}");
        assert!((square - mean * mean - 0.1875 / 2.2).abs() < 0.005, "{square}");
    }

    #[test]
    fn the_same_seed_makes_the_same_noise() {
        let noise = |seed| {
            let mut likelihoods = [0.1; 10];
            mix_noise(&mut likelihoods, 0.3, 0.25, &mut Random::new(seed));
            likelihoods.map(f32::to_bits)
        };
        assert_eq!(noise(7), noise(7));
        assert_ne!(noise(7), noise(8));
    }
}
