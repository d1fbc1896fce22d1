//! Why the loop cannot begin or go on.

use std::io;
use std::path::PathBuf;

use tandem_games::selfplay::SelfPlayError;
use tandem_games::tournament::MatchError;
use tandem_nnue::LoadError;
use thiserror::Error;

use super::pair::Names;
use crate::{SourceError, TrainError};

/// Why the loop cannot begin or go on.
#[derive(Debug, Error)]
pub enum LoopError {
    /// A setting is another one than when the loop began.
    #[error(
        "{}: the loop began with `{key}` {before}, now it is {now}: go on with that or name another folder with --out",
        folder.display()
    )]
    Changed {
        /// The loop's folder.
        folder: PathBuf,
        /// The setting.
        key: String,
        /// What it was.
        before: String,
        /// What it is.
        now: String,
    },
    /// The folder holds no loop.
    #[error("{}: holds no learning loop to go on with", .0.display())]
    Nothing(PathBuf),
    /// The state cannot be understood.
    #[error("{}: is no state of a learning loop ({reason})", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Another run is at work there.
    #[error("{}: another loop is at work in it just now", .0.display())]
    Busy(PathBuf),
    /// There is no network of that name in the program.
    #[error("`{0}` is program, and this program has no such network: name a file, or random")]
    NoNetwork(&'static str),
    /// A network cannot be used.
    #[error(transparent)]
    Network(#[from] LoadError),
    /// A file cannot be read.
    #[error("{}: cannot be read ({reason})", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A network cannot be trained, or a file not be written.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// Games cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Somebody else has to do something first.
    #[error("generation {0} has no networks yet: its games come before them")]
    TooEarly(u32),
    /// Networks are not those that the state names.
    #[error(
        "the networks of generation {generation} are {} and {}, and should be {} and {}",
        found.value, found.policy, expected.value, expected.policy
    )]
    Networks {
        /// Whose they are.
        generation: u32,
        /// What is there.
        found: Box<Names>,
        /// What should be.
        expected: Box<Names>,
    },
    /// Games against itself cannot be played.
    #[error("self-play: {0}")]
    SelfPlay(#[from] SelfPlayError),
    /// A match cannot be played.
    #[error("{0}: {1}")]
    Match(String, MatchError),
    /// Games ended before their time.
    #[error("{0}: {1}")]
    Trouble(String, String),
}
