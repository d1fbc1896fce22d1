//! What it costs to have moves judged beside the values, and whether the judgements are the processor's.

use std::hint::black_box;
use std::sync::Arc;

use tandem_chess::Position;
use tandem_nnue::{Outputs, PolicyEvaluator};

use super::timing::{Quantiles, sample};
use super::{Bench, CONSISTENCY};
use crate::kernels::Variant;
use crate::{GpuError, PolicyModel};

/// Batch sizes of the table.
const SIZES: [usize; 5] = [1, 16, 64, 512, 1024];

/// Values alone and with all legal moves judged, in microseconds a batch (medians).
#[derive(Clone, Copy, Debug)]
pub struct JudgingRow {
    /// Positions in the batch.
    pub size: usize,
    /// Their legal moves, all together.
    pub moves: usize,
    /// The values alone, on the device.
    pub values: f64,
    /// Values and moves, on the device.
    pub both: f64,
    /// The part of it in which the processor lists rows and slots.
    pub listing: f64,
    /// Values and moves on one thread of the processor.
    pub cpu: f64,
}

/// What there is to say of moves.
#[derive(Clone, Debug)]
pub struct Judging {
    /// The shape of the policy network.
    pub network: String,
    /// Bytes that it takes on the device.
    pub memory: u64,
    /// The times.
    pub rows: Vec<JudgingRow>,
    /// Moves that were compared.
    pub moves: usize,
    /// Those of them with the processor's outputs.
    pub exact: usize,
    /// Positions whose moves the device has judged for all this.
    pub judgements: u64,
}

/// Judges on both sides.
pub(super) struct Judges<'a> {
    pub policy: PolicyEvaluator,
    pub model: &'a Arc<PolicyModel>,
}

impl Judges<'_> {
    /// Measures everything; nothing if `step` says to stop.
    pub fn measure(
        mut self,
        bench: &mut Bench<'_>,
        step: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Option<Judging>, GpuError> {
        let mut judging = Judging {
            network: self.policy.network().architecture(),
            memory: self.model.memory(),
            rows: Vec::new(),
            moves: 0,
            exact: 0,
            judgements: 0,
        };
        for size in SIZES {
            if !step(&format!("moves of {size}")) {
                return Ok(None);
            }
            judging.rows.push(self.row(bench, size)?);
            judging.judgements += 2 * (bench.iterations * size) as u64;
        }
        let positions = bench.positions[..CONSISTENCY].to_vec();
        let (_, judged, _) = bench.direct.judge(&positions, Variant::Plain)?;
        let expected: Vec<i32> =
            positions.iter().flat_map(|position| self.outputs(position)).collect();
        judging.judgements += CONSISTENCY as u64;
        judging.moves = expected.len();
        judging.exact = judged.iter().zip(&expected).filter(|(found, own)| found == own).count();
        Ok(Some(judging))
    }

    fn row(&mut self, bench: &mut Bench<'_>, size: usize) -> Result<JudgingRow, GpuError> {
        let iterations = bench.iterations;
        let positions = bench.positions[..size].to_vec();
        let moves = positions.iter().map(|position| position.legal_moves().len()).sum();
        let values = sample(iterations, || bench.outputs(size, Variant::Plain))?.median;
        let mut listing = Vec::new();
        let both = sample(iterations, || -> Result<Vec<Outputs>, GpuError> {
            let (outputs, judged, stages) = bench.direct.judge(&positions, Variant::Plain)?;
            black_box(judged);
            listing.push(stages.pack);
            Ok(outputs)
        })?;
        let cpu = sample(iterations, || {
            let scores = bench.cpu(size);
            for position in &positions {
                drop(black_box(self.outputs(position)));
            }
            Ok(scores)
        })?;
        let listing = Quantiles::of(listing.split_off(iterations)).median;
        Ok(JudgingRow { size, moves, values, both: both.median, listing, cpu: cpu.median })
    }

    fn outputs(&mut self, position: &Position) -> Vec<i32> {
        let moves = position.legal_moves();
        let mut outputs = vec![0; moves.len()];
        self.policy.outputs(position, &moves, &mut outputs);
        outputs
    }
}
