//! Lazy SMP: every thread searches the same position, and the shared table makes them help each
//! other.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tandem_chess::{Game, Move, Position, RankedMoves};
use tandem_search::{
    Bound, Budget, Choice, Company, Control, Evaluate, Limits, Progress, Recall, Search, Settings,
    Timer,
};

use crate::endgames::Tables;
use crate::pace::Pace;
use crate::root::Silent;
use crate::table::Table;
use crate::tunables as t;
use crate::value::{DRAW, INFINITE, MAX_PLY, Value};
use crate::worker::{RootMove, Shared, Worker};

/// Units of the search in a centipawn of contempt, roughly.
const CONTEMPT_SCALE: Value = 3;

/// How likely each legal move of a position is the best, before any is tried.
pub type RootPolicy = Box<dyn Fn(&Position) -> Vec<(Move, f32)> + Send>;

/// Principal variation search on any number of threads.
pub struct AlphaBeta<E> {
    table: Arc<Table>,
    /// Bytes of the memory that belong to others.
    lent: usize,
    /// A place for each thread. Who works there is hired by the thread itself, in its first search:
    /// that takes time and memory, and many threads take theirs at once.
    workers: Vec<Option<Worker<E>>>,
    settings: Settings,
    new_evaluator: Box<dyn Fn() -> E + Send + Sync>,
    root_policy: Option<RootPolicy>,
}

impl<E: Evaluate> AlphaBeta<E> {
    /// A search that asks that evaluation, one for each thread.
    pub fn new(settings: &Settings, new_evaluator: impl Fn() -> E + Send + Sync + 'static) -> Self {
        Self {
            table: Arc::new(Table::new(settings.hash)),
            lent: 0,
            workers: std::iter::repeat_with(|| None).take(settings.threads.max(1)).collect(),
            settings: settings.clone(),
            new_evaluator: Box::new(new_evaluator),
            root_policy: None,
        }
    }

    /// Leaves so many bytes of its memory to others.
    pub fn lend(&mut self, bytes: usize) {
        if std::mem::replace(&mut self.lent, bytes) != bytes {
            self.take_memory();
        }
    }

    /// Gets its table anew, empty. The old one goes first, so that both never need memory at once.
    fn take_memory(&mut self) {
        self.table = Arc::new(Table::with_bytes(0));
        let bytes = (self.settings.hash << 20).saturating_sub(self.lent);
        self.table = Arc::new(Table::with_bytes(bytes));
    }

    /// What it remembers, for others to ask while it searches. It is to be asked for anew once the memory is
    /// another size.
    #[must_use]
    pub fn memory(&self) -> Arc<dyn Recall> {
        self.table.clone()
    }

    /// Bytes of its table.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Goes by that policy in the order of the root's moves, as far as the tunable `root_policy` says.
    #[must_use]
    pub fn with_root_policy(mut self, policy: Option<RootPolicy>) -> Self {
        self.root_policy = policy;
        self
    }
}

/// What a search decided, and how sure it is.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The moves.
    pub choice: Choice,
    /// The score of the first for the side to move, in the engine's unit.
    pub value: Value,
    /// How many plies were completed.
    pub depth: i32,
}

