//! All settings of the learning loop, in one TOML file.

mod changes;
mod checks;
mod tables;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Table;

pub use changes::{change, said};
pub use tables::{Begin, Course, Measure, Passes, SelfPlaySettings, Window};
pub use tables::{CHANCE, RANDOM, START};

use crate::policy::PolicyConfig;
use crate::{Config, ConfigError, GateSettings, Settings};

/// All settings of the learning loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopConfig {
    /// How long it goes on.
    #[serde(rename = "loop")]
    pub course: Course,
    /// The networks that play first.
    pub begin: Begin,
    /// How games are played.
    pub selfplay: SelfPlaySettings,
    /// Which games are learnt from.
    pub window: Window,
    /// How often they are.
    pub passes: Passes,
    /// How a new pair stands for election.
    pub gate: GateSettings,
    /// How each generation is measured.
    pub measure: Measure,
    /// How networks learn values.
    pub value: Config,
    /// How networks learn policies.
    pub policy: PolicyConfig,
}

impl Default for LoopConfig {
    fn default() -> Self {
        Self {
            course: Course::default(),
            begin: Begin::default(),
            selfplay: SelfPlaySettings::default(),
            window: Window::default(),
            passes: Passes::default(),
            gate: GateSettings { nodes: 400, games: 400, elo1: 20.0, ..GateSettings::default() },
            measure: Measure::default(),
            value: value_course(),
            policy: policy_course(),
        }
    }
}

/// How a network of values goes on from games: carefully, or it forgets in the first steps what it knows.
#[must_use]
pub fn value_course() -> Config {
    let mut config = Config::default();
    config.data.shuffle = 1_000_000;
    config.model.round_from = 0.0;
    config.training.batch = 4096;
    config.training.superbatches = 2;
    (config.loss.lambda.start, config.loss.lambda.end) = (0.5, 0.5);
    (config.learning_rate.start, config.learning_rate.end) = (2e-4, 1e-5);
    config.learning_rate.warmup = 50;
    config
}

/// The same for a network of policies.
#[must_use]
pub fn policy_course() -> PolicyConfig {
    let mut config = PolicyConfig::default();
    config.data.shuffle = 1_000_000;
    config.model.round_from = 0.0;
    config.training.batch = 4096;
    config.training.superbatches = 2;
    (config.learning_rate.start, config.learning_rate.end) = (3e-4, 2e-5);
    config.learning_rate.warmup = 50;
    config
}

impl Settings for LoopConfig {
    const EXAMPLE: &'static str = include_str!("example.toml");

    /// Tables of trainings have defaults of their own here, so what a text says is laid over these.
    fn parse(text: &str) -> Result<Self, ConfigError> {
        let said: Table = toml::from_str(text).map_err(Box::new)?;
        let mut all = Table::try_from(Self::default()).expect("settings have a form in TOML");
        lay_over(&mut all, said);
        let config: Self = all.try_into().map_err(Box::new)?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.check_values()
    }

    fn files(&mut self) -> Vec<&mut PathBuf> {
        let Begin { value, policy, .. } = &mut self.begin;
        let is_file = |file: &&mut PathBuf| !tables::is_word(file);
        let begin = [value, policy, &mut self.selfplay.openings].into_iter().filter(is_file);
        let window = self.window.other_value.iter_mut().chain(&mut self.window.other_policy);
        begin.chain(window).chain(self.gate.files()).collect()
    }
}

/// Puts what was said in the place of what is usual.
fn lay_over(usual: &mut Table, said: Table) {
    for (key, value) in said {
        match (usual.get_mut(&key), value) {
            (Some(toml::Value::Table(usual)), toml::Value::Table(said)) => lay_over(usual, said),
            (_, value) => drop(usual.insert(key, value)),
        }
    }
}

