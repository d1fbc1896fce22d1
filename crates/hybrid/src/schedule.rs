//! How the searches share the time: one after the other, or side by side.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tandem_alphabeta::{AlphaBeta, Decision};
use tandem_mcts::{Counts, Mcts};
use tandem_search::{
    Budget, Choice, Company, Control, Evaluate, Limits, Progress, Side, Timer, Turns,
};

use crate::crew::Crew;
use crate::report::Told;
use crate::task::Task;
use crate::tunables as t;

/// What Monte Carlo tree search has found.
#[derive(Default)]
pub struct Explored {
    pub choice: Choice,
    /// Its last report of its best line.
    pub last: Option<Progress>,
    pub counts: Counts,
    /// What the user is to be told.
    pub notices: Vec<String>,
}

impl Explored {
    fn note(&mut self, progress: &Progress) {
        self.notices.extend(progress.notices.iter().cloned());
        if progress.line == 1 {
            self.last = Some(progress.clone());
        }
    }
}

/// What both have found.
pub struct Findings {
    pub explored: Explored,
    /// What alpha-beta would play, if it was asked.
    pub decision: Option<Decision>,
    /// The part of all threads' time that Monte Carlo tree search had.
    pub share: f64,
}

/// Both at once: each with threads of its own, and one thread, perhaps, in turns. Alpha-beta says when it is
/// enough.
pub fn concurrent<E: Evaluate, L: Evaluate>(
    alphabeta: &mut AlphaBeta<E>,
    mcts: &mut Mcts<L>,
    threads: usize,
    task: &Task<'_>,
    news: Option<&Sender<Told>>,
    tell: &mut dyn FnMut(Told),
) -> Findings {
    let crew = Crew::new(threads, task.share);
    let turns = crew.divided.map(Turns::new);
    let memory = alphabeta.memory();
    let company = |threads| Company {
        slate: Some(&task.slate),
        recall: Some(&*memory),
        turns: turns.as_ref(),
        threads: Some(threads),
        least_depth: 0,
    };
    let nodes = task.limits.nodes.map(|nodes| task.divide_nodes(nodes, 1));
    let explore = Limits {
        nodes: nodes.map(|(playouts, _)| playouts),
        search_moves: task.limits.search_moves.clone(),
        ..Limits::default()
    };
    let prove = Limits { nodes: nodes.map(|(_, nodes)| nodes), ..task.limits.clone() };
    // It ends when alpha-beta does, and its own time is never up.
    let own = Control::default();
    let endless = Timer::new(task.start, None, &own);
    let mut explored = (Explored::default(), Duration::ZERO);
    let decision = std::thread::scope(|scope| {
        let explorer = scope.spawn(|| {
            let mut explored = Explored::default();
            if explore.nodes != Some(0) {
                let company = company(crew.explorers);
                let observer = &mut |progress: &Progress| {
                    explored.note(progress);
                    if let Some(news) = news {
                        // Whoever hears stays to the end.
                        let _ = news.send(Told::Explored(progress.clone()));
                    }
                };
                explored.choice =
                    mcts.search_in(company, task.game, &explore, (&endless, &own), observer);
                explored.counts = *mcts.counts();
            }
            turns.iter().for_each(Turns::end);
            (explored, task.start.elapsed())
        });
        let clock = (&task.timer(), task.control);
        let observer = &mut |progress: &Progress| tell(Told::Proven(progress.clone()));
        let decision =
            alphabeta.search_in(company(crew.provers), task.game, &prove, clock, observer);
        own.stop();
        turns.iter().for_each(Turns::end);
        // One that has panicked has printed why, and found nothing.
        explored = explorer.join().unwrap_or_default();
        decision
    });
    let (explored, worked) = explored;
    let alone = crew.explorers - usize::from(turns.is_some());
    let in_turns = turns.map_or(Duration::ZERO, |turns| turns.used(Side::Explorer));
    let all = threads.max(1) as f64 * task.start.elapsed().as_secs_f64().max(1e-9);
    let share = (alone as f64 * worked.as_secs_f64() + in_turns.as_secs_f64()) / all;
    Findings { explored, decision: Some(decision), share }
}

/// The hybrid paper's Algorithm 1: Monte Carlo tree search for its share, then alpha-beta with the rest, each
/// on all threads. Without a verifier the first phase is all there is.
pub fn phased<E: Evaluate, L: Evaluate>(
    alphabeta: &mut AlphaBeta<E>,
    mcts: &mut Mcts<L>,
    verifies: bool,
    task: &Task<'_>,
    tell: &mut dyn FnMut(Told),
) -> Findings {
    let memory = alphabeta.memory();
    let company =
        Company { slate: Some(&task.slate), recall: Some(&*memory), ..Company::default() };
    let (playouts, nodes) = match task.limits.nodes {
        Some(nodes) => {
            let (playouts, nodes) = task.divide_nodes(nodes, t::playout_nodes());
            (Some(playouts), Some(nodes))
        }
        None if task.budget.is_none() => {
            (Some((f64::from(t::open_playouts()) * task.share) as u64), None)
        }
        None => (None, None),
    };
    let explore = Limits {
        nodes: playouts,
        movetime: task.limits.movetime,
        search_moves: task.limits.search_moves.clone(),
        ..Limits::default()
    };
    // The share is one of the planned time, also while the opponent's clock runs.
    let budget = task.budget.map(|budget| {
        let planned = budget.soft.mul_f64(task.share);
        Budget { soft: planned, hard: planned }
    });
    let mut explored = Explored::default();
    if playouts != Some(0) {
        let own = Control::default();
        let timer = Timer::new(Instant::now(), budget, &own);
        explored.choice =
            mcts.search_in(company, task.game, &explore, (&timer, task.control), &mut |progress| {
                explored.note(progress);
                tell(Told::Explored(progress.clone()));
            });
        explored.counts = *mcts.counts();
    }
    let worked = task.start.elapsed();
    let decision = verifies.then(|| {
        let company = Company { least_depth: task.strategy.verification_depth as i32, ..company };
        let prove = Limits { nodes, ..task.limits.clone() };
        let clock = (&task.timer(), task.control);
        alphabeta.search_in(company, task.game, &prove, clock, &mut |progress| {
            tell(Told::Proven(progress.clone()));
        })
    });
    let share = worked.as_secs_f64() / task.start.elapsed().as_secs_f64().max(1e-9);
    Findings { explored, decision, share }
}
