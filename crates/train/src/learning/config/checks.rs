//! Which values the loop's settings can have.

use std::path::Path;

use tandem_games::adjudication::{AdjudicationSpec, RuleError};
use tandem_games::selfplay::{MOST_GAMES, SideOptions};
use tandem_nnue::policy::{HIDDEN_STEP, MAX_HIDDEN, MIN_HIDDEN, is_hidden_size};
use tandem_nnue::{MAX_L1, MIN_L1};

use super::{LoopConfig, SelfPlaySettings};
use crate::config::checks::within;
use crate::policy::PolicyConfig;
use crate::{Config, ConfigError, Settings as _, Training};

/// Options of players that the loop sets.
const OWN_OPTIONS: [(&str, &str); 3] =
    [("ScLimit", "selfplay.limit"), ("EvalFile", "begin.value"), ("PolicyFile", "begin.policy")];

fn refuse(key: &'static str, found: &dyn ToString, possible: &str) -> ConfigError {
    ConfigError::Value { key, found: found.to_string(), possible: possible.to_owned() }
}

fn even(key: &'static str, games: u64) -> Result<(), ConfigError> {
    within(key, &games, 2..=MOST_GAMES)?;
    if games.is_multiple_of(2) {
        return Ok(());
    }
    let possible = "an even number, because each opening is played with both colours";
    Err(refuse(key, &games, possible))
}

impl LoopConfig {
    /// Whether all values are possible.
    pub(super) fn check_values(&self) -> Result<(), ConfigError> {
        within("loop.generations", &self.course.generations, 1..=100_000)?;
        within("loop.concurrency", &self.course.concurrency, 0..=512)?;
        let begin = &self.begin;
        if !begin.l1.is_multiple_of(128) || !(MIN_L1..=MAX_L1).contains(&begin.l1) {
            let possible = format!("a multiple of 128 from {MIN_L1} to {MAX_L1}");
            return Err(refuse("begin.l1", &begin.l1, &possible));
        }
        if !is_hidden_size(begin.hidden) {
            let possible = format!("a multiple of {HIDDEN_STEP} from {MIN_HIDDEN} to {MAX_HIDDEN}");
            return Err(refuse("begin.hidden", &begin.hidden, &possible));
        }
        self.selfplay.check()?;
        self.check_ahead()?;
        self.check_window()?;
        within("passes.value", &self.passes.value, 0.01..=1000.0)?;
        within("passes.policy", &self.passes.policy, 0.01..=1000.0)?;
        even("measure.games", self.measure.games)?;
        within("measure.nodes", &self.measure.nodes, 1..=1 << 40)?;
        self.check_own()?;
        self.gate.check()?;
        let part = |table| move |error| ConfigError::Part { table, error: Box::new(error) };
        self.value.check().map_err(part("value"))?;
        self.policy.check().map_err(part("policy"))
    }

    /// Games that are played ahead know nothing of those that steer the limit.
    fn check_ahead(&self) -> Result<(), ConfigError> {
        let is_steered = self.selfplay.limit > 0 && self.selfplay.target > 0.0;
        if self.course.ahead && is_steered {
            let possible = "false where the limit follows the games (selfplay.target above 0)";
            return Err(refuse("loop.ahead", &true, possible));
        }
        Ok(())
    }

    fn check_window(&self) -> Result<(), ConfigError> {
        let window = &self.window;
        within("window.generations", &window.generations, 1..=100_000)?;
        within("window.older", &window.older, 0.0..=0.9)?;
        within("window.other", &window.other, 0.0..=0.9)?;
        let has_files = !window.other_value.is_empty() || !window.other_policy.is_empty();
        if has_files != (window.other > 0.0) {
            let possible =
                "above 0 where other_value or other_policy name files, and 0 without them";
            return Err(refuse("window.other", &window.other, possible));
        }
        Ok(())
    }

