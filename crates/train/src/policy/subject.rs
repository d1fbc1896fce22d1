//! Training networks that judge moves.

use std::path::PathBuf;

use tandem_nnue::PolicyNetwork;

use super::batch::{Batch, Builder};
use super::calibration::Judged;
use super::measures::Meter;
use super::model::{Model, MovesTally, SUM};
use super::{PolicyConfig, PolicyFiles, PolicyRecord, PolicySample, Validation, export, record};
use crate::kernels::Kernels;
use crate::optimiser::Clock;
use crate::source::Source;
use crate::stream::{Pack as _, Recipe};
use crate::trainer::{Milestone, Subject, Tally as _, threads};
use crate::{SourceError, TrainError};

impl Subject for Model {
    type Settings = PolicyConfig;
    type Sample = PolicySample;
    type Tally = MovesTally;
    type Record = PolicyRecord;
    type Batch = Batch;
    type Packer = Builder;

    const EXTENSION: &'static str = "policy";

    fn zero(config: &PolicyConfig) -> Result<Self, TrainError> {
        let model = &config.model;
        let threads = threads(config.training.threads);
        let kernels = Kernels::chosen()?;
        Ok(Self::zero(model.hidden, model.factorised, model.narrow, kernels, threads))
    }

    fn begin(&mut self, config: &PolicyConfig) -> Result<(), TrainError> {
        match &config.model.init {
            Some(path) => {
                let numbers = PolicyNetwork::load(path)?.parameters();
                export::import(self, &numbers, config.model.narrow)?;
            }
            None => self.randomise(config.model.seed),
        }
        Ok(())
    }

    fn recipe(config: &PolicyConfig) -> Recipe<PolicySample> {
        config.data.recipe()
    }

    fn open(
        config: &PolicyConfig,
        files: &[PathBuf],
    ) -> Result<Box<dyn Source<PolicySample>>, SourceError> {
        Ok(Box::new(PolicyFiles::find(files, &config.data)?))
    }

    fn step(&mut self, batch: &Batch, clock: &Clock, config: &PolicyConfig) -> MovesTally {
        let (step, steps) = (clock.step() - 1, config.training.steps());
        let is_rounded = step as f64 >= config.model.round_from * steps as f64;
        self.learn(batch, clock, is_rounded, config.optimiser.gradient_clip)
    }

    /// Every step brings all numbers up to date.
    fn settle(&mut self, _: &Clock) {}

    fn record(
        &mut self,
        milestone: &Milestone,
        tally: &MovesTally,
        validation: Option<&[PolicySample]>,
        config: &PolicyConfig,
    ) -> PolicyRecord {
        let &Milestone { superbatch, step, samples, learning_rate, samples_per_second } = milestone;
        PolicyRecord {
            superbatch,
            step,
            samples,
            train_loss: tally.loss(),
            train_top1: tally.top1().unwrap_or_default(),
            validation: validation.map(|of| validate(self, of, config.training.batch)),
            learning_rate,
            samples_per_second,
        }
    }

    fn file(
        &mut self,
        config: &PolicyConfig,
        history: &[PolicyRecord],
    ) -> Result<Vec<u8>, TrainError> {
        let validation = history.last().and_then(|record| record.validation.as_ref());
        let temperature = validation.map_or(1.0, |found| found.temperature);
        let numbers = export::export(self, &config.model.description, temperature);
        Ok(PolicyNetwork::from_parameters(&numbers)?.to_bytes())
    }

    fn pictures(history: &[PolicyRecord]) -> Result<Vec<(&'static str, String)>, TrainError> {
        record::pictures(history)
    }
}

/// What the rounded network is worth on those samples, and the temperature that is right for them.
pub fn validate(model: &mut Model, samples: &[PolicySample], batch: usize) -> Validation {
    let (mut builder, mut judged) = (Builder::default(), Judged::default());
    for samples in samples.chunks(batch) {
        let batch = builder.build(samples);
        for (block, outputs) in batch.blocks.iter().zip(model.outputs(&batch, true)) {
            for position in 0..block.len() {
                let range = block.slots.range(position);
                judged.add(&outputs[range.clone()], &block.targets[range]);
            }
        }
    }
    let temperature = f64::from(judged.temperature() as f32);
    let measure = |temperature: f64| {
        let mut meter = Meter::default();
        for (outputs, targets) in judged.positions() {
            let logit = |&output| f64::from(output) / (f64::from(SUM) * temperature);
            meter.add(outputs.iter().map(logit), targets);
        }
        meter.measures()
    };
    let uncalibrated = measure(1.0).cross_entropy;
    Validation { temperature, uncalibrated, measures: measure(temperature) }
}
