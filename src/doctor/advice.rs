//! The settings that suit a machine.

use std::fmt;

use serde_json::{Value, json};

use super::gpu::Gpu;
use super::machine::Machine;
use super::measure::{Batches, Measured};

/// The least that is recommended for `Hash`: what it is without a word.
const LEAST_HASH: u64 = 16;
/// The most, in MiB.
const MOST_HASH: u64 = 65_536;

/// Values for the options that depend on the machine.
pub struct Advice {
    threads: usize,
    hash: u64,
    backend: &'static str,
    batch: usize,
}

impl Advice {
    /// By what the machine offers.
    pub fn by_looks(machine: &Machine, gpu: &Gpu) -> Self {
        let backend = if gpu.wins() { "gpu" } else { "cpu" };
        Self { threads: machine.cores, hash: most_memory(machine), backend, batch: 0 }
    }

    /// By speed, for somebody who thinks so many seconds about a move.
    pub fn by_speed(measured: &Measured, seconds: f64, machine: &Machine, gpu: &Gpu) -> Self {
        let threads = &measured.threads;
        // With a full table or tree what was found is found again.
        let wanted = (seconds * threads.filled()).ceil() as u64;
        let hash = wanted.next_power_of_two().clamp(LEAST_HASH, most_memory(machine));
        let batch = measured.batches.as_ref().filter(|_| gpu.is_hardware()).and_then(Batches::best);
        let backend = if batch.is_some() { "gpu" } else { "cpu" };
        Self { threads: threads.best(), hash, backend, batch: batch.unwrap_or(0) }
    }

    pub fn as_json(&self) -> Value {
        json!({
            "Threads": self.threads, "Hash": self.hash, "Backend": self.backend, "BatchSize": self.batch,
        })
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, hash, backend, batch } = self;
        writeln!(f, "setoption name Threads value {threads}")?;
        writeln!(f, "setoption name Hash value {hash}")?;
        writeln!(f, "setoption name Backend value {backend}")?;
        write!(f, "setoption name BatchSize value {batch}")
    }
}

/// A quarter of the memory leaves room for everything else that runs here.
pub fn most_memory(machine: &Machine) -> u64 {
    machine.memory.map_or(256, |mib| (mib / 4).clamp(LEAST_HASH, MOST_HASH))
}
