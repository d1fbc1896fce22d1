//! Which values settings can have.

use std::fmt::Display;
use std::ops::RangeInclusive;

use tandem_nnue::{MAX_L1, MIN_L1};

use super::{Config, ConfigError, Course, TrainingSettings as _};
use crate::GateSettings;
use crate::data::Filter;

/// One key, its value, and what it could be.
pub(crate) fn within<T: PartialOrd + Display>(
    key: &'static str,
    value: &T,
    range: RangeInclusive<T>,
) -> Result<(), ConfigError> {
    if range.contains(value) {
        return Ok(());
    }
    let possible = format!("{} to {}", range.start(), range.end());
    Err(ConfigError::Value { key, found: value.to_string(), possible })
}

/// Whether a share from 0 to 1 is one.
pub(crate) fn share(key: &'static str, value: f64) -> Result<(), ConfigError> {
    within(key, &value, 0.0..=1.0)
}

/// Whether a network's description fits its file.
pub(crate) fn description(text: &str) -> Result<(), ConfigError> {
    if text.len() > 4096 {
        return Err(ConfigError::Value {
            key: "model.description",
            found: format!("{} bytes long", text.len()),
            possible: "at most 4096 bytes".into(),
        });
    }
    Ok(())
}

/// Whether a filter can be understood.
pub(crate) fn filter(text: &str) -> Result<(), ConfigError> {
    text.parse::<Filter>().map(drop).map_err(|error| ConfigError::Value {
        key: "data.filter",
        found: text.to_owned(),
        possible: error.to_string(),
    })
}

impl Course<'_> {
    /// Whether all values are possible, and those of the mixing.
    pub(crate) fn check(&self, shuffle: usize, interleave: usize) -> Result<(), ConfigError> {
        let training = self.training;
        within("training.batch", &training.batch, 1..=1 << 20)?;
        within("training.batches", &training.batches, 1..=1 << 24)?;
        within("training.superbatches", &training.superbatches, 1..=1 << 20)?;
        // Rows remember their last step in 32 bits.
        within("training.batches x training.superbatches", &training.steps(), 1..=1 << 31)?;
        within("training.threads", &training.threads, 0..=1024)?;
        within("data.shuffle", &shuffle, training.batch..=1 << 32)?;
        within("data.interleave", &interleave, 1..=1024)?;
        within("data.validation_samples", &self.validation_samples, 1..=1 << 28)?;
        let rate = self.learning_rate;
        within("learning_rate.start", &rate.start, 1e-12..=1.0)?;
        within("learning_rate.end", &rate.end, 1e-12..=1.0)?;
        within("learning_rate.warmup", &rate.warmup, 0..=1 << 31)?;
        let optimiser = self.optimiser;
        within("optimiser.beta1", &optimiser.beta1, 0.0..=0.9999)?;
        within("optimiser.beta2", &optimiser.beta2, 0.5..=0.999_999)?;
        // Moments that fade faster than their squares would make the catch-up grow without bound.
        if optimiser.beta1 >= optimiser.beta2.sqrt() {
            return Err(ConfigError::Value {
                key: "optimiser.beta1",
                found: optimiser.beta1.to_string(),
                possible: "less than the root of `optimiser.beta2`".into(),
            });
        }
        within("optimiser.epsilon", &optimiser.epsilon, 1e-15..=1.0)?;
        within("optimiser.weight_decay", &optimiser.weight_decay, 0.0..=0.99)?;
        within("optimiser.gradient_clip", &optimiser.gradient_clip, 0.0..=1e9)
    }
}

impl Config {
    /// Whether all values are possible.
    pub(super) fn check_values(&self) -> Result<(), ConfigError> {
        let (data, model) = (&self.data, &self.model);
        if !model.l1.is_multiple_of(128) || !(MIN_L1..=MAX_L1).contains(&model.l1) {
            return Err(ConfigError::Value {
                key: "model.l1",
                found: model.l1.to_string(),
                possible: format!("a multiple of 128 from {MIN_L1} to {MAX_L1}"),
            });
        }
        share("model.round_from", model.round_from)?;
        description(&model.description)?;
        self.course().check(data.shuffle, data.interleave)?;
        filter(&data.filter)?;
        within("data.max_score", &data.max_score, 1..=32_767)?;
        let loss = &self.loss;
        within("loss.power", &loss.power, 1.0..=10.0)?;
        share("loss.lambda.start", loss.lambda.start)?;
        share("loss.lambda.end", loss.lambda.end)?;
        within("loss.in_offset", &loss.in_offset, 0.0..=10_000.0)?;
        within("loss.out_offset", &loss.out_offset, 0.0..=10_000.0)?;
        within("loss.in_scaling", &loss.in_scaling, 1.0..=10_000.0)?;
        within("loss.out_scaling", &loss.out_scaling, 1.0..=10_000.0)?;
        self.gate.check()
    }
}

impl GateSettings {
    /// Whether all values are possible.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        within("gate.nodes", &self.nodes, 1..=1 << 40)?;
        within("gate.hash", &self.hash, 1..=1 << 20)?;
        within("gate.concurrency", &self.concurrency, 0..=512)?;
        within("gate.games", &self.games, 2..=10_000_000)?;
        if !self.games.is_multiple_of(2) {
            return Err(ConfigError::Value {
                key: "gate.games",
                found: self.games.to_string(),
                possible: "an even number, because each opening is played with both colours".into(),
            });
        }
        if let Err(error) = self.sprt() {
            let Self { elo0, elo1, alpha, beta, .. } = self;
            return Err(ConfigError::Value {
                key: "gate.elo0, elo1, alpha, beta",
                found: format!("{elo0}, {elo1}, {alpha}, {beta}"),
                possible: format!("what makes a test: {error}"),
            });
        }
        if let Err(error) = self.rules() {
            return Err(ConfigError::Value {
                key: "gate.draw, gate.resign",
                found: format!("'{}', '{}'", self.draw, self.resign),
                possible: format!("a rule or nothing: {error}"),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings as _;

    #[test]
    fn impossible_values_are_refused_with_their_key_and_what_is_possible() {
        for (text, key, possible) in [
            ("[model]\nl1 = 100", "model.l1", "multiple of 128"),
            ("[model]\nround_from = 1.5", "model.round_from", "0 to 1"),
            ("[training]\nbatch = 0", "training.batch", "1 to"),
            ("[training]\nbatches = 16000000\nsuperbatches = 1000", "superbatches", "1 to"),
            ("[data]\nshuffle = 10", "data.shuffle", "8192 to"),
            ("[loss]\nlambda = { start = 2.0, end = 1.0 }", "loss.lambda.start", "0 to 1"),
            ("[loss]\npower = nan", "loss.power", "1 to 10"),
            ("[learning_rate]\nstart = 0.0", "learning_rate.start", "to 1"),
            ("[optimiser]\nbeta1 = 0.99\nbeta2 = 0.9", "optimiser.beta1", "root"),
            ("[gate]\ngames = 7", "gate.games", "even"),
            ("[gate]\nelo1 = -1.0", "elo1", "elo0 must be less"),
            ("[gate]\nalpha = 0.7", "alpha", "0.5"),
            ("[gate]\nresign = \"soon\"", "gate.resign", "4:600"),
            ("[optimiser]\nweight_decay = inf", "optimiser.weight_decay", "0 to 0.99"),
        ] {
            let error = Config::parse(text).unwrap_err().to_string();
            assert!(error.contains(key) && error.contains(possible), "{error}");
        }
    }
}
