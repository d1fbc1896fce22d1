//! Networks to begin with.

use tandem_chess::Random;

use super::{Model, units};
use crate::kernels::{FC0, FC1, PANEL, Row};
use crate::sample::{REAL_ROWS, virtual_row};

/// What a piece is worth at first, in outputs of 1.0: pawn, knight, bishop, rook, queen.
const PIECES: [f32; 5] = [126.0, 781.0, 825.0, 1276.0, 2538.0];
/// A score of 600 is an output of 1.0.
const SCORE: f32 = units::OUTPUT / units::FINENESS;
/// The transformer's weights differ by so much at first: with some 30 features active at once,
/// neurons stay where they are not cut off.
const SPREAD: f32 = 0.05;
/// Neurons begin in the middle of where they are neither cut off below nor above.
const BIAS: f32 = 0.5;

impl Model {
    /// Fills a network with random numbers, the same from the same seed. Rows that differ only in
    /// the king's bucket, and stacks, begin alike; piece-square values are those of the pieces.
    pub(crate) fn randomise(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let mut uniform = |width: f32| (2.0 * random.unit() - 1.0) as f32 * width;
        let is_factorised = self.is_factorised();
        for panel in &mut self.panels {
            let mut row = || Row(std::array::from_fn::<_, PANEL, _>(|_| uniform(SPREAD)));
            let virtual_rows: Vec<_> = (0..crate::sample::VIRTUAL_ROWS).map(|_| row()).collect();
            if is_factorised {
                panel.table.weights[REAL_ROWS..].copy_from_slice(&virtual_rows);
            } else {
                for (row, weights) in panel.table.weights.iter_mut().enumerate() {
                    *weights = virtual_rows[virtual_row(row)];
                }
            }
        }
        for biases in &mut self.layers.biases {
            biases.0.fill_with(|| BIAS + uniform(SPREAD));
        }
        let inputs = self.architecture.l1 as f32;
        let stack = &mut self.layers.stacks[0];
        for row in stack.fc0.iter_mut().flatten() {
            row.0.fill_with(|| uniform(inputs.powf(-0.5)));
        }
        stack.fc0_biases.0.fill_with(|| uniform(inputs.powf(-0.5)));
        // The output that skips the other layers begins silent.
        stack.fc0.iter_mut().for_each(|panel| panel[FC0 - 1] = Row::ZERO);
        stack.fc0_biases.0[FC0 - 1] = 0.0;
        let width = (FC1 as f32).powf(-0.5);
        for row in &mut stack.fc1 {
            row.0[..2 * (FC0 - 1)].fill_with(|| uniform(width));
        }
        stack.fc1_biases.0.fill_with(|| uniform(width));
        stack.fc2.0.fill_with(|| uniform(width));
        let stack = stack.clone();
        self.layers.stacks.fill(stack);
        self.place_pieces();
    }

    /// Sets the piece-square values to what the pieces are worth.
    fn place_pieces(&mut self) {
        let worth = |row: usize| {
            let plane = row / 64;
            let sign = if plane.is_multiple_of(2) { 1.0 } else { -1.0 };
            PIECES.get(plane / 2).map_or(0.0, |value| sign * value / SCORE)
        };
        let is_factorised = self.is_factorised();
        for (place, row) in self.psqt.weights.iter_mut().enumerate() {
            let value = match place.checked_sub(REAL_ROWS) {
                Some(row) => worth(row),
                None if is_factorised => 0.0,
                None => worth(virtual_row(place)),
            };
            row.0.fill(value);
        }
    }
}
