//! A fixed piece of work whose node count is the signature of the search: it changes with the
//! search's behaviour and with nothing else.

use std::time::{Duration, Instant};

use tandem_alphabeta::AlphaBeta;
use tandem_chess::{Game, Position};
use tandem_gpu::GpuError;
use tandem_gpu::bench::Report;
use tandem_nnue::{Networks, PolicyEvaluator};
use tandem_search::{Control, Limits, Progress, Search as _, Settings};

use crate::evaluation::Evaluation;

/// Openings, middlegames and endgames from the hybrid paper's benchmarks.
const POSITIONS: &str = include_str!("../data/bench.fens");

/// The depth of an ordinary bench: a few seconds of work.
pub const BENCH_DEPTH: u32 = 13;

/// What a bench run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bench {
    /// Positions searched from.
    pub positions: usize,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Bench {
    /// Positions visited a second.
    #[must_use]
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches the bench positions on one thread to that depth, each with nothing remembered, evaluating
/// with those networks. Nothing comes of it if it is stopped.
///
/// # Panics
/// Never: the positions are part of the program and tested.
#[must_use]
pub fn bench(
    depth: u32,
    hash: usize,
    networks: Option<&Networks>,
    control: &Control,
) -> Option<Bench> {
    let networks = networks.cloned();
    let settings = Settings { hash, ..Settings::default() };
    let mut search = AlphaBeta::new(&settings, move || Evaluation::new(networks.as_ref()));
    let mut total = Bench { positions: 0, nodes: 0, time: Duration::ZERO };
    for fen in POSITIONS.lines() {
        let game = Game::new(Position::from_fen(fen).expect("bench positions are legal"));
        search.new_game();
        let mut nodes = 0;
        let start = Instant::now();
        let mut observe = |progress: &Progress| nodes = progress.nodes;
        search.search(&game, &Limits::depth(depth), control, &mut observe);
        if control.is_stopped() {
            return None;
        }
        total.time += start.elapsed();
        total.nodes += nodes;
        total.positions += 1;
    }
    Some(total)
}

/// How many positions a second this machine searches with those settings: the bench positions, for
/// `time` altogether. Nothing comes of it if it is stopped.
///
/// # Panics
/// Never: the positions are part of the program and tested.
#[must_use]
pub fn speed(
    settings: &Settings,
    time: Duration,
    networks: Option<&Networks>,
    control: &Control,
) -> Option<Bench> {
    let networks = networks.cloned();
    let mut search = AlphaBeta::new(settings, move || Evaluation::new(networks.as_ref()));
    let positions = POSITIONS.lines().count();
    let limits = Limits::movetime(time / positions as u32 + settings.move_overhead);
    let mut total = Bench { positions, nodes: 0, time: Duration::ZERO };
    for fen in POSITIONS.lines() {
        let game = Game::new(Position::from_fen(fen).expect("bench positions are legal"));
        let mut last = (0, Duration::ZERO);
        search.search(&game, &limits, control, &mut |progress| {
            last = (progress.nodes, progress.time);
        });
        if control.is_stopped() {
            return None;
        }
        total.nodes += last.0;
        total.time += last.1;
    }
    Some(total)
}

/// The hybrid paper's Tables 8 to 12 on this machine's GPU, with networks of that name, and what it costs to have
/// moves judged, if there is a network for that. `step` is told what comes next, and whether to go on is its
/// answer.
///
/// # Errors
/// Where there is no device, or it fails.
pub fn gpu_bench(
    networks: &Networks,
    name: &str,
    policy: Option<&PolicyEvaluator>,
    iterations: usize,
    step: impl FnMut(&str) -> bool,
) -> Result<Option<Report>, GpuError> {
    let report = Report::measure(networks, policy, iterations, step)?;
    let named = |mut report: Report| {
        report.network = format!("{name}, {}", report.network);
        if let (Some(judging), Some(policy)) = (&mut report.judging, policy) {
            let name = policy.network().digest().policy_name();
            judging.network = format!("{name}, {}", judging.network);
        }
        report
    };
    Ok(report.map(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_same_every_time() {
        let first = bench(6, 4, None, &Control::default()).unwrap();
        assert_eq!(bench(6, 4, None, &Control::default()).unwrap().nodes, first.nodes);
        assert!(first.positions > 40 && first.nodes > 10_000);
    }
}
