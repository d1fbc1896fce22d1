//! The search: a tree, a table and as many threads as wanted.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use tandem_chess::Game;
use tandem_nnue::{BatchEvaluator, PolicyEvaluator};
use tandem_search::{
    Budget, Choice, Company, Control, Evaluate, Limits, Progress, Score, Search, Settings, Timer,
};

use crate::apart::Apart;
use crate::arena::Pocket;
use crate::contempt::Frozen;
use crate::counts::Counts;
use crate::gate::Gate;
use crate::node::MOST_VISITS;
use crate::pace::Pace;
use crate::params::Params;
use crate::root::Root;
use crate::select::Puct;
use crate::shared::Shared;
use crate::table::Table;
use crate::tree::Tree;
use crate::value::Scale;
use crate::verdict::{line, rank};
use crate::worker::Worker;

/// The table gets this part of the memory; the tree the rest.
const TABLE_SHARE: usize = 8;

/// The least memory: the smallest arena has room for the moves of any position.
const LEAST_BYTES: usize = 1 << 17;

/// Mates are looked for in at most so many moves.
const MOST_MOVES: u32 = 100;

/// Monte Carlo tree search on any number of threads.
pub struct Mcts<E> {
    tree: Tree,
    table: Table,
    scale: Scale,
    /// A place for each thread. Who works there is hired by the thread itself, in its first search.
    workers: Vec<Option<Worker<E>>>,
    settings: Settings,
    params: Params,
    new_evaluator: Box<dyn Fn() -> E + Send + Sync>,
    policy: Option<PolicyEvaluator>,
    batches: Option<Arc<dyn BatchEvaluator>>,
    /// Whether the user has been told in this game that batches are lost.
    is_loss_told: AtomicBool,
    counts: Counts,
    /// Bytes of the memory that belong to others.
    lent: usize,
}

impl<E: Evaluate> Mcts<E> {
    /// A search that asks that evaluation, one for each thread. The evaluation may be static or look
    /// ahead by itself.
    pub fn new(
        settings: &Settings,
        params: &Params,
        new_evaluator: impl Fn() -> E + Send + Sync + 'static,
    ) -> Self {
        let (tree, table) = memory(settings.hash << 20);
        Self {
            tree,
            table,
            scale: Scale::new(),
            workers: std::iter::repeat_with(|| None).take(settings.threads.max(1)).collect(),
            settings: settings.clone(),
            params: *params,
            new_evaluator: Box::new(new_evaluator),
            policy: None,
            batches: None,
            is_loss_told: AtomicBool::new(false),
            counts: Counts::default(),
            lent: 0,
        }
    }

    /// Leaves so many bytes of its memory to others: to the evaluation, or to another search.
    #[must_use]
    pub fn lending(mut self, bytes: usize) -> Self {
        self.lend(bytes);
        self
    }

    /// The same from now on.
    pub fn lend(&mut self, bytes: usize) {
        if std::mem::replace(&mut self.lent, bytes) != bytes {
            self.take_memory();
        }
    }

    /// Gets its memory anew, empty. The old goes first, so that both are never needed at once.
    fn take_memory(&mut self) {
        (self.tree, self.table) = memory(0);
        (self.tree, self.table) = memory((self.settings.hash << 20).saturating_sub(self.lent));
    }

    /// Has moves judged by that policy network, if there is one and the [`Params`] ask for it.
    #[must_use]
    pub fn with_policy(mut self, network: Option<PolicyEvaluator>) -> Self {
        self.policy = network;
        self
    }

    /// Has leaves evaluated in batches of [`Params::batch`] by that evaluator, while it wants them. Where it
    /// judges moves too, it has to do so by the network of [`with_policy`](Self::with_policy).
    #[must_use]
    pub fn with_batches(mut self, evaluator: Arc<dyn BatchEvaluator>) -> Self {
        self.batches = Some(evaluator);
        self
    }

    /// What the last search did, all threads together.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Visits and camps of the whole tree that are on their way: none between searches. Looks at every
    /// position.
    #[must_use]
    pub fn visits_under_way(&self) -> u64 {
        self.tree.in_flight_from(self.tree.root())
    }

    /// A number that two trees have in common if they are the same, position for position. Looks at every
    /// position.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.tree.fingerprint(self.tree.root())
    }

    /// What is frozen in the tree. Looks at every position.
    #[must_use]
    pub fn frozen(&self) -> Frozen {
        let mut frozen = Frozen::default();
        if let Some(root) = self.tree.side_to_move() {
            self.tree.count_frozen(self.tree.root(), 0, root, &mut frozen);
        }
        frozen
    }

    pub(crate) const fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) const fn params(&self) -> &Params {
        &self.params
    }

    /// Bytes of tree and table.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.table.bytes()
    }
}

