//! `tandem doctor --measure`: how fast both searches are with different settings.

mod batches;
mod memory;
mod threads;

use std::time::Duration;
use std::{fmt, thread};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use tandem_chess::{Game, Position};
use tandem_engine::{Control, Leaf, LeafKind, Limits, Mcts, Params, Search, Settings};
use tandem_nnue::{BatchEvaluator, Networks, PolicyEvaluator};

pub use self::batches::Batches;
pub use self::memory::Memory;
pub use self::threads::Threads;

use super::machine::Machine;
use crate::interrupt;

/// An opening, two middlegames and an endgame: what a game is made of.
const POSITIONS: [&str; 4] = [
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/2N1BN2/PPB1QPPP/R3R1K1 w - - 0 1",
    "2rr2k1/1p2qppp/p1n1pn2/8/3P4/1QN1PN2/PP3PPP/R4RK1 w - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/6pP/1P1R2P1/P1P2PK1/8 w - - 0 1",
];

/// Seconds that a whole measurement takes, roughly.
const THOROUGH: f64 = 24.0;
/// The same with `--quick`.
const QUICK: f64 = 6.0;

/// What is measured, and with what.
pub struct Subject<'a> {
    pub networks: Option<&'a Networks>,
    pub policy: Option<&'a PolicyEvaluator>,
    pub machine: &'a Machine,
    /// The most memory that is given to a search, in MiB.
    pub most_memory: u64,
    pub has_gpu: bool,
    pub is_quick: bool,
}

/// What was found.
pub struct Measured {
    pub threads: Threads,
    pub memory: Memory,
    pub batches: Option<Batches>,
}

impl Measured {
    /// Measures everything, with a bar on a terminal.
    ///
    /// # Errors
    /// If it is interrupted.
    pub fn take(subject: &Subject) -> Result<Self, Box<dyn std::error::Error>> {
        let whole = Duration::from_secs_f64(if subject.is_quick { QUICK } else { THOROUGH });
        let counts = threads::counts(subject.machine.cores);
        let rows = if subject.has_gpu { batches::SIZES.len() + 1 } else { 0 };
        let bar = bar(counts.len() + POSITIONS.len() + rows);
        let measured = interruptible(|control| {
            let work = Work { subject, bar: &bar, control };
            let threads = Threads::measure(&work, &counts, whole.mul_f64(0.4));
            let memory = Memory::measure(&work, whole.mul_f64(0.4));
            let time = whole.mul_f64(0.2);
            let batches =
                subject.has_gpu.then(|| Batches::measure(&work, threads.best(), time)).flatten();
            Self { threads, memory, batches }
        });
        bar.finish_and_clear();
        measured
    }

    pub fn as_json(&self) -> Value {
        json!({
            "threads": self.threads.as_json(), "time_to_depth": self.memory.as_json(),
            "batches": self.batches.as_ref().map(Batches::as_json),
        })
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\n{}", self.threads, self.memory)?;
        self.batches.as_ref().map_or(Ok(()), |batches| write!(f, "\n\n{batches}"))
    }
}

/// A measurement under way.
struct Work<'a> {
    subject: &'a Subject<'a>,
    bar: &'a ProgressBar,
    control: &'a Control,
}

/// What one search did.
#[derive(Clone, Copy, Default)]
struct Run {
    depth: u32,
    nodes: u64,
    time: Duration,
    /// How full the memory was at the end, in thousandths.
    fullness: u32,
}

impl Work<'_> {
    /// Shows what is measured next.
    fn next(&self, what: &str) {
        self.bar.inc(1);
        self.bar.set_message(what.to_owned());
    }

    fn alpha_beta(&self, threads: usize, hash: u64) -> Box<dyn Search> {
        tandem_engine::search(&settings(threads, hash), self.subject.networks)
    }

    fn mcts(
        &self,
        threads: usize,
        hash: u64,
        batch: usize,
        batches: Option<std::sync::Arc<dyn BatchEvaluator>>,
    ) -> Mcts<Leaf> {
        let params = Params { batch, ..Params::default() };
        let (settings, leaf) = (settings(threads, hash), LeafKind::Static);
        tandem_engine::mcts(&settings, &params, leaf, self.subject.networks, batches)
            .with_policy(self.subject.policy.cloned())
    }

    /// MiB for a search whose speed counts and whose memory must not fill up.
    fn ample(&self, threads: usize) -> u64 {
        (256 * threads as u64).min(self.subject.most_memory)
    }

    fn run(&self, search: &mut dyn Search, game: &Game, limits: &Limits) -> Run {
        let mut run = Run::default();
        search.new_game();
        search.search(game, limits, self.control, &mut |progress| {
            let (depth, nodes) = (progress.depth, progress.nodes);
            run = Run { depth, nodes, time: progress.time, fullness: progress.hashfull };
        });
        run
    }

    /// What a search does in so much time, a part of it for each position.
    fn speed(&self, search: &mut dyn Search, time: Duration) -> Speed {
        search.get_ready();
        let limits = Limits::movetime(time / POSITIONS.len() as u32);
        let mut speed = Speed::default();
        for game in games() {
            let run = self.run(search, &game, &limits);
            speed.nodes += run.nodes;
            speed.seconds += run.time.as_secs_f64();
            speed.fill_rate += f64::from(run.fullness) / 1000.0 / run.time.as_secs_f64().max(1e-3);
        }
        speed.fill_rate /= POSITIONS.len() as f64;
        speed
    }
}

/// Nodes or playouts of several searches together.
#[derive(Clone, Copy, Default)]
struct Speed {
    nodes: u64,
    seconds: f64,
    /// The part of the memory that is filled in a second.
    fill_rate: f64,
}

impl Speed {
    fn rate(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }
}

fn settings(threads: usize, hash: u64) -> Settings {
    let hash = hash as usize;
    Settings { hash, threads, move_overhead: Duration::ZERO, ..Settings::default() }
}

fn games() -> impl Iterator<Item = Game> {
    let position = |fen: &str| Position::from_fen(fen).expect("the positions are legal");
    POSITIONS.into_iter().map(move |fen| Game::new(position(fen)))
}

/// Does work that Ctrl-C ends.
fn interruptible<T>(work: impl FnOnce(&Control) -> T) -> Result<T, Box<dyn std::error::Error>> {
    let (stop, control) = (interrupt::signal()?, Control::default());
    let done = std::sync::atomic::AtomicBool::new(false);
    let found = thread::scope(|scope| {
        scope.spawn(|| {
            let relaxed = std::sync::atomic::Ordering::Relaxed;
            while !done.load(relaxed) && !stop.load(relaxed) {
                thread::sleep(Duration::from_millis(20));
            }
            if stop.load(relaxed) {
                control.stop();
            }
        });
        let found = work(&control);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        found
    });
    if control.is_stopped() {
        return Err("interrupted before everything was measured".into());
    }
    Ok(found)
}

fn bar(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20} step {pos} of {len}, {elapsed} gone: {msg}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is sound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_legal_and_have_moves() {
        assert!(games().all(|game| game.position().legal_moves().len() > 5));
    }
}
