//! The learning loop: networks play games, learn from them, and the new ones stand for election.
//!
//! A generation is a sequence of steps: portions of games by the best pair of networks, games to measure
//! with, a network of values, one of policies, a match against the best pair that decides who plays next, and
//! matches that measure. After each step the state is saved, so whatever ends the loop, the same command goes
//! on with the next step, and steps themselves go on where they stood.

mod config;
mod duel;
mod error;
mod news;
mod pair;
mod parts;
mod portion;
mod report;
mod state;
mod steer;
mod steps;
mod study;
mod window;

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub use config::{
    Begin, Course, LoopConfig, Measure, Passes, SelfPlaySettings, Window, policy_course,
    value_course,
};
pub use duel::Duel;
pub use error::LoopError;
pub use news::{Listener, News};
pub use pair::{Names, Pair, random_value};
pub use parts::{Goal, Part, Shared};
pub use report::Chronicle;
pub use state::{Election, Generation, Lesson, Portion, Score, State, Verdict};
pub use study::{Amount, Learnt, Study};

use crate::{Finish, TrainError};

/// A learning loop in a folder of its own.
pub struct LearningLoop {
    folder: PathBuf,
    state: State,
    /// Locked for as long as this lives.
    _lock: File,
}

impl LearningLoop {
    /// A loop that begins in that folder, or goes on there with the same settings.
    ///
    /// # Errors
    /// The folder cannot be used or holds a loop with other settings, or the networks that play first are
    /// not there.
    pub fn open(folder: &Path, config: LoopConfig) -> Result<Self, LoopError> {
        let lock = lock(folder)?;
        let path = state_file(folder);
        let state = if path.exists() {
            let mut state = State::load(&path)?;
            if let Some((key, before, now)) = config::change(&state.config, &config) {
                let folder = folder.to_owned();
                return Err(LoopError::Changed { folder, key, before, now });
            }
            state.config = config;
            state
        } else {
            let pair = Pair::in_folder(&generation_folder(folder, 0));
            pair.begin(&config.begin, config.course.seed)?;
            steps::try_out(&config, &pair)?;
            State { first: pair.names()?, config, generations: Vec::new() }
        };
        state.save(&path)?;
        Ok(Self { folder: folder.to_owned(), state, _lock: lock })
    }

    /// The settings of the loop that a folder holds.
    ///
    /// # Errors
    /// It holds none.
    pub fn settings(folder: &Path) -> Result<LoopConfig, LoopError> {
        let path = state_file(folder);
        if !path.exists() {
            return Err(LoopError::Nothing(folder.to_owned()));
        }
        Ok(State::load(&path)?.config)
    }

    /// Goes on until all generations are done or `stop` is set.
    ///
    /// # Errors
    /// A step cannot be done. All steps before it are kept.
    pub fn run(&mut self, stop: &AtomicBool, listener: Listener<'_>) -> Result<Finish, LoopError> {
        // The last run may have ended before it could say what it had done.
        self.publish()?;
        let generations = self.state.config.course.generations;
        while let Some((number, step)) = self.state.next(generations) {
            if !self.step(number, step, stop, listener)? {
                return Ok(Finish::Interrupted);
            }
            self.state.save(&state_file(&self.folder))?;
            if self.state.is_between_generations() {
                self.publish()?;
            }
        }
        Ok(Finish::Complete)
    }

    /// What came of it so far.
    #[must_use]
    pub fn chronicle(&self) -> Chronicle<'_> {
        Chronicle::new(&self.state)
    }

    /// Generations that are finished.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.state.finished().len()
    }

    /// Writes what came of it, and the best pair.
    fn publish(&self) -> Result<(), LoopError> {
        self.chronicle().write(&self.folder)?;
        let best =
            Pair { value: self.folder.join("best.nnue"), policy: self.folder.join("best.policy") };
        best.copy_from(&self.pair(self.state.best()))
    }

    /// The networks of a generation; of 0 those that played first.
    fn pair(&self, generation: u32) -> Pair {
        Pair::in_folder(&generation_folder(&self.folder, generation))
    }
}

fn state_file(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

fn generation_folder(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("generation-{number}"))
}

/// Keeps other runs out of a folder.
fn lock(folder: &Path) -> Result<File, LoopError> {
    let path = folder.join("lock");
    let write = |reason| TrainError::Write { path: path.clone(), reason };
    fs::create_dir_all(folder).map_err(write)?;
    let file = File::create(&path).map_err(write)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LoopError::Busy(folder.to_owned())),
        Err(TryLockError::Error(reason)) => Err(write(reason).into()),
    }
}
