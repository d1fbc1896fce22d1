//! Training data and training.

pub mod data;
