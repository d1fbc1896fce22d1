//! What a training leaves behind for its user to read.

mod curves;

use std::fmt;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub(crate) use curves::{draw, draw_curves};

use crate::TrainError;
use crate::files::write_whole;

/// What a superbatch came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its number, from 1.
    pub superbatch: u64,
    /// Steps taken since the beginning.
    pub step: u64,
    /// Samples learnt from since the beginning.
    pub samples: u64,
    /// The mean loss of the superbatch, before each step.
    pub train_loss: f64,
    /// The mean loss of the rounded network on the validation samples.
    pub validation_loss: Option<f64>,
    /// The learning rate of the last step.
    pub learning_rate: f64,
    /// The share of the score in the target in the last step.
    pub lambda: f64,
    /// Samples a second in this run so far.
    pub samples_per_second: f64,
}

/// A superbatch in a line for people.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "superbatch {}  loss {:.6}", self.superbatch, self.train_loss)?;
        if let Some(loss) = self.validation_loss {
            write!(f, "  validation {loss:.6}")?;
        }
        write!(f, "  {:.0} positions/s", self.samples_per_second)
    }
}

/// Writes all records as JSON, one a line.
pub(crate) fn write_log<R: Serialize>(path: &Path, history: &[R]) -> Result<(), TrainError> {
    write_whole(path, |out| {
        for record in history {
            serde_json::to_writer(&mut *out, record)?;
            writeln!(out)?;
        }
        Ok(())
    })
}

/// How far training is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Steps taken since the beginning.
    pub step: u64,
    /// All steps.
    pub steps: u64,
    /// The superbatch in progress, from 1.
    pub superbatch: u64,
    /// The mean loss of the superbatch so far.
    pub loss: f64,
    /// How often the superbatch's best move was foreseen so far, where moves are learnt.
    pub top1: Option<f64>,
    /// Samples a second in this run so far.
    pub samples_per_second: f64,
    /// How long the rest takes at this rate.
    pub seconds_left: f64,
}

/// Who wants to know how training goes.
pub trait Observer<R = Record> {
    /// After every step.
    fn step(&mut self, progress: &Progress);
    /// After every superbatch.
    fn superbatch(&mut self, record: &R);
}

/// Nobody wants to know.
impl<R> Observer<R> for () {
    fn step(&mut self, _: &Progress) {}
    fn superbatch(&mut self, _: &R) {}
}
