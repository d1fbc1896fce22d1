//! What is kept of a game.

use serde::{Deserialize, Serialize};
use tandem_chess::{CastlingNotation, Game};

use crate::conduct::Effort;
use crate::end::End;
use crate::journal::Entry;
use crate::pgn::{self, Headers};
use crate::play::PlayedGame;
use crate::statistics::GameScore;
use crate::union::Numbered;

/// A finished game as far as it is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Where it began, as FEN.
    pub start: String,
    /// Its moves as UCI writes them, those of the opening first, with spaces between them.
    pub moves: String,
    /// Half-moves, the opening's included.
    pub plies: usize,
    /// The result for White.
    pub white: GameScore,
    /// How it ended.
    pub end: End,
}

impl Finished {
    /// A game that was played; none if a fault ended it.
    #[must_use]
    pub fn new(game: &PlayedGame) -> Option<Self> {
        let opening = game.opening.moves().iter().copied();
        let mut walk = Game::new(*game.opening.start());
        let mut moves = Vec::new();
        for m in opening.chain(game.moves.iter().map(|played| played.m)) {
            moves.push(walk.position().uci(m, CastlingNotation::Standard));
            walk.play(m).expect("the moves of a game are legal");
        }
        Some(Self {
            start: game.opening.start().to_string(),
            plies: moves.len(),
            moves: moves.join(" "),
            white: game.ending.score(),
            end: End::of(&game.ending)?,
        })
    }

    /// The first half-moves, at most so many.
    #[must_use]
    pub fn first(&self, plies: usize) -> &str {
        let cut = self.moves.match_indices(' ').nth(plies.saturating_sub(1));
        &self.moves[..cut.map_or(self.moves.len(), |(at, _)| at)]
    }
}

/// A finished game as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number among all games, of whatever part.
    pub number: u64,
    /// Its course.
    #[serde(flatten)]
    pub game: Finished,
    /// What White and Black spent.
    pub efforts: [Effort; 2],
    /// The whole game for other programs.
    pub pgn: String,
}

impl GameRecord {
    /// A game that was played; none if a fault ended it.
    #[must_use]
    pub fn new(number: u64, game: &PlayedGame, headers: &Headers<'_>) -> Option<Self> {
        Some(Self {
            number,
            game: Finished::new(game)?,
            efforts: game.efforts(),
            pgn: pgn::write(game, headers),
        })
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
