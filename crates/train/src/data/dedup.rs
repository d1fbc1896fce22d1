//! Positions and games that were there before.

use super::Record;

/// How many neighbouring places a key may stand in.
const REACH: usize = 32;

/// A set of keys in a fixed amount of memory. It never takes a new key for a known one. As long as
/// nothing had to be forgotten, it never takes a known key for a new one either; when it is full, it
/// forgets one key for each new one.
pub struct KeySet {
    /// Zero is a free place.
    places: Vec<u64>,
    len: u64,
    forgotten: u64,
}

impl KeySet {
    /// A set that takes so many bytes, at least a few hundred.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { places: vec![0; (bytes / 8).max(2 * REACH)], len: 0, forgotten: 0 }
    }

    /// Adds a key; true if it is new.
    pub fn insert(&mut self, key: u64) -> bool {
        let key = key.max(1);
        let last = self.places.len() - REACH;
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let start = ((u128::from(spread) * last as u128) >> 64) as usize;
        let places = &mut self.places[start..start + REACH];
        for place in &mut *places {
            if *place == key {
                return false;
            }
            if *place == 0 {
                *place = key;
                self.len += 1;
                return true;
            }
        }
        places[(spread & (REACH as u64 - 1)) as usize] = key;
        self.forgotten += 1;
        true
    }

    /// How many keys it knows.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether it knows none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many keys it had to forget; zero means that every repetition was noticed.
    #[must_use]
    pub const fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

/// Notices positions and whole games that were there before, in a fixed amount of memory.
///
/// Positions are equal if pieces, side to move, castling and en-passant rights are; counters do not
/// matter. They are told apart by their 64-bit keys: among a hundred million positions the chance that
/// any two different ones share a key is about 1 in 4000. Games are equal if start and moves are.
pub struct Deduplicator {
    positions: KeySet,
    games: KeySet,
    repeated_positions: u64,
    repeated_games: u64,
}

impl Deduplicator {
    /// Uses that many MiB, a sixteenth of them for games.
    #[must_use]
    pub fn new(mib: usize) -> Self {
        let bytes = mib << 20;
        Self {
            positions: KeySet::new(bytes - bytes / 16),
            games: KeySet::new(bytes / 16),
            repeated_positions: 0,
            repeated_games: 0,
        }
    }

    /// Whether the game is new.
    pub fn is_new_game(&mut self, record: &Record) -> bool {
        let start = record.start().key();
        let key = record.plies().iter().fold(start, |key, ply| {
            (key ^ u64::from(ply.m.bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        let is_new = self.games.insert(key);
        self.repeated_games += u64::from(!is_new);
        is_new
    }

    /// Whether the position with that key is new.
    pub fn is_new_position(&mut self, key: u64) -> bool {
        let is_new = self.positions.insert(key);
        self.repeated_positions += u64::from(!is_new);
        is_new
    }

    /// How many positions were there before.
    #[must_use]
    pub const fn repeated_positions(&self) -> u64 {
        self.repeated_positions
    }

    /// How many games were there before.
    #[must_use]
    pub const fn repeated_games(&self) -> u64 {
        self.repeated_games
    }

    /// How many keys had to be forgotten for want of memory; zero means that all repetitions were
    /// noticed.
    #[must_use]
    pub const fn forgotten(&self) -> u64 {
        self.positions.forgotten() + self.games.forgotten()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tandem_chess::Random;

    use super::*;
    use crate::data::GameResult;
    use crate::data::testing::record;

    #[test]
    fn with_room_it_is_exact() {
        let mut set = KeySet::new(1 << 20);
        let mut exact = HashSet::new();
        let mut random = Random::new(1);
        for _ in 0..60_000 {
            let key = random.bits() % 50_000;
            assert_eq!(set.insert(key), exact.insert(key.max(1)));
        }
        assert_eq!((set.len(), set.forgotten()), (exact.len() as u64, 0));
    }

    #[test]
    fn without_room_it_forgets_but_invents_nothing() {
        let mut set = KeySet::new(4096);
        let mut exact = HashSet::new();
        let mut random = Random::new(2);
        for _ in 0..20_000 {
            let key = random.bits() % 10_000 + 1;
            let was_new = exact.insert(key);
            assert!(set.insert(key) || !was_new);
        }
        assert!(set.forgotten() > 0 && set.len() <= 512);
    }

    #[test]
    fn equal_games_are_noticed_and_others_are_not() {
        let mut dedup = Deduplicator::new(1);
        let games = ["e2e4 e7e5", "e2e4 e7e5 g1f3"];
        assert!(dedup.is_new_game(&record(games[0], GameResult::Draw)));
        assert!(dedup.is_new_game(&record(games[1], GameResult::Draw)));
        assert!(!dedup.is_new_game(&record(games[0], GameResult::WhiteWins)));
        assert_eq!((dedup.repeated_games(), dedup.forgotten()), (1, 0));
    }
}
