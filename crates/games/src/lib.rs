//! Games between players, and what can be learnt from their results.

pub mod statistics;
