//! What can be trained.

use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkpoint::Saved;
use crate::config::TrainingSettings;
use crate::optimiser::Clock;
use crate::source::Source;
use crate::stream::{Pack, Recipe};
use crate::{SourceError, TrainError};

/// A kind of network in training, with its settings, its samples, and what is said of it.
pub trait Subject: Saved + Sized {
    /// All settings.
    type Settings: TrainingSettings;
    /// What is learnt from.
    type Sample: Clone + Send + Sync;
    /// What the steps of a superbatch come to.
    type Tally: Tally;
    /// What is kept of a superbatch.
    type Record: Clone + Serialize + DeserializeOwned;
    /// What a step learns from.
    type Batch: Send;
    /// What makes batches of samples.
    type Packer: Pack<Sample = Self::Sample, Batch = Self::Batch>;

    /// A network of zeros that has the shape of the settings.
    ///
    /// # Errors
    /// Where there is no such network.
    fn zero(settings: &Self::Settings) -> Result<Self, TrainError>;

    /// Fills the network with random numbers, or those of the network that the settings name.
    ///
    /// # Errors
    /// Where that network cannot be used.
    fn begin(&mut self, settings: &Self::Settings) -> Result<(), TrainError>;

    /// How samples are mixed.
    fn recipe(settings: &Self::Settings) -> Recipe<Self::Sample>;

    /// The samples in files.
    ///
    /// # Errors
    /// Where the files are not there or of no known kind.
    fn open(
        settings: &Self::Settings,
        files: &[PathBuf],
    ) -> Result<Box<dyn Source<Self::Sample>>, SourceError>;

    /// Learns from a batch in the step that the clock shows.
    fn step(
        &mut self,
        batch: &Self::Batch,
        clock: &Clock,
        settings: &Self::Settings,
    ) -> Self::Tally;

    /// Brings everything up to the end of the step that the clock shows.
    fn settle(&mut self, clock: &Clock);

    /// Measures at the end of a superbatch, and makes a record.
    fn record(
        &mut self,
        milestone: &Milestone,
        tally: &Self::Tally,
        validation: Option<&[Self::Sample]>,
        settings: &Self::Settings,
    ) -> Self::Record;

    /// The network's file as it is now; everything is settled.
    ///
    /// # Errors
    /// Where the numbers are not a network.
    fn file(
        &mut self,
        settings: &Self::Settings,
        history: &[Self::Record],
    ) -> Result<Vec<u8>, TrainError>;

    /// How network files end.
    const EXTENSION: &'static str;

    /// Pictures of the records: the names of the files, and SVG.
    ///
    /// # Errors
    /// Where they cannot be drawn.
    fn pictures(history: &[Self::Record]) -> Result<Vec<(&'static str, String)>, TrainError>;
}

/// What some steps come to.
pub trait Tally: Clone + Default + Serialize + DeserializeOwned {
    /// Adds another step.
    fn add(&mut self, other: &Self);

    /// The mean loss.
    fn loss(&self) -> f64;

    /// How often the best move was foreseen, where moves are learnt.
    fn top1(&self) -> Option<f64> {
        None
    }
}

/// The end of a superbatch.
#[derive(Clone, Copy, Debug)]
pub struct Milestone {
    /// Its number, from 1.
    pub superbatch: u64,
    /// Steps taken since the beginning.
    pub step: u64,
    /// Samples learnt from since the beginning.
    pub samples: u64,
    /// The learning rate of the last step.
    pub learning_rate: f64,
    /// Samples a second in this run so far.
    pub samples_per_second: f64,
}
