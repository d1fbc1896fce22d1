//! Why an experiment comes to no result.

use std::io;
use std::path::PathBuf;

use tandem_games::player::StartError;
use tandem_games::selfplay::SelfPlayError;
use tandem_train::learning::LoopError;
use thiserror::Error;

use crate::probes::ProbeError;

/// Why an experiment comes to no result.
#[derive(Debug, Error)]
pub enum LabError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A file is not what it is called.
    #[error("{0}: {1}; choose another folder with --out")]
    Foreign(PathBuf, String),
    /// The folder holds something else.
    #[error(
        "{0}: holds an experiment with other {1}; go on with those or choose another folder with --out"
    )]
    Differs(PathBuf, &'static str),
    /// Somebody else is at work there.
    #[error(
        "{0}: another experiment is being kept in it just now; choose another folder with --out"
    )]
    Busy(PathBuf),
    /// The settings make no experiment.
    #[error("{0}")]
    Settings(String),
    /// A player cannot take part.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Games cannot be played.
    #[error("{0}: {1}")]
    Games(String, SelfPlayError),
    /// A network cannot be trained.
    #[error("{0}: {1}")]
    Learning(String, Box<LoopError>),
    /// Positions cannot be looked at.
    #[error("{0}: {1}")]
    Probe(String, ProbeError),
    /// Something ended the games before their time.
    #[error("{0}: {1}")]
    Trouble(String, String),
    /// The user ended it.
    #[error(
        "interrupted after {0} of at most {1} games; the same command goes on where it stands, and nothing of what was played is lost"
    )]
    Interrupted(u64, u64),
    /// A part of the games was played, and what comes next depends on all of them.
    #[error("what comes next depends on the games of all parts")]
    Part,
    /// A picture cannot be drawn.
    #[error("{0}: cannot be drawn ({1})")]
    Picture(&'static str, String),
}
