//! One work on many machines: parts that need nothing from each other, planned, watched and put together.
//!
//! A [`Place`] is where one shard of a work is done: under a temporary name until it is complete, with a
//! [`Manifest`] that says what came of it. A [`Plan`] lists all shards of a work and writes what HyperQueue and
//! Slurm need to run them; [`status`] and [`merge`] look at what stands in its folder. Nothing here starts a
//! program on another machine: that is what those two are for.

pub mod course;
mod description;
mod digest;
mod error;
mod manifest;
pub mod merge;
mod place;
mod plan;
mod schedulers;
pub mod status;

pub use description::{Description, Job, Resources};
pub use digest::{FileNote, check, note};
pub use error::FleetError;
pub use manifest::{Counts, Manifest, Work, Yield};
pub use place::{Begun, Note, Place, State, Workplace};
pub use plan::{Kind, Plan, Stage, Task};
