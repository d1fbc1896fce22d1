//! What is played in a match.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_engine::tablebases::TablebaseError;
use thiserror::Error;

use super::schedule::{Format, Schedule};
use crate::Shard;
use crate::adjudication::AdjudicationSpec;
use crate::book::{Book, BookSpec, OpeningError, odds_of};
use crate::play::Rules;
use crate::spec::{PlayerSpec, Side};
use crate::statistics::Sprt;

/// The most games of a match, so that the list of those to be played fits into memory.
const MOST_GAMES: u64 = 10_000_000;

/// Why settings make no match.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// One player has nobody to play with.
    #[error("a match needs at least two players; give --player twice or more")]
    TooFewPlayers,
    /// An opening would be played with one colour only.
    #[error(
        "{0} games: expected an even number above 0, because each opening is played with both colours"
    )]
    Games(u64),
    /// Nobody could keep so many.
    #[error("{0} games for each pairing are too many: a match has at most {MOST_GAMES}")]
    TooManyGames(u64),
    /// A player would think for ever.
    #[error("{0} has no limit: give it tc, movetime, nodes or depth, or give one for all players")]
    NoLimit(String),
    /// An SPRT compares two.
    #[error("an SPRT compares two players, and there are {0}")]
    Sprt(usize),
    /// A test needs the games of all parts.
    #[error(
        "an SPRT judges all games, and {0} is only a part of them; test them when they are merged"
    )]
    SprtOfPart(Shard),
    /// The part is empty.
    #[error("part {0} of {1} pairs of games holds none")]
    NoGames(Shard, u64),
    /// Two players want the same side.
    #[error("{0} and {1} cannot both have a fixed side")]
    Sides(String, String),
    /// The tables cannot be read.
    #[error(transparent)]
    Tables(#[from] TablebaseError),
}

/// Everything that decides which games are played and how they count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What the games are called.
    pub event: String,
    /// Who plays.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Games for each pairing, those of all parts together.
    pub games: u64,
    /// Which pairs of games are ours.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// Where the openings come from.
    pub book: BookSpec,
    /// When games are ended early.
    #[serde(flatten)]
    pub adjudication: AdjudicationSpec,
    /// By how much clocks may be overstepped.
    pub margin: Duration,
    /// How long an engine may be silent after its time is over.
    pub patience: Duration,
    /// Whether Chess960 is played.
    pub chess960: bool,
    /// The test that ends the match. It is not kept: a match may go on with another.
    #[serde(skip)]
    pub sprt: Option<Sprt>,
}

impl Settings {
    /// All games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.players.len(), self.games).part(self.shard)
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let players = &self.players;
        if players.len() < 2 {
            return Err(SettingsError::TooFewPlayers);
        }
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(SettingsError::Games(self.games));
        }
        let pairings = self.schedule().pairings().len() as u64;
        if self.games > MOST_GAMES / pairings {
            return Err(SettingsError::TooManyGames(self.games));
        }
        if let Some(player) = players.iter().find(|player| player.pace.is_open_ended()) {
            return Err(SettingsError::NoLimit(player.name.clone()));
        }
        if self.sprt.is_some() && players.len() != 2 {
            return Err(SettingsError::Sprt(players.len()));
        }
        if self.sprt.is_some() && !self.shard.is_whole() {
            return Err(SettingsError::SprtOfPart(self.shard));
        }
        let schedule = self.schedule();
        if schedule.total() == 0 {
            return Err(SettingsError::NoGames(self.shard, schedule.all() / 2));
        }
        let mut fixed = players.iter().filter(|player| player.side != Side::Both);
        match (fixed.next(), fixed.next()) {
            (Some(one), Some(two)) => Err(SettingsError::Sides(one.name.clone(), two.name.clone())),
            _ => Ok(()),
        }
    }

    /// Whether every player's odds are possible in the first opening.
    pub(super) fn try_odds(&self, book: &mut Book) -> Result<(), OpeningError> {
        for player in &self.players {
            for color in tandem_chess::Color::ALL {
                book.opening(0, &odds_of(&player.odds, color))?;
            }
        }
        Ok(())
    }

    pub(super) fn rules(&self) -> Result<Rules, SettingsError> {
        Ok(Rules {
            adjudication: self.adjudication.prepare()?,
            margin: self.margin,
            patience: self.patience,
            chess960: self.chess960,
        })
    }

    /// What keeps a match with these settings from going on with those. The number of games and the
    /// test that ends the match may change.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        let Self {
            event,
            players,
            format,
            games: _,
            shard,
            book,
            adjudication,
            margin,
            patience,
            chess960,
            sprt: _,
        } = self;
        [
            (*event == other.event, "a name"),
            (*players == other.players, "players"),
            (*format == other.format, "pairings"),
            (*shard == other.shard, "parts"),
            (*chess960 == other.chess960, "rules of chess"),
            (*book == other.book, "openings"),
            (*adjudication == other.adjudication, "rules of adjudication"),
            (*margin == other.margin && *patience == other.patience, "margins of time"),
        ]
        .into_iter()
        .find_map(|(same, what)| (!same).then_some(what))
    }
}
