//! What the integers of a policy file mean, and what they can carry.

use tandem_nnue::policy::{ACTIVE_UNIT, INPUT_UNIT, OUTPUT_UNIT};

/// A weight and a bias of the hidden layer.
pub const INPUT: f32 = INPUT_UNIT as f32;
/// A weight of an output.
pub const OUTPUT: f32 = OUTPUT_UNIT as f32;
/// An output and its bias.
pub const SUM: f32 = (ACTIVE_UNIT * OUTPUT_UNIT) as f32;

/// The largest integer of a byte.
const I8: f32 = i8::MAX as f32;
/// The largest integer of a sum in the hidden layer.
const I16: f32 = i16::MAX as f32;
/// What is added up for a neuron: its bias and the weights of at most 32 inputs.
const ADDENDS: f32 = 33.0;

/// The largest weight of an input that is kept in a byte.
pub const NARROW_LIMIT: f32 = I8 / INPUT;
/// The largest weight of an input, and bias of a neuron: no sum is larger than its integer.
pub const INPUT_LIMIT: f32 = I16 / INPUT / ADDENDS;
/// The largest weight of an output.
pub const OUTPUT_LIMIT: f32 = I8 / OUTPUT;
/// The largest bias of an output.
pub const BIAS_LIMIT: f32 = 100.0;
