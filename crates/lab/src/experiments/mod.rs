//! The experiments, one in each file.

pub mod classifier;
pub mod contempt_match;
pub mod contempt_wdl;
pub mod interesting;
pub mod odds_nodes;
pub mod repetitions;
pub mod schedule;
pub mod temperature_wdl;
pub mod verdict;