impl<E: Evaluate> AlphaBeta<E> {
    /// Searches in company of another search. The timer may have begun before.
    pub fn search_in(
        &mut self,
        company: Company<'_>,
        game: &Game,
        limits: &Limits,
        (timer, control): (&Timer<'_>, &Control),
        observer: &mut dyn FnMut(&Progress),
    ) -> Decision {
        let position = game.position();
        let (tables, ranked) = Tables::new(&self.settings.endgames, game);
        let mut root_moves = root_moves(position, limits);
        if let Some(policy) = self.root_policy.as_ref().filter(|_| t::root_policy() > 0) {
            expect(&mut root_moves, &policy(position), t::root_policy());
        }
        if let Some(ranked) = &ranked {
            heed(&mut root_moves, ranked, self.settings.multi_pv);
        }
        if root_moves.is_empty() {
            report_end(position, observer);
            return Decision { choice: Choice::default(), value: DRAW, depth: 0 };
        }
        let table = &*self.table;
        table.next_generation();
        let is_out_of_time = || timer.is_exhausted();
        let places = &mut self.workers;
        let crew = company.crew(places.len());
        let nodes: Vec<_> = (0..crew).map(|_| AtomicU64::new(0)).collect();
        let shared = Shared {
            table,
            tables,
            control,
            stop: AtomicBool::new(false),
            nodes: &nodes,
            node_limit: limits.nodes,
            is_out_of_time: &is_out_of_time,
            company,
        };
        let lines = self.settings.multi_pv.clamp(1, root_moves.len());
        let max_depth =
            limits.depth.map_or(MAX_PLY as i32 - 1, |d| (d as i32).clamp(1, MAX_PLY as i32 - 1));
        let hashfull = || table.hashfull();
        let mut pace = Pace::new(timer, limits, position, lines, observer, &hashfull);
        let contempt = CONTEMPT_SCALE * self.settings.contempt;
        let new_evaluator = &self.new_evaluator;
        let is_divided = |id: usize| company.turns.is_some() && id + 1 == crew;
        let places = &mut places[..crew];
        let mut workers: Vec<&mut Worker<E>> = std::thread::scope(|scope| {
            let (first, others) = places.split_first_mut().expect("there is always one thread");
            let (shared, root_moves) = (&shared, root_moves.as_slice());
            let helpers: Vec<_> = others
                .iter_mut()
                .zip(1..)
                .take_while(|_| !control.is_stopped())
                .map(|(place, id)| {
                    scope.spawn(move || {
                        // With very many threads the search may be over before the last begins.
                        if shared.is_over() {
                            return None;
                        }
                        let worker = place.get_or_insert_with(|| Worker::new(id, new_evaluator()));
                        worker.prepare(game, root_moves, contempt);
                        worker.is_divided = is_divided(id);
                        worker.deepen(shared, position, lines, MAX_PLY as i32 - 1, &mut Silent);
                        Some(worker)
                    })
                })
                .collect();
            let worker = first.get_or_insert_with(|| Worker::new(0, new_evaluator()));
            worker.prepare(game, root_moves, contempt);
            worker.is_divided = is_divided(0);
            worker.deepen(shared, position, lines, max_depth, &mut pace);
            // Pondering and infinite searches that ran out of depth have nothing left to find.
            shared.stop.store(true, Ordering::Relaxed);
            if let Some(turns) = company.turns {
                turns.end();
            }
            let helpers = helpers.into_iter().filter_map(|helper| helper.join().ok().flatten());
            std::iter::once(worker).chain(helpers).collect()
        });
        let best = if lines == 1 && limits.depth.is_none() { vote(&workers) } else { 0 };
        let worker = &mut *workers[best];
        worker.have_some_value(position);
        // What is played is what was last said.
        pace.report(worker, &shared, 0, worker.completed_depth.max(1), Bound::Exact);
        Decision {
            choice: choice(worker, position),
            value: worker.line_value(0),
            depth: worker.completed_depth,
        }
    }
}

impl<E: Evaluate> Search for AlphaBeta<E> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        let side = game.position().side_to_move();
        let budget = Budget::new(limits, side, self.settings.move_overhead);
        let timer = Timer::new(Instant::now(), budget, control);
        let clock = (&timer, control);
        match self.settings.live {
            None => self.search_in(Company::default(), game, limits, clock, observer).choice,
            Some(every) => self.search_live(every, game, limits, clock, observer),
        }
    }

    fn get_ready(&mut self) {
        if let Some(place) = self.workers.first_mut() {
            place.get_or_insert_with(|| Worker::new(0, (self.new_evaluator)()));
        }
    }

    fn new_game(&mut self) {
        self.table.clear(self.settings.threads);
        self.workers.iter_mut().flatten().for_each(Worker::new_game);
    }

    fn configure(&mut self, settings: &Settings) {
        let old = std::mem::replace(&mut self.settings, settings.clone());
        if old.hash != settings.hash {
            self.take_memory();
        }
        self.workers.resize_with(settings.threads.max(1), || None);
    }
}

/// The legal moves that the limits allow.
fn root_moves(position: &Position, limits: &Limits) -> Vec<RootMove> {
    position
        .legal_moves()
        .into_iter()
        .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
        .map(RootMove::new)
        .collect()
}

