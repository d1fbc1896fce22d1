//! All numbers of a policy network: for its trainer, and for whoever writes one.

use tandem_chess::Random;

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

    /// A network of random numbers, whose neurons and outputs are about as large as a trained one's: for
    /// tests and measurements.
    #[must_use]
    pub fn random(hidden: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut within = |most: i32| random.below(2 * most as usize + 1) as i32 - most;
        let mut numbers = Self::zero(hidden, "random numbers");
        numbers.input_biases.fill_with(|| within(100) as i16);
        numbers.input_weights.fill_with(|| within(60) as i16);
        numbers.output_biases.fill_with(|| within(4000));
        numbers.output_weights.fill_with(|| within(16) as i8);
        numbers
    }

    /// The bytes of the file that holds these numbers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }
}
