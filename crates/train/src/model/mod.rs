//! The network as it is trained: floats, the optimiser's memory, and the way forwards and back.
//!
//! The transformer is cut into panels of columns. A panel holds 32 neurons of the first half and
//! their 32 partners of the second, with the weights of all rows. What panels compute does not
//! depend on one another, so threads need no locks and sums have one order. The layers behind are
//! computed in blocks of samples whose gradients are added in the blocks' order. So the same batch
//! gives the same bits, whatever the number of threads.

mod block;
mod initial;
mod layers;
mod pass;
mod ready;
mod saved;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod units;

use tandem_nnue::Architecture;

pub(crate) use layers::Layers;
pub use pass::Outcome;

use self::ready::Ready;
use self::table::{Plan, Table};
use crate::batch::Batch;
use crate::kernels::{Kernels, LINE, PANEL, Row};
use crate::optimiser::Clock;
use crate::pool::{self, Task};
use crate::sample::{REAL_ROWS, VIRTUAL_ROWS};

/// Some columns of the transformer, and the products of their pairs.
pub(crate) struct Panel {
    pub table: Table<PANEL>,
    /// For each sample the products of the side to move and of its opponent; on the way back their
    /// gradients.
    products: Vec<Row<PANEL>>,
}

/// All numbers of a network in training.
pub struct Model {
    pub(crate) architecture: Architecture,
    pub(crate) panels: Vec<Panel>,
    /// A column for each stack; the others fill a line.
    pub(crate) psqt: Table<LINE>,
    pub(crate) layers: Layers,
    pub(crate) first: Layers,
    pub(crate) second: Layers,
    /// The step in which each row of the tables was last updated.
    pub(crate) last: Vec<u32>,
    kernels: Kernels,
    threads: usize,
}

impl Model {
    /// A network of zeros.
    pub(crate) fn zero(
        architecture: Architecture,
        is_factorised: bool,
        kernels: Kernels,
        threads: usize,
    ) -> Self {
        let panels = architecture.l1 / PANEL;
        let panel = |_| Panel {
            table: Table::new(units::NEURON, units::TRANSFORMER_LIMIT, is_factorised),
            products: Vec::new(),
        };
        let layers = Layers::zero(panels);
        let rows = REAL_ROWS + if is_factorised { VIRTUAL_ROWS } else { 0 };
        Self {
            architecture,
            panels: (0..panels).map(panel).collect(),
            psqt: Table::new(units::OUTPUT, units::PSQT_LIMIT, is_factorised),
            first: layers.clone(),
            second: layers.clone(),
            layers,
            last: vec![0; rows],
            kernels,
            threads,
        }
    }

    /// Whether there are virtual rows.
    pub(crate) fn is_factorised(&self) -> bool {
        self.last.len() > REAL_ROWS
    }

    pub(crate) fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// Learns from a batch in the step that the clock shows; the gradient's norm is limited to
    /// `clip`, if that is not 0.
    pub(crate) fn learn(
        &mut self,
        batch: &Batch,
        clock: &Clock,
        loss: &crate::loss::StepLoss,
        is_rounded: bool,
        clip: f64,
    ) -> Outcome {
        let plan = Plan::new(batch, clock, &self.last);
        let (outcome, gradient) = self.there_and_back(batch, &plan, loss, is_rounded);
        let norm = gradient.squares.sqrt();
        let scale = if clip > 0.0 && norm > clip { (clip / norm) as f32 } else { 1.0 };
        self.update(&plan, clock, &gradient.layers, scale);
        outcome
    }

    fn update(&mut self, plan: &Plan, clock: &Clock, gradient: &Layers, scale: f32) {
        let kernels = &self.kernels;
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for panel in &mut self.panels {
            tasks.push(Box::new(|| panel.table.update(plan, scale, kernels)));
        }
        let (psqt, layers) = (&mut self.psqt, &mut self.layers);
        let (first, second) = (&mut self.first, &mut self.second);
        tasks.push(Box::new(move || {
            psqt.update(plan, scale, kernels);
            update_layers(layers, first, second, gradient, clock, scale, kernels);
        }));
        pool::run(self.threads, tasks);
        for (row, _) in &plan.rows {
            self.last[*row as usize] = clock.step() as u32;
        }
    }

    /// Brings all rows up to the end of the step that the clock shows.
    pub(crate) fn settle(&mut self, clock: &Clock) {
        let (last, kernels) = (&self.last, &self.kernels);
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for panel in &mut self.panels {
            tasks.push(Box::new(|| panel.table.settle(clock, last, kernels)));
        }
        let psqt = &mut self.psqt;
        tasks.push(Box::new(move || psqt.settle(clock, last, kernels)));
        pool::run(self.threads, tasks);
        self.last.fill(clock.step() as u32);
    }

    /// The stacks in the units of inference.
    pub(crate) fn ready(&self, is_rounded: bool) -> Vec<Ready> {
        let stacks = 0..self.layers.stacks.len();
        stacks.map(|stack| Ready::new(&self.layers, stack, is_rounded, &self.kernels)).collect()
    }

    /// The transformer's biases of a panel in the units of inference.
    fn ready_biases(&self, panel: usize, is_rounded: bool) -> Row<PANEL> {
        let mut out = Row::ZERO;
        let biases = &self.layers.biases[panel].0;
        self.kernels.combine(&mut out.0, biases, None, units::NEURON, is_rounded);
        out
    }

    /// The biases as a file has them.
    pub(crate) fn exported_biases(&self, panel: usize) -> [f32; PANEL] {
        self.ready_biases(panel, true).0
    }
}

/// Takes the step for everything that is not a table.
fn update_layers(
    layers: &mut Layers,
    first: &mut Layers,
    second: &mut Layers,
    gradient: &Layers,
    clock: &Clock,
    scale: f32,
    kernels: &Kernels,
) {
    let plan = clock.plan(clock.step() - 1).step;
    let moments = first.parts_mut().zip(second.parts_mut());
    for (((part, weights), ((_, m), (_, v))), (_, gradient)) in
        layers.parts_mut().zip(moments).zip(gradient.parts())
    {
        let mut step = plan;
        step.gradient_scale = scale * part.unit();
        if !part.decays() {
            step.decay = 1.0;
        }
        kernels.adam(weights, m, v, gradient, &step, part.limit());
    }
    layers.clip_sums();
}
