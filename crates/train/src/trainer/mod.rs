//! A training from its first step to its last.

mod folder;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use tandem_nnue::{Architecture, FeatureSet, Network};

use self::folder::Folder;
use crate::batch::Builder;
use crate::checkpoint::{self, Header};
use crate::kernels::Kernels;
use crate::model::{Model, Outcome};
use crate::optimiser::Clock;
use crate::report::{Observer, Progress, Record};
use crate::source::Source;
use crate::stream::{DataPosition, Loader, Mixer, Place};
use crate::{Config, Sample, TrainError, export};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All steps are taken.
    Complete,
    /// It was asked to stop; the state is saved.
    Interrupted,
}

/// A network in training.
pub struct Trainer {
    config: Config,
    model: Model,
    clock: Clock,
    position: DataPosition,
    /// Of the superbatch in progress.
    running: Outcome,
    history: Vec<Record>,
}

impl Trainer {
    /// A training that begins, with random numbers or the network that the settings name.
    ///
    /// # Errors
    /// Where that network cannot be used.
    pub fn new(config: Config) -> Result<Self, TrainError> {
        let mut model = model(&config)?;
        match &config.model.init {
            Some(path) => export::import(&mut model, &Network::load(path)?)?,
            None => model.randomise(config.model.seed),
        }
        let clock = clock(&config, 0);
        let (position, running, history) = Default::default();
        Ok(Self { config, model, clock, position, running, history })
    }

    /// A training that goes on from what a folder holds, exactly as if it had not stopped.
    ///
    /// # Errors
    /// Where the folder holds no training, or a damaged one.
    pub fn resume(folder: &Path) -> Result<Self, TrainError> {
        let (header, arrays) = checkpoint::open(&Folder::new(folder).state())?;
        let mut model = model(&header.config)?;
        arrays.fill(&mut model)?;
        Ok(Self {
            clock: clock(&header.config, header.step),
            config: header.config,
            model,
            position: header.position,
            running: Outcome { loss: header.running.0, samples: header.running.1 },
            history: header.history,
        })
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the superbatches so far came to.
    #[must_use]
    pub fn history(&self) -> &[Record] {
        &self.history
    }

    /// Steps taken.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.clock.step()
    }

