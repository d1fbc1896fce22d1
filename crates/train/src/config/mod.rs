//! All settings of a training, in one TOML file.

mod changes;
pub(crate) mod checks;
mod settings;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::settings::{Course, Settings, TrainingSettings};
use crate::stream::Recipe;
use crate::{GateSettings, LearningRate, Loss, Optimiser, Sample};

/// The default settings, with a comment on each.
pub const EXAMPLE: &str = include_str!("example.toml");

/// All settings of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Where samples come from.
    pub data: Data,
    /// The shape of the network and what it begins with.
    pub model: ModelSettings,
    /// How long training goes on.
    pub training: Training,
    /// What is made small.
    pub loss: Loss,
    /// The course of the learning rate.
    pub learning_rate: LearningRate,
    /// The numbers of `AdamW`.
    pub optimiser: Optimiser,
    /// How the network is tested against the one before.
    pub gate: GateSettings,
}

/// Where samples come from, and how they are mixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// Files with samples to learn from.
    pub train: Vec<PathBuf>,
    /// Files with samples of other games, to measure with. None means that nothing is measured.
    pub validation: Vec<PathBuf>,
    /// At most so many samples are measured with.
    pub validation_samples: usize,
    /// So many samples are mixed at a time; each takes 64 bytes of memory.
    pub shuffle: usize,
    /// So many files are read side by side.
    pub interleave: usize,
    /// Which positions of games are learnt from, as `tandem datagen` writes filters.
    pub filter: String,
    /// Samples with larger scores are left out.
    pub max_score: i32,
    /// Chance in the order of the samples.
    pub seed: u64,
}

impl Default for Data {
    fn default() -> Self {
        Self {
            train: Vec::new(),
            validation: Vec::new(),
            validation_samples: 200_000,
            shuffle: 4_000_000,
            interleave: 16,
            filter: "unscored,check,capture,promotion".into(),
            max_score: 10_000,
            seed: 1,
        }
    }
}

/// The shape of the network and what it begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelSettings {
    /// Neurons per side in the first layer.
    pub l1: usize,
    /// Whether pieces on squares have weights that all places of the king share.
    pub factorised: bool,
    /// A network to begin with instead of chance.
    pub init: Option<PathBuf>,
    /// Chance in the first weights.
    pub seed: u64,
    /// From this share of the training on, all numbers are rounded as the exported network has them.
    pub round_from: f64,
    /// What the network file says about itself.
    pub description: String,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            l1: 512,
            factorised: true,
            init: None,
            seed: 1,
            round_from: 0.8,
            description: "Trained by Tandem".into(),
        }
    }
}

/// How long training goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Training {
    /// Samples of a step.
    pub batch: usize,
    /// Steps of a superbatch: after each one the validation loss is measured, and state and network
    /// are saved.
    pub batches: u64,
    /// How many superbatches there are.
    pub superbatches: u64,
    /// Threads that compute; 0 for as many as the machine has. The result does not depend on it.
    pub threads: usize,
    /// Networks of every so many superbatches are kept; 0 keeps only the last.
    pub keep: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self { batch: 8192, batches: 1000, superbatches: 100, threads: 0, keep: 0 }
    }
}

impl Training {
    /// All steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.batches * self.superbatches
    }
}

/// What is wrong with settings.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot be read ({reason})", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// It is not TOML, or has a key that does not exist or has another type.
    #[error("the settings cannot be understood: {0}")]
    Syntax(#[from] Box<toml::de::Error>),
    /// A word that changes no setting.
    #[error(
        "`{change}` changes no setting: expected a key and a value, such as training.batch=4096"
    )]
    Change {
        /// The word.
        change: String,
    },
    /// The settings of a part are wrong.
    #[error("in [{table}]: {error}")]
    Part {
        /// The table that holds the part.
        table: &'static str,
        /// What is wrong there.
        error: Box<Self>,
    },
    /// A setting has a value that is not possible.
    #[error("`{key}` is {found}; possible is {possible}")]
    Value {
        /// The key with its table.
        key: &'static str,
        /// What the file says.
        found: String,
        /// What it could say.
        possible: String,
    },
}

impl Settings for Config {
    const EXAMPLE: &'static str = EXAMPLE;

    fn check(&self) -> Result<(), ConfigError> {
        self.check_values()
    }

    fn files(&mut self) -> Vec<&mut PathBuf> {
        let files = self.data.train.iter_mut().chain(&mut self.data.validation);
        files.chain(&mut self.model.init).chain(self.gate.files()).collect()
    }
}

impl TrainingSettings for Config {
    fn course(&self) -> Course<'_> {
        let Self { data, training, learning_rate, optimiser, .. } = self;
        Course {
            train: &data.train,
            validation: &data.validation,
            validation_samples: data.validation_samples,
            training,
            learning_rate,
            optimiser,
        }
    }
}

impl Data {
    /// How the samples are mixed, and which of them are left out.
    pub(crate) fn recipe(&self) -> Recipe<Sample> {
        let &Self { shuffle, interleave, seed, max_score, .. } = self;
        let wants = Arc::new(move |sample: &Sample| sample.score().abs() <= max_score);
        Recipe { shuffle, interleave, seed, wants }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_example_holds_the_defaults() {
        assert_eq!(Config::parse(EXAMPLE).unwrap(), Config::default());
        assert_eq!(Config::parse("").unwrap(), Config::default());
    }

    #[test]
    fn every_setting_is_in_the_example() {
        let mut text = Config::default().to_toml();
        text.push_str("init\npromote_to\nagainst\ntc\nbook");
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            let key = line.split(" =").next().unwrap();
            assert!(EXAMPLE.contains(key), "{key}");
        }
    }

    #[test]
    fn settings_in_the_documentation_are_settings() {
        let page = include_str!("../../../../docs/training.md");
        let examples: Vec<_> = page.split("```toml\n").skip(1).collect();
        assert!(!examples.is_empty());
        for example in examples {
            let text = example.split("```").next().unwrap();
            assert_ne!(Config::parse(text).unwrap(), Config::default());
        }
    }

    #[test]
    fn settings_survive_being_saved() {
        let mut config = Config::default();
        config.model.init = Some("net.nnue".into());
        config.data.train = vec!["a".into(), "b".into()];
        config.loss.lambda.end = 0.7;
        assert_eq!(Config::parse(&config.to_toml()).unwrap(), config);
    }

    #[test]
    fn unknown_keys_are_named_with_what_is_possible() {
        for (text, key) in [
            ("[model]\nl2 = 3", "l2"),
            ("[optimiser]\nbeta = 3", "beta"),
            ("[losses]", "losses"),
            ("[learning_rate]\nshape = \"square\"", "square"),
            ("[loss.lambda]\nstart = 1.0\nend = 1.0\nmiddle = 1", "middle"),
        ] {
            let error = Config::parse(text).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
            assert!(error.contains("expected"), "{error}");
        }
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let folder = std::env::temp_dir().join(format!("tandem-config-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("train.toml");
        fs::write(&file, "[data]\ntrain = [\"a.txt\", \"/b.txt\"]").unwrap();
        let config = Config::load(&file).unwrap();
        assert_eq!(config.data.train, [folder.join("a.txt"), PathBuf::from("/b.txt")]);
        fs::remove_dir_all(&folder).unwrap();
        let error = Config::load(&file).unwrap_err().to_string();
        assert!(error.contains("train.toml"), "{error}");
    }
}
