//! All settings of a training of moves, in one TOML file.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tandem_nnue::policy::{HIDDEN_STEP, MAX_HIDDEN, MIN_HIDDEN, is_hidden_size};

use super::PolicySample;
use crate::config::checks::{description, filter, share, within};
use crate::stream::Recipe;
use crate::{ConfigError, Course, LearningRate, Optimiser, Settings, Training, TrainingSettings};

/// All settings of a training of moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// Where samples come from.
    pub data: PolicyData,
    /// The shape of the network and what it begins with.
    pub model: PolicyModelSettings,
    /// How long training goes on.
    pub training: Training,
    /// The course of the learning rate.
    pub learning_rate: LearningRate,
    /// The numbers of `AdamW`.
    pub optimiser: Optimiser,
}

/// Whose moves are learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Movers {
    /// Everybody's.
    #[default]
    All,
    /// Those of players who did not lose the game.
    Undefeated,
    /// Those of players who won the game.
    Winners,
}

/// Where samples come from, and how they are mixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyData {
    /// Files with moves to learn from.
    pub train: Vec<PathBuf>,
    /// Files with moves of other games, to measure with. None means that nothing is measured.
    pub validation: Vec<PathBuf>,
    /// At most so many samples are measured with.
    pub validation_samples: usize,
    /// So many samples are mixed at a time; each takes 96 bytes of memory, more with visits.
    pub shuffle: usize,
    /// So many files are read side by side.
    pub interleave: usize,
    /// Which positions of games are learnt from, as `tandem datagen` writes filters.
    pub filter: String,
    /// Whose moves are learnt.
    pub movers: Movers,
    /// What a move deserves is its visits to the power of one divided by this.
    pub visits_temperature: f64,
    /// Positions with fewer visits are left out.
    pub least_visits: u64,
    /// Chance in the order of the samples.
    pub seed: u64,
}

impl Default for PolicyData {
    fn default() -> Self {
        Self {
            train: Vec::new(),
            validation: Vec::new(),
            validation_samples: 200_000,
            shuffle: 4_000_000,
            interleave: 16,
            filter: "none".into(),
            movers: Movers::All,
            visits_temperature: 1.0,
            least_visits: 1,
            seed: 1,
        }
    }
}

/// The shape of the network and what it begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyModelSettings {
    /// Neurons of the hidden layer.
    pub hidden: usize,
    /// Whether pieces on squares have weights that do not ask who attacks and defends them.
    pub factorised: bool,
    /// Whether the weights of inputs are kept so small that playing needs half the memory for them.
    pub narrow: bool,
    /// A network to begin with instead of chance.
    pub init: Option<PathBuf>,
    /// Chance in the first weights.
    pub seed: u64,
    /// From this share of the training on, all numbers are rounded as the exported network has them.
    pub round_from: f64,
    /// What the network file says about itself.
    pub description: String,
}

impl Default for PolicyModelSettings {
    fn default() -> Self {
        Self {
            hidden: 256,
            factorised: true,
            narrow: true,
            init: None,
            seed: 1,
            round_from: 0.8,
            description: "Trained by Tandem".into(),
        }
    }
}

impl PolicyData {
    /// How the samples are mixed; all of them are learnt from.
    pub(super) fn recipe(&self) -> Recipe<PolicySample> {
        let &Self { shuffle, interleave, seed, .. } = self;
        Recipe { shuffle, interleave, seed, wants: Arc::new(|_| true) }
    }
}

impl Settings for PolicyConfig {
    const EXAMPLE: &'static str = include_str!("example.toml");

    fn check(&self) -> Result<(), ConfigError> {
        let (data, model) = (&self.data, &self.model);
        if !is_hidden_size(model.hidden) {
            return Err(ConfigError::Value {
                key: "model.hidden",
                found: model.hidden.to_string(),
                possible: format!("a multiple of {HIDDEN_STEP} from {MIN_HIDDEN} to {MAX_HIDDEN}"),
            });
        }
        share("model.round_from", model.round_from)?;
        description(&model.description)?;
        self.course().check(data.shuffle, data.interleave)?;
        filter(&data.filter)?;
        within("data.visits_temperature", &data.visits_temperature, 0.01..=100.0)?;
        within("data.least_visits", &data.least_visits, 1..=1 << 40)
    }

    fn files(&mut self) -> Vec<&mut PathBuf> {
        let files = self.data.train.iter_mut().chain(&mut self.data.validation);
        files.chain(&mut self.model.init).collect()
    }
}

impl TrainingSettings for PolicyConfig {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_holds_the_defaults_and_every_setting() {
        let example = PolicyConfig::EXAMPLE;
        assert_eq!(PolicyConfig::parse(example).unwrap(), PolicyConfig::default());
        let mut text = PolicyConfig::default().to_toml();
        text.push_str("init");
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            let key = line.split(" =").next().unwrap();
            assert!(example.contains(key), "{key}");
        }
    }

    #[test]
    fn settings_in_the_documentation_are_settings() {
        let page = include_str!("../../../../../docs/training-policy.md");
        let examples: Vec<_> = page.split("```toml\n").skip(1).collect();
        assert!(!examples.is_empty());
        for example in examples {
            let text = example.split("```").next().unwrap();
            assert_ne!(PolicyConfig::parse(text).unwrap(), PolicyConfig::default());
        }
    }

    #[test]
    fn unknown_keys_and_impossible_values_are_refused_with_their_key() {
        for (text, key, possible) in [
            ("[model]\nl1 = 256", "l1", "expected"),
            ("[loss]\npower = 2", "loss", "expected"),
            ("[model]\nhidden = 100", "model.hidden", "multiple of 64"),
            ("[data]\nmovers = \"loser\"", "loser", "winners"),
            ("[data]\nfilter = \"cheque\"", "data.filter", "check"),
            ("[data]\nvisits_temperature = 0.0", "data.visits_temperature", "0.01 to 100"),
            ("[data]\nshuffle = 10", "data.shuffle", "8192 to"),
            ("[learning_rate]\nstart = 2.0", "learning_rate.start", "to 1"),
        ] {
            let error = PolicyConfig::parse(text).unwrap_err().to_string();
            assert!(error.contains(key) && error.contains(possible), "{error}");
        }
    }
}
