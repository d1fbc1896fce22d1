//! Training of networks for [`tandem_nnue`]: games in, a `.nnue` file out.
//!
//! Games come from PGN collections ([`data`]) or from the engine itself ([`selfplay`]). A [`Source`]
//! gives their positions as samples, a [`Config`] says what to do with them, a [`Trainer`] does it and
//! an [`Observer`] sees how it goes. A [`Gate`] decides by games whether the network is better than
//! the one before. [`learning`] has networks play, learn and stand for election again and again.

mod batch;
mod checkpoint;
mod config;
pub mod data;
mod error;
mod export;
mod files;
mod gate;
mod kernels;
pub mod learning;
mod loss;
mod model;
mod optimiser;
pub mod policy;
mod pool;
mod report;
mod sample;
pub mod selfplay;
mod source;
mod stream;
#[cfg(test)]
mod testing;
mod trainer;
mod turnstile;

pub use config::{
    Config, ConfigError, Course, Data, EXAMPLE, ModelSettings, Settings, Training, TrainingSettings,
};
pub use error::TrainError;
pub use export::ImportError;
pub use gate::{Contender, Decision, Gate, GateError, GateRecord, GateSettings};
pub use loss::Loss;
pub use optimiser::{LearningRate, Optimiser, Ramp, RateShape};
pub use report::{Observer, Progress, Record};
pub use sample::{GameResult, Sample};
pub use source::{Files, Memory, Samples, Source, SourceError};
pub use trainer::{Finish, Run, Subject, Tally, Trainer};
