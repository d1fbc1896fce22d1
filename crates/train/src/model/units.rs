//! What the integers of a network file mean, and what they can carry.
//!
//! Inference works with integers: a neuron of 1.0 is 127, a weight of 1.0 is 64, an output of 1.0 is
//! 9600, which is a score of 600. Training computes in the same units, with or without the rounding,
//! so that the exported network is the trained one.

/// A neuron, and so a weight of the transformer.
pub(crate) const NEURON: f32 = 127.0;
/// A weight of the first two layers.
pub(crate) const WEIGHT: f32 = 64.0;
/// A bias and an output of the first two layers.
pub(crate) const SUM: f32 = NEURON * WEIGHT;
/// An output of the network, and a piece-square value.
pub(crate) const OUTPUT: f32 = 9600.0;
/// A weight of the last layer.
pub(crate) const LAST_WEIGHT: f32 = OUTPUT / NEURON;
/// Outputs are finer than scores by this factor.
pub(crate) const FINENESS: f32 = 16.0;

/// The largest integer of a layer's weight.
const I8: f32 = 127.0;
/// The largest integer of the transformer's weights.
const I16: f32 = 32767.0;

/// The largest weight of the first two layers.
pub(crate) const WEIGHT_LIMIT: f32 = I8 / WEIGHT;
/// The largest weight of the last layer.
pub(crate) const LAST_WEIGHT_LIMIT: f32 = I8 / LAST_WEIGHT;
/// The largest weight of the transformer. A file stores the sum of a real row and its virtual one.
pub(crate) const TRANSFORMER_LIMIT: f32 = I16 / NEURON / 2.0;
/// The largest piece-square value: any sum of 32 of them is an exact float.
pub(crate) const PSQT_LIMIT: f32 = 16.0;
