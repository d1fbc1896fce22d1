//! Monte Carlo tree search on the GPU, by the size of its batches, beside the processor's threads.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tandem_engine::Gpu;
use tandem_gpu::Preference;

use super::Work;

/// The sizes of `BatchSize` that are tried.
pub const SIZES: [usize; 3] = [64, 256, 1024];
/// So many times as many playouts the GPU must make to be recommended: a playout of a batch does not know
/// what the others of that batch find.
const WORTHWHILE: f64 = 1.25;

/// Playouts a second on the processor and on the GPU.
pub struct Batches {
    cpu: f64,
    rows: Vec<(usize, f64)>,
}

impl Batches {
    /// Nothing comes of it where the GPU does not open, or where there is no network for it.
    pub(super) fn measure(work: &Work, threads: usize, time: Duration) -> Option<Self> {
        // A device takes its time to open.
        if work.control.is_stopped() {
            return None;
        }
        let slice = time / (SIZES.len() + 1) as u32;
        work.next("playouts on the processor");
        let hash = work.ample(threads);
        let cpu = work.speed(&mut work.mcts(threads, hash, 1, None), slice).rate();
        let gpu = Gpu::shared(
            work.subject.networks?,
            work.subject.policy,
            threads,
            Preference::Gpu,
            true,
        );
        if !gpu.wait() {
            return None;
        }
        let row = |&size: &usize| {
            work.next(&format!("playouts on the GPU with BatchSize {size}"));
            let mut search = work.mcts(threads, hash, size, Some(Arc::clone(&gpu) as _));
            (size, work.speed(&mut search, slice).rate())
        };
        Some(Self { cpu, rows: SIZES.iter().map(row).collect() })
    }

    /// The size with which the GPU is worth its while, if there is one.
    pub fn best(&self) -> Option<usize> {
        let fastest = self.rows.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (fastest.1 >= WORTHWHILE * self.cpu).then_some(fastest.0)
    }

    pub fn as_json(&self) -> Value {
        let row =
            |&(size, rate): &(usize, f64)| json!({ "batch": size, "playouts_per_second": rate });
        json!({
            "cpu_playouts_per_second": self.cpu, "gpu": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "evaluated by   batch   MCTS playouts/s\nprocessor          1   {:>15.0}",
            self.cpu
        )?;
        for (size, rate) in &self.rows {
            write!(f, "\nGPU            {size:>5}   {rate:>15.0}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_must_make_a_quarter_more_playouts() {
        let rows = vec![(64, 1e5), (256, 3e5), (1024, 2e5)];
        assert_eq!(Batches { cpu: 2e5, rows: rows.clone() }.best(), Some(256));
        assert_eq!(Batches { cpu: 2.6e5, rows }.best(), None);
    }
}
