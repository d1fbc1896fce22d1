//! Players: whoever can be asked for a move.

mod family;
mod info;
mod inside;
mod listener;
mod pool;
mod process;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_chess::{Game, Move};
use tandem_engine::{Limits, Score};
use thiserror::Error;

pub use family::end_all;
pub use inside::Inside;
pub use listener::{Announcement, Listener};
pub use pool::{Pool, introduce};
pub use process::Process;

use crate::spec::PlayerSpec;

/// What a player did wrong. It costs the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The program ended or closed its output.
    #[error("crashed ({0})")]
    Crashed(String),
    /// It said nothing for too long.
    #[error("gave no answer within {:.1} s", .0.as_secs_f64())]
    Hung(Duration),
    /// It played what the rules forbid.
    #[error("played an illegal move ({0})")]
    Illegal(String),
    /// It used more time than it had.
    #[error("overstepped the time by {0} ms")]
    Overstepped(u128),
    /// It could not be started again.
    #[error("could not be started ({0})")]
    Absent(String),
}

/// What a player said about its move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The evaluation for the side that moves.
    pub score: Option<Score>,
    /// How deep it looked.
    pub depth: u32,
    /// How many positions it visited.
    pub nodes: u64,
}

/// What a player knows of the position beyond its thought, where it tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Insight {
    /// What the position is worth for the side that moves.
    pub value: Option<Value>,
    /// How often each move was tried; empty for a search that does not count, or is not asked to tell.
    pub visits: Vec<(Move, u64)>,
}

/// What a position is worth for a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The chance to win less the chance to lose.
    pub q: f32,
    /// The chance of a draw.
    pub draw: f32,
}

/// A move and what goes with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The move, legal.
    pub m: Move,
    /// What the player said about it.
    pub thought: Thought,
    /// What else it knows.
    pub insight: Insight,
    /// From the question to the answer.
    pub elapsed: Duration,
}

/// Who a player turned out to be once it had started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What the engine calls itself.
    pub engine: String,
    /// The network that it evaluates with, by its hash, as far as that is known.
    pub network: Option<String>,
    /// Where it has the likelihoods of moves from, as far as it has them and that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priors: Option<String>,
    /// The first digits of the program's SHA-256.
    #[serde(rename = "program_sha256")]
    pub program: Option<String>,
}

/// Someone who plays.
pub trait Player: Send {
    /// Who it is.
    fn identity(&self) -> &Identity;

    /// Prepares for a game that has nothing to do with earlier ones.
    ///
    /// # Errors
    /// The player is not there any more.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Asks for a move. `patience` is how long to wait at most. Who listens hears what the player
    /// thinks in the meantime; if nobody does, that costs nothing.
    ///
    /// # Errors
    /// The player broke down or broke the rules.
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        patience: Duration,
        listener: Option<&mut dyn Listener>,
    ) -> Result<Reply, Fault>;

    /// Asks for a move and for nothing else.
    ///
    /// # Errors
    /// The player broke down or broke the rules.
    fn choose(&mut self, game: &Game, limits: &Limits, patience: Duration) -> Result<Reply, Fault> {
        self.think(game, limits, patience, None)
    }
}

/// Why a player cannot take part.
#[derive(Debug, Error)]
pub enum StartError {
    /// The program cannot be run.
    #[error("{0}: '{1}' cannot be started ({2})")]
    Program(String, String, std::io::Error),
    /// It runs but does not speak UCI.
    #[error("{0}: no UCI engine: {1}")]
    Protocol(String, Fault),
    /// It has no such option.
    #[error("{0}: the engine has no option '{1}'")]
    Option(String, String),
    /// An option does not take the value.
    #[error("{0}: {1}")]
    Value(String, String),
}

/// Starts a player.
///
/// # Errors
/// It cannot be started or does not take its options.
pub fn start(spec: &PlayerSpec, chess960: bool) -> Result<Box<dyn Player>, StartError> {
    Ok(match &spec.program {
        Some(program) => Box::new(Process::start(spec, program, chess960)?),
        None => Box::new(Inside::start(spec, chess960)?),
    })
}
