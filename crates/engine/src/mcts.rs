//! The exploring search with our evaluations at its leaves.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_alphabeta::{LeafSearch, LeafTable};
use tandem_chess::{Game, Position};
use tandem_gpu::Preference;
use tandem_mcts::{Counts, Mcts, Params, Phase, Policy};
use tandem_nnue::{BatchEvaluator, CpuBatchEvaluator, Networks, PolicyEvaluator};
use tandem_search::{Control, Evaluate, Limits, Search as _, Settings};

use crate::evaluation::Evaluation;
use crate::gpu::Gpu;
use crate::options::{Backend, LeafKind};

/// The part of the memory that a leaf search's table gets.
const LEAF_SHARE: usize = 4;

/// What is asked at a leaf.
#[allow(clippy::large_enum_variant, reason = "there is one for each thread")]
pub enum Leaf {
    /// The evaluation itself.
    Static(Evaluation),
    /// A search before it.
    Search(LeafSearch<Evaluation>),
}

macro_rules! inner {
    ($leaf:expr, $inner:ident => $do:expr) => {
        match $leaf {
            Leaf::Static($inner) => $do,
            Leaf::Search($inner) => $do,
        }
    };
}

impl Evaluate for Leaf {
    fn new_game(&mut self) {
        inner!(self, leaf => leaf.new_game());
    }

    fn new_search(&mut self) {
        inner!(self, leaf => leaf.new_search());
    }

    fn reset(&mut self, position: &Position) {
        inner!(self, leaf => leaf.reset(position));
    }

    #[inline]
    fn push(&mut self, after: &Position) {
        inner!(self, leaf => leaf.push(after));
    }

    #[inline]
    fn pop(&mut self) {
        inner!(self, leaf => leaf.pop());
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        inner!(self, leaf => leaf.evaluate(position))
    }

    fn centipawns(&self, value: i32, position: &Position) -> i32 {
        inner!(self, leaf => leaf.centipawns(value, position))
    }

    fn wdl(&self, value: i32, position: &Position) -> Option<[u16; 3]> {
        inner!(self, leaf => leaf.wdl(value, position))
    }

    fn evaluations(&self) -> u64 {
        inner!(self, leaf => leaf.evaluations())
    }
}

/// Monte Carlo tree search with those networks, or with the plain evaluation, and with [`batches`] if there is
/// somebody to evaluate them. Everything that it remembers stays within `settings.hash`.
#[must_use]
pub fn mcts(
    settings: &Settings,
    params: &Params,
    leaf: LeafKind,
    networks: Option<&Networks>,
    batches: Option<Arc<dyn BatchEvaluator>>,
) -> Mcts<Leaf> {
    // A search at a leaf is no evaluation that anybody else could make.
    let batches = batches.filter(|_| leaf == LeafKind::Static);
    let networks = networks.cloned();
    let search = if leaf == LeafKind::Static || settings.hash < LEAF_SHARE {
        Mcts::new(settings, params, move || Leaf::Static(Evaluation::alone(networks.as_ref())))
    } else {
        let share = settings.hash / LEAF_SHARE;
        let table = Arc::new(LeafTable::new(share));
        let leaf_search = move || {
            let (evaluation, table) = (Evaluation::new(networks.as_ref()), Arc::clone(&table));
            Leaf::Search(match leaf {
                LeafKind::Depth(depth) => LeafSearch::to_depth(evaluation, table, depth),
                _ => LeafSearch::quiescence(evaluation, table),
            })
        };
        Mcts::new(settings, params, leaf_search).lending(share << 20)
    };
    match batches {
        Some(batches) => search.with_batches(batches),
        None => search,
    }
}

/// Who evaluates batches of that size for a search; nobody where each thread does best by itself, as on the
/// processor unless batches are asked for. Whoever it is judges moves too, where the search goes by such a
/// network.
#[must_use]
pub fn batches(
    backend: Backend,
    settings: &Settings,
    params: &Params,
    networks: Option<&Networks>,
    policy: Option<&PolicyEvaluator>,
) -> Option<Arc<dyn BatchEvaluator>> {
    let networks = networks.filter(|_| params.batch != 1)?;
    let policy = policy.filter(|_| params.policy == Policy::Network);
    let (threads, are_asked_for) = (settings.threads, params.batch > 1);
    let gpu = |preference, always| Gpu::shared(networks, policy, threads, preference, always) as _;
    match backend {
        Backend::Cpu if are_asked_for => {
            Some(Arc::new(CpuBatchEvaluator::new(networks, policy, threads)))
        }
        Backend::Cpu => None,
        Backend::Auto => Some(gpu(Preference::Fastest, are_asked_for)),
        Backend::Gpu => Some(gpu(Preference::Gpu, are_asked_for)),
    }
}

/// What a search did and where its time went: a row of the hybrid paper's Table 5.
#[derive(Clone, Copy, Debug, Default)]
pub struct Profile {
    /// What it counted.
    pub counts: Counts,
    /// How long it took.
    pub time: Duration,
}

impl Profile {
    /// Searches that position for a time, with nothing remembered.
    pub fn of(search: &mut Mcts<Leaf>, game: &Game, time: Duration, control: &Control) -> Self {
        search.new_game();
        let start = Instant::now();
        search.search(game, &Limits::movetime(time), control, &mut |_| {});
        Self { counts: *search.counts(), time: start.elapsed() }
    }

    /// Playouts a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.counts.playouts as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl std::ops::AddAssign for Profile {
    fn add_assign(&mut self, other: Self) {
        self.counts += other.counts;
        self.time += other.time;
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.counts;
        let percent = |part: u64| 100.0 * part as f64 / counts.playouts.max(1) as f64;
        writeln!(f, "  seconds               {:>12.2}", self.time.as_secs_f64())?;
        writeln!(f, "  playouts              {:>12}", counts.playouts)?;
        writeln!(f, "  playouts a second     {:>12.0}", self.rate())?;
        writeln!(f, "  network evaluations   {:>12}", counts.evaluations())?;
        writeln!(f, "  ended in a new value  {:>12.1} %", percent(counts.evaluated))?;
        writeln!(f, "  ended in the table    {:>12.1} %", percent(counts.table_hits))?;
        writeln!(f, "  ended with the game   {:>12.1} %", percent(counts.finished))?;
        writeln!(f, "  table hit rate        {:>12.1} %", 100.0 * counts.hit_rate())?;
        writeln!(f, "  average depth         {:>12.1}", counts.average_depth())?;
        write!(f, "  deepest               {:>12}", counts.deepest)?;
        if counts.batches.batches > 0 {
            let batches = &counts.batches;
            write!(f, "\n  batches               {:>12}", batches.batches)?;
            write!(f, "\n  positions a batch     {:>12.1}", batches.fill())?;
            write!(f, "\n  of those wanted       {:>12.1} %", 100.0 * batches.fullness())?;
            write!(f, "\n  moves judged in them  {:>12.1} %", 100.0 * batches.judged_share())?;
            write!(f, "\n  lost batches          {:>12}", batches.lost)?;
            write!(f, "\n  collisions            {:>12}", batches.collisions)?;
            write!(f, "\n  in flight a thread    {:>12.2}", batches.in_flight())?;
            write!(f, "\n  overlap               {:>12.1} %", 100.0 * batches.overlap())?;
        }
        for phase in Phase::ALL {
            write!(f, "\n  {:<21} {:>12.1} %", phase.name(), 100.0 * counts.share(phase))?;
        }
        Ok(())
    }
}
