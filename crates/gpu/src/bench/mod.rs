//! The hybrid paper's Tables 8 to 12 on the present adapter, beside the processor.

mod judging;
mod text;
mod timing;

pub use self::judging::{Judging, JudgingRow};
pub use self::timing::Quantiles;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_nnue::{Evaluator, Networks, Outputs, PolicyEvaluator, Score};

use self::judging::Judges;
use self::timing::{EmptyDispatch, sample};
use crate::kernels::Variant;
use crate::limits::MAX_BATCH;
use crate::{AdapterReport, Checks, Device, Direct, GpuError, Model, PolicyModel};

/// Batch sizes of the latency table.
const SIZES: [usize; 10] = [1, 4, 8, 16, 64, 256, 512, 1024, 2048, MAX_BATCH];
/// Batch sizes of the breakdown.
const STAGE_SIZES: [usize; 3] = [1, 8, 512];
/// Batch sizes that are also evaluated one position at a time.
const SEQUENTIAL_SIZES: [usize; 4] = [16, 64, 256, 1024];
/// Batch sizes whose features are also listed by the processor.
const SOURCE_SIZES: [usize; 4] = [1, 4, 16, 64];
/// Positions whose children are evaluated.
const PARENTS: usize = 16;
/// Positions of the consistency table.
const CONSISTENCY: usize = 1000;

/// Where the time of a batch goes, in microseconds (medians): Table 9.
#[derive(Clone, Copy, Debug)]
pub struct StageRow {
    /// Positions in the batch.
    pub size: usize,
    /// Packing the positions.
    pub pack: f64,
    /// Writing them where the device reads them.
    pub upload: f64,
    /// Encoding and submitting: wgpu's own cost.
    pub submit: f64,
    /// Until the answers are read.
    pub device: f64,
    /// From outputs to scores.
    pub score: f64,
}

/// How long a batch takes, from positions to scores: Table 10.
#[derive(Clone, Copy, Debug)]
pub struct LatencyRow {
    /// Positions in the batch.
    pub size: usize,
    /// With the plain kernels.
    pub plain: Quantiles,
    /// With the subgroup kernels, if the device has them.
    pub subgroup: Option<Quantiles>,
    /// On one thread of the processor.
    pub cpu: Quantiles,
}

impl LatencyRow {
    /// The better median of the device, in microseconds.
    #[must_use]
    pub fn device(&self) -> f64 {
        self.subgroup.map_or(self.plain.median, |subgroup| subgroup.median.min(self.plain.median))
    }
}

/// One position a dispatch against all in one, in microseconds (medians): Table 11.
#[derive(Clone, Copy, Debug)]
pub struct BatchingRow {
    /// Positions.
    pub size: usize,
    /// As many dispatches.
    pub sequential: f64,
    /// One dispatch.
    pub batched: f64,
}

/// Features listed by the device or by the processor, in microseconds a batch (medians).
#[derive(Clone, Copy, Debug)]
pub struct SourceRow {
    /// Positions.
    pub size: usize,
    /// The device lists them.
    pub boards: f64,
    /// The processor lists them.
    pub lists: f64,
}

/// All children of a position, from scratch or from its accumulators, in microseconds for those of one
/// parent (means of medians).
#[derive(Clone, Copy, Debug)]
pub struct ChildrenRow {
    /// How many parents.
    pub parents: usize,
    /// How many children they have, together.
    pub children: usize,
    /// Each child from scratch.
    pub fresh: f64,
    /// Parent first, then children.
    pub from_parent: f64,
}

/// Whether the answers are always the same, and the processor's: Table 12.
#[derive(Clone, Copy, Debug)]
pub struct Consistency {
    /// How many positions.
    pub positions: usize,
    /// How often each was evaluated.
    pub runs: usize,
    /// Scores that are not 0.
    pub nonzero: usize,
    /// Positions with the same outputs in every run.
    pub consistent: usize,
    /// Positions with the processor's outputs.
    pub exact: usize,
    /// The mean score.
    pub mean: f64,
    /// The lowest and the highest score.
    pub range: (i32, i32),
}

/// All tables.
#[derive(Clone, Debug)]
pub struct Report {
    /// The adapter.
    pub adapter: AdapterReport,
    /// The shape of the network.
    pub network: String,
    /// The processor's kernel.
    pub kernel: String,
    /// Bytes that the network takes on the device.
    pub memory: u64,
    /// Measured iterations for each size.
    pub iterations: usize,
    /// An empty kernel, from encoding to its end: Table 8.
    pub dispatch: Quantiles,
    /// Table 9.
    pub stages: Vec<StageRow>,
    /// Table 10.
    pub latencies: Vec<LatencyRow>,
    /// Table 11.
    pub batching: Vec<BatchingRow>,
    /// Who lists the features.
    pub sources: Vec<SourceRow>,
    /// From scratch or from the parent.
    pub children: ChildrenRow,
    /// Table 12.
    pub consistency: Consistency,
    /// Moves judged beside the values, where there is a policy network.
    pub judging: Option<Judging>,
    /// Evaluations that the device has made for all this.
    pub evaluations: u64,
}