    /// Whether all steps are taken.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.step() >= self.config.training.steps()
    }

    /// Trains until all steps are taken or `stop` is set. After each superbatch, and when stopped,
    /// everything is saved in the folder.
    ///
    /// # Errors
    /// Where data cannot be read, a file cannot be written, or the loss is not a number any more.
    pub fn run(
        &mut self,
        train: &dyn Source,
        validation: Option<&dyn Source>,
        folder: &Path,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Finish, TrainError> {
        let folder = Folder::new(folder);
        folder.prepare(&self.config)?;
        let validation = validation.map(|source| self.read_validation(source)).transpose()?;
        let validation = validation.as_deref();
        let (data, size) = (self.config.data.clone(), self.config.training.batch);
        let end_loading = AtomicBool::new(false);
        thread::scope(|scope| {
            let position = self.position.clone();
            let loader = Loader::start(scope, train, &data, size, position, &end_loading);
            self.train(&loader, validation, &folder, observer, stop)
        })
    }

    fn train(
        &mut self,
        loader: &Loader<'_>,
        validation: Option<&[Sample]>,
        folder: &Folder,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Finish, TrainError> {
        let training = self.config.training.clone();
        let (start, first) = (Instant::now(), self.step());
        while !self.is_complete() {
            if stop.load(Ordering::Relaxed) {
                self.save_state(folder)?;
                return Ok(Finish::Interrupted);
            }
            let (batch, position) = loader.next()?.ok_or(TrainError::NoSamples("`data.train`"))?;
            self.learn(&batch)?;
            self.position = position;

            let step = self.step();
            let rate = (step - first) as f64 / start.elapsed().as_secs_f64();
            let samples_per_second = rate * training.batch as f64;
            observer.step(&Progress {
                step,
                steps: training.steps(),
                superbatch: (step - 1) / training.batches + 1,
                loss: self.running.loss / self.running.samples as f64,
                samples_per_second,
                seconds_left: (training.steps() - step) as f64 / rate,
            });
            if step.is_multiple_of(training.batches) {
                self.end_superbatch(validation, samples_per_second);
                let record = &self.history[self.history.len() - 1];
                observer.superbatch(record);
                self.save_state(folder)?;
                self.save_results(folder)?;
            }
        }
        Ok(Finish::Complete)
    }

    /// One step.
    fn learn(&mut self, batch: &crate::batch::Batch) -> Result<(), TrainError> {
        let (step, steps) = (self.step(), self.config.training.steps());
        let is_rounded = step as f64 >= self.config.model.round_from * steps as f64;
        let loss = self.config.loss.at(step, steps);
        self.clock.advance();
        let clip = self.config.optimiser.gradient_clip;
        let outcome = self.model.learn(batch, &self.clock, &loss, is_rounded, clip);
        if !outcome.loss.is_finite() {
            return Err(TrainError::Diverged { step: self.step() });
        }
        self.running.loss += outcome.loss;
        self.running.samples += outcome.samples;
        Ok(())
    }

    /// Brings everything up to date, measures, and makes a record.
    fn end_superbatch(&mut self, validation: Option<&[Sample]>, samples_per_second: f64) {
        self.model.settle(&self.clock);
        let (step, steps) = (self.step(), self.config.training.steps());
        let validation_loss = validation.map(|samples| self.assess(samples, true));
        self.history.push(Record {
            superbatch: step / self.config.training.batches,
            step,
            samples: step * self.config.training.batch as u64,
            train_loss: self.running.loss / self.running.samples as f64,
            validation_loss,
            learning_rate: self.config.learning_rate.at(step - 1, steps),
            lambda: self.config.loss.lambda.at(step - 1, steps),
            samples_per_second,
        });
        self.running = Outcome::default();
    }

    /// The mean loss on samples, with the numbers rounded as a file has them or as they are.
    fn assess(&mut self, samples: &[Sample], is_rounded: bool) -> f64 {
        let steps = self.config.training.steps();
        let loss = self.config.loss.at(self.step().saturating_sub(1), steps);
        let mut builder = Builder::new();
        let costs = samples
            .chunks(self.config.training.batch)
            .map(|samples| self.model.assess(&builder.build(samples), &loss, is_rounded).loss);
        costs.sum::<f64>() / samples.len() as f64
    }

    fn read_validation(&self, source: &dyn Source) -> Result<Vec<Sample>, TrainError> {
        let mut data = self.config.data.clone();
        data.shuffle = data.validation_samples;
        let never = AtomicBool::new(false);
        let portion = Mixer::new(source, &data, Place::default())?.portion(&never)?;
        portion.map(|(_, samples)| samples).ok_or(TrainError::NoSamples("`data.validation`"))
    }

    /// The network as it is now: a training state that is not at the end of a superbatch is brought
    /// up to date first.
    ///
    /// # Errors
    /// Where the numbers are not a network.
    pub fn network(&mut self) -> Result<Network, TrainError> {
        self.model.settle(&self.clock);
        Ok(export::export(&self.model, &self.config.model.description)?)
    }

    fn save_state(&self, folder: &Folder) -> Result<(), TrainError> {
        let header = Header {
            config: self.config.clone(),
            step: self.step(),
            position: self.position.clone(),
            running: (self.running.loss, self.running.samples),
            history: self.history.clone(),
        };
        checkpoint::save(&folder.state(), &header, &self.model)
    }

    fn save_results(&mut self, folder: &Folder) -> Result<(), TrainError> {
        let network = self.network()?;
        let superbatch = self.step() / self.config.training.batches;
        folder.save_results(&network, superbatch, self.config.training.keep, &self.history)
    }
}

/// The model that the settings describe, all zeros.
fn model(config: &Config) -> Result<Model, TrainError> {
    let shape = Architecture::new(FeatureSet::HalfKa, config.model.l1)?;
    let threads = match config.training.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    Ok(Model::zero(shape, config.model.factorised, Kernels::chosen()?, threads))
}

fn clock(config: &Config, steps: u64) -> Clock {
    let total = config.training.steps();
    Clock::new(config.optimiser.clone(), config.learning_rate.clone(), total, steps)
}
