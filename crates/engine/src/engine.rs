//! The engine: a game, options, and at most one search in the background.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tandem_alphabeta::{AlphaBeta, RootPolicy};
use tandem_chess::{Game, Move, Random, Tablebase};
use tandem_hybrid::Hybrid;
use tandem_mcts::{Mcts, Policy};
use tandem_nnue::{Networks, PolicyEvaluator};
use tandem_search::{Choice, Control, Limits, Progress, Search, Settings};

use crate::book::Book;
use crate::evaluation::Evaluation;
use crate::gpu::Farewell;
use crate::likely::likely_moves;
use crate::mcts::{Leaf, batches, mcts};
use crate::networks;
use crate::options::{OptionError, OptionSpec, Options, SearchMode};
use crate::strength::Limited;
use crate::tablebases::Tablebases;

/// How long work that was asked for may go on after the word to leave.
const PATIENCE: Duration = Duration::from_secs(10);

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
    /// The options that the search was made with, after what the game's odds ask for.
    in_force: Options,
    game: Game,
    networks: Option<Networks>,
    policy: Option<PolicyEvaluator>,
    tablebases: Option<Arc<Tablebases>>,
    book: Option<Book>,
    /// Draws the moves from the book.
    random: Random,
    search: Arc<Mutex<Box<dyn Search>>>,
    running: Option<Running>,
    /// Dropped last.
    _farewell: Farewell,
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
        let policy = networks::load_policy("").expect("the program's own policy network is sound");
        let search = new_search(&options, networks.as_ref(), policy.as_ref());
        Self {
            random: Random::new(options.seed),
            in_force: options.clone(),
            options,
            game: Game::default(),
            networks,
            policy,
            tablebases: None,
            book: None,
            search: Arc::new(Mutex::new(search)),
            running: None,
            _farewell: Farewell,
        }
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

    /// Sets an option, or presses a button. Answers with a sentence if there is something to tell.
    ///
    /// # Errors
    /// The value does not fit or a search is running; nothing has changed.
    pub fn set_option(
        &mut self,
        spec: &'static OptionSpec,
        value: &str,
    ) -> Result<Option<String>, OptionError> {
        self.wait_for_work();
        if self.is_searching() {
            return Err(OptionError::Searching);
        }
        let before = self.options.clone();
        self.options.set(spec, value)?;
        let notice = match self.load(spec.name) {
            Ok(notice) => notice,
            Err(reason) => {
                self.options = before;
                return Err(OptionError::Unusable { name: spec.name, reason });
            }
        };
        self.refresh();
        if spec.name == "Clear Hash" {
            self.lock_search().new_game();
        }
        Ok(notice)
    }

    /// Has searches from the next one on tell so often while they think how every move stands, and in tandem
    /// how both look at it; not if never.
    pub const fn set_live(&mut self, every: Option<Duration>) {
        self.options.search.live = every;
    }

    /// Has the search as the options and the game want it.
    fn refresh(&mut self) {
        let wanted = self.options.at_odds(&self.game);
        if wanted.asks_for_another_search(&self.in_force) {
            *self.lock_search() = self.new_search(&wanted);
        } else if wanted.search != self.in_force.search {
            self.lock_search().configure(&wanted.search);
        }
        self.in_force = wanted;
    }

    /// Gets what an option with that name has just asked for.
    fn load(&mut self, option: &str) -> Result<Option<String>, String> {
        match option {
            "EvalFile" | "EvalFileSmall" => self.load_networks()?,
            "PolicyFile" => self.load_policy()?,
            "Policy" => return Ok(self.missing_policy().map(str::to_owned)),
            "SyzygyPath" => return self.load_tablebases(),
            "BookFile" => return self.load_book(),
            "Seed" => self.random = Random::new(self.options.seed),
            _ => {}
        }
        Ok(None)
    }

    fn load_tablebases(&mut self) -> Result<Option<String>, String> {
        let path = &self.options.syzygy_path;
        let tables = if path.is_empty() {
            None
        } else {
            Some(Arc::new(Tablebases::load(path).map_err(|error| error.to_string())?))
        };
        let shared = tables.clone().map(|tables| tables as Arc<dyn Tablebase>);
        self.options.search.endgames.tables = shared;
        self.tablebases = tables;
        Ok(self.tablebases.as_ref().map(ToString::to_string))
    }

    fn load_book(&mut self) -> Result<Option<String>, String> {
        let path = &self.options.book_file;
        self.book = if path.is_empty() {
            None
        } else {
            Some(Book::open(path).map_err(|error| error.to_string())?)
        };
        Ok(self.book.as_ref().map(|book| format!("the book has {} entries", book.len())))
    }

    fn load_networks(&mut self) -> Result<(), String> {
        self.networks = networks::load(&self.options.eval_file, &self.options.eval_file_small)?;
        self.search_anew();
        Ok(())
    }

    fn load_policy(&mut self) -> Result<(), String> {
        self.policy = networks::load_policy(&self.options.policy_file)?;
        self.search_anew();
        Ok(())
    }

    /// Goes over to a search with the networks that are now in force.
    fn search_anew(&mut self) {
        self.in_force = self.options.at_odds(&self.game);
        *self.lock_search() = self.new_search(&self.in_force);
    }

    fn new_search(&self, options: &Options) -> Box<dyn Search> {
        new_search(options, self.networks.as_ref(), self.policy.as_ref())
    }

    /// What whoever asks for a policy network is told where there is none.
    fn missing_policy(&self) -> Option<&'static str> {
        let is_missing = self.policy.is_none() && self.options.mcts.policy == Policy::Network;
        is_missing.then_some(
            "there is no policy network, so moves are judged by chess knowledge; name one with the option \
             PolicyFile",
        )
    }

    /// The networks in force, if any.
    #[must_use]
    pub const fn networks(&self) -> Option<&Networks> {
        self.networks.as_ref()
    }

    /// The policy network in force, if any.
    #[must_use]
    pub const fn policy(&self) -> Option<&PolicyEvaluator> {
        self.policy.as_ref()
    }

    /// A Monte Carlo tree search of its own with the options in force, to measure.
    #[must_use]
    pub fn new_mcts(&self) -> Mcts<Leaf> {
        new_mcts(&self.options, self.networks(), self.policy())
    }

    /// A tandem of its own with the options in force, to measure.
    #[must_use]
    pub fn new_hybrid(&self) -> Hybrid<Evaluation, Leaf> {
        new_hybrid(&self.options, self.networks(), self.policy())
    }

    /// The evaluation in force, by the hashes of its networks.
    #[must_use]
    pub fn evaluation_name(&self) -> String {
        networks::names(&self.options.eval_file, &self.options.eval_file_small)
    }

    /// Where the exploring search has the likelihoods of moves from: the name of a policy network, or that of
    /// another policy; nowhere if another search answers.
    #[must_use]
    pub fn priors_name(&self) -> Option<String> {
        let options = &self.options;
        (options.mode != SearchMode::AlphaBeta).then(|| match (options.mcts.policy, &self.policy) {
            (Policy::Network, Some(policy)) => policy.network().digest().policy_name(),
            (Policy::Network | Policy::Heuristic, _) => "heuristic".to_owned(),
            (Policy::Uniform, _) => "uniform".to_owned(),
        })
    }

    /// The tablebases in force, if any.
    #[must_use]
    pub fn tablebases(&self) -> Option<&Tablebases> {
        self.tablebases.as_deref()
    }

    /// A move from the book, where it is wanted: for a game, not for analysis.
    fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        let is_wanted = self.options.own_book
            && !self.options.analysing
            && limits.answers_unasked()
            && limits.mate.is_none()
            && limits.search_moves.is_empty();
        let book = self.book.as_ref().filter(|_| is_wanted)?;
        let random = (!self.options.best_book_move).then_some(&mut self.random);
        // A book that has become unreadable is as good as one that knows nothing.
        book.choose(&self.game, random).ok().flatten()
    }

    /// Starts a search, or answers from the book. What still runs is ended first, so that each search
    /// gives its answer. The observer answers whether anybody still listens; if not, the search ends.
    pub fn go(
        &mut self,
        limits: Limits,
        mut observer: impl FnMut(Event<'_>) -> bool + Send + 'static,
    ) {
        self.stop();
        self.refresh();
        let most = self.options.most_playouts(&self.game).filter(|_| !limits.infinite);
        let nodes = [limits.nodes, most].into_iter().flatten().min();
        let limits = Limits { nodes, ..limits };
        let book_move = self.book_move(&limits);
        let open_ended = limits.is_open_ended() && book_move.is_none();
        let (search, game) = (self.search.clone(), self.game.clone());
        self.run(true, open_ended, limits.ponder, move |control| {
            let mut listen = |progress: &Progress| {
                if !observer(Event::Progress(progress)) {
                    control.stop();
                }
            };
            let choice = if let Some(m) = book_move {
                listen(&Progress::book(m));
                Choice { best: Some(m), ponder: None }
            } else {
                let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
                search.search(&game, &limits, control, &mut listen)
            };
            control.wait_for_leave(limits.infinite);
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

    /// Whether a search is running. One that gives its answer no longer is: whoever hears it may set
    /// options at once.
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
        self.wait_for_work();
        self.stop();
    }

    fn wait_for_work(&self) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE && self.running.as_ref().is_some_and(Running::is_work) {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Prepares what the first search would otherwise have to, so that it loses no time.
    pub fn get_ready(&self) {
        if !self.is_searching() {
            self.lock_search().get_ready();
        }
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

/// Alpha-beta with those networks, or with the plain evaluation, for work that needs no engine around
/// it.
#[must_use]
pub fn search(settings: &Settings, networks: Option<&Networks>) -> Box<dyn Search> {
    Box::new(alpha_beta(settings, networks))
}

fn alpha_beta(settings: &Settings, networks: Option<&Networks>) -> AlphaBeta<Evaluation> {
    let networks = networks.cloned();
    AlphaBeta::new(settings, move || Evaluation::new(networks.as_ref()))
}

/// The likelihoods of moves by that network.
fn root_policy(policy: PolicyEvaluator) -> RootPolicy {
    Box::new(move |position| likely_moves(position, &policy))
}

fn new_mcts(
    options: &Options,
    networks: Option<&Networks>,
    policy: Option<&PolicyEvaluator>,
) -> Mcts<Leaf> {
    let Options { search, mcts: params, leaf, backend, .. } = options;
    let batches = batches(*backend, search, params, networks, policy);
    mcts(search, params, *leaf, networks, batches).with_policy(policy.cloned())
}

fn new_alpha_beta(
    settings: &Settings,
    networks: Option<&Networks>,
    policy: Option<&PolicyEvaluator>,
) -> AlphaBeta<Evaluation> {
    alpha_beta(settings, networks).with_root_policy(policy.cloned().map(root_policy))
}

fn new_hybrid(
    options: &Options,
    networks: Option<&Networks>,
    policy: Option<&PolicyEvaluator>,
) -> Hybrid<Evaluation, Leaf> {
    let mcts = |settings: &Settings| {
        let mut options = options.clone();
        options.search = settings.clone();
        new_mcts(&options, networks, policy)
    };
    let alphabeta = |settings: &Settings| new_alpha_beta(settings, networks, policy);
    Hybrid::new(&options.search, &options.hybrid, alphabeta, mcts)
}

fn new_search(
    options: &Options,
    networks: Option<&Networks>,
    policy: Option<&PolicyEvaluator>,
) -> Box<dyn Search> {
    let search: Box<dyn Search> = match options.mode {
        SearchMode::AlphaBeta => Box::new(new_alpha_beta(&options.search, networks, policy)),
        SearchMode::Mcts => Box::new(new_mcts(options, networks, policy)),
        SearchMode::Hybrid => Box::new(new_hybrid(options, networks, policy)),
    };
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
