//! What is played.

use serde::{Deserialize, Serialize};
use tandem_chess::{Game, Position};
use tandem_engine::tablebases::TablebaseError;
use thiserror::Error;

use crate::Shard;
use crate::adjudication::AdjudicationSpec;
use crate::book::{Book, BookSpec, OpeningError};
use crate::digest;
use crate::journal::{self, Obstacle, Parts};
use crate::spec::PlayerSpec;
use crate::union::Divided;

/// The most games, so that the list of those to be played fits into memory.
pub const MOST_GAMES: u64 = 10_000_000;

/// Why settings make no games.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// Too few or too many.
    #[error("{0} games: expected 1 to {MOST_GAMES}")]
    Games(u64),
    /// The part is empty.
    #[error("part {0} of {1} games holds none")]
    NoGames(Shard, u64),
    /// Nobody can move.
    #[error("{0}: the game is over in this position")]
    Over(String),
    /// No position stands there.
    #[error("'{0}' is no position ({1})")]
    Fen(String, String),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The tables cannot be read.
    #[error(transparent)]
    Tables(#[from] TablebaseError),
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// All in the same position, as FEN.
    Fen(String),
    /// Each with an opening of its own, by its number.
    Book(BookSpec),
}

impl Start {
    /// The start position of chess.
    #[must_use]
    pub fn usual() -> Self {
        Self::Fen(Position::startpos().to_string())
    }

    pub(super) fn open(&self) -> Result<Openings, SettingsError> {
        match self {
            Self::Book(spec) => Ok(Openings::Book(Book::open(spec)?)),
            Self::Fen(fen) => {
                let position: Result<Position, _> = fen.parse();
                let refuse =
                    |error: &dyn ToString| SettingsError::Fen(fen.clone(), error.to_string());
                let game = Game::new(position.map_err(|error| refuse(&error))?);
                let is_over = game.outcome().is_some();
                if is_over {
                    Err(SettingsError::Over(fen.clone()))
                } else {
                    Ok(Openings::One(game))
                }
            }
        }
    }
}

/// Where games begin, ready to be asked.
#[allow(clippy::large_enum_variant, reason = "there is one for all games")]
pub enum Openings {
    /// All in the same position.
    One(Game),
    /// By number.
    Book(Book),
}

impl Openings {
    /// Where the game of that number begins.
    pub fn opening(&mut self, number: u64) -> Result<Game, OpeningError> {
        match self {
            Self::One(game) => Ok(game.clone()),
            Self::Book(book) => book.opening(number, &[]),
        }
    }

    /// What a report calls them, if so many games are played.
    pub fn describe(&self, games: u64) -> String {
        match self {
            Self::One(game) if *game.start() == Position::startpos() => {
                "the start position".to_owned()
            }
            Self::One(game) => game.start().to_string(),
            Self::Book(book) => book.describe(games),
        }
    }
}

/// Everything that decides which games are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// White and Black.
    pub players: [PlayerSpec; 2],
    /// All games, of whatever part.
    pub games: u64,
    /// Which of them are ours.
    pub shard: Shard,
    /// Where chance begins.
    pub seed: u64,
    /// Where games begin.
    pub start: Start,
    /// When games are ended early.
    #[serde(flatten)]
    pub adjudication: AdjudicationSpec,
}

impl Settings {
    /// The numbers of our games.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let (shard, games) = (self.shard, self.games);
        (0..games).filter(move |&number| shard.holds(number))
    }

    /// Whether a game of that number is ours.
    #[must_use]
    pub const fn wants(&self, number: u64) -> bool {
        number < self.games && self.shard.holds(number)
    }

    /// The hash of the book, if there is one.
    pub(super) fn book_digest(&self) -> Option<String> {
        match &self.start {
            Start::Fen(_) => None,
            Start::Book(spec) => spec.file.as_ref().and_then(digest::of_file),
        }
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(SettingsError::Games(self.games));
        }
        match self.numbers().next() {
            Some(_) => Ok(()),
            None => Err(SettingsError::NoGames(self.shard, self.games)),
        }
    }

    /// What keeps games with these settings from going on with those. Only their number may change.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let Self { players, games: _, shard, seed, start, adjudication } = self;
        [
            (*players == other.players, "options or nodes"),
            (*shard == other.shard, "parts"),
            (*seed == other.seed, "seeds"),
            (*start == other.start, "openings"),
            (*adjudication == other.adjudication, "rules of adjudication"),
        ]
        .into_iter()
        .find_map(|(same, what)| (!same).then_some(what))
    }
}

/// The first line of the journal.
#[derive(Serialize, Deserialize)]
pub struct Head {
    /// What is played.
    pub tandem_selfplay: Settings,
    /// And with what.
    pub parts: Parts,
}

impl Divided for Head {
    fn take_shard(&mut self) -> Shard {
        std::mem::take(&mut self.tandem_selfplay.shard)
    }

    fn games(&mut self) -> &mut u64 {
        &mut self.tandem_selfplay.games
    }

    fn holds(shard: Shard, number: u64) -> bool {
        shard.holds(number)
    }
}

impl journal::Head for Head {
    const KIND: &'static str = "self-play";
    const BEGINNING: &'static [u8] = b"{\"tandem_selfplay\":";
    const COMPANIONS: &'static [&'static str] = &[".pgn", ".visits"];

    fn obstacle(&self, now: &Self) -> Option<Obstacle> {
        if let Some(what) = self.tandem_selfplay.difference(&now.tandem_selfplay) {
            return Some(Obstacle::Settings(what));
        }
        let names = now.tandem_selfplay.players.iter().map(|player| player.name.as_str());
        self.parts.change(&now.parts, names).map(Obstacle::Parts)
    }
}
