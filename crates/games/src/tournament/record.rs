//! What is kept of a game.

use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_chess::Color;

use crate::play::{Ending, PlayedGame};
use crate::player::Fault;
use crate::statistics::GameScore;

/// What a player spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Positions visited, as far as the player said.
    pub nodes: u64,
    /// Plies looked ahead, added up over the moves.
    pub depth: u64,
    /// Time used.
    pub time: Duration,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.time += other.time;
    }
}

impl Effort {
    /// Positions a second.
    #[must_use]
    pub fn nps(&self) -> Option<f64> {
        (!self.time.is_zero()).then(|| self.nodes as f64 / self.time.as_secs_f64())
    }

    /// Plies a move.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depth as f64 / self.moves as f64)
    }
}

/// Kinds of faults, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// More time used than there was.
    TimeLoss,
    /// The program ended.
    Crash,
    /// No answer.
    Hang,
    /// A move that the rules forbid.
    IllegalMove,
    /// It could not be started again.
    NoStart,
}

impl From<&Fault> for FaultKind {
    fn from(fault: &Fault) -> Self {
        match fault {
            Fault::Overstepped(_) => Self::TimeLoss,
            Fault::Crashed(_) => Self::Crash,
            Fault::Hung(_) => Self::Hang,
            Fault::Illegal(_) => Self::IllegalMove,
            Fault::Absent(_) => Self::NoStart,
        }
    }
}

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

/// The result for White.
#[must_use]
pub fn score(ending: &Ending) -> GameScore {
    match ending.winner() {
        Some(Color::White) => GameScore::Win,
        Some(Color::Black) => GameScore::Loss,
        None => GameScore::Draw,
    }
}

/// What White and Black spent on a game.
#[must_use]
pub fn efforts(game: &PlayedGame) -> [Effort; 2] {
    let mut efforts = [Effort::default(); 2];
    let mut side = game.opening.position().side_to_move();
    for played in &game.moves {
        efforts[side.index()] += Effort {
            moves: 1,
            nodes: played.thought.nodes,
            depth: played.thought.depth.into(),
            time: played.elapsed,
        };
        side = !side;
    }
    efforts
}
