//! Samples of one stack, forwards through its layers and back.

use super::layers::Stack;
use super::ready::Ready;
use super::units;
use crate::kernels::{FC0, FC1, Kernels, PANEL, Row};

/// How many samples are computed together.
pub(crate) const BLOCK: usize = 128;

/// Outputs of the first layer that go on to the second.
const USED: usize = FC0 - 1;
/// What the last output of the first layer is multiplied by on its way to the result.
const SKIP: f64 = units::OUTPUT as f64 / units::SUM as f64;
/// A square is divided by this.
const SQUARE: f64 = (1_u32 << 19) as f64;
const TOP: f32 = units::NEURON;

/// The outputs and the state between the ways forwards and back.
pub(crate) struct Block {
    first: Vec<Row<FC0>>,
    middle: Vec<Row<FC1>>,
    second: Vec<Row<FC1>>,
    /// The positional outputs.
    pub outputs: Vec<f32>,
    is_rounded: bool,
}

impl Block {
    /// Computes the outputs of samples, whose products stand in `panels`. With rounding, they are
    /// the integers of inference.
    pub fn forward(
        panels: &[&mut [Row<PANEL>]],
        stack: &Ready,
        is_rounded: bool,
        kernels: &Kernels,
    ) -> Self {
        let count = panels[0].len();
        let mut first = vec![stack.fc0_biases; count];
        for (inputs, weights) in panels.iter().zip(&stack.fc0_by_input) {
            kernels.first_layer(inputs, weights, &mut first);
        }
        let mut block = Self {
            first,
            middle: vec![Row::ZERO; count],
            second: vec![stack.fc1_biases; count],
            outputs: Vec::with_capacity(count),
            is_rounded,
        };
        for sample in 0..count {
            let (first, middle) = (&block.first[sample], &mut block.middle[sample]);
            square_and_clip(&first.0, &mut middle.0, is_rounded);
            let second = &mut block.second[sample];
            kernels.weigh_rows(middle, &stack.fc1_by_input, second);
            let mut output = stack.fc2_bias;
            for (value, weight) in second.0.iter().zip(&stack.fc2.0) {
                output += floored(value / units::WEIGHT, is_rounded).clamp(0.0, TOP) * weight;
            }
            let skip = f64::from(first.0[USED]) * SKIP;
            block.outputs.push(output + if is_rounded { skip.trunc() } else { skip } as f32);
        }
        block
    }

    /// Goes back with what the loss gains from each output: adds to the gradient of the stack, and
    /// replaces the products by what the loss gains from them.
    pub fn backward(
        mut self,
        gains: &[f32],
        panels: &mut [&mut [Row<PANEL>]],
        stack: &Ready,
        gradient: &mut Stack,
        kernels: &Kernels,
    ) {
        for (sample, &gain) in gains.iter().enumerate() {
            let (middle, second) = (&self.middle[sample], &self.second[sample]);
            let mut to_second = Row::ZERO;
            gradient.fc2_bias.0[0] += gain;
            for i in 0..FC1 {
                let value = second.0[i] / units::WEIGHT;
                gradient.fc2.0[i] += gain * floored(value, self.is_rounded).clamp(0.0, TOP);
                if (0.0..=TOP).contains(&value) {
                    to_second.0[i] = gain * stack.fc2.0[i] / units::WEIGHT;
                }
            }
            kernels.add(&mut gradient.fc1_biases.0, &to_second.0);
            kernels.add_outer(&to_second, middle, &mut gradient.fc1);
            let mut to_middle = Row::ZERO;
            kernels.weigh_rows(&to_second, &stack.fc1_by_output, &mut to_middle);
            let first = &mut self.first[sample];
            square_and_clip_back(&mut first.0, &to_middle.0);
            first.0[USED] = gain * SKIP as f32;
            kernels.add(&mut gradient.fc0_biases.0, &first.0);
        }
        for (panel, inputs) in panels.iter_mut().enumerate() {
            let to = &mut gradient.fc0[panel];
            kernels.first_layer_weights_back(inputs, &self.first, to);
            kernels.first_layer_inputs_back(&self.first, &stack.fc0_by_output[panel], inputs);
        }
    }
}

fn floored(value: f32, is_rounded: bool) -> f32 {
    if is_rounded { value.floor() } else { value }
}

/// The inputs of the second layer: squares, then values, of the first layer's outputs.
fn square_and_clip(first: &[f32; FC0], out: &mut [f32; FC1], is_rounded: bool) {
    for i in 0..USED {
        // A square can have more digits than a float carries.
        let square = f64::from(first[i]) * f64::from(first[i]) / SQUARE;
        let square = if is_rounded { square.floor() } else { square };
        out[i] = (square as f32).min(TOP);
        out[USED + i] = floored(first[i] / units::WEIGHT, is_rounded).clamp(0.0, TOP);
    }
}

/// Replaces the first layer's outputs by what the loss gains from them.
fn square_and_clip_back(first: &mut [f32; FC0], gains: &[f32; FC1]) {
    for i in 0..USED {
        let value = first[i];
        let square = value * value / SQUARE as f32;
        let linear = value / units::WEIGHT;
        let mut gain = 0.0;
        if square <= TOP {
            gain += gains[i] * 2.0 * value / SQUARE as f32;
        }
        if (0.0..=TOP).contains(&linear) {
            gain += gains[USED + i] / units::WEIGHT;
        }
        first[i] = gain;
    }
}
