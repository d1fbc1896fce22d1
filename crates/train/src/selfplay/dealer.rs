//! Deals out openings in the order of the games, none twice.

use tandem_chess::{Game, Random};
use tandem_engine::Openings;

use super::{SelfPlay, Shard};
use crate::data::{KeySet, Record};

/// Memory for the openings that have been dealt: enough for a million games.
const MEMORY: usize = 16 << 20;

/// The next opening, and those before it.
pub struct Dealer {
    openings: Openings,
    seen: KeySet,
    seed: u64,
    shard: Shard,
    next: u64,
    games: u64,
}

impl Dealer {
    /// Before the first game.
    pub fn new(settings: &SelfPlay) -> Self {
        let networks = settings.networks.as_ref();
        Self {
            openings: Openings::new(0, Vec::new(), settings.balance, networks),
            seen: KeySet::new(MEMORY),
            seed: settings.seed,
            shard: settings.shard,
            next: 0,
            games: settings.games,
        }
    }

    /// A game was played before.
    pub fn remember(&mut self, record: &Record) {
        self.seen.insert(record.start().key());
        self.next += 1;
    }

    /// The next game's number in this file, and where it begins.
    pub fn deal(&mut self) -> Option<(u64, Game)> {
        let number = self.next;
        if number >= self.games {
            return None;
        }
        self.next += 1;
        let own = self.shard.number(number);
        // Neighbouring seeds would give neighbouring streams.
        let seed = Random::new(self.seed ^ own.wrapping_mul(0x9E37_79B9_7F4A_7C15)).bits();
        self.openings.reseed(seed);
        loop {
            let opening = self.openings.next()?;
            if self.seen.insert(opening.position().key()) {
                return Some((number, Game::new(*opening.position())));
            }
        }
    }
}