    /// Whether the settings that the loop makes itself are left alone.
    fn check_own(&self) -> Result<(), ConfigError> {
        let (value, usual_value) = (&self.value, Config::default());
        let (policy, usual_policy) = (&self.policy, PolicyConfig::default());
        let is_open = |training: &Training| {
            let usual = Training::default();
            (training.batches == usual.batches, training.keep == usual.keep)
        };
        let (value_training, policy_training) =
            (is_open(&value.training), is_open(&policy.training));
        for (key, is_left_alone) in [
            ("gate.promote_to", self.gate.promote_to.is_none()),
            ("gate.against", self.gate.against.is_none()),
            ("gate.tc", self.gate.tc.is_none()),
            ("gate.concurrency", self.gate.concurrency == 0),
            ("value.data.train", value.data.train.is_empty()),
            ("value.data.validation", value.data.validation.is_empty()),
            ("value.model.l1", value.model.l1 == usual_value.model.l1),
            ("value.model.init", value.model.init.is_none()),
            ("value.model.description", value.model.description == usual_value.model.description),
            ("value.training.batches", value_training.0),
            ("value.training.keep", value_training.1),
            ("value.gate", value.gate == usual_value.gate),
            ("policy.data.train", policy.data.train.is_empty()),
            ("policy.data.validation", policy.data.validation.is_empty()),
            ("policy.model.hidden", policy.model.hidden == usual_policy.model.hidden),
            ("policy.model.init", policy.model.init.is_none()),
            (
                "policy.model.description",
                policy.model.description == usual_policy.model.description,
            ),
            ("policy.training.batches", policy_training.0),
            ("policy.training.keep", policy_training.1),
        ] {
            if !is_left_alone {
                return Err(refuse(key, &"set", "to leave it out: the loop sets it"));
            }
        }
        Ok(())
    }
}

impl SelfPlaySettings {
    /// Games of the portion at that place.
    #[must_use]
    pub fn games_of(&self, place: usize) -> u64 {
        let more = u64::from((place as u64) < self.games % self.portions);
        self.games / self.portions + more
    }

    fn check(&self) -> Result<(), ConfigError> {
        within("selfplay.games", &self.games, 1..=MOST_GAMES)?;
        within("selfplay.portions", &self.portions, 1..=self.games.min(1000))?;
        within("selfplay.validation_games", &self.validation_games, 1..=MOST_GAMES)?;
        within("selfplay.nodes", &self.nodes, 1..=1 << 40)?;
        within("selfplay.limit", &self.limit, 0..=1_000_000_000)?;
        within("selfplay.target", &self.target, 0.0..=1000.0)?;
        within("selfplay.tolerance", &self.tolerance, 1.0..=100.0)?;
        within("selfplay.max_plies", &self.max_plies, 1..=100_000)?;
        if let Err(problem) = self.side() {
            return Err(refuse("selfplay.options", &format!("'{}'", self.options), &problem));
        }
        if let Err(error) = self.adjudication() {
            let found = format!("'{}', '{}'", self.draw, self.resign);
            let possible = format!("a rule or nothing: {error}");
            return Err(refuse("selfplay.draw, selfplay.resign", &found, &possible));
        }
        let openings = &self.openings;
        if [super::tables::PROGRAM, super::tables::RANDOM]
            .iter()
            .any(|word| openings == Path::new(word))
        {
            return Err(refuse(
                "selfplay.openings",
                &openings.display(),
                "start, chance or a file",
            ));
        }
        Ok(())
    }

    /// The options of both sides; a sentence says what is possible where they are wrong.
    pub(crate) fn side(&self) -> Result<SideOptions, String> {
        let options: SideOptions =
            self.options.parse().map_err(|error: tandem_games::selfplay::SideError| {
                format!("option.NAME=VALUE words ({error})")
            })?;
        match OWN_OPTIONS.iter().find(|(name, _)| options.has(name)) {
            Some((name, key)) => Err(format!("to leave out {name}, which `{key}` sets")),
            None => Ok(options),
        }
    }

    /// When games end early.
    pub(crate) fn adjudication(&self) -> Result<AdjudicationSpec, RuleError> {
        let rule = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Ok(AdjudicationSpec {
            draw: rule(&self.draw).map(|text| text.parse()).transpose()?,
            resign: rule(&self.resign).map(|text| text.parse()).transpose()?,
            tables: None,
            max_plies: Some(self.max_plies),
        })
    }
}
