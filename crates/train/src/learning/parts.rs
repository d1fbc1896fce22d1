//! Parts of a loop that other machines can do: games, a shard at a time.
//!
//! Whoever plays reads the state of the loop and changes nothing in its folder. The games of all shards are
//! put where the loop keeps its own, and its steps then find that they are played.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tandem_games::Shard;
use tandem_games::player::Identity;

use super::news::Listener;
use super::state::{Generation, State, Step};
use super::steps::Desk;
use super::{LearningLoop, LoopError, generation_folder, state_file};
use crate::Finish;

/// Games of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A portion of those that are learnt from, counted from 0.
    Portion(usize),
    /// Those to measure with.
    Validation,
    /// The election.
    Gate,
    /// Against the first networks.
    First,
    /// Against those of the generation before.
    Previous,
}

impl Part {
    /// What files of it are called.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Portion(place) => (place + 1).to_string(),
            Self::Validation => "validation".to_owned(),
            Self::Gate => "gate".to_owned(),
            Self::First => "first".to_owned(),
            Self::Previous => "previous".to_owned(),
        }
    }

    /// Whether one pair plays itself.
    #[must_use]
    pub const fn is_selfplay(self) -> bool {
        matches!(self, Self::Portion(_) | Self::Validation)
    }

    /// The name of the files in which a loop keeps these games, without ending.
    #[must_use]
    pub fn files(self, folder: &Path, generation: u32) -> PathBuf {
        let within = if self.is_selfplay() { "games" } else { "matches" };
        generation_folder(folder, generation).join(within).join(self.name())
    }
}

/// How far a loop goes on within a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// So many portions of games are known.
    Portions(usize),
    /// The new networks are there.
    Networks,
    /// The generation is finished.
    Finished,
}

impl Goal {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Portions(count) => format!("portion-{count}"),
            Self::Networks => "learn".to_owned(),
            Self::Finished => "elect".to_owned(),
        }
    }

    /// Whether that step comes after it.
    const fn is_before(self, step: Step) -> bool {
        match (self, step) {
            (Self::Portions(count), Step::Portion(place)) => place >= count,
            (Self::Portions(_), _)
            | (Self::Networks, Step::Gate | Step::First | Step::Previous) => true,
            _ => false,
        }
    }
}

/// What came of a shard of games.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// Games.
    pub games: u64,
    /// Half-moves of them.
    pub plies: u64,
    /// Games that White won, drawn ones, games that Black won.
    pub results: [u64; 3],
    /// Who played.
    pub engines: Vec<Identity>,
}

impl LearningLoop {
    /// Plays a shard of games of the loop in a folder into files of that name. Nothing comes of it if it is
    /// stopped.
    ///
    /// # Errors
    /// The loop has not come so far, its networks are not what they were, or the games cannot be played.
    pub fn play_shard(
        folder: &Path,
        (number, part): (u32, Part),
        shard: Shard,
        (out, concurrency): (&Path, usize),
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Shared>, LoopError> {
        let mut state = State::load(&state_file(folder))?;
        state.generations.truncate(number as usize);
        state.begin(number);
        let desk = Desk { folder, state: &state };
        if part.is_selfplay() {
            desk.shard_of_games(number, part, shard, (out, concurrency), stop, listener)
        } else {
            desk.shard_of_match(number, part, shard, (out, concurrency), stop, listener)
        }
    }

    /// Goes on until that goal of that generation is reached, or `stop` is set.
    ///
    /// # Errors
    /// A step cannot be done. All steps before it are kept.
    pub fn advance(
        &mut self,
        (number, goal): (u32, Goal),
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Finish, LoopError> {
        let generations = self.state.config.course.generations;
        while let Some((now, step)) = self.state.next(generations) {
            if now > number || (now == number && goal.is_before(step)) {
                break;
            }
            if !self.step(now, step, stop, listener)? {
                return Ok(Finish::Interrupted);
            }
            self.state.save(&state_file(&self.folder))?;
        }
        if self.state.finished().len() >= number as usize {
            self.publish()?;
        }
        Ok(Finish::Complete)
    }
}

impl State {
    /// Begins the generation of that number for who plays its games before all steps of the one before it
    /// are done.
    fn begin(&mut self, number: u32) {
        while self.generations.len() < number as usize {
            let next = self.generations.len() as u32 + 1;
            let players = self.players_of(next);
            self.generations.push(Generation { number: next, players, ..Generation::default() });
        }
    }
}
