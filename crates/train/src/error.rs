//! Why a training cannot begin or go on.

use std::io;
use std::path::PathBuf;

use tandem_nnue::{KernelError, LoadError, NetworkError};
use thiserror::Error;

use crate::policy::PolicyImportError;
use crate::{ConfigError, ImportError, SourceError};

/// Why a training cannot begin or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The processor lacks what the environment asks for.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The network to begin with cannot be loaded.
    #[error("`model.init`: {0}")]
    Load(#[from] LoadError),
    /// The network to begin with does not fit.
    #[error("`model.init`: {0}")]
    Import(#[from] ImportError),
    /// The policy network to begin with does not fit.
    #[error("`model.init`: {0}")]
    PolicyImport(#[from] PolicyImportError),
    /// The data cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There is nothing to learn from.
    #[error("there are no samples in {0}")]
    NoSamples(&'static str),
    /// The loss is not a number any more.
    #[error("the loss is not a number any more in step {step}: lower `learning_rate.start`")]
    Diverged {
        /// The step in which it happened.
        step: u64,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written ({reason})", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A saved state cannot be read.
    #[error("{}: {reason}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The result cannot be a network.
    #[error("the network cannot be written: {0}")]
    Network(#[from] NetworkError),
    /// The curves cannot be drawn.
    #[error("the loss curves cannot be drawn: {0}")]
    Curves(String),
}
