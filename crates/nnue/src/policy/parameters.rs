//! All numbers of a policy network: for its trainer, and for whoever writes one.

use super::file;
use super::inputs::ROWS;
use super::slots::SLOTS;

/// All numbers of a policy network.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyParameters {
    /// Neurons of the hidden layer.
    pub hidden: usize,
    /// The outputs are divided by this, so that they are likelihoods as calibrated on games.
    pub temperature: f32,
    /// What the file says about itself.
    pub description: String,
    /// Biases of the hidden layer.
    pub input_biases: Vec<i16>,
    /// Weights of the inputs, row by row.
    pub input_weights: Vec<i16>,
    /// Biases of the outputs.
    pub output_biases: Vec<i32>,
    /// Weights of the outputs, slot by slot.
    pub output_weights: Vec<i8>,
}

impl PolicyParameters {
    /// A network with that many neurons in which every number is 0.
    #[must_use]
    pub fn zero(hidden: usize, description: &str) -> Self {
        Self {
            hidden,
            temperature: 1.0,
            description: description.into(),
            input_biases: vec![0; hidden],
            input_weights: vec![0; ROWS * hidden],
            output_biases: vec![0; SLOTS],
            output_weights: vec![0; SLOTS * hidden],
        }
    }

    /// The bytes of the file that holds these numbers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }
}
