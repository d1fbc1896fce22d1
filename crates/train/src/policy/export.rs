//! From floats to the integers of a policy file, and back.

use tandem_nnue::policy::PolicyParameters;
use tandem_nnue::policy::slots::SLOTS;
use thiserror::Error;

use super::model::{INPUT, Model, OUTPUT, SUM};
use crate::kernels::{LINE, PANEL};

/// Why training cannot begin with a policy network.
#[derive(Debug, Error)]
pub enum PolicyImportError {
    /// The network has another width than the settings ask for.
    #[error("the network has {found} neurons in its hidden layer, `model.hidden` is {expected}")]
    Width {
        /// The width of the network.
        found: usize,
        /// The width in the settings.
        expected: usize,
    },
    /// The network has larger weights than the settings allow.
    #[error("the network has weights of inputs beyond 127: it needs `model.narrow` to be false")]
    Wide,
}

/// The numbers that training has come to, rounded.
pub fn export(model: &mut Model, description: &str, temperature: f64) -> PolicyParameters {
    let hidden = model.hidden;
    let mut numbers = PolicyParameters::zero(hidden, description);
    numbers.temperature = temperature as f32;
    model.prepare(true);
    for (number, panel) in model.panels.iter().enumerate() {
        let columns = number * PANEL..(number + 1) * PANEL;
        let place = |row: usize| row * hidden + columns.start..row * hidden + columns.end;
        for (out, value) in numbers.input_biases[place(0)].iter_mut().zip(panel.biases.ready[0].0) {
            *out = value as i16;
        }
        for (row, values) in panel.inputs.ready.iter().enumerate() {
            for (out, value) in numbers.input_weights[place(row)].iter_mut().zip(values.0) {
                *out = value as i16;
            }
        }
        for (row, values) in panel.outputs.ready.iter().enumerate() {
            for (out, value) in numbers.output_weights[place(row)].iter_mut().zip(values.0) {
                *out = value as i8;
            }
        }
    }
    let biases = model.biases.ready.iter().flat_map(|row| row.0);
    for (out, value) in numbers.output_biases.iter_mut().zip(biases) {
        *out = value as i32;
    }
    numbers
}

/// Fills a model with the numbers of a network. Shared rows begin with 0.
pub fn import(
    model: &mut Model,
    numbers: &PolicyParameters,
    is_narrow: bool,
) -> Result<(), PolicyImportError> {
    let hidden = model.hidden;
    if numbers.hidden != hidden {
        return Err(PolicyImportError::Width { found: numbers.hidden, expected: hidden });
    }
    let is_wide = |&weight: &i16| weight.unsigned_abs() > i8::MAX.unsigned_abs().into();
    if is_narrow && numbers.input_weights.iter().any(is_wide) {
        return Err(PolicyImportError::Wide);
    }
    for (number, panel) in model.panels.iter_mut().enumerate() {
        let first = number * PANEL;
        let place = |row: usize, column: usize| row * hidden + first + column;
        for (column, out) in panel.biases.weights[0].0.iter_mut().enumerate() {
            *out = f32::from(numbers.input_biases[first + column]) / INPUT;
        }
        let rows = panel.inputs.rows();
        for (row, weights) in panel.inputs.weights[..rows].iter_mut().enumerate() {
            for (column, out) in weights.0.iter_mut().enumerate() {
                *out = f32::from(numbers.input_weights[place(row, column)]) / INPUT;
            }
        }
        for (row, weights) in panel.outputs.weights.iter_mut().enumerate() {
            for (column, out) in weights.0.iter_mut().enumerate() {
                *out = f32::from(numbers.output_weights[place(row, column)]) / OUTPUT;
            }
        }
    }
    for slot in 0..SLOTS {
        model.biases.weights[slot / LINE].0[slot % LINE] = numbers.output_biases[slot] as f32 / SUM;
    }
    Ok(())
}
