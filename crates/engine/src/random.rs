//! Chance that can be repeated.

use std::hash::{BuildHasher as _, RandomState};

/// A generator of evenly spread numbers: the same seed gives the same sequence. (`SplitMix64` by
/// Guy Steele, Doug Lea and Christine Flood.)
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of that seed; 0 stands for a seed that nobody chose.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(if seed == 0 { RandomState::new().hash_one(0) } else { seed })
    }

    /// A number below the limit, which is at least 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_every_number_comes() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..1000).map(|_| random.below(6)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        for face in 0..6 {
            let count = draw(7).iter().filter(|&&drawn| drawn == face).count();
            assert!((120..220).contains(&count), "{face}: {count}");
        }
    }
}
