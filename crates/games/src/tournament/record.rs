//! What is kept of a game.

use serde::{Deserialize, Serialize};

use crate::conduct::{Effort, FaultKind};
use crate::statistics::GameScore;

/// A finished game as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule.
    pub number: u64,
    /// The places of White and Black among the players.
    pub players: [usize; 2],
    /// The number of the opening.
    pub opening: u64,
    /// The result for White.
    pub white: GameScore,
    /// How it ended, for people.
    pub ending: String,
    /// Who did what wrong: the player's place and the kind.
    pub fault: Option<(usize, FaultKind)>,
    /// Half-moves, the opening's included.
    pub plies: usize,
    /// What White and Black spent.
    pub efforts: [Effort; 2],
    /// The whole game.
    pub pgn: String,
}

impl GameRecord {
    /// The result for the player at that place.
    #[must_use]
    pub fn score_of(&self, player: usize) -> GameScore {
        if player == self.players[0] { self.white } else { self.white.swapped() }
    }
}
