//! How a match stands.

use std::collections::HashMap;

use super::record::GameRecord;
use super::schedule::Schedule;
use crate::conduct::Conduct;
use crate::statistics::{GameScore, Pairing, Tally};

/// The results so far.
#[derive(Clone, Debug)]
pub struct Standing {
    schedule: Schedule,
    /// Each pairing's results, for its first player.
    pairings: Vec<Pairing>,
    conduct: Vec<Conduct>,
    /// The first finished game of each pair whose other game is not finished.
    halves: HashMap<u64, GameScore>,
    plies: u64,
    games: u64,
    /// Results for White over all games.
    white: Tally,
}

impl Standing {
    /// Before the first game.
    #[must_use]
    pub fn new(schedule: &Schedule, players: usize) -> Self {
        let pairing = |&[player, opponent]: &[usize; 2]| Pairing {
            player,
            opponent,
            tally: Tally::default(),
        };
        Self {
            schedule: schedule.clone(),
            pairings: schedule.pairings().iter().map(pairing).collect(),
            conduct: vec![Conduct::default(); players],
            halves: HashMap::new(),
            plies: 0,
            games: 0,
            white: Tally::default(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        let fixture = self.schedule.fixture(record.number);
        let score = record.score_of(fixture.players[0]);
        let place = self.schedule.pairings().iter().position(|p| *p == fixture.players);
        let tally = &mut self.pairings[place.expect("every fixture belongs to a pairing")].tally;
        if let Some(first) = self.halves.remove(&fixture.pair) {
            tally.add_partner(first, score);
        } else {
            self.halves.insert(fixture.pair, score);
            tally.add_game(score);
        }
        for (&player, &effort) in record.players.iter().zip(&record.efforts) {
            self.conduct[player].effort += effort;
        }
        if let Some((player, kind)) = record.fault {
            self.conduct[player].count(kind);
        }
        self.white.add_game(record.white);
        self.plies += record.plies as u64;
        self.games += 1;
    }

    /// Games counted.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Games scheduled.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.schedule.total()
    }

    /// Each pairing's results.
    #[must_use]
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// What each player did.
    #[must_use]
    pub fn conduct(&self) -> &[Conduct] {
        &self.conduct
    }

    /// Results for White over all games.
    #[must_use]
    pub const fn white(&self) -> &Tally {
        &self.white
    }

    /// The average length of a game in half-moves.
    #[must_use]
    pub fn mean_plies(&self) -> Option<f64> {
        (self.games > 0).then(|| self.plies as f64 / self.games as f64)
    }

    /// All results of one player.
    #[must_use]
    pub fn tally_of(&self, player: usize) -> Tally {
        let mut all = Tally::default();
        for pairing in &self.pairings {
            if pairing.player == player {
                all.merge(&pairing.tally);
            } else if pairing.opponent == player {
                all.merge(&pairing.tally.swapped());
            }
        }
        all
    }
}
