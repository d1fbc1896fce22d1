//! A batch, forwards through the network and back.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::block::{BLOCK, Block};
use super::layers::{Layers, Stack};
use super::ready::Ready;
use super::table::Plan;
use super::{Model, Panel, units};
use crate::batch::Batch;
use crate::kernels::{Kernels, LINE, PAIRS, PANEL, Row};
use crate::loss::StepLoss;
use crate::pool::{self, Task};

/// What a batch cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, u64)", into = "(f64, u64)")]
pub struct Outcome {
    /// The sum of the losses.
    pub loss: f64,
    /// How many samples there were.
    pub samples: u64,
}

impl From<(f64, u64)> for Outcome {
    fn from((loss, samples): (f64, u64)) -> Self {
        Self { loss, samples }
    }
}

impl From<Outcome> for (f64, u64) {
    fn from(outcome: Outcome) -> Self {
        (outcome.loss, outcome.samples)
    }
}

/// What the loss gains from every number, divided by nothing yet but the number of samples.
pub(super) struct Gradient {
    /// For the layers and biases, in the units of inference.
    pub layers: Layers,
    /// The sum of the squares over all numbers, the tables' among them.
    pub squares: f64,
}

/// A sample's network output: piece-square part and positional part.
pub(crate) type Raw = (f32, f32);

impl Model {
    /// Computes losses and gradients. Those of the tables stay in the tables.
    pub(super) fn there_and_back(
        &mut self,
        batch: &Batch,
        plan: &Plan,
        loss: &StepLoss,
        is_rounded: bool,
    ) -> (Outcome, Gradient) {
        let psqt = self.transform(batch, Some(plan), is_rounded);
        let stacks = self.ready(is_rounded);
        let share = 1.0 / batch.len() as f32;
        let kernels = self.kernels;
        let panels = self.panels.len();

        let mut results: Vec<BlockResult> = Vec::new();
        let mut gains = vec![0.0; batch.len()];
        {
            let mut rest: Vec<_> =
                self.panels.iter_mut().map(|panel| &mut panel.products[..]).collect();
            let mut rest_of_gains = &mut gains[..];
            let blocks: Vec<_> = batch.blocks(BLOCK).collect();
            results.resize_with(blocks.len(), BlockResult::default);
            let mut tasks: Vec<Task<'_>> = Vec::new();
            for ((stack, range), result) in blocks.into_iter().zip(&mut results) {
                let count = range.len();
                let mut inputs: Vec<_> = rest
                    .iter_mut()
                    .map(|rows| rows.split_off_mut(..count).unwrap_or_default())
                    .collect();
                let gains = rest_of_gains.split_off_mut(..count).unwrap_or_default();
                let (ready, psqt) = (&stacks[stack], &psqt[range.clone()]);
                let targets = &batch.targets[range];
                tasks.push(Box::new(move || {
                    let block = Block::forward(&inputs, ready, is_rounded, &kernels);
                    for (i, target) in targets.iter().enumerate() {
                        let output = psqt[i] + block.outputs[i];
                        let (cost, slope) = loss.of(output / units::FINENESS, target);
                        result.loss += f64::from(cost);
                        gains[i] = slope / units::FINENESS * share;
                    }
                    let mut gradient = Stack::zero(panels);
                    block.backward(gains, &mut inputs, ready, &mut gradient, &kernels);
                    result.gradient = Some((stack, gradient));
                }));
            }
            pool::run(self.threads, tasks);
        }
        let outcome = Outcome {
            loss: results.iter().map(|result| result.loss).sum(),
            samples: batch.len() as u64,
        };
        (outcome, self.transform_back(batch, &gains, results))
    }

    /// The transformer: fills the panels' products, and gives each sample's piece-square part.
    fn transform(&mut self, batch: &Batch, plan: Option<&Plan>, is_rounded: bool) -> Vec<f32> {
        let kernels = &self.kernels;
        let biases: Vec<_> =
            (0..self.panels.len()).map(|panel| self.ready_biases(panel, is_rounded)).collect();
        let mut sides = vec![[0.0; 2]; batch.len()];
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (panel, biases) in self.panels.iter_mut().zip(&biases) {
            tasks.push(Box::new(|| panel.forward(batch, plan, biases, is_rounded, kernels)));
        }
        let (table, filled) = (&mut self.psqt, &mut sides);
        tasks.push(Box::new(move || {
            if let Some(plan) = plan {
                table.catch_up(plan, kernels);
            }
            table.forward(batch, &Row::ZERO, is_rounded, kernels, |item, sums| {
                let place = batch.destinations[item] as usize;
                filled[place / 2][place % 2] = sums.0[batch.stack_of(place / 2)];
            });
        }));
        pool::run(self.threads, tasks);
        let difference = |[us, them]: [f32; 2]| {
            let half = (us - them) / 2.0;
            if is_rounded { half.trunc() } else { half }
        };
        sides.into_iter().map(difference).collect()
    }

