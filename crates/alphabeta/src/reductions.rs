//! How much less deeply a late move is searched.

use crate::tunables;
use crate::value::Value;

/// Logarithms by number, as integers.
pub struct Reductions([i32; 256]);

impl Reductions {
    /// The table of `factor / 128 · ln(n)`. Two entries, one for the depth and one for the number
    /// of the move, multiply to a reduction in 1024ths of a ply.
    pub fn new() -> Self {
        let factor = f64::from(tunables::reduction_factor()) / 128.0;
        let mut table = [0; 256];
        for (n, entry) in table.iter_mut().enumerate().skip(1) {
            // Not the platform's logarithm: every machine is to search alike.
            *entry = (factor * libm::log(n as f64)) as i32;
        }
        Self(table)
    }

    /// The reduction before anything is known about the move, in 1024ths of a ply. A narrow window
    /// compared with the root's, and a position that does not improve, mean more.
    pub fn base(
        &self,
        improving: bool,
        depth: i32,
        moves: usize,
        delta: Value,
        root_delta: Value,
    ) -> i32 {
        let scale = self.0[(depth.max(0) as usize).min(255)] * self.0[moves.min(255)];
        let stagnant = if improving { 0 } else { scale * 200 / 512 };
        scale + tunables::reduction_base() - delta * 750 / root_delta.max(1) + stagnant
    }
}
