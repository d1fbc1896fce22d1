//! A block of positions, forwards to what its moves get and back to the hidden layer.

use super::table::Table;
use super::{MovesTally, Panel, units};
use crate::kernels::{Kernels, LINE, PANEL, Row};
use crate::policy::batch::Block;

/// Room for a block.
#[derive(Default)]
pub struct Work {
    /// Panel by panel, for each position the sums of the neurons; on the way back their gradients.
    sums: Vec<Row<PANEL>>,
    /// The same for their squares.
    squares: Vec<Row<PANEL>>,
    /// What each move gets, in the units of inference.
    pub outputs: Vec<f32>,
    /// What the loss gains from each, in the order of the block's slots.
    gains: Vec<f32>,
    /// What its positions come to.
    pub tally: MovesTally,
}

/// Where the rows of a panel lie.
fn part<T>(rows: &[T], panel: usize, length: usize) -> &[T] {
    &rows[panel * length..(panel + 1) * length]
}

impl Work {
    /// Computes what each move gets. All tables are ready.
    pub fn forward(
        &mut self,
        block: &Block,
        panels: &[Panel],
        biases: &Table<LINE>,
        is_rounded: bool,
        kernels: &Kernels,
    ) {
        let length = block.len();
        self.sums.resize(panels.len() * length, Row::ZERO);
        self.squares.resize(panels.len() * length, Row::ZERO);
        self.outputs.clear();
        let bias = |&slot: &u16| biases.ready[usize::from(slot) / LINE].0[usize::from(slot) % LINE];
        self.outputs.extend(block.slots.numbers().iter().map(bias));
        for (panel, (sums, squares)) in panels
            .iter()
            .zip(self.sums.chunks_exact_mut(length).zip(self.squares.chunks_exact_mut(length)))
        {
            for (position, (sums, squares)) in sums.iter_mut().zip(squares).enumerate() {
                *sums = panel.biases.ready[0];
                kernels.accumulate_panel(sums, &panel.inputs.ready, block.rows.get(position));
                kernels.square(sums, squares, is_rounded);
                let outputs = &mut self.outputs[block.slots.range(position)];
                let slots = block.slots.get(position);
                kernels.multiply_rows(squares, &panel.outputs.ready, slots, outputs);
            }
        }
    }

    /// Computes what the loss gains from every move and every neuron; `share` is the weight of a position
    /// in the loss.
    pub fn backward(&mut self, block: &Block, panels: &[Panel], share: f32, kernels: &Kernels) {
        self.tally = MovesTally::default();
        let mut gains = vec![0.0; self.outputs.len()];
        for position in 0..block.len() {
            let range = block.slots.range(position);
            let (outputs, targets) = (&self.outputs[range.clone()], &block.targets[range.clone()]);
            self.tally.judge(outputs, targets, &mut gains[range], share / units::SUM);
        }
        let length = block.len();
        for (panel, sums) in panels.iter().zip(self.sums.chunks_exact_mut(length)) {
            for (position, sums) in sums.iter_mut().enumerate() {
                let (slots, range) = (block.slots.get(position), block.slots.range(position));
                let mut gain = Row::ZERO;
                let table = &panel.outputs.ready;
                kernels.accumulate_weighted(&mut gain, table, slots, &gains[range]);
                kernels.square_back(sums, &gain);
            }
        }
        self.gains.clear();
        self.gains.extend(block.by_slot.places.iter().map(|&place| gains[place as usize]));
    }

    /// Adds to the gradients of a panel's inputs and biases.
    pub fn add_inputs(
        &self,
        block: &Block,
        number: usize,
        inputs: &mut Table<PANEL>,
        biases: &mut Table<PANEL>,
        kernels: &Kernels,
    ) {
        let sums = part(&self.sums, number, block.len());
        let users = &block.by_row;
        for (at, &row) in users.keys.iter().enumerate() {
            let gradient = &mut inputs.gradients[usize::from(row)];
            kernels.accumulate_panel(gradient, sums, users.lists.get(at));
        }
        for row in sums {
            kernels.add(&mut biases.gradients[0].0, &row.0);
        }
    }

    /// Adds to the gradients of a panel's outputs.
    pub fn add_outputs(
        &self,
        block: &Block,
        number: usize,
        outputs: &mut Table<PANEL>,
        kernels: &Kernels,
    ) {
        let squares = part(&self.squares, number, block.len());
        let users = &block.by_slot;
        for (at, &slot) in users.keys.iter().enumerate() {
            let gradient = &mut outputs.gradients[usize::from(slot)];
            let gains = &self.gains[users.lists.range(at)];
            kernels.accumulate_weighted(gradient, squares, users.lists.get(at), gains);
        }
    }

    /// Adds to the gradients of the outputs' biases.
    pub fn add_biases(&self, block: &Block, biases: &mut Table<LINE>) {
        for (at, &slot) in block.by_slot.keys.iter().enumerate() {
            let gains = &self.gains[block.by_slot.lists.range(at)];
            let slot = usize::from(slot);
            biases.gradients[slot / LINE].0[slot % LINE] += gains.iter().sum::<f32>();
        }
    }
}
