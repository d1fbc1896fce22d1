//! A training from its first step to its last.

mod folder;
mod subject;
#[cfg(test)]
mod tests;
mod value;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

pub use self::subject::{Milestone, Subject, Tally};
pub use self::value::Trainer;

use self::folder::Folder;
use crate::TrainError;
use crate::checkpoint::{self, Header};
use crate::config::TrainingSettings;
use crate::optimiser::Clock;
use crate::report::{Observer, Progress};
use crate::source::{Source, SourceError};
use crate::stream::{DataPosition, Loader, Mixer, Place};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All steps are taken.
    Complete,
    /// It was asked to stop; the state is saved.
    Interrupted,
}

/// A network in training.
pub struct Run<S: Subject> {
    config: S::Settings,
    pub(crate) model: S,
    clock: Clock,
    pub(crate) position: DataPosition,
    /// Of the superbatch in progress.
    pub(crate) running: S::Tally,
    pub(crate) history: Vec<S::Record>,
}

impl<S: Subject> Run<S> {
    /// A training that begins, with random numbers or the network that the settings name.
    ///
    /// # Errors
    /// Where that network cannot be used.
    pub fn new(config: S::Settings) -> Result<Self, TrainError> {
        let mut model = S::zero(&config)?;
        model.begin(&config)?;
        let clock = clock(&config, 0);
        let (position, running, history) = Default::default();
        Ok(Self { config, model, clock, position, running, history })
    }

    /// A training that goes on from what a folder holds, exactly as if it had not stopped.
    ///
    /// # Errors
    /// Where the folder holds no training, or a damaged one.
    pub fn resume(folder: &Path) -> Result<Self, TrainError> {
        type Saved<S> =
            Header<<S as Subject>::Settings, <S as Subject>::Tally, <S as Subject>::Record>;
        let path = Folder::<S>::new(folder).state();
        let (header, arrays): (Saved<S>, _) = checkpoint::open::<S, _>(&path)?;
        let mut model = S::zero(&header.config)?;
        arrays.fill(&mut model)?;
        Ok(Self {
            clock: clock(&header.config, header.step),
            config: header.config,
            model,
            position: header.position,
            running: header.running,
            history: header.history,
        })
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &S::Settings {
        &self.config
    }

    /// What the superbatches so far came to.
    #[must_use]
    pub fn history(&self) -> &[S::Record] {
        &self.history
    }

    /// Steps taken.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.clock.step()
    }

    /// All steps.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.config.course().training.steps()
    }

    /// Whether all steps are taken.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.step() >= self.steps()
    }

    /// The samples in files, as the settings have them read.
    ///
    /// # Errors
    /// Where the files are not there or of no known kind.
    pub fn open(&self, files: &[PathBuf]) -> Result<Box<dyn Source<S::Sample>>, SourceError> {
        S::open(&self.config, files)
    }

    /// Trains until all steps are taken or `stop` is set. After each superbatch, and when stopped,
    /// everything is saved in the folder.
    ///
    /// # Errors
    /// Where data cannot be read, a file cannot be written, or the loss is not a number any more.
    pub fn run(
        &mut self,
        train: &dyn Source<S::Sample>,
        validation: Option<&dyn Source<S::Sample>>,
        folder: &Path,
        observer: &mut dyn Observer<S::Record>,
        stop: &AtomicBool,
    ) -> Result<Finish, TrainError> {
        let folder = Folder::new(folder);
        folder.prepare(&self.config)?;
        let validation = validation.map(|source| self.read_validation(source)).transpose()?;
        let validation = validation.as_deref();
        let (recipe, size) = (S::recipe(&self.config), self.config.course().training.batch);
        let end_loading = AtomicBool::new(false);
        thread::scope(|scope| {
            let position = self.position.clone();
            let loader =
                Loader::start::<S::Packer>(scope, train, recipe, size, position, &end_loading);
            self.train(&loader, validation, &folder, observer, stop)
        })
    }

    fn train(
        &mut self,
        loader: &Loader<'_, S::Batch>,
        validation: Option<&[S::Sample]>,
        folder: &Folder<S>,
        observer: &mut dyn Observer<S::Record>,
        stop: &AtomicBool,
    ) -> Result<Finish, TrainError> {
        let training = self.config.course().training.clone();
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
                loss: self.running.loss(),
                top1: self.running.top1(),
                samples_per_second,
                seconds_left: (training.steps() - step) as f64 / rate,
            });
            if step.is_multiple_of(training.batches) {
                self.end_superbatch(validation, samples_per_second);
                let record = &self.history[self.history.len() - 1];
                observer.superbatch(record);
                self.save_state(folder)?;
                folder.save_results(self)?;
            }
        }
        Ok(Finish::Complete)
    }

    /// One step.
    fn learn(&mut self, batch: &S::Batch) -> Result<(), TrainError> {
        self.clock.advance();
        let tally = self.model.step(batch, &self.clock, &self.config);
        if !tally.loss().is_finite() {
            return Err(TrainError::Diverged { step: self.step() });
        }
        self.running.add(&tally);
        Ok(())
    }

    /// Brings everything up to date, measures, and makes a record.
    fn end_superbatch(&mut self, validation: Option<&[S::Sample]>, samples_per_second: f64) {
        self.model.settle(&self.clock);
        let (step, steps) = (self.step(), self.steps());
        let course = self.config.course();
        let milestone = Milestone {
            superbatch: step / course.training.batches,
            step,
            samples: step * course.training.batch as u64,
            learning_rate: course.learning_rate.at(step - 1, steps),
            samples_per_second,
        };
        let tally = std::mem::take(&mut self.running);
        self.history.push(self.model.record(&milestone, &tally, validation, &self.config));
    }

    fn read_validation(
        &self,
        source: &dyn Source<S::Sample>,
    ) -> Result<Vec<S::Sample>, TrainError> {
        let mut recipe = S::recipe(&self.config);
        recipe.shuffle = self.config.course().validation_samples;
        let never = AtomicBool::new(false);
        let portion = Mixer::new(source, recipe, Place::default())?.portion(&never)?;
        portion.map(|(_, samples)| samples).ok_or(TrainError::NoSamples("`data.validation`"))
    }

    /// The network's file as it is now: a training state that is not at the end of a superbatch is
    /// brought up to date first.
    ///
    /// # Errors
    /// Where the numbers are not a network.
    pub fn file(&mut self) -> Result<Vec<u8>, TrainError> {
        self.model.settle(&self.clock);
        self.model.file(&self.config, &self.history)
    }

    fn save_state(&self, folder: &Folder<S>) -> Result<(), TrainError> {
        let header = Header {
            config: self.config.clone(),
            step: self.step(),
            position: self.position.clone(),
            running: self.running.clone(),
            history: self.history.clone(),
        };
        checkpoint::save(&folder.state(), &header, &self.model)
    }
}

/// The threads that settings ask for.
pub(crate) fn threads(setting: usize) -> usize {
    match setting {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

fn clock(config: &impl TrainingSettings, steps: u64) -> Clock {
    let course = config.course();
    let total = course.training.steps();
    Clock::new(course.optimiser.clone(), course.learning_rate.clone(), total, steps)
}
