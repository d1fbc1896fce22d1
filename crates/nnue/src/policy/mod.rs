//! The policy network: how likely each legal move is the best, judged before any is tried.
//!
//! [`inputs`] and [`slots`] say what a position and a move are to the network; its trainer goes by the
//! same functions. A [`PolicyNetwork`] is read-only and shared; each thread judges with a
//! [`PolicyEvaluator`] of its own.

pub mod bench;
mod evaluator;
mod file;
pub mod inputs;
mod network;
mod parameters;
pub mod slots;

#[cfg(test)]
mod tests;

pub use evaluator::PolicyEvaluator;
pub use file::MAGIC;
pub use network::PolicyNetwork;
pub use parameters::PolicyParameters;

/// The fewest neurons of the hidden layer.
pub const MIN_HIDDEN: usize = 64;
/// The most neurons of the hidden layer.
pub const MAX_HIDDEN: usize = 2048;
/// The number of neurons is a multiple of this.
pub const HIDDEN_STEP: usize = 64;

/// What the weight 1.0 of an input is in a file, and a fully active neuron before it is squared.
pub const INPUT_UNIT: i32 = 255;
/// What a fully active neuron is after it has been squared.
pub const ACTIVE_UNIT: i32 = 127;
/// What the weight 1.0 of an output is in a file.
pub const OUTPUT_UNIT: i32 = 64;

/// Whether a hidden layer can have so many neurons.
#[must_use]
pub const fn is_hidden_size(neurons: usize) -> bool {
    neurons >= MIN_HIDDEN && neurons <= MAX_HIDDEN && neurons.is_multiple_of(HIDDEN_STEP)
}
