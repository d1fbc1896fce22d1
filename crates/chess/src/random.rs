//! Randomness that can be repeated.

/// The `SplitMix64` generator (Steele, Lea and Flood): small, fast, and the same from the same seed
/// on every machine. Zobrist keys come from it, and so does every choice that is left to chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// A generator that begins with that seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 to less than 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A place in a list of weights, each chosen as often as its weight says. None if all are 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        let last = weights.iter().rposition(|&weight| weight > 0.0)?;
        for (place, &weight) in weights.iter().enumerate() {
            if left < weight {
                return Some(place);
            }
            left -= weight;
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        // The first outputs from seed 0 as the authors publish them.
        let mut random = Random::new(0);
        assert_eq!(random.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.bits(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn weights_are_respected() {
        let mut random = Random::new(1);
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            counts[random.weighted(&[1.0, 0.0, 3.0]).unwrap()] += 1;
            assert!(random.below(7) < 7);
        }
        assert_eq!(counts[1], 0);
        assert!((2300..2700).contains(&counts[0]), "{counts:?}");
        assert_eq!(random.weighted(&[0.0]), None);
    }
}
