//! Training of networks for [`tandem_nnue`]: samples in, a `.nnue` file out.
//!
//! A [`Source`] gives samples, a [`Config`] says what to do with them, a [`Trainer`] does it and an
//! [`Observer`] sees how it goes.

mod batch;
mod checkpoint;
mod config;
mod error;
mod export;
mod files;
mod kernels;
mod loss;
mod model;
mod optimiser;
mod pool;
mod report;
mod sample;
mod source;
mod stream;
#[cfg(test)]
mod testing;
mod trainer;

pub use config::{Config, ConfigError, Data, EXAMPLE, ModelSettings, Training};
pub use error::TrainError;
pub use export::ImportError;
pub use loss::Loss;
pub use optimiser::{LearningRate, Optimiser, Ramp, RateShape};
pub use report::{Observer, Progress, Record};
pub use sample::{GameResult, Sample};
pub use source::{Memory, Samples, Source, SourceError, TextFiles};
pub use trainer::{Finish, Trainer};
