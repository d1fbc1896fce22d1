//! Two networks that play together.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_engine::networks::{self, Embedded};
use tandem_nnue::{Digest, Network, PolicyNetwork};

use super::LoopError;
use super::config::{Begin, LoopConfig, RANDOM};
use crate::files::write_whole;
use crate::gate::PlayerOptions;
use crate::policy::{PolicyConfig, PolicyTrainer};
use crate::{Config, TrainError, Trainer};

/// A network of values and one of policies, in files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The `.nnue` file.
    pub value: PathBuf,
    /// The `.policy` file.
    pub policy: PathBuf,
}

/// The customary names of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// Of the network of values.
    pub value: String,
    /// Of the network of policies.
    pub policy: String,
}

impl Pair {
    /// The pair that stands in a folder of its own.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { value: folder.join("network.nnue"), policy: folder.join("network.policy") }
    }

    /// The UCI options with which a player has these networks.
    #[must_use]
    pub fn options(&self) -> PlayerOptions {
        let absolute = |file: &Path| {
            std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).display().to_string()
        };
        [("EvalFile", absolute(&self.value)), ("PolicyFile", absolute(&self.policy))]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec()
    }

    /// What they are called.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn names(&self) -> Result<Names, LoopError> {
        let digest = |file: &Path| read(file).map(|bytes| Digest::of(&bytes));
        Ok(Names {
            value: digest(&self.value)?.network_name(),
            policy: digest(&self.policy)?.policy_name(),
        })
    }

    /// Neurons of the first layer of the one and of the hidden layer of the other.
    ///
    /// # Errors
    /// A network cannot be used.
    pub fn widths(&self) -> Result<(usize, usize), LoopError> {
        let value = Network::load(&self.value)?.architecture().l1;
        Ok((value, PolicyNetwork::load(&self.policy)?.hidden()))
    }

    /// Puts a network into a file, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_one(file: &Path, bytes: &[u8]) -> Result<(), TrainError> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)
                .map_err(|reason| TrainError::Write { path: folder.to_owned(), reason })?;
        }
        write_whole(file, |out| out.write_all(bytes))
    }

    fn write(&self, value: &[u8], policy: &[u8]) -> Result<(), TrainError> {
        Self::write_one(&self.value, value)?;
        Self::write_one(&self.policy, policy)
    }

    /// Puts the networks of another pair into these files.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn copy_from(&self, other: &Self) -> Result<(), LoopError> {
        Ok(self.write(&read(&other.value)?, &read(&other.policy)?)?)
    }

    /// Puts the networks that play first into these files.
    ///
    /// # Errors
    /// They are not there, or cannot be used or written.
    pub fn begin(&self, begin: &Begin, seed: u64) -> Result<(), LoopError> {
        let value = match LoopConfig::file(&begin.value) {
            Some(file) => read(file)?,
            None if begin.value == Path::new(RANDOM) => random_value(begin.l1, seed)?,
            None => embedded(networks::EMBEDDED, "begin.value")?,
        };
        let policy = match LoopConfig::file(&begin.policy) {
            Some(file) => read(file)?,
            None if begin.policy == Path::new(RANDOM) => random_policy(begin.hidden, seed)?,
            None => embedded(networks::EMBEDDED_POLICY, "begin.policy")?,
        };
        self.write(&value, &policy)?;
        self.widths().map(drop)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, LoopError> {
    fs::read(path).map_err(|reason| LoopError::Read { path: path.to_owned(), reason })
}

fn embedded(network: Option<Embedded>, key: &'static str) -> Result<Vec<u8>, LoopError> {
    network.map(|own| own.bytes.to_vec()).ok_or(LoopError::NoNetwork(key))
}

/// The file of a network of values as a training begins with it, of random numbers but for the usual
/// worth of the pieces.
///
/// # Errors
/// There is no such width.
pub fn random_value(l1: usize, seed: u64) -> Result<Vec<u8>, TrainError> {
    let mut config = Config::default();
    (config.model.l1, config.model.seed) = (l1, seed);
    "random numbers".clone_into(&mut config.model.description);
    Trainer::new(config)?.file()
}

/// The same of policies.
fn random_policy(hidden: usize, seed: u64) -> Result<Vec<u8>, TrainError> {
    let mut config = PolicyConfig::default();
    (config.model.hidden, config.model.seed) = (hidden, seed);
    "random numbers".clone_into(&mut config.model.description);
    PolicyTrainer::new(config)?.file()
}