/// A tree and a table of at most that many bytes together, but of 128 KiB at the least.
fn memory(bytes: usize) -> (Tree, Table) {
    let bytes = bytes.max(LEAST_BYTES);
    let table = bytes / TABLE_SHARE;
    let mut tree = Tree::new(bytes - table);
    tree.clear();
    (tree, Table::new(table))
}

impl<E: Evaluate> Mcts<E> {
    /// Searches in company of another search, but for no mate. The timer may have begun before.
    pub fn search_in(
        &mut self,
        company: Company<'_>,
        game: &Game,
        limits: &Limits,
        clock: (&Timer<'_>, &Control),
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        self.explore(company, game, limits, clock, observer, None).unwrap_or_default()
    }

    /// Searches within the limits. With a horizon it only looks for a mate on the board by that ply, and
    /// answers with nothing if there is none.
    fn explore(
        &mut self,
        company: Company<'_>,
        game: &Game,
        limits: &Limits,
        (timer, control): (&Timer<'_>, &Control),
        observer: &mut dyn FnMut(&Progress),
        horizon: Option<usize>,
    ) -> Option<Choice> {
        let position = game.position();
        let mut root = Root::new(game, limits, &self.settings.endgames, self.settings.multi_pv);
        if root.is_empty() {
            let mate = position.in_check() && !position.has_legal_move();
            observer(&Progress::end(if mate { Score::Mate(0) } else { Score::Centipawns(0) }));
            return Some(Choice::default());
        }
        let (new_evaluator, params, policy) = (&self.new_evaluator, &self.params, &self.policy);
        let hire = |place: &mut Option<Worker<E>>| {
            place.get_or_insert_with(|| {
                Worker::new(new_evaluator(), params.policy.priors(policy.as_ref()))
            });
        };
        let crew = company.crew(self.workers.len());
        let workers = &mut self.workers[..crew];
        let (first, others) = workers.split_first_mut().expect("there is always one thread");
        hire(first);
        let worker = first.as_mut().expect("just hired");
        worker.line.evaluator.new_search();
        worker.prepare(game);
        root.judge(game, worker.priors.as_mut());
        if horizon.is_some() {
            self.tree.clear();
        }
        // Where only mates are looked for, the other side does its best.
        let freeze = params.freeze(position.side_to_move()).filter(|_| horizon.is_none());
        let outlook = params.outlook(position.side_to_move());
        self.tree.reuse(game, freeze, outlook);
        expand_root(&self.tree, &root);
        let link = self.tree.node(self.tree.root()).link();
        root.settle(self.tree.edges(link).map(|(_, edge)| edge.m()), params, position.key());
        let most = (MOST_VISITS - self.tree.node(self.tree.root()).visits()).max(1);
        // Mates are looked for without evaluations.
        let batches = self.batches.as_deref().filter(|_| horizon.is_none());
        let shared = Shared {
            tree: &self.tree,
            gate: Gate::default(),
            table: &self.table,
            scale: &self.scale,
            params,
            alone: Puct::new(params),
            batched: Puct::new(params).for_batches(),
            root: &root,
            freeze,
            outlook,
            position,
            endgames: &self.settings.endgames,
            control,
            stop: AtomicBool::new(false),
            playouts: Apart::default(),
            finished: Apart::default(),
            limit: limits.nodes.unwrap_or(u64::MAX).clamp(1, most),
            horizon,
            threads: others.len() + 1,
            batches,
            is_batching: AtomicBool::new(false),
            loss: OnceLock::new(),
            is_loss_told: &self.is_loss_told,
            helpers_hits: AtomicU64::new(0),
            helpers_deepest: AtomicUsize::new(0),
            company,
        };
        let lines = self.settings.multi_pv.max(1);
        let live = self.settings.live;
        let mut pace = Pace::new(timer, limits, game, lines, observer).live(live);
        let help = |place: &mut Option<Worker<E>>| {
            hire(place);
            let worker = place.as_mut().expect("just hired");
            worker.prepare(game);
            work(worker, &shared, &mut |worker| shared.tell(&mut worker.counts));
            worker.counts
        };
        self.counts = together(others, &shared, help, || {
            work(worker, &shared, &mut |worker| {
                pace.look(worker, &shared);
                shared.rest();
            });
        });
        self.counts += worker.counts;
        let mut candidates = rank(&self.tree, shared.puct(), &root);
        pace.keep_company(&shared, &candidates);
        if horizon.is_none() {
            let chosen = params.temperature.choose(&candidates, position, params.seed);
            candidates[..=chosen].rotate_right(1);
        }
        let best = &candidates[0];
        let choice = if horizon.is_some() && !best.proof.is_win() {
            None
        } else {
            pace.report(worker, &shared, &candidates, params.verbose || live.is_some());
            let ponder = line(&self.tree, game, best).get(1).copied();
            Some(Choice { best: Some(best.m), ponder })
        };
        if horizon.is_some() {
            // What holds for a game that ends there holds for no other.
            self.tree.clear();
        }
        choice
    }
}

impl<E: Evaluate> Search for Mcts<E> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        let budget =
            Budget::new(limits, game.position().side_to_move(), self.settings.move_overhead);
        let clock = (&Timer::new(Instant::now(), budget, control), control);
        let Some(moves) = limits.mate else {
            return self.search_in(Company::default(), game, limits, clock, observer);
        };
        let company = Company::default();
        // Half of what there is goes to the mate, the rest to a move if there is none.
        let horizon = Some(2 * moves.clamp(1, MOST_MOVES) as usize - 1);
        let nodes = limits.nodes;
        let half = Limits { nodes: nodes.map(|nodes| nodes.div_ceil(2)), ..limits.clone() };
        let mate = self.explore(company, game, &half, clock, observer, horizon);
        let rest = Limits {
            nodes: nodes.map(|nodes| nodes.saturating_sub(self.counts.playouts)),
            ..limits.clone()
        };
        mate.or_else(|| self.explore(company, game, &rest, clock, observer, None))
            .unwrap_or_default()
    }

