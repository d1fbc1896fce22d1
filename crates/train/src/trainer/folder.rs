//! The folder in which a training keeps what it has.

use std::fs;
use std::io::Write as _;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::{Run, Subject};
use crate::TrainError;
use crate::config::{Settings as _, TrainingSettings as _};
use crate::files::write_whole;
use crate::report::write_log;

/// The folder of a training.
pub(super) struct Folder<S>(PathBuf, PhantomData<S>);

impl<S: Subject> Folder<S> {
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned(), PhantomData)
    }

    /// The file with the whole state.
    pub fn state(&self) -> PathBuf {
        self.0.join("state.bin")
    }

    /// Makes the folder and saves the settings in it.
    pub fn prepare(&self, config: &S::Settings) -> Result<(), TrainError> {
        fs::create_dir_all(&self.0)
            .map_err(|reason| TrainError::Write { path: self.0.clone(), reason })?;
        self.write("config.toml", config.to_toml().as_bytes())
    }

    /// Saves the network with the log and the curves; everything is settled.
    pub fn save_results(&self, training: &mut Run<S>) -> Result<(), TrainError> {
        let superbatch = training.step() / training.config.course().training.batches;
        let Run { config, model, history, .. } = training;
        let settings = config.course().training;
        let (bytes, end) = (model.file(config, history)?, S::EXTENSION);
        self.write(&format!("network.{end}"), &bytes)?;
        if settings.keep > 0 && superbatch.is_multiple_of(settings.keep) {
            self.write(&format!("network-{superbatch:04}.{end}"), &bytes)?;
        }
        write_log(&self.0.join("log.jsonl"), history)?;
        for (name, picture) in S::pictures(history)? {
            self.write(name, picture.as_bytes())?;
        }
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        write_whole(&self.0.join(name), |out| out.write_all(bytes))
    }
}
