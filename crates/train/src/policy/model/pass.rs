//! A batch, forwards through the network and back.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::table::Table;
use super::work::Work;
use super::{Model, Panel, units};
use crate::kernels::{Kernels, LINE};
use crate::optimiser::Clock;
use crate::policy::batch::{Batch, Block};
use crate::pool::{self, Task};
use crate::trainer::Tally;

/// What some positions come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesTally {
    /// The sum of the cross-entropies.
    pub loss: f64,
    /// Positions whose best move got the most.
    pub top1: u64,
    /// All positions.
    pub positions: u64,
}

impl Tally for MovesTally {
    fn add(&mut self, other: &Self) {
        self.loss += other.loss;
        self.top1 += other.top1;
        self.positions += other.positions;
    }

    fn loss(&self) -> f64 {
        self.loss / self.positions as f64
    }

    fn top1(&self) -> Option<f64> {
        Some(self.top1 as f64 / self.positions as f64)
    }
}

/// The place of the largest number; of equal ones the first.
pub fn largest(numbers: &[f32]) -> usize {
    let better =
        |best: usize, place: usize| if numbers[place] > numbers[best] { place } else { best };
    (1..numbers.len()).fold(0, better)
}

impl MovesTally {
    /// Judges the moves of a position by what they get, in the units of inference, and notes what the
    /// loss gains from each, times `scale`.
    pub fn judge(&mut self, outputs: &[f32], targets: &[f32], gains: &mut [f32], scale: f32) {
        let best = largest(outputs);
        let weight = |output: f32| ((output - outputs[best]) / units::SUM).exp();
        for (gain, &output) in gains.iter_mut().zip(outputs) {
            *gain = weight(output);
        }
        let sum: f32 = gains.iter().sum();
        let logarithm = sum.ln();
        let mut loss = 0.0;
        for ((gain, &target), &output) in gains.iter_mut().zip(targets).zip(outputs) {
            loss += target * (logarithm - (output - outputs[best]) / units::SUM);
            *gain = (*gain / sum - target) * scale;
        }
        self.loss += f64::from(loss);
        self.top1 += u64::from(best == largest(targets));
        self.positions += 1;
    }
}

impl Model {
    /// Learns from a batch in the step that the clock shows; the gradient's norm is limited to
    /// `clip`, if that is not 0.
    pub(crate) fn learn(
        &mut self,
        batch: &Batch,
        clock: &Clock,
        is_rounded: bool,
        clip: f64,
    ) -> MovesTally {
        let (tally, squares) = self.there_and_back(batch, is_rounded);
        let norm = squares.sqrt();
        let scale = if clip > 0.0 && norm > clip { (clip / norm) as f32 } else { 1.0 };
        let step = &clock.plan(clock.step() - 1).step;
        let kernels = &self.kernels;
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for panel in &mut self.panels {
            let (inputs, biases, outputs) =
                (&mut panel.inputs, &mut panel.biases, &mut panel.outputs);
            tasks.push(Box::new(move || {
                inputs.update(step, scale, kernels);
                biases.update(step, scale, kernels);
            }));
            tasks.push(Box::new(move || outputs.update(step, scale, kernels)));
        }
        let biases = &mut self.biases;
        tasks.push(Box::new(move || biases.update(step, scale, kernels)));
        pool::run(self.threads, tasks);
        tally
    }

    /// Computes losses and gradients, and the sum of the squares of all gradients.
    pub(super) fn there_and_back(&mut self, batch: &Batch, is_rounded: bool) -> (MovesTally, f64) {
        self.prepare(is_rounded);
        let share = 1.0 / batch.len() as f32;
        self.for_each_block(batch, |work, block, model| {
            work.forward(block, model.panels, model.biases, is_rounded, model.kernels);
            work.backward(block, model.panels, share, model.kernels);
        });
        let mut tally = MovesTally::default();
        self.work[..batch.blocks.len()].iter().for_each(|work| tally.add(&work.tally));
        (tally, self.gather(batch))
    }

    /// What each move of a batch gets, block by block, in the units of inference.
    pub(crate) fn outputs(
        &mut self,
        batch: &Batch,
        is_rounded: bool,
    ) -> impl Iterator<Item = &[f32]> {
        self.prepare(is_rounded);
        self.for_each_block(batch, |work, block, model| {
            work.forward(block, model.panels, model.biases, is_rounded, model.kernels);
        });
        self.work[..batch.blocks.len()].iter().map(|work| &work.outputs[..])
    }

    /// Makes all tables ready.
    pub(crate) fn prepare(&mut self, is_rounded: bool) {
        let kernels = &self.kernels;
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for panel in &mut self.panels {
            let (inputs, biases, outputs) =
                (&mut panel.inputs, &mut panel.biases, &mut panel.outputs);
            tasks.push(Box::new(move || {
                inputs.prepare(is_rounded, kernels);
                biases.prepare(is_rounded, kernels);
            }));
            tasks.push(Box::new(move || outputs.prepare(is_rounded, kernels)));
        }
        let biases = &mut self.biases;
        tasks.push(Box::new(move || biases.prepare(is_rounded, kernels)));
        pool::run(self.threads, tasks);
    }

    fn for_each_block(
        &mut self,
        batch: &Batch,
        compute: impl Fn(&mut Work, &Block, &Ready<'_>) + Sync,
    ) {
        if self.work.len() < batch.blocks.len() {
            self.work.resize_with(batch.blocks.len(), Work::default);
        }
        let ready = &Ready { panels: &self.panels, biases: &self.biases, kernels: &self.kernels };
        let compute = &compute;
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (work, block) in self.work.iter_mut().zip(&batch.blocks) {
            tasks.push(Box::new(move || compute(work, block, ready)));
        }
        pool::run(self.threads, tasks);
    }

    /// Adds up the gradients of all blocks, and gives the sum of all squares.
    fn gather(&mut self, batch: &Batch) -> f64 {
        let (kernels, work) = (&self.kernels, &self.work);
        let last = 2 * self.panels.len();
        let squares = Mutex::new(vec![0.0; last + 1]);
        let note = &|place: usize, value: f64| {
            squares.lock().unwrap_or_else(PoisonError::into_inner)[place] = value;
        };
        let blocks = || work.iter().zip(&batch.blocks);
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (number, panel) in self.panels.iter_mut().enumerate() {
            let (inputs, biases, outputs) =
                (&mut panel.inputs, &mut panel.biases, &mut panel.outputs);
            tasks.push(Box::new(move || {
                inputs.clear();
                biases.clear();
                for (work, block) in blocks() {
                    work.add_inputs(block, number, inputs, biases, kernels);
                }
                note(2 * number, inputs.gather(kernels) + biases.gather(kernels));
            }));
            tasks.push(Box::new(move || {
                outputs.clear();
                for (work, block) in blocks() {
                    work.add_outputs(block, number, outputs, kernels);
                }
                note(2 * number + 1, outputs.gather(kernels));
            }));
        }
        let biases = &mut self.biases;
        tasks.push(Box::new(move || {
            biases.clear();
            blocks().for_each(|(work, block)| work.add_biases(block, biases));
            note(last, biases.gather(kernels));
        }));
        pool::run(self.threads, tasks);
        squares.into_inner().unwrap_or_else(PoisonError::into_inner).iter().sum()
    }
}

/// What a block is computed with.
struct Ready<'a> {
    panels: &'a [Panel],
    biases: &'a Table<LINE>,
    kernels: &'a Kernels,
}
