//! Networks to begin with.

use tandem_chess::Random;

use super::{Model, SHARED};
use crate::kernels::Row;

/// The weights of inputs differ by so much at first: with some 23 of them added up, most neurons are
/// neither cut off below nor above.
const SPREAD: f32 = 0.1;
/// Neurons begin with this.
const BIAS: f32 = 0.3;

impl Model {
    /// Fills a network with random numbers, the same from the same seed. Inputs that differ only in who
    /// attacks and defends the piece begin alike.
    pub(crate) fn randomise(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let mut uniform = |width: f32| (2.0 * random.unit() - 1.0) as f32 * width;
        let width = (self.hidden as f32).powf(-0.5);
        for panel in &mut self.panels {
            let mut row = || Row(std::array::from_fn(|_| uniform(SPREAD)));
            let pieces: Vec<_> = (0..SHARED).map(|_| row()).collect();
            let rows = panel.inputs.rows();
            let (real, shared) = panel.inputs.weights.split_at_mut(rows);
            if shared.is_empty() {
                real.chunks_exact_mut(SHARED).for_each(|state| state.copy_from_slice(&pieces));
            } else {
                shared.copy_from_slice(&pieces);
            }
            panel.biases.weights[0].0.fill_with(|| BIAS + uniform(SPREAD));
            for row in &mut panel.outputs.weights {
                row.0.fill_with(|| uniform(width));
            }
        }
    }
}
