//! What a superbatch of moves came to.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Measures;
use crate::TrainError;
use crate::report::draw_curves;

/// What a superbatch came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRecord {
    /// Its number, from 1.
    pub superbatch: u64,
    /// Steps taken since the beginning.
    pub step: u64,
    /// Positions learnt from since the beginning.
    pub samples: u64,
    /// The mean cross-entropy of the superbatch, before each step.
    pub train_loss: f64,
    /// How often its best move got the most, before each step.
    pub train_top1: f64,
    /// What the network is worth on the validation positions.
    pub validation: Option<Validation>,
    /// The learning rate of the last step.
    pub learning_rate: f64,
    /// Positions a second in this run so far.
    pub samples_per_second: f64,
}

/// What the rounded network is worth on the validation positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// The temperature at which its cross-entropy is least; it stands in the network's file.
    pub temperature: f64,
    /// The cross-entropy at a temperature of 1.
    pub uncalibrated: f64,
    /// Everything else, at that temperature.
    #[serde(flatten)]
    pub measures: Measures,
}

/// A superbatch in a line for people.
impl fmt::Display for PolicyRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100.0 * self.train_top1;
        write!(f, "superbatch {}  loss {:.4}", self.superbatch, self.train_loss)?;
        write!(f, "  top-1 {percent:.2} %")?;
        if let Some(Validation { temperature, measures, .. }) = &self.validation {
            let [top1, top5] = [measures.top1, measures.top5].map(|share| 100.0 * share);
            write!(f, "  validation {:.4}", measures.cross_entropy)?;
            write!(f, "  top-1 {top1:.2} %  top-5 {top5:.2} %  temperature {temperature:.3}")?;
        }
        write!(f, "  {:.0} positions/s", self.samples_per_second)
    }
}

/// The curves of loss and accuracy over the samples.
pub fn pictures(history: &[PolicyRecord]) -> Result<Vec<(&'static str, String)>, TrainError> {
    let curve = |value: &dyn Fn(&PolicyRecord) -> Option<f64>| {
        let point = |record: &PolicyRecord| Some((record.samples as f64 / 1e6, value(record)?));
        history.iter().filter_map(point).collect::<Vec<_>>()
    };
    let measured = |value: fn(&Measures) -> f64| {
        curve(&|record| record.validation.as_ref().map(|found| value(&found.measures)))
    };
    let loss = draw_curves(
        "cross-entropy",
        &[
            ("training", curve(&|record| Some(record.train_loss))),
            ("validation", measured(|measures| measures.cross_entropy)),
        ],
    )?;
    let accuracy = draw_curves(
        "share of positions",
        &[
            ("training, top-1", curve(&|record| Some(record.train_top1))),
            ("validation, top-1", measured(|measures| measures.top1)),
            ("validation, top-5", measured(|measures| measures.top5)),
        ],
    )?;
    Ok(vec![("loss.svg", loss), ("accuracy.svg", accuracy)])
}
