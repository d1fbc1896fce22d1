//! The experiments, one in each file.

pub mod contempt_wdl;
pub mod odds_nodes;
pub mod repetitions;
pub mod temperature_wdl;
