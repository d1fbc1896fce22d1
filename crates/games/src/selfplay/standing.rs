//! How far the games have come.

use super::counts::{Counts, Results};
use super::record::{Finished, GameRecord};
use crate::conduct::Effort;

/// The games so far.
pub struct Standing {
    total: u64,
    results: Results,
    games: Vec<Finished>,
    efforts: [Effort; 2],
}

impl Standing {
    /// Before the first of so many games.
    #[must_use]
    pub fn new(total: u64) -> Self {
        Self { total, results: Results::default(), games: Vec::new(), efforts: Default::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.results.add(record.game.white);
        self.games.push(record.game.clone());
        for (sum, &effort) in self.efforts.iter_mut().zip(&record.efforts) {
            *sum += effort;
        }
    }

    /// Games that are to be played, those that are finished among them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Results for White so far.
    #[must_use]
    pub const fn results(&self) -> Results {
        self.results
    }

    /// What White and Black spent.
    #[must_use]
    pub const fn efforts(&self) -> [Effort; 2] {
        self.efforts
    }

    /// The games, in the order in which they ended.
    #[must_use]
    pub fn into_games(self) -> Vec<Finished> {
        self.games
    }

    /// Everything that can be counted.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.games)
    }
}
