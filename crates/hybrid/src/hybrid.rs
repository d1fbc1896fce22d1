//! The search: two of them, introduced to each other.

use std::sync::mpsc::Sender;

use tandem_alphabeta::AlphaBeta;
use tandem_chess::Game;
use tandem_mcts::Mcts;
use tandem_search::{
    Beat, Budget, Choice, Control, Evaluate, Limits, Progress, Search, Settings, accompany,
};

use crate::conclusion::conclude;
use crate::report::{Report, Told};
use crate::schedule::{Findings, concurrent, phased};
use crate::strategy::StrategyTable;
use crate::task::{Task, moves};
use crate::tunables as t;
use crate::verdict::Model;

/// How the searches share the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// One after the other, as in the hybrid paper's Algorithm 1.
    Phased,
    /// Side by side, with live exchange.
    #[default]
    Concurrent,
}

/// Settings of the tandem that are its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// How the searches share the time.
    pub schedule: Schedule,
    /// Where strategies come from.
    pub table: StrategyTable,
    /// Whether the kind of position decides on the strategy; otherwise all are taken for balanced.
    pub uses_classifier: bool,
    /// Whether alpha-beta has a say in which move is played; otherwise the explored one is.
    pub uses_verifier: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            schedule: Schedule::default(),
            table: StrategyTable::Tuned,
            uses_classifier: true,
            uses_verifier: true,
        }
    }
}

/// Alpha-beta and Monte Carlo tree search in tandem.
pub struct Hybrid<E, L> {
    alphabeta: AlphaBeta<E>,
    mcts: Mcts<L>,
    settings: Settings,
    params: Params,
    model: Model,
}

/// What half of a MiB is: where there is but one, each search gets this much.
const HALF: usize = 1 << 19;

impl<E: Evaluate, L: Evaluate> Hybrid<E, L> {
    /// The tandem of two searches, each of which is made with its part of the settings.
    pub fn new(
        settings: &Settings,
        params: &Params,
        alphabeta: impl FnOnce(&Settings) -> AlphaBeta<E>,
        mcts: impl FnOnce(&Settings) -> Mcts<L>,
    ) -> Self {
        let [table, tree] = divide(settings);
        let mut hybrid = Self {
            alphabeta: alphabeta(&table),
            mcts: mcts(&tree),
            settings: settings.clone(),
            params: params.clone(),
            model: Model::own(),
        };
        hybrid.lend();
        hybrid
    }

    /// Decides disagreements by another model.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Self {
        self.model = model;
        self
    }

    /// Goes by other settings of its own from the next search on.
    pub fn set_params(&mut self, params: &Params) {
        self.params = params.clone();
    }

    /// Bytes of table and tree together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.alphabeta.bytes() + self.mcts.bytes()
    }

    /// Has both search. `tell` hears what is always reported; who listens to `news` also hears what happens
    /// meanwhile on other threads.
    fn work(
        &mut self,
        task: &Task<'_>,
        news: Option<&Sender<Told>>,
        tell: &mut dyn FnMut(Told),
    ) -> Findings {
        let (alphabeta, mcts) = (&mut self.alphabeta, &mut self.mcts);
        match self.params.schedule {
            Schedule::Concurrent => {
                concurrent(alphabeta, mcts, self.settings.threads, task, news, tell)
            }
            Schedule::Phased => phased(alphabeta, mcts, self.params.uses_verifier, task, tell),
        }
    }

    /// Where there is but one MiB, each search leaves half of it to the other.
    fn lend(&mut self) {
        let is_scarce = self.settings.hash <= 1;
        self.alphabeta.lend(if is_scarce { HALF } else { 0 });
        if is_scarce {
            self.mcts.lend(HALF);
        }
    }
}

/// The settings of alpha-beta and of Monte Carlo tree search, which share the memory.
fn divide(settings: &Settings) -> [Settings; 2] {
    let hash = settings.hash.max(1);
    let tree = (hash * t::tree_share() as usize / 100).max(1);
    let table = (hash - tree).max(1);
    [table, tree].map(|hash| Settings { hash, ..settings.clone() })
}

impl<E: Evaluate, L: Evaluate> Search for Hybrid<E, L> {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        if moves(game, limits).len() < 2 {
            // There is nothing to disagree about.
            return self.alphabeta.search(game, limits, control, observer);
        }
        let side = game.position().side_to_move();
        let budget = Budget::new(limits, side, self.settings.move_overhead);
        let task = Task::new(game, limits, control, &self.params, budget);
        let mut report = Report::new(observer, task.start);
        let findings = match self.settings.live {
            None => self.work(&task, None, &mut |told| report.hear(told, &task)),
            Some(every) => accompany(
                every,
                |news| {
                    // Whoever hears stays to the end.
                    let mut tell = |told| drop(news.send(told));
                    self.work(&task, Some(&news), &mut tell)
                },
                |beat| match beat {
                    Beat::News(told) => report.hear(told, &task),
                    Beat::Pulse => report.pulse(&task),
                },
            ),
        };
        let is_live = self.settings.live.is_some();
        let lines = self.settings.multi_pv;
        conclude(&self.params, &self.model, &task, &findings, (lines, is_live), &mut report)
    }

    fn get_ready(&mut self) {
        self.alphabeta.get_ready();
        self.mcts.get_ready();
    }

    fn new_game(&mut self) {
        self.alphabeta.new_game();
        self.mcts.new_game();
    }

    fn configure(&mut self, settings: &Settings) {
        let was_scarce = self.settings.hash <= 1;
        self.settings = settings.clone();
        if was_scarce && settings.hash > 1 {
            self.mcts.lend(0);
        }
        self.lend();
        let [table, tree] = divide(settings);
        self.alphabeta.configure(&table);
        self.mcts.configure(&tree);
    }
}
