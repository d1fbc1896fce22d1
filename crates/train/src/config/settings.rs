//! What all kinds of settings have in common: a text in TOML, paths, and the course of a training.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ConfigError, Training, changes};
use crate::{LearningRate, Optimiser};

/// Settings in one TOML file.
pub trait Settings: Clone + Default + Serialize + DeserializeOwned {
    /// The default settings, with a comment on each.
    const EXAMPLE: &'static str;

    /// Whether all values are possible.
    ///
    /// # Errors
    /// Names the first that is not, and what is possible.
    fn check(&self) -> Result<(), ConfigError>;

    /// All paths.
    fn files(&mut self) -> Vec<&mut PathBuf>;

    /// The settings in a text.
    ///
    /// # Errors
    /// Where a key is unknown or a value impossible; the error names the key and what is possible.
    fn parse(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(Box::new)?;
        config.check()?;
        Ok(config)
    }

    /// The settings in a file. Paths in it that are not absolute are relative to the file.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and where the file cannot be read.
    fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path)
            .map_err(|reason| ConfigError::Read { path: path.to_owned(), reason })?;
        let mut config = Self::parse(&text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        config.place_in(&std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
        Ok(config)
    }

    /// These settings with some changed, each as `table.key=value`. A value is TOML, or a text without
    /// its quotes. Paths that are not absolute are relative to the current folder.
    ///
    /// # Errors
    /// Where a key is unknown or a value impossible; the error names it.
    fn with<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Result<Self, ConfigError> {
        let mut config = changes::change(self, words)?;
        config.check()?;
        config.place_in(&std::env::current_dir().unwrap_or_default());
        Ok(config)
    }

    /// Has paths that are not absolute begin in that folder.
    fn place_in(&mut self, folder: &Path) {
        for file in self.files() {
            *file = folder.join(&file);
        }
    }

    /// The settings as a file would have them.
    fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings have a form in TOML")
    }
}

/// Settings of a training.
pub trait TrainingSettings: Settings {
    /// What every training needs to know.
    fn course(&self) -> Course<'_>;
}

/// What every training needs to know, whatever it trains.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Files with samples to learn from.
    pub train: &'a [PathBuf],
    /// Files with samples of other games, to measure with.
    pub validation: &'a [PathBuf],
    /// At most so many samples are measured with.
    pub validation_samples: usize,
    /// How long training goes on.
    pub training: &'a Training,
    /// The course of the learning rate.
    pub learning_rate: &'a LearningRate,
    /// The numbers of `AdamW`.
    pub optimiser: &'a Optimiser,
}
