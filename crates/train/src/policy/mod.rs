//! Training of policy networks for [`tandem_nnue::policy`]: moves in, a `.policy` file out.
//!
//! A sample is a position with the move that was played in it, or with how often a search tried every
//! move. The network learns how likely each legal move is; what it has learnt is measured by how well
//! it foresees the moves of other games.

mod batch;
mod calibration;
mod config;
mod evaluate;
mod export;
mod files;
mod measures;
mod model;
mod record;
mod sample;
mod subject;
#[cfg(test)]
mod tests;

pub use config::{Movers, PolicyConfig, PolicyData, PolicyModelSettings};
pub use evaluate::evaluate;
pub use export::PolicyImportError;
pub use files::PolicyFiles;
pub use measures::Measures;
pub(crate) use model::Model as PolicyModel;
pub use record::{PolicyRecord, Validation};
pub use sample::PolicySample;

/// A network that judges moves, in training.
pub type PolicyTrainer = crate::trainer::Run<model::Model>;
