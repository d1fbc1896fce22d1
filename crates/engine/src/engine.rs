//! The engine: a game, options, and at most one search in the background.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tandem_alphabeta::AlphaBeta;
use tandem_chess::Game;
use tandem_nnue::Networks;
use tandem_search::{Choice, Control, Limits, Progress, Search};

use crate::evaluation::Evaluation;
use crate::networks;
use crate::options::{OptionError, OptionSpec, Options};
use crate::strength::Limited;

/// How long work that was asked for may go on after the word to leave.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a search in the background tells.
#[derive(Debug)]
pub enum Event<'a> {
    /// It has learnt something.
    Progress(&'a Progress),
    /// It has decided; nothing follows.
    Finished(Choice),
}

/// An engine that thinks about one game.
pub struct Engine {
    options: Options,
    game: Game,
    networks: Option<Networks>,
    search: Arc<Mutex<Box<dyn Search>>>,
    running: Option<Running>,
}

struct Running {
    control: Arc<Control>,
    thread: JoinHandle<()>,
    open_ended: bool,
    is_search: bool,
}

impl Running {
    fn is_work(&self) -> bool {
        !self.is_search && !self.thread.is_finished()
    }

    fn is_busy(&self) -> bool {
        !self.control.has_answered() && !self.thread.is_finished()
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with default options and the start position.
    ///
    /// # Panics
    /// If the network that was built into the program is damaged.
    #[must_use]
    pub fn new() -> Self {
        let options = Options::default();
        let networks = networks::load("", "").expect("the program's own network is sound");
        let search = Arc::new(Mutex::new(new_search(&options, networks.as_ref())));
        Self { options, game: Game::default(), networks, search, running: None }
    }

    /// The values in force.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The game that the next search looks at.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Sets the game. A running search goes on with the one that it has.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Forgets what earlier games taught. Ends a running search.
    pub fn new_game(&mut self) {
        self.stop();
        self.game = Game::default();
        self.lock_search().new_game();
    }

    /// Sets an option, or presses a button.
    ///
    /// # Errors
    /// The value does not fit or a search is running; nothing has changed.
    pub fn set_option(
        &mut self,
        spec: &'static OptionSpec,
        value: &str,
    ) -> Result<(), OptionError> {
        if self.is_searching() {
            return Err(OptionError::Searching);
        }
        let before = self.options.clone();
        self.options.set(spec, value)?;
        if spec.name.starts_with("EvalFile")
            && let Err(reason) = self.load_networks()
        {
            self.options = before;
            return Err(OptionError::Unusable { name: spec.name, reason });
        }
        if self.options.strength() != before.strength() {
            *self.lock_search() = new_search(&self.options, self.networks.as_ref());
        } else if self.options.search != before.search {
            self.lock_search().configure(&self.options.search);
        }
        if spec.name == "Clear Hash" {
            self.lock_search().new_game();
        }
        Ok(())
    }

    fn load_networks(&mut self) -> Result<(), String> {
        self.networks = networks::load(&self.options.eval_file, &self.options.eval_file_small)?;
        *self.lock_search() = new_search(&self.options, self.networks.as_ref());
        Ok(())
    }

    /// The networks in force, if any.
    #[must_use]
    pub const fn networks(&self) -> Option<&Networks> {
        self.networks.as_ref()
    }

    /// Starts a search. What still runs is ended first, so that each search gives its answer. The
    /// observer answers whether anybody still listens; if not, the search ends.
    pub fn go(
        &mut self,
        limits: Limits,
        mut observer: impl FnMut(Event<'_>) -> bool + Send + 'static,
    ) {
        let (search, game) = (self.search.clone(), self.game.clone());
        self.run(true, limits.is_open_ended(), limits.ponder, move |control| {
            let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
            let choice = search.search(&game, &limits, control, &mut |progress| {
                if !observer(Event::Progress(progress)) {
                    control.stop();
                }
            });
            control.wait_for_leave(limits.infinite);
            drop(search);
            control.mark_answered();
            observer(Event::Finished(choice));
        });
    }

    /// Does something else in the background that [`stop`](Self::stop) can end.
    pub fn work(&mut self, job: impl FnOnce(&Control) + Send + 'static) {
        self.run(false, false, false, job);
    }

    fn run(
        &mut self,
        is_search: bool,
        open_ended: bool,
        pondering: bool,
        job: impl FnOnce(&Control) + Send + 'static,
    ) {
        self.stop();
        let control = Arc::new(Control::new(pondering));
        let signals = control.clone();
        let thread = std::thread::spawn(move || job(&signals));
        self.running = Some(Running { control, thread, open_ended, is_search });
    }

    /// Whether a search is running.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(Running::is_busy)
    }

    /// The opponent has played the move that is being pondered.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
    }

    /// Ends a running search and waits for its answer.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
        self.wait();
    }

    /// Waits for what runs to end by itself; a search that never would is stopped.
    pub fn finish(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.open_ended) {
            self.stop();
        }
        self.wait();
    }

    /// Ends a search, but lets other work that was asked for come to its end, if that is not far.
    pub fn leave(&mut self) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE && self.running.as_ref().is_some_and(Running::is_work) {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.stop();
    }

    fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            // A search that panicked has printed why; the engine lives on.
            let _ = running.thread.join();
        }
    }

    fn lock_search(&self) -> std::sync::MutexGuard<'_, Box<dyn Search>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn new_search(options: &Options, networks: Option<&Networks>) -> Box<dyn Search> {
    let networks = networks.cloned();
    let search: Box<dyn Search> =
        Box::new(AlphaBeta::new(&options.search, move || Evaluation::new(networks.as_ref())));
    match options.strength() {
        Some((rating, seed)) => Box::new(Limited::new(search, &options.search, rating, seed)),
        None => search,
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}
