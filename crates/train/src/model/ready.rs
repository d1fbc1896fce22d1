//! Layers in the units of inference, arranged for the kernels.

use super::layers::{Layers, Part};
use crate::kernels::{ByInput, ByOutput, FC0, FC1, Kernels, PANEL, Row, Square};

/// A layer stack that is ready to be computed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ready {
    pub fc0_by_output: Vec<ByOutput>,
    pub fc0_by_input: Vec<ByInput>,
    pub fc0_biases: Row<FC0>,
    pub fc1_by_output: Square,
    pub fc1_by_input: Square,
    pub fc1_biases: Row<FC1>,
    pub fc2: Row<FC1>,
    pub fc2_bias: f32,
}

impl Ready {
    /// The stack of that number, rounded to integers if asked.
    pub fn new(layers: &Layers, number: usize, is_rounded: bool, kernels: &Kernels) -> Self {
        let (stack, shared) = (&layers.stacks[number], &layers.shared);
        let ready = |out: &mut [f32], part: Part, values: &[f32], shared: Option<&[f32]>| {
            kernels.combine(out, values, shared, part.unit(), is_rounded);
        };
        let panels = stack.fc0.len();
        let mut by_output = vec![[Row::ZERO; FC0]; panels];
        let mut by_input = vec![[Row::ZERO; PANEL]; panels];
        for panel in 0..panels {
            let weights = stack.fc0[panel].iter().zip(&shared.fc0[panel]);
            for (output, (row, added)) in weights.enumerate() {
                let out = &mut by_output[panel][output].0;
                ready(out, Part::Weights, &row.0, Some(&added.0));
                for (input, &weight) in by_input[panel].iter_mut().zip(out.iter()) {
                    input.0[output] = weight;
                }
            }
        }
        let mut fc0_biases = Row::ZERO;
        let biases = (&stack.fc0_biases.0, &shared.fc0_biases.0);
        ready(&mut fc0_biases.0, Part::Biases, biases.0, Some(biases.1));
        let mut fc1_by_output = [Row::ZERO; FC1];
        for (out, row) in fc1_by_output.iter_mut().zip(&stack.fc1) {
            ready(&mut out.0, Part::Weights, &row.0, None);
        }
        let mut fc1_biases = Row::ZERO;
        ready(&mut fc1_biases.0, Part::Biases, &stack.fc1_biases.0, None);
        let mut fc2 = Row::ZERO;
        ready(&mut fc2.0, Part::LastWeights, &stack.fc2.0, None);
        let mut fc2_bias = stack.fc2_bias;
        ready(&mut fc2_bias.0, Part::LastBias, &stack.fc2_bias.0, None);
        Self {
            fc0_by_output: by_output,
            fc0_by_input: by_input,
            fc0_biases,
            fc1_by_input: std::array::from_fn(|i| Row(fc1_by_output.map(|row| row.0[i]))),
            fc1_by_output,
            fc1_biases,
            fc2,
            fc2_bias: fc2_bias.0[0],
        }
    }
}