impl Report {
    /// The batch size from which the device is faster than a thread of the processor.
    #[must_use]
    pub fn crossover(&self) -> Option<usize> {
        let wins = |row: &&LatencyRow| row.device() < row.cpu.median;
        self.latencies.iter().rev().take_while(wins).last().map(|row| row.size)
    }

    /// Measures everything; moves too, where there is a network to judge them. `step` is told what comes next, and whether to go on is its answer; there is no
    /// report where it was not.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn measure(
        networks: &Networks,
        policy: Option<&PolicyEvaluator>,
        iterations: usize,
        mut step: impl FnMut(&str) -> bool,
    ) -> Result<Option<Self>, GpuError> {
        let device = Device::open()?;
        let model = Model::new(&device, networks.large(), Checks::Off)?;
        let judge = |policy: &PolicyEvaluator| {
            PolicyModel::new(&device, policy.network(), Checks::Off).map(Arc::new)
        };
        let policy_model = policy.map(judge).transpose()?;
        let alone = Networks::new(Arc::clone(networks.large()), None);
        // The kernel was chosen before: asking for it again cannot fail.
        let alone = alone.unwrap_or_else(|_| networks.clone());
        let mut bench = Bench {
            direct: Direct::with_policy(&model, policy_model.as_ref())?,
            evaluator: Evaluator::new(&alone, &Position::startpos()),
            positions: positions(),
            iterations,
            evaluations: 0,
        };
        let empty = EmptyDispatch::new(&device);
        if !step("empty dispatches") {
            return Ok(None);
        }
        let dispatch = sample(10 * iterations, || empty.run())?;
        let (mut stages, mut latencies, mut batching) = (Vec::new(), Vec::new(), Vec::new());
        for size in STAGE_SIZES {
            if !step(&format!("stages of {size}")) {
                return Ok(None);
            }
            stages.push(bench.stages(size)?);
        }
        for size in SIZES {
            if !step(&format!("batches of {size}")) {
                return Ok(None);
            }
            latencies.push(bench.latency(size, model.has(Variant::Subgroup))?);
        }
        for size in SEQUENTIAL_SIZES {
            if !step(&format!("{size} one by one")) {
                return Ok(None);
            }
            batching.push(bench.batching(size)?);
        }
        let mut sources = Vec::new();
        for size in SOURCE_SIZES {
            if !step(&format!("lists of {size}")) {
                return Ok(None);
            }
            sources.push(bench.source(size)?);
        }
        if !step("children") {
            return Ok(None);
        }
        let children = bench.children()?;
        if !step("consistency") {
            return Ok(None);
        }
        let consistency = bench.consistency()?;
        let judging = match (policy, &policy_model) {
            (Some(policy), Some(model)) => {
                let judges = Judges { policy: policy.clone(), model };
                let Some(judging) = judges.measure(&mut bench, &mut step)? else {
                    return Ok(None);
                };
                Some(judging)
            }
            _ => None,
        };
        Ok(Some(Self {
            adapter: device.report().clone(),
            network: networks.large().architecture().to_string(),
            kernel: networks.kernel().to_string(),
            memory: model.memory(),
            iterations,
            dispatch,
            stages,
            latencies,
            batching,
            sources,
            children,
            consistency,
            judging,
            evaluations: bench.evaluations,
        }))
    }
}

/// Different positions of real games, neighbours of which have nothing in common. The largest batch takes
/// some that were one move away.
fn positions() -> Vec<Position> {
    let mut seen = HashSet::new();
    let mut positions = tandem_nnue::bench::Lines::bundled().shuffled();
    let beside: Vec<_> = positions
        .iter()
        .filter_map(|position| position.legal_moves().into_iter().map(|m| position.after(m)).next())
        .collect();
    positions.extend(beside);
    positions.retain(|position| seen.insert(position.key()));
    positions.truncate(MAX_BATCH);
    assert_eq!(positions.len(), MAX_BATCH, "there are enough of them");
    positions
}

/// What the measurements share.
struct Bench<'a> {
    direct: Direct<'a>,
    evaluator: Evaluator,
    positions: Vec<Position>,
    iterations: usize,
    evaluations: u64,
}

