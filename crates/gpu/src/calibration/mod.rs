//! Which of processor, plain and subgroup kernels serves which batch size, by measurement.

mod cache;

pub use self::cache::Cache;
pub(crate) use self::cache::key;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_nnue::{BatchEvaluator, CpuBatchEvaluator};

use crate::kernels::Variant;
use crate::limits::{DEVICE_FROM, SUBGROUP_FROM};
use crate::{Direct, GpuError, Model, PolicyModel};

/// The batch sizes that are timed.
const SIZES: [usize; 5] = [1, 16, 64, 512, 1024];
/// Each is timed at least that often; the best time counts.
const ROUNDS: usize = 5;
/// No size is timed longer than that after its first round.
const PATIENCE: Duration = Duration::from_millis(60);

/// Who serves a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The processor.
    Cpu,
    /// The device, with kernels of that kind.
    Gpu(Variant),
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cpu => f.pad("cpu"),
            Self::Gpu(variant) => f.pad(&format!("gpu, {variant}")),
        }
    }
}

/// The best times of one batch size, in microseconds a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// How many positions.
    pub size: usize,
    /// The processor's.
    pub cpu: f64,
    /// The plain kernels'.
    pub plain: f64,
    /// The subgroup kernels'; infinite where the device has none.
    pub subgroup: f64,
}

impl Timing {
    /// Who was fastest.
    #[must_use]
    pub fn best(&self) -> Choice {
        let variant = if self.subgroup < self.plain { Variant::Subgroup } else { Variant::Plain };
        if self.cpu <= self.plain.min(self.subgroup) { Choice::Cpu } else { Choice::Gpu(variant) }
    }
}

/// What is known of who serves best.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// The measurements, by size; without any, the paper's limits apply.
    pub timings: Vec<Timing>,
}

impl Calibration {
    /// Times both sides, with moves judged beside the values where there is a network for that: the
    /// processor's evaluator is to have it too.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn measure(
        model: &Model,
        policy: Option<&Arc<PolicyModel>>,
        cpu: &CpuBatchEvaluator,
    ) -> Result<Self, GpuError> {
        let positions = sample();
        let mut direct = Direct::with_policy(model, policy)?;
        let mut timings = Vec::new();
        for size in SIZES {
            let batch = &positions[..size];
            let mut gpu = |variant| {
                best(|| match policy {
                    Some(_) => direct.judge(batch, variant).map(|answers| drop(black_box(answers))),
                    None => direct.evaluate(batch, variant).map(|answers| drop(black_box(answers))),
                })
            };
            let plain = gpu(Variant::Plain)?;
            let subgroup =
                if model.has(Variant::Subgroup) { gpu(Variant::Subgroup)? } else { f64::INFINITY };
            let cpu = best(|| {
                let _ = black_box(cpu.wait(cpu.submit(batch.to_vec())));
                Ok(())
            })?;
            timings.push(Timing { size, cpu, plain, subgroup });
        }
        Ok(Self { timings })
    }

    /// Who serves a batch of that size best.
    #[must_use]
    pub fn choose(&self, size: usize) -> Choice {
        let known = self.timings.iter().rev().find(|timing| timing.size <= size);
        match known.or(self.timings.first()) {
            Some(timing) => timing.best(),
            None if size < DEVICE_FROM => Choice::Cpu,
            None if size < SUBGROUP_FROM => Choice::Gpu(Variant::Plain),
            None => Choice::Gpu(Variant::Subgroup),
        }
    }

    /// The size from which the subgroup kernels are the better ones.
    #[must_use]
    pub fn subgroup_from(&self) -> usize {
        if self.timings.is_empty() {
            return SUBGROUP_FROM;
        }
        let is_better = |timing: &&Timing| timing.subgroup < timing.plain;
        let better = self.timings.iter().rev().take_while(is_better).last();
        better.map_or(usize::MAX, |timing| timing.size)
    }

    /// The size from which the device wins, if it ever does.
    #[must_use]
    pub fn device_from(&self) -> Option<usize> {
        if self.timings.is_empty() {
            return Some(DEVICE_FROM);
        }
        let wins = |timing: &&Timing| timing.best() != Choice::Cpu;
        self.timings.iter().rev().take_while(wins).last().map(|timing| timing.size)
    }
}

/// The best time of several rounds, in microseconds.
fn best(mut run: impl FnMut() -> Result<(), GpuError>) -> Result<f64, GpuError> {
    run()?;
    let start = Instant::now();
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let round = Instant::now();
        run()?;
        best = best.min(round.elapsed().as_secs_f64() * 1e6);
        if start.elapsed() > PATIENCE {
            break;
        }
    }
    Ok(best)
}

/// Positions of real games in an order in which neighbours have nothing in common.
fn sample() -> Vec<Position> {
    let mut positions = tandem_nnue::bench::Lines::bundled().shuffled();
    positions.truncate(SIZES[SIZES.len() - 1]);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(size: usize, cpu: f64, plain: f64, subgroup: f64) -> Timing {
        Timing { size, cpu, plain, subgroup }
    }

    #[test]
    fn without_measurements_the_papers_limits_apply() {
        let none = Calibration::default();
        assert_eq!(none.choose(3), Choice::Cpu);
        assert_eq!(none.choose(4), Choice::Gpu(Variant::Plain));
        assert_eq!(none.choose(64), Choice::Gpu(Variant::Subgroup));
        assert_eq!((none.device_from(), none.subgroup_from()), (Some(4), 64));
    }

    #[test]
    fn the_fastest_serves() {
        let timings = vec![
            timing(1, 1.0, 100.0, 100.0),
            timing(64, 64.0, 50.0, 60.0),
            timing(512, 512.0, 90.0, 80.0),
        ];
        let measured = Calibration { timings };
        assert_eq!(measured.choose(0), Choice::Cpu);
        assert_eq!(measured.choose(63), Choice::Cpu);
        assert_eq!(measured.choose(100), Choice::Gpu(Variant::Plain));
        assert_eq!(measured.choose(4096), Choice::Gpu(Variant::Subgroup));
        assert_eq!((measured.device_from(), measured.subgroup_from()), (Some(64), 512));
    }

    #[test]
    fn a_device_that_never_wins_never_serves() {
        let measured = Calibration { timings: vec![timing(1, 1.0, 9.0, f64::INFINITY)] };
        assert_eq!(measured.choose(4096), Choice::Cpu);
        assert_eq!((measured.device_from(), measured.subgroup_from()), (None, usize::MAX));
    }
}
