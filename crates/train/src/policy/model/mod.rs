//! The policy network as it is trained: floats, the optimiser's memory, and the way forwards and back.
//!
//! The hidden layer is cut into panels of 64 neurons, each with the weights of all inputs and outputs: what
//! is added up then comes from the second-level cache. The positions of a batch are computed in blocks,
//! which have nothing in common on the way forwards and back to the hidden layer. The gradient of a row
//! is the sum over all positions that use it, block by block; a panel's are computed by one thread. So
//! the same batch gives the same bits, whatever the number of threads.

mod initial;
mod pass;
mod saved;
mod table;
#[cfg(test)]
mod tests;
mod units;
mod work;

use tandem_nnue::policy::inputs::ROWS;
use tandem_nnue::policy::slots::SLOTS;

pub use self::pass::{MovesTally, largest};
use self::table::{Kind, Table};
pub(super) use self::units::{INPUT, OUTPUT, SUM};
use self::work::Work;
use crate::kernels::{Kernels, LINE, PANEL};

/// Inputs without what attacks and defends the piece.
pub(super) const SHARED: usize = ROWS / 4;

/// Some neurons of the hidden layer, with what leads to them and from them.
pub(super) struct Panel {
    /// A row for each input.
    pub inputs: Table<PANEL>,
    /// One row.
    pub biases: Table<PANEL>,
    /// A row for each slot.
    pub outputs: Table<PANEL>,
}

/// All numbers of a policy network in training.
pub struct Model {
    pub(super) hidden: usize,
    pub(super) panels: Vec<Panel>,
    /// The outputs' biases: as many rows as hold one for each slot.
    pub(super) biases: Table<LINE>,
    kernels: Kernels,
    threads: usize,
    /// Room for each block of a batch.
    work: Vec<Work>,
}

impl Model {
    /// A network of zeros.
    pub(crate) fn zero(
        hidden: usize,
        is_factorised: bool,
        is_narrow: bool,
        kernels: Kernels,
        threads: usize,
    ) -> Self {
        let limit = if is_narrow { units::NARROW_LIMIT } else { units::INPUT_LIMIT };
        let inputs = Kind { unit: units::INPUT, limit, decays: true };
        let neurons = Kind { limit: units::INPUT_LIMIT, decays: false, ..inputs };
        let outputs = Kind { unit: units::OUTPUT, limit: units::OUTPUT_LIMIT, decays: true };
        let biases = Kind { unit: units::SUM, limit: units::BIAS_LIMIT, decays: false };
        let panel = |_| Panel {
            inputs: Table::zero(ROWS, if is_factorised { SHARED } else { 0 }, inputs),
            biases: Table::zero(1, 0, neurons),
            outputs: Table::zero(SLOTS, 0, outputs),
        };
        Self {
            hidden,
            panels: (0..hidden / PANEL).map(panel).collect(),
            biases: Table::zero(SLOTS.div_ceil(LINE), 0, biases),
            kernels,
            threads,
            work: Vec::new(),
        }
    }
}
