//! The papers' experiments, end to end: games on this machine, and a report of what they show beside what
//! the papers say.
//!
//! Each [`Experiment`] is one file in [`experiments`], and a line in [`catalogue`]. A [`Laboratory`] plays
//! its games in a folder, in which they survive interruption, and writes the report there.

pub mod catalogue;
mod error;
mod experiment;
pub mod experiments;
mod folder;
mod laboratory;
mod paper;
mod picture;
mod plan;
pub mod probes;
pub mod report;
mod session;
mod setup;
pub mod statistics;
mod temperature;
mod tuning;
mod versus;
mod wdl;

pub use catalogue::Name;
pub use error::LabError;
pub use experiment::{Experiment, Usual};
pub use laboratory::{Completed, Laboratory};
pub use plan::{Plan, Point};
pub use session::{Part, Progress, Session, Shared};
pub use setup::{Common, Setup};
