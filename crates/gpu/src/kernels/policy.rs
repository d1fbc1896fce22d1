//! The WGSL of the policy network's kernels, put together for one size of hidden layer.

use tandem_nnue::policy::inputs::ROWS;

use super::{DOT, IMAGE_WIDTH, Reading, layers_in};
use crate::policy::{INPUT_WORDS, SLOT_BITS};

const HIDDEN: &str = include_str!("policy_hidden.wgsl");
const OUTPUTS: &str = include_str!("policy_outputs.wgsl");
const DOT_PAIRS: &str = include_str!("dot_pairs.wgsl");

/// Neurons of an invocation, and bytes of four words.
pub(crate) const UNIT: usize = 16;
/// The bindings of the network's numbers.
pub(crate) const INPUT_WEIGHTS: u32 = 0;
pub(crate) const OUTPUT_WEIGHTS: u32 = 1;
pub(crate) const OUTPUT_BIASES: u32 = 2;

/// A policy network's shape as the kernels see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyShape {
    /// Neurons of the hidden layer.
    pub hidden: usize,
    /// Where weights are.
    pub reading: Reading,
}

impl PolicyShape {
    /// Invocations for the hidden layer of a position.
    pub(crate) fn units(&self) -> usize {
        self.hidden / UNIT
    }

    /// The kernel of the hidden layer.
    #[must_use]
    pub fn hidden_layer(&self) -> String {
        self.source(INPUT_WEIGHTS, &[HIDDEN])
    }

    /// The kernel of the outputs.
    #[must_use]
    pub fn outputs(&self) -> String {
        let dot = match self.reading {
            Reading::Buffers => DOT,
            Reading::Images => DOT_PAIRS,
        };
        self.source(OUTPUT_WEIGHTS, &[dot, OUTPUTS])
    }

    /// Every kernel by name, for translators.
    #[must_use]
    pub fn all(&self) -> [(&'static str, String); 2] {
        [("hidden layer", self.hidden_layer()), ("outputs", self.outputs())]
    }

    /// The constants, the table of weights at that binding, and then the parts.
    fn source(&self, weights: u32, parts: &[&str]) -> String {
        let constants = [
            ("UNITS", self.units()),
            ("ROWS", ROWS),
            ("INPUT_WORDS", INPUT_WORDS),
            ("SLOT_BITS", SLOT_BITS as usize),
            ("WIDTH", IMAGE_WIDTH),
        ];
        let constant = |(name, value)| format!("const {name}: u32 = {value}u;\n");
        let constants: String = constants.map(constant).concat();
        constants + &layers_in(self.reading, weights) + &parts.join("\n")
    }
}
