//! The first line of a match's journal.

use serde::{Deserialize, Serialize};

use super::record::GameRecord;
use super::settings::Settings;
use crate::Shard;
use crate::journal::{self, Entry, Obstacle, Parts};
use crate::union::{Divided, Numbered};

/// What is played, and with what.
#[derive(Serialize, Deserialize)]
pub struct Head {
    /// The settings.
    pub tandem_match: Settings,
    /// Journals of old do not have them.
    #[serde(default)]
    pub parts: Option<Parts>,
}

impl journal::Head for Head {
    const KIND: &'static str = "match";
    const BEGINNING: &'static [u8] = b"{\"tandem_match\":";
    const COMPANIONS: &'static [&'static str] = &[".pgn"];

    fn obstacle(&self, now: &Self) -> Option<Obstacle> {
        if let Some(what) = self.tandem_match.difference(&now.tandem_match) {
            return Some(Obstacle::Settings(what));
        }
        let names = now.tandem_match.players.iter().map(|player| player.name.as_str());
        let change = self.parts.as_ref()?.change(now.parts.as_ref()?, names);
        change.map(Obstacle::Parts)
    }
}

impl Divided for Head {
    fn take_shard(&mut self) -> Shard {
        std::mem::take(&mut self.tandem_match.shard)
    }

    fn games(&mut self) -> &mut u64 {
        &mut self.tandem_match.games
    }

    fn holds(shard: Shard, number: u64) -> bool {
        shard.holds(number / 2)
    }
}

impl Numbered for GameRecord {
    fn number(&self) -> u64 {
        self.number
    }

    fn shed(&mut self) {
        self.pgn = String::new();
    }
}

impl Entry for GameRecord {
    fn pgn(&self) -> &str {
        &self.pgn
    }
}