/// Puts the root's moves in the order of their likelihoods, and has the histories begin with them: with
/// `certain` for a move whose likelihood is 1.
fn expect(root_moves: &mut [RootMove], likely: &[(Move, f32)], certain: i32) {
    for root in root_moves.iter_mut() {
        let likelihood = likely.iter().find(|(m, _)| *m == root.m).map_or(0.0, |(_, p)| *p);
        root.expectation = (likelihood * certain as f32) as i32;
    }
    root_moves.sort_by_key(|root| std::cmp::Reverse(root.expectation));
}

/// Puts the root's moves in the order of the tables. Where one line is asked for, moves of a lower
/// rank than the best are not worth a look.
fn heed(root_moves: &mut Vec<RootMove>, ranked: &RankedMoves, lines: usize) {
    let place = |root: &RootMove| ranked.moves.iter().position(|ranked| ranked.m == root.m);
    root_moves.sort_by_key(place);
    for root in root_moves.iter_mut() {
        if let Some(place) = place(root) {
            root.rank = ranked.moves[place].rank;
            root.proven = Some(ranked.moves[place].wdl);
        }
    }
    if lines == 1 {
        let best = root_moves.first().map_or(0, |root| root.rank);
        root_moves.retain(|root| root.rank == best);
    }
}

/// The last word on a position without moves.
fn report_end(position: &Position, observer: &mut dyn FnMut(&Progress)) {
    let score = if position.in_check() {
        tandem_search::Score::Mate(0)
    } else {
        tandem_search::Score::Centipawns(0)
    };
    observer(&Progress::end(score));
}

/// The thread whose first move has the most support: each thread votes for its move with the depth
/// it completed and the margin of its score. A proven result settles it.
fn vote<E>(workers: &[&mut Worker<E>]) -> usize {
    let worst = workers.iter().map(|w| score(w)).min().unwrap_or(0);
    let mut votes: HashMap<u16, i64> = HashMap::new();
    for worker in workers.iter().filter(|w| w.completed_depth > 0) {
        let weight = i64::from(score(worker) - worst + 14) * i64::from(worker.completed_depth);
        *votes.entry(worker.root_moves[0].m.bits()).or_default() += weight;
    }
    let support = |w: &Worker<E>| votes.get(&w.root_moves[0].m.bits()).copied().unwrap_or(0);
    let mut best = 0;
    for (i, worker) in workers.iter().enumerate().skip(1) {
        let (candidate, leader) = (score(worker), score(workers[best]));
        if worker.completed_depth == 0 {
            continue;
        }
        let better = if crate::value::is_win(leader) || crate::value::is_win(candidate) {
            candidate > leader
        } else {
            !crate::value::is_loss(candidate)
                && (support(worker) > support(workers[best])
                    || support(worker) == support(workers[best]) && candidate > leader)
        };
        if better {
            best = i;
        }
    }
    best
}

fn score<E>(worker: &Worker<E>) -> Value {
    worker
        .root_moves
        .first()
        .map_or(-INFINITE, |root| if root.value == -INFINITE { root.previous } else { root.value })
}

fn choice<E>(worker: &Worker<E>, position: &Position) -> Choice {
    let root = &worker.root_moves[0];
    let next = position.after(root.m);
    let ponder = root.pv.get(1).copied().filter(|&m| next.is_legal(m));
    Choice { best: Some(root.m), ponder }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_moves_of_the_root_come_first() {
        let position = Position::startpos();
        let mut moves = root_moves(&position, &Limits::default());
        let likely = [("g1f3", 0.25), ("e2e4", 0.5)]
            .map(|(text, likelihood)| (position.parse_uci(text).unwrap(), likelihood));
        expect(&mut moves, &likely, 1000);
        let first: Vec<_> =
            moves.iter().map(|root| (root.m.to_string(), root.expectation)).collect();
        assert_eq!(first[..2], [("e2e4".to_owned(), 500), ("g1f3".to_owned(), 250)]);
        assert!(first[2..].iter().all(|(_, expectation)| *expectation == 0) && first.len() == 20);
    }
}