    /// Back through the transformer, with what the loss gains from each output.
    fn transform_back(
        &mut self,
        batch: &Batch,
        gains: &[f32],
        results: Vec<BlockResult>,
    ) -> Gradient {
        let (kernels, panels) = (&self.kernels, self.panels.len());
        let mut layers = Layers::zero(panels);
        let squares = Mutex::new(vec![0.0; panels + 1]);
        let note = &|place: usize, value: f64| {
            squares.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[place] = value;
        };
        let Layers { stacks, shared, biases } = &mut layers;
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (place, (panel, biases)) in self.panels.iter_mut().zip(biases).enumerate() {
            tasks.push(Box::new(move || note(place, panel.backward(batch, biases, kernels))));
        }
        let table = &mut self.psqt;
        tasks.push(Box::new(move || {
            let value = table.backward(batch, kernels, |item, row| {
                let place = batch.destinations[item] as usize;
                let half = if place.is_multiple_of(2) { 0.5 } else { -0.5 };
                *row = Row([0.0; LINE]);
                row.0[batch.stack_of(place / 2)] = half * gains[place / 2];
            });
            note(panels, value);
            for (stack, gradient) in results.into_iter().filter_map(|result| result.gradient) {
                let parts = stacks[stack].parts_mut().zip(gradient.parts());
                parts.for_each(|((_, sum), (_, values))| kernels.add(sum, values));
            }
            for stack in &*stacks {
                let rows = shared.fc0.iter_mut().flatten().zip(stack.fc0.iter().flatten());
                rows.for_each(|(sum, row)| kernels.add(&mut sum.0, &row.0));
                kernels.add(&mut shared.fc0_biases.0, &stack.fc0_biases.0);
            }
        }));
        pool::run(self.threads, tasks);
        let of_layers: f64 = layers
            .parts()
            .map(|(part, values)| {
                f64::from(part.unit()).powi(2) * f64::from(kernels.sum_of_squares(values))
            })
            .sum();
        let of_tables: f64 =
            squares.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).iter().sum();
        Gradient { layers, squares: of_layers + of_tables }
    }

    /// The outputs for a batch, sample by sample in the batch's order. All rows must be settled.
    pub(crate) fn outputs(&mut self, batch: &Batch, is_rounded: bool) -> Vec<Raw> {
        let psqt = self.transform(batch, None, is_rounded);
        let stacks = self.ready(is_rounded);
        let kernels = self.kernels;
        let mut positional = vec![0.0; batch.len()];
        let mut rest: Vec<_> =
            self.panels.iter_mut().map(|panel| &mut panel.products[..]).collect();
        let mut rest_of_outputs = &mut positional[..];
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (stack, range) in batch.blocks(BLOCK) {
            let inputs: Vec<_> = rest
                .iter_mut()
                .map(|rows| rows.split_off_mut(..range.len()).unwrap_or_default())
                .collect();
            let outputs = rest_of_outputs.split_off_mut(..range.len()).unwrap_or_default();
            let ready: &Ready = &stacks[stack];
            tasks.push(Box::new(move || {
                let block = Block::forward(&inputs, ready, is_rounded, &kernels);
                outputs.copy_from_slice(&block.outputs);
            }));
        }
        pool::run(self.threads, tasks);
        psqt.into_iter().zip(positional).collect()
    }

    /// What a batch costs without learning from it. All rows must be settled.
    pub(crate) fn assess(&mut self, batch: &Batch, loss: &StepLoss, is_rounded: bool) -> Outcome {
        let outputs = self.outputs(batch, is_rounded);
        let costs = outputs.iter().zip(&batch.targets).map(|((psqt, positional), target)| {
            f64::from(loss.of((psqt + positional) / units::FINENESS, target).0)
        });
        Outcome { loss: costs.sum(), samples: batch.len() as u64 }
    }
}

/// What a block of samples yields.
#[derive(Default)]
struct BlockResult {
    loss: f64,
    /// The stack, and what the loss gains from its numbers.
    gradient: Option<(usize, Stack)>,
}

impl Panel {
    fn forward(
        &mut self,
        batch: &Batch,
        plan: Option<&Plan>,
        biases: &Row<PANEL>,
        is_rounded: bool,
        kernels: &Kernels,
    ) {
        self.products.resize(batch.len(), Row::ZERO);
        if let Some(plan) = plan {
            self.table.catch_up(plan, kernels);
        }
        let products = &mut self.products;
        self.table.forward(batch, biases, is_rounded, kernels, |item, sums| {
            let place = batch.destinations[item] as usize;
            let out = &mut products[place / 2].0.as_chunks_mut::<PAIRS>().0[place % 2];
            kernels.multiply_pairs(sums, out, is_rounded);
        });
    }

    /// The gradient of the biases, and the sum of the squares of the table's gradients.
    fn backward(&mut self, batch: &Batch, biases: &mut Row<PANEL>, kernels: &Kernels) -> f64 {
        let products = &self.products;
        self.table.backward(batch, kernels, |item, sums| {
            let place = batch.destinations[item] as usize;
            let gains = &products[place / 2].0.as_chunks::<PAIRS>().0[place % 2];
            kernels.multiply_pairs_back(sums, gains);
            kernels.add(&mut biases.0, &sums.0);
        })
    }
}
