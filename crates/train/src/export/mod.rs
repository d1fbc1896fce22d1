//! From floats to the integers of a network file, and back.
//!
//! Rounding uses the same arithmetic as training that simulates it, so the file holds exactly the
//! numbers that such training computed with.

use tandem_nnue::{FeatureSet, LayerParameters, Network, NetworkError, Parameters};
use thiserror::Error;

use crate::kernels::PAIRS;
use crate::model::Model;
use crate::model::units;
use crate::sample::{REAL_ROWS, virtual_row};

/// Why training cannot begin with a network.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The network sees threats.
    #[error("the network has {0} features; training begins with HalfKAv2_hm networks only")]
    Features(FeatureSet),
    /// The network has another width than the settings ask for.
    #[error("the network has {found} neurons in its first layer, `model.l1` is {expected}")]
    Width {
        /// The width of the network.
        found: usize,
        /// The width in the settings.
        expected: usize,
    },
}

/// The column of the transformer's rows where a panel's column stands in a file.
fn file_column(panel: usize, column: usize, l1: usize) -> usize {
    let (half, pair) = (column / PAIRS, column % PAIRS);
    half * (l1 / 2) + panel * PAIRS + pair
}

/// The input of the first layer where a panel's column stands in a file. The halves are the two
/// sides here.
fn file_input(panel: usize, column: usize, l1: usize) -> usize {
    file_column(panel, column, l1)
}

/// The network that training has come to. All rows must be settled.
pub(crate) fn export(model: &Model, description: &str) -> Result<Network, NetworkError> {
    let shape = model.architecture;
    let l1 = shape.l1;
    let kernels = model.kernels();
    let mut numbers = Parameters::zero(shape, description);
    for (number, panel) in model.panels.iter().enumerate() {
        for (column, value) in model.exported_biases(number).into_iter().enumerate() {
            numbers.biases[file_column(number, column, l1)] = value as i16;
        }
        for row in 0..REAL_ROWS {
            let values = panel.table.exported(row, virtual_row(row), kernels);
            let out = &mut numbers.weights[row * l1..(row + 1) * l1];
            for (column, value) in values.into_iter().enumerate() {
                out[file_column(number, column, l1)] = value as i16;
            }
        }
    }
    for (row, out) in numbers.psqt.chunks_exact_mut(tandem_nnue::BUCKETS).enumerate() {
        let values = model.psqt.exported(row, virtual_row(row), kernels);
        for (out, value) in out.iter_mut().zip(values) {
            *out = value as i32;
        }
    }
    for (ready, out) in model.ready(true).iter().zip(&mut numbers.layers) {
        let byte = |value: f32| value as i8;
        for (panel, weights) in ready.fc0_by_output.iter().enumerate() {
            for (output, row) in weights.iter().enumerate() {
                for (column, &value) in row.0.iter().enumerate() {
                    out.fc0_weights[output * l1 + file_input(panel, column, l1)] = byte(value);
                }
            }
        }
        *out = LayerParameters {
            fc0_biases: ready.fc0_biases.0.map(|value| value as i32),
            fc0_weights: std::mem::take(&mut out.fc0_weights),
            fc1_biases: ready.fc1_biases.0.map(|value| value as i32),
            fc1_weights: ready.fc1_by_output.iter().flat_map(|row| row.0.map(byte)).collect(),
            fc2_bias: ready.fc2_bias as i32,
            fc2_weights: ready.fc2.0.map(byte),
        };
    }
    Network::from_parameters(&numbers)
}

/// Fills a model with the numbers of a network. Virtual rows and the shared layer begin with 0.
pub(crate) fn import(model: &mut Model, network: &Network) -> Result<(), ImportError> {
    let shape = network.architecture();
    if shape.features != FeatureSet::HalfKa {
        return Err(ImportError::Features(shape.features));
    }
    let l1 = model.architecture.l1;
    if shape.l1 != l1 {
        return Err(ImportError::Width { found: shape.l1, expected: l1 });
    }
    let numbers = network.parameters();
    for (number, panel) in model.panels.iter_mut().enumerate() {
        for (column, out) in model.layers.biases[number].0.iter_mut().enumerate() {
            *out = f32::from(numbers.biases[file_column(number, column, l1)]) / units::NEURON;
        }
        for row in 0..REAL_ROWS {
            let values = &numbers.weights[row * l1..(row + 1) * l1];
            for (column, out) in panel.table.weights[row].0.iter_mut().enumerate() {
                *out = f32::from(values[file_column(number, column, l1)]) / units::NEURON;
            }
        }
    }
    let psqt = numbers.psqt.chunks_exact(tandem_nnue::BUCKETS);
    for (row, values) in model.psqt.weights.iter_mut().zip(psqt) {
        for (out, &value) in row.0.iter_mut().zip(values) {
            *out = value as f32 / units::OUTPUT;
        }
    }
    for (stack, numbers) in model.layers.stacks.iter_mut().zip(&numbers.layers) {
        for (panel, weights) in stack.fc0.iter_mut().enumerate() {
            for (output, row) in weights.iter_mut().enumerate() {
                for (column, out) in row.0.iter_mut().enumerate() {
                    let value = numbers.fc0_weights[output * l1 + file_input(panel, column, l1)];
                    *out = f32::from(value) / units::WEIGHT;
                }
            }
        }
        stack.fc0_biases.0 = numbers.fc0_biases.map(|value| value as f32 / units::SUM);
        for (out, &value) in
            stack.fc1.iter_mut().flat_map(|row| &mut row.0).zip(&numbers.fc1_weights)
        {
            *out = f32::from(value) / units::WEIGHT;
        }
        stack.fc1_biases.0 = numbers.fc1_biases.map(|value| value as f32 / units::SUM);
        stack.fc2.0 = numbers.fc2_weights.map(|value| f32::from(value) / units::LAST_WEIGHT);
        stack.fc2_bias.0[0] = numbers.fc2_bias as f32 / units::OUTPUT;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
