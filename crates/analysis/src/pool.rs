//! Several positions at once: engines that share the threads and the memory, and a queue by priority.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tandem_chess::{CastlingNotation, Game};
use tandem_engine::{
    Engine, Event, Limits, OptionError, OptionKind, OptionSpec, Options, SearchMode,
};

use crate::snapshot::Snapshot;

/// Where nobody asks for partial reports, everything is told at the end alone.
const NEVER: Duration = Duration::from_hours(1);

/// What the engines of a pool share.
#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// How many positions are looked at side by side.
    pub workers: usize,
    /// How many threads they have together.
    pub threads: usize,
    /// MiB that they have together.
    pub hash: usize,
    /// Options of every engine, by name.
    pub options: Vec<(String, String)>,
}

/// One position to look at.
pub struct Job {
    /// The game whose position it is.
    pub game: Game,
    /// What it may take.
    pub limits: Limits,
    /// How many best lines are wanted.
    pub multi_pv: usize,
    /// Which search answers.
    pub mode: SearchMode,
    /// How castling is written.
    pub notation: CastlingNotation,
    /// Options that are other than usual.
    pub options: Vec<(&'static OptionSpec, String)>,
    /// The higher, the sooner; of equal ones the first to come.
    pub priority: i64,
    /// How often there are partial reports.
    pub report_every: Option<Duration>,
    /// Who hears of it. Answers whether anybody still listens.
    pub hear: Hearer,
}

/// Who hears of a position.
pub type Hearer = Box<dyn FnMut(Update<'_>) -> bool + Send>;

/// What is heard of a position.
#[derive(Debug)]
pub enum Update<'a> {
    /// This is known so far.
    Partial(&'a Snapshot),
    /// This is known at the end, which may have come early.
    Done(&'a Snapshot),
    /// It was ended before it began.
    Skipped,
    /// It cannot be looked at: an option has a value that cannot be used.
    Failed(OptionError),
    /// The search broke down. That is an error of this program.
    Broken,
}

/// The number of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// Engines that look at positions side by side.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// By priority, then by number.
    waiting: BTreeMap<(Reverse<i64>, Ticket), Job>,
    /// How whoever works on a job is told to end it.
    running: HashMap<Ticket, Sender<Signal>>,
    last: u64,
    /// How often everything was to be forgotten.
    forgotten: u64,
    is_closed: bool,
}

/// What a worker waits for.
enum Signal {
    /// The search has answered.
    Answered,
    /// The search is to end.
    End,
    /// Nobody will answer any more.
    Gone,
}

/// Says at its end that nobody will answer any more.
struct Farewell(Sender<Signal>);

impl Drop for Farewell {
    fn drop(&mut self) {
        // Whoever has heard the answer listens no more.
        let _ = self.0.send(Signal::Gone);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    /// Engines with their shares of threads and memory.
    ///
    /// # Errors
    /// An option is unknown or does not take its value.
    pub fn new(settings: &PoolSettings) -> Result<Self, OptionError> {
        let count = settings.workers.max(1);
        let threads = settings.threads.max(1);
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let engines = (0..count).map(|number| {
            // What does not divide goes to the first ones.
            let share = |all: usize| (all / count + usize::from(number < all % count)).max(1);
            Equipped::new(&settings.options, share(threads), share(settings.hash))
        });
        let engines = engines.collect::<Result<Vec<_>, _>>()?;
        let workers = engines
            .into_iter()
            .map(|engine| {
                let shared = shared.clone();
                std::thread::spawn(move || work(engine, &shared))
            })
            .collect();
        Ok(Self { shared, workers })
    }

    /// Has a position looked at as soon as it is its turn. The ticket is for whoever may want to end it.
    #[allow(clippy::must_use_candidate, reason = "who hears of the job needs no ticket")]
    pub fn submit(&self, job: Job) -> Ticket {
        let mut state = self.shared.lock();
        state.last += 1;
        let ticket = Ticket(state.last);
        state.waiting.insert((Reverse(job.priority), ticket), job);
        drop(state);
        self.shared.changed.notify_all();
        ticket
    }

    /// How many positions wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.lock().waiting.len()
    }

    /// Ends a job: with what is known if it is being looked at. Nothing happens if it is over already.
    pub fn cancel(&self, ticket: Ticket) {
        let mut state = self.shared.lock();
        if let Some(running) = state.running.get(&ticket) {
            // One that has just answered hears nothing any more.
            let _ = running.send(Signal::End);
            return;
        }
        let place = state.waiting.keys().find(|(_, waiting)| *waiting == ticket).copied();
        let skipped = place.and_then(|place| state.waiting.remove(&place));
        drop(state);
        self.shared.changed.notify_all();
        if let Some(mut job) = skipped {
            (job.hear)(Update::Skipped);
        }
    }

    /// Ends everything that has been submitted.
    pub fn cancel_all(&self) {
        let mut state = self.shared.lock();
        for running in state.running.values() {
            let _ = running.send(Signal::End);
        }
        let skipped = std::mem::take(&mut state.waiting);
        drop(state);
        self.shared.changed.notify_all();
        for mut job in skipped.into_values() {
            (job.hear)(Update::Skipped);
        }
    }

    /// Has every engine forget what it has found before it looks at another position.
    pub fn forget(&self) {
        self.shared.lock().forgotten += 1;
    }

    /// Waits until everything that was submitted has been looked at.
    pub fn wait(&self) {
        let mut state = self.shared.lock();
        while !state.waiting.is_empty() || !state.running.is_empty() {
            let waited = self.shared.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
        for worker in self.workers.drain(..) {
            // One that panicked has printed why.
            let _ = worker.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if !self.workers.is_empty() {
            self.cancel_all();
            self.close();
        }
    }
}

/// Looks at one position after another until there are no more.
fn work(mut engine: Equipped, shared: &Shared) {
    let mut forgotten = 0;
    loop {
        let (sender, signals) = mpsc::channel();
        let (ticket, job, is_forgetful) = {
            let mut state = shared.lock();
            let ((_, ticket), job) = loop {
                match state.waiting.pop_first() {
                    Some(job) => break job,
                    None if state.is_closed => return,
                    None => {
                        let waited = shared.changed.wait(state);
                        state = waited.unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            state.running.insert(ticket, sender.clone());
            let is_forgetful =
                std::mem::replace(&mut forgotten, state.forgotten) != state.forgotten;
            (ticket, job, is_forgetful)
        };
        if is_forgetful {
            engine.engine.new_game();
        }
        engine.look_at(job, sender, &signals);
        shared.lock().running.remove(&ticket);
        shared.changed.notify_all();
    }
}

/// An engine with options of its own that every job may change for itself.
struct Equipped {
    engine: Engine,
    /// What is usual here.
    usual: Vec<(&'static OptionSpec, String)>,
    /// What the last job had otherwise.
    changed: Vec<(&'static OptionSpec, String)>,
}

impl Equipped {
    fn new(options: &[(String, String)], threads: usize, hash: usize) -> Result<Self, OptionError> {
        let own = [
            ("UCI_AnalyseMode", "true".to_owned()),
            ("Threads", threads.to_string()),
            ("Hash", hash.to_string()),
        ];
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        let asked = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut engine = Engine::new();
        let mut usual = Vec::new();
        for (name, value) in own.chain(asked) {
            let spec = Options::find(name)?;
            engine.set_option(spec, value)?;
            usual.push((spec, value.to_owned()));
        }
        Ok(Self { engine, usual, changed: Vec::new() })
    }

    /// Has the options as a job wants them. What stays the same is not set again: that may cost memory its
    /// contents.
    fn equip(&mut self, wanted: Vec<(&'static OptionSpec, String)>) -> Result<(), OptionError> {
        let changed = std::mem::take(&mut self.changed);
        let (kept, obsolete): (Vec<_>, Vec<_>) = changed
            .into_iter()
            .partition(|(spec, _)| wanted.iter().any(|(wanted, _)| wanted.name == spec.name));
        self.changed = kept;
        for (spec, _) in obsolete {
            let usual = self.usual.iter().rfind(|(usual, _)| usual.name == spec.name);
            let value = usual.map_or_else(|| default_text(spec), |(_, value)| value.clone());
            self.engine.set_option(spec, &value)?;
        }
        for (spec, value) in wanted {
            let place = self.changed.iter().position(|(changed, _)| changed.name == spec.name);
            if place.is_some_and(|place| self.changed[place].1 == value) {
                continue;
            }
            self.engine.set_option(spec, &value)?;
            match place {
                Some(place) => self.changed[place].1 = value,
                None => self.changed.push((spec, value)),
            }
        }
        Ok(())
    }

    /// Looks at a position until there is an answer.
    fn look_at(&mut self, mut job: Job, sender: Sender<Signal>, signals: &mpsc::Receiver<Signal>) {
        let mut wanted = job.options;
        let mode = match job.mode {
            SearchMode::AlphaBeta => "AlphaBeta",
            SearchMode::Mcts => "MCTS",
            SearchMode::Hybrid => "Hybrid",
        };
        for (name, value) in
            [("SearchMode", mode.to_owned()), ("MultiPV", job.multi_pv.to_string())]
        {
            wanted.extend(Options::find(name).map(|spec| (spec, value)));
        }
        if let Err(error) = self.equip(wanted) {
            (job.hear)(Update::Failed(error));
            return;
        }
        self.engine.set_live(Some(job.report_every.unwrap_or(NEVER)));
        self.engine.set_game(job.game.clone());
        let hear = Arc::new(Mutex::new(job.hear));
        let mut report = Reporter {
            snapshot: Snapshot::new(job.game, job.mode, job.notation),
            every: job.report_every,
            last: Instant::now(),
            hear: hear.clone(),
        };
        let farewell = Farewell(sender);
        self.engine.go(job.limits, move |event| match event {
            Event::Progress(progress) => {
                report.snapshot.heed(progress);
                report.partial()
            }
            Event::Finished(choice) => {
                report.snapshot.decide(choice);
                report.tell(Update::Done);
                farewell.0.send(Signal::Answered).is_ok()
            }
        });
        loop {
            match signals.recv() {
                Ok(Signal::Answered) => return,
                Ok(Signal::End) => self.engine.stop(),
                Ok(Signal::Gone) | Err(_) => {
                    let mut hear = hear.lock().unwrap_or_else(PoisonError::into_inner);
                    hear(Update::Broken);
                    return;
                }
            }
        }
    }
}

/// Passes on what a search reports.
struct Reporter {
    snapshot: Snapshot,
    every: Option<Duration>,
    last: Instant,
    hear: Arc<Mutex<Hearer>>,
}

impl Reporter {
    fn tell<'a>(&'a self, update: impl FnOnce(&'a Snapshot) -> Update<'a>) -> bool {
        let mut hear = self.hear.lock().unwrap_or_else(PoisonError::into_inner);
        hear(update(&self.snapshot))
    }

    /// Reports if it is time to. Answers whether anybody still listens.
    fn partial(&mut self) -> bool {
        if self.every.is_none_or(|every| self.last.elapsed() < every) {
            return true;
        }
        self.last = Instant::now();
        self.tell(Update::Partial)
    }
}

/// The value of an option before anybody sets it.
fn default_text(spec: &OptionSpec) -> String {
    match spec.kind {
        OptionKind::Check { default, .. } => default.to_string(),
        OptionKind::Spin { default, .. } | OptionKind::Nonzero { default, .. } => {
            default.to_string()
        }
        OptionKind::Number { default, .. } => default().to_string(),
        OptionKind::Choice { default, .. } => default.to_owned(),
        OptionKind::Text { .. } | OptionKind::Button => String::new(),
    }
}
