//! Learning from games, from the networks that a pair has.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::LoopError;
use super::news::{Listener, News};
use super::pair::Pair;
use super::state::Lesson;
use crate::model::Model;
use crate::policy::{PolicyConfig, PolicyModel, PolicyRecord};
use crate::source::{Blend, Source, count};
use crate::{Config, Finish, Observer, Progress, Record, Run, Subject, TrainError, Training};

/// How much is learnt.
#[derive(Clone, Copy, Debug)]
pub enum Amount {
    /// Each sample so often, on average.
    Passes(f64),
    /// So many samples, whatever there are.
    Samples(u64),
}

/// What a network learns from, and where it is kept while it does.
pub struct Study<'a> {
    /// The networks to begin with.
    pub from: &'a Pair,
    /// Files of games.
    pub train: &'a [PathBuf],
    /// Files of games to measure with.
    pub validation: &'a [PathBuf],
    /// Files of others, of which some samples come along.
    pub others: &'a [PathBuf],
    /// Their share of all samples.
    pub share: f64,
    /// How much is learnt.
    pub amount: Amount,
    /// What the new network says about itself.
    pub description: &'a str,
    /// The folder of the training, which goes on if it holds one.
    pub folder: &'a Path,
}

/// What a study came to.
pub struct Learnt {
    /// In numbers.
    pub lesson: Lesson,
    /// The new network, as a file has it.
    pub file: Vec<u8>,
}

/// Samples of a study, and how many are its own and others'.
type Samples<S> = (Box<dyn Source<<S as Subject>::Sample>>, [u64; 2]);

impl Study<'_> {
    /// Trains a network of values. Nothing comes of it if it is stopped.
    ///
    /// # Errors
    /// Samples cannot be read, the network does not fit, or a file cannot be written.
    pub fn value(
        &self,
        settings: &Config,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Learnt>, LoopError> {
        let mut config = settings.clone();
        config.model.l1 = self.from.widths()?.0;
        config.model.init = Some(self.from.value.clone());
        self.description.clone_into(&mut config.model.description);
        let (source, counts) = self.samples::<Model>(&config)?;
        config.training.batches = self.batches(&config.training, counts);
        let run = self.train::<Model>(config, &*source, stop, listener)?;
        let measure = |record: &Record| (record.train_loss, record.validation_loss, None);
        Ok(run.map(|run| learnt(run, counts, measure)).transpose()?)
    }

    /// Trains a network of policies. Nothing comes of it if it is stopped.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn policy(
        &self,
        settings: &PolicyConfig,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Learnt>, LoopError> {
        let mut config = settings.clone();
        config.model.hidden = self.from.widths()?.1;
        config.model.init = Some(self.from.policy.clone());
        self.description.clone_into(&mut config.model.description);
        let (source, counts) = self.samples::<PolicyModel>(&config)?;
        config.training.batches = self.batches(&config.training, counts);
        let run = self.train::<PolicyModel>(config, &*source, stop, listener)?;
        let measure = |record: &PolicyRecord| {
            let found = record.validation.as_ref().map(|found| &found.measures);
            let loss = found.map(|measures| measures.cross_entropy);
            (record.train_loss, loss, found.map(|measures| measures.top1))
        };
        Ok(run.map(|run| learnt(run, counts, measure)).transpose()?)
    }

    /// What is learnt from.
    fn samples<S: Subject<Sample: 'static>>(
        &self,
        config: &S::Settings,
    ) -> Result<Samples<S>, LoopError> {
        let own = S::open(config, self.train)?;
        let samples = count(&*own)?;
        if samples == 0 {
            return Err(TrainError::NoSamples("the games to learn from").into());
        }
        if self.others.is_empty() {
            return Ok((own, [samples, 0]));
        }
        let wanted = self.share / (1.0 - self.share) * samples as f64;
        let blend = Blend::new(own, S::open(config, self.others)?, wanted.round() as u64);
        let others = count(&blend)? - samples;
        Ok((Box::new(blend), [samples, others]))
    }

    /// Steps of a superbatch.
    fn batches(&self, training: &Training, [own, others]: [u64; 2]) -> u64 {
        let samples = match self.amount {
            Amount::Passes(passes) => passes * (own + others) as f64,
            Amount::Samples(samples) => samples as f64,
        };
        let size = training.batch as f64 * training.superbatches as f64;
        (samples / size).ceil().max(1.0) as u64
    }

    /// A training to its end, begun or gone on with.
    fn train<S: Subject>(
        &self,
        config: S::Settings,
        source: &dyn Source<S::Sample>,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Run<S>>, LoopError> {
        let is_begun = self.folder.join("state.bin").exists();
        let mut run = if is_begun { Run::resume(self.folder)? } else { Run::<S>::new(config)? };
        let validation = match self.validation {
            [] => None,
            files => Some(run.open(files)?),
        };
        let mut watch = Watch(listener);
        match run.run(source, validation.as_deref(), self.folder, &mut watch, stop)? {
            Finish::Complete => Ok(Some(run)),
            Finish::Interrupted => Ok(None),
        }
    }

    /// Removes what it takes to go on with a training that is complete: it is several times as large as
    /// the network.
    ///
    /// # Errors
    /// The file is there and cannot be removed.
    pub fn forget(folder: &Path) -> Result<(), TrainError> {
        let path = folder.join("state.bin");
        if path.exists() {
            fs::remove_file(&path).map_err(|reason| TrainError::Write { path, reason })?;
        }
        Ok(())
    }
}

fn learnt<S: Subject>(
    mut run: Run<S>,
    [samples, others]: [u64; 2],
    measure: impl Fn(&S::Record) -> (f64, Option<f64>, Option<f64>),
) -> Result<Learnt, TrainError> {
    let (loss, validation, top1) = run.history().last().map_or((0.0, None, None), measure);
    let lesson = Lesson { samples, others, steps: run.step(), loss, validation, top1 };
    Ok(Learnt { lesson, file: run.file()? })
}

/// Passes on what a training tells.
struct Watch<'a>(Listener<'a>);

impl<R> Observer<R> for Watch<'_> {
    fn step(&mut self, progress: &Progress) {
        (self.0)(News::Learning(progress));
    }

    fn superbatch(&mut self, _: &R) {}
}
