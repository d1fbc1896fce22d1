//! Where the chance of each side begins in each game.

use tandem_chess::{Color, Random};

/// What the engine's `Seed` has room for.
const BITS: u32 = 31;
const MASK: u64 = (1 << BITS) - 1;
/// Odd, so that multiplying by them loses nothing.
const FACTORS: [u64; 2] = [0x2C1B_3C6D, 0x297A_2D39];

/// The seed of a side in the game of that number. One seed of the work gives no two games or sides the
/// same: every step below can be undone.
#[must_use]
pub fn of(seed: u64, number: u64, side: Color) -> u64 {
    let mut random = Random::new(seed);
    let mut value = number << 1 | side.index() as u64;
    for factor in FACTORS {
        value = (value ^ random.bits()) & MASK;
        value = value.wrapping_mul(factor) & MASK;
        value ^= value >> 16;
    }
    value
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_games_or_sides_share_a_seed() {
        for seed in [0, 1, u64::MAX] {
            let numbers = (0..20_000).chain((1 << 30) - 100..1 << 30);
            let sides = numbers.flat_map(|number| Color::ALL.map(|side| (number, side)));
            let seeds: Vec<u64> = sides.map(|(number, side)| of(seed, number, side)).collect();
            assert!(seeds.iter().all(|seed| *seed <= MASK));
            assert_eq!(seeds.iter().collect::<HashSet<_>>().len(), seeds.len());
        }
    }

    #[test]
    fn another_seed_gives_other_games() {
        assert_ne!(of(1, 0, Color::White), of(2, 0, Color::White));
        assert_eq!(of(1, 5, Color::Black), of(1, 5, Color::Black));
    }
}