    fn get_ready(&mut self) {
        if let Some(place) = self.workers.first_mut() {
            place.get_or_insert_with(|| {
                let priors = self.params.policy.priors(self.policy.as_ref());
                Worker::new((self.new_evaluator)(), priors)
            });
        }
    }

    fn new_game(&mut self) {
        self.tree.clear();
        self.table.clear();
        self.is_loss_told = AtomicBool::new(false);
        for worker in self.workers.iter_mut().flatten() {
            worker.line.evaluator.new_game();
        }
    }

    fn configure(&mut self, settings: &Settings) {
        let old = std::mem::replace(&mut self.settings, settings.clone());
        if old.hash != settings.hash {
            self.take_memory();
        } else if old.endgames != settings.endgames {
            // What tables proved, or would have proved, is in the tree.
            self.tree.clear();
        }
        self.workers.resize_with(settings.threads.max(1), || None);
    }
}

/// Plays out until the search is over, in batches while they are worth it.
fn work<E: Evaluate>(
    worker: &mut Worker<E>,
    shared: &Shared<'_>,
    between: &mut dyn FnMut(&mut Worker<E>),
) {
    while !shared.is_over() {
        shared.gate.make_room(shared.tree);
        shared.settle();
        match shared.batches.filter(|_| shared.is_batching()) {
            Some(evaluator) => worker.run_batched(shared, evaluator, between),
            None => worker.run(shared, between),
        }
    }
}

/// Has everybody else help while one leads, until the search is over. Answers with what the helpers did.
fn together<E: Evaluate>(
    others: &mut [Option<Worker<E>>],
    shared: &Shared<'_>,
    help: impl Fn(&mut Option<Worker<E>>) -> Counts + Sync,
    lead: impl FnOnce(),
) -> Counts {
    std::thread::scope(|scope| {
        let help = &help;
        let helpers: Vec<_> = others
            .iter_mut()
            .take_while(|_| !shared.is_over())
            // With very many threads the search may be over before the last begins.
            .map(|place| {
                scope.spawn(move || if shared.is_over() { Counts::default() } else { help(place) })
            })
            .collect();
        lead();
        shared.end();
        let mut sum = Counts::default();
        helpers.into_iter().filter_map(|helper| helper.join().ok()).for_each(|done| sum += done);
        sum
    })
}

/// Gives the root an edge for every legal move.
fn expand_root(tree: &Tree, root: &Root) {
    let weighed = root.weighed();
    if tree.expand(&mut Pocket::default(), tree.root(), &weighed, weighed.len()).is_err() {
        tree.turn();
        // The smallest arena has room for the moves of any position.
        let _ = tree.expand(&mut Pocket::default(), tree.root(), &weighed, weighed.len());
    }
}
