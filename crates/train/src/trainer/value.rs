//! Training networks that evaluate positions.

use std::path::PathBuf;

use tandem_nnue::{Architecture, Encoding, FeatureSet, Network};

use super::{Milestone, Run, Subject, Tally, threads};
use crate::batch::{Batch, Builder};
use crate::kernels::Kernels;
use crate::model::{Model, Outcome};
use crate::optimiser::Clock;
use crate::report::{self, Record};
use crate::source::Source;
use crate::stream::{Pack as _, Recipe};
use crate::{Config, Files, Sample, SourceError, TrainError, export};

/// A network that evaluates positions, in training.
pub type Trainer = Run<Model>;

impl Subject for Model {
    type Settings = Config;
    type Sample = Sample;
    type Tally = Outcome;
    type Record = Record;
    type Batch = Batch;
    type Packer = Builder;

    const EXTENSION: &'static str = "nnue";

    fn zero(config: &Config) -> Result<Self, TrainError> {
        let shape = Architecture::new(FeatureSet::HalfKa, config.model.l1)?;
        let threads = threads(config.training.threads);
        Ok(Self::zero(shape, config.model.factorised, Kernels::chosen()?, threads))
    }

    fn begin(&mut self, config: &Config) -> Result<(), TrainError> {
        match &config.model.init {
            Some(path) => export::import(self, &Network::load(path)?)?,
            None => self.randomise(config.model.seed),
        }
        Ok(())
    }

    fn recipe(config: &Config) -> Recipe<Sample> {
        config.data.recipe()
    }

    fn open(config: &Config, files: &[PathBuf]) -> Result<Box<dyn Source>, SourceError> {
        let filter = config.data.filter.parse().expect("the settings were checked");
        Ok(Box::new(Files::find(files, &filter)?))
    }

    fn step(&mut self, batch: &Batch, clock: &Clock, config: &Config) -> Outcome {
        let (step, steps) = (clock.step() - 1, config.training.steps());
        let is_rounded = step as f64 >= config.model.round_from * steps as f64;
        let loss = config.loss.at(step, steps);
        self.learn(batch, clock, &loss, is_rounded, config.optimiser.gradient_clip)
    }

    fn settle(&mut self, clock: &Clock) {
        self.settle(clock);
    }

    fn record(
        &mut self,
        milestone: &Milestone,
        tally: &Outcome,
        validation: Option<&[Sample]>,
        config: &Config,
    ) -> Record {
        let &Milestone { superbatch, step, samples, learning_rate, samples_per_second } = milestone;
        Record {
            superbatch,
            step,
            samples,
            train_loss: tally.loss(),
            validation_loss: validation.map(|of| mean_loss(self, of, config, step, true)),
            learning_rate,
            lambda: config.loss.lambda.at(step - 1, config.training.steps()),
            samples_per_second,
        }
    }

    fn file(&mut self, config: &Config, _: &[Record]) -> Result<Vec<u8>, TrainError> {
        let network = export::export(self, &config.model.description)?;
        Ok(network.to_bytes(Encoding::Leb128))
    }

    fn pictures(history: &[Record]) -> Result<Vec<(&'static str, String)>, TrainError> {
        Ok(vec![("loss.svg", report::draw(history)?)])
    }
}

impl Tally for Outcome {
    fn add(&mut self, other: &Self) {
        self.loss += other.loss;
        self.samples += other.samples;
    }

    fn loss(&self) -> f64 {
        self.loss / self.samples as f64
    }
}

/// The mean loss on samples after so many steps, with the numbers rounded as a file has them or as
/// they are.
pub(super) fn mean_loss(
    model: &mut Model,
    samples: &[Sample],
    config: &Config,
    step: u64,
    is_rounded: bool,
) -> f64 {
    let loss = config.loss.at(step.saturating_sub(1), config.training.steps());
    let mut builder = Builder::default();
    let costs = samples
        .chunks(config.training.batch)
        .map(|samples| model.assess(&builder.build(samples), &loss, is_rounded).loss);
    costs.sum::<f64>() / samples.len() as f64
}

impl Trainer {
    /// The network as it is now: a training state that is not at the end of a superbatch is brought
    /// up to date first.
    ///
    /// # Errors
    /// Where the numbers are not a network.
    pub fn network(&mut self) -> Result<Network, TrainError> {
        self.model.settle(&self.clock);
        Ok(export::export(&self.model, &self.config.model.description)?)
    }
}