impl LoopConfig {
    /// Games side by side.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        crate::trainer::threads(self.course.concurrency)
    }

    /// The file of an origin that is no word.
    pub(super) fn file(origin: &Path) -> Option<&Path> {
        (!tables::is_word(origin)).then_some(origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_holds_the_defaults_and_every_setting() {
        let example = LoopConfig::EXAMPLE;
        assert_eq!(LoopConfig::parse(example).unwrap(), LoopConfig::default());
        assert_eq!(LoopConfig::parse("").unwrap(), LoopConfig::default());
        let text = LoopConfig::default().to_toml();
        let own = text.split("[value").next().unwrap();
        let known = ["tc", "concurrency", "promote_to", "against"];
        for line in own.lines().filter(|line| line.contains(" = ")) {
            let key = line.split(" =").next().unwrap();
            assert!(example.contains(key) || known.contains(&key), "{key}");
        }
    }

    #[test]
    fn a_table_that_is_named_keeps_the_other_values_of_the_loop() {
        let config = LoopConfig::parse("[value.training]\nthreads = 3").unwrap();
        let mut expected = LoopConfig::default();
        expected.value.training.threads = 3;
        assert_eq!(config, expected);
        assert_eq!(LoopConfig::parse(&config.to_toml()).unwrap(), config);
    }

    #[test]
    fn unknown_keys_and_impossible_values_are_refused_with_their_key() {
        for (text, key, possible) in [
            ("[selfplay]\ngame = 3", "game", "expected"),
            ("[looping]\nx = 3", "looping", "expected"),
            ("[value.model]\nl3 = 1", "l3", "expected"),
            ("[loop]\ngenerations = 0", "loop.generations", "1 to"),
            ("[selfplay]\ngames = 2\nportions = 3", "selfplay.portions", "1 to 2"),
            ("[selfplay]\nnodes = 0", "selfplay.nodes", "1 to"),
            ("[selfplay]\ntolerance = 0.5", "selfplay.tolerance", "1 to"),
            ("[selfplay]\noptions = \"Hash=4\"", "selfplay.options", "option.NAME"),
            ("[selfplay]\noptions = \"option.sclimit=4\"", "selfplay.options", "selfplay.limit"),
            ("[selfplay]\nresign = \"soon\"", "selfplay.draw", "4:600"),
            ("[window]\nother = 1.0", "window.other", "0 to 0.9"),
            ("[window]\nother_value = [\"a.games\"]", "window.other", "above 0"),
            ("[passes]\nvalue = 0.0", "passes.value", "0.01 to"),
            ("[measure]\ngames = 3", "measure.games", "even"),
            ("[gate]\ngames = 7", "gate.games", "even"),
            ("[gate]\npromote_to = \"x\"", "gate.promote_to", "the loop"),
            ("[begin]\nl1 = 100", "begin.l1", "multiple of 128"),
            ("[begin]\nhidden = 100", "begin.hidden", "multiple of 64"),
            ("[value.training]\nbatch = 0", "[value]: `training.batch`", "1 to"),
            ("[value.training]\nbatches = 9", "value.training.batches", "the loop"),
            ("[value.gate]\nnodes = 9", "value.gate", "the loop"),
            ("[policy.data]\nfilter = \"cheque\"", "[policy]: `data.filter`", "check"),
            ("[policy.model]\ninit = \"a.policy\"", "policy.model.init", "the loop"),
        ] {
            let error = LoopConfig::parse(text).unwrap_err().to_string();
            assert!(error.contains(key) && error.contains(possible), "{text}: {error}");
        }
    }

    #[test]
    fn words_are_no_paths_and_paths_are_relative_to_the_file() {
        let mut config =
            LoopConfig::parse("[begin]\npolicy = \"a.policy\"\n[gate]\nbook = \"b.epd\"").unwrap();
        config.place_in(Path::new("/far"));
        assert_eq!(config.begin.value, Path::new("program"));
        assert_eq!(config.selfplay.openings, Path::new("start"));
        assert_eq!(config.begin.policy, Path::new("/far/a.policy"));
        assert_eq!(config.gate.book.as_deref(), Some(Path::new("/far/b.epd")));
    }

    #[test]
    fn settings_in_the_documentation_are_settings() {
        let page = include_str!("../../../../../docs/training-loop.md");
        let examples: Vec<_> = page.split("```toml\n").skip(1).collect();
        assert!(!examples.is_empty());
        for example in examples {
            let text = example.split("```").next().unwrap();
            assert_ne!(LoopConfig::parse(text).unwrap(), LoopConfig::default());
        }
    }
}