impl Bench<'_> {
    fn outputs(&mut self, size: usize, variant: Variant) -> Result<Vec<Outputs>, GpuError> {
        self.evaluations += size as u64;
        self.direct.evaluate(&self.positions[..size], variant).map(|(outputs, _)| outputs)
    }

    fn scores(&mut self, size: usize, variant: Variant) -> Result<Vec<Score>, GpuError> {
        let outputs = self.outputs(size, variant)?;
        Ok(outputs.iter().zip(&self.positions).map(|(o, position)| o.score(position)).collect())
    }

    fn cpu(&mut self, size: usize) -> Vec<Score> {
        let score = |position: &Position| {
            self.evaluator.reset(position);
            self.evaluator.evaluate()
        };
        self.positions[..size].iter().map(score).collect()
    }

    fn stages(&mut self, size: usize) -> Result<StageRow, GpuError> {
        let mut times: [Vec<Duration>; 5] = Default::default();
        for iteration in 0..2 * self.iterations {
            let batch = &self.positions[..size];
            let (outputs, stages) = self.direct.evaluate(batch, Variant::Plain)?;
            self.evaluations += size as u64;
            let start = Instant::now();
            let scores = outputs.iter().zip(batch).map(|(outputs, p)| outputs.score(p).value());
            std::hint::black_box(scores.sum::<i32>());
            let score = start.elapsed();
            if iteration >= self.iterations {
                let all = [stages.pack, stages.upload, stages.submit, stages.device, score];
                times.iter_mut().zip(all).for_each(|(times, time)| times.push(time));
            }
        }
        let [pack, upload, submit, device, score] = times.map(|times| Quantiles::of(times).median);
        Ok(StageRow { size, pack, upload, submit, device, score })
    }

    fn latency(&mut self, size: usize, has_subgroups: bool) -> Result<LatencyRow, GpuError> {
        let iterations = self.iterations;
        let plain = sample(iterations, || self.scores(size, Variant::Plain))?;
        let subgroup = has_subgroups
            .then(|| sample(iterations, || self.scores(size, Variant::Subgroup)))
            .transpose()?;
        let cpu = sample(iterations, || Ok(self.cpu(size)))?;
        Ok(LatencyRow { size, plain, subgroup, cpu })
    }

    fn batching(&mut self, size: usize) -> Result<BatchingRow, GpuError> {
        // Thousands of dispatches a round need fewer rounds.
        let rounds = (self.iterations / 2).clamp(1, (8192 / size).max(2));
        let batched = sample(rounds, || self.outputs(size, Variant::Plain))?.median;
        let sequential = sample(rounds, || {
            for at in 0..size {
                self.direct.evaluate(&self.positions[at..=at], Variant::Plain)?;
            }
            self.evaluations += size as u64;
            Ok(())
        })?;
        Ok(BatchingRow { size, sequential: sequential.median, batched })
    }

    fn source(&mut self, size: usize) -> Result<SourceRow, GpuError> {
        let boards = sample(self.iterations, || self.outputs(size, Variant::Plain))?.median;
        let batch = &self.positions[..size];
        let lists = sample(self.iterations, || self.direct.evaluate_lists(batch, Variant::Plain))?;
        self.evaluations += (2 * self.iterations * size) as u64;
        Ok(SourceRow { size, boards, lists: lists.median })
    }

    fn children(&mut self) -> Result<ChildrenRow, GpuError> {
        let mut row = ChildrenRow { parents: PARENTS, children: 0, fresh: 0.0, from_parent: 0.0 };
        let rounds = self.iterations.div_ceil(4);
        for parent in &self.positions[..PARENTS] {
            let children: Vec<_> = parent.legal_moves().iter().map(|&m| parent.after(m)).collect();
            let fresh = sample(rounds, || self.direct.evaluate(&children, Variant::Plain))?;
            let plain = Variant::Plain;
            let from_parent =
                sample(rounds, || self.direct.evaluate_children(parent, &children, plain))?;
            row.children += children.len();
            row.fresh += fresh.median / PARENTS as f64;
            row.from_parent += from_parent.median / PARENTS as f64;
            self.evaluations += (2 * rounds * (2 * children.len() + 1)) as u64;
        }
        Ok(row)
    }

    fn consistency(&mut self) -> Result<Consistency, GpuError> {
        let runs = 10;
        let first = self.outputs(CONSISTENCY, Variant::Plain)?;
        let mut consistent = vec![true; CONSISTENCY];
        for run in 1..runs {
            let variant = if run % 2 == 1 { Variant::Subgroup } else { Variant::Plain };
            let again = self.outputs(CONSISTENCY, variant)?;
            for (is_same, (a, b)) in consistent.iter_mut().zip(first.iter().zip(again)) {
                *is_same &= *a == b;
            }
        }
        let mut exact = 0;
        for (position, outputs) in self.positions.iter().zip(&first) {
            self.evaluator.reset(position);
            exact += usize::from(self.evaluator.outputs() == *outputs);
        }
        let scores: Vec<_> =
            first.iter().zip(&self.positions).map(|(o, p)| o.score(p).value()).collect();
        let extreme = |best: fn(i32, i32) -> i32| scores.iter().copied().reduce(best).unwrap_or(0);
        Ok(Consistency {
            positions: CONSISTENCY,
            runs,
            nonzero: scores.iter().filter(|&&score| score != 0).count(),
            consistent: consistent.into_iter().filter(|&same| same).count(),
            exact,
            mean: scores.iter().map(|&score| f64::from(score)).sum::<f64>() / CONSISTENCY as f64,
            range: (extreme(i32::min), extreme(i32::max)),
        })
    }
}
