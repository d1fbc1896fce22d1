//! One search: what is asked, and by which strategy it is answered.

use std::time::Instant;

use tandem_chess::{Game, Move};
use tandem_search::{Budget, Control, Limits, Slate, Timer};

use crate::classifier::{Classification, PositionType};
use crate::hybrid::Params;
use crate::strategy::{Strategy, StrategyTable};
use crate::tunables as t;

/// What is asked of one search.
pub struct Task<'a> {
    pub game: &'a Game,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub start: Instant,
    pub budget: Option<Budget>,
    pub kind: PositionType,
    pub strategy: Strategy,
    /// The part of the time that Monte Carlo tree search is to have.
    pub share: f64,
    pub slate: Slate,
}

impl<'a> Task<'a> {
    pub fn new(
        game: &'a Game,
        limits: &'a Limits,
        control: &'a Control,
        params: &Params,
        budget: Option<Budget>,
    ) -> Self {
        let start = Instant::now();
        let classification = Classification::of(game.position());
        let strategy = if params.uses_classifier {
            params.table.strategy(&classification)
        } else {
            fixed(params.table)
        };
        let share = strategy.mcts.fraction() * f64::from(t::share_scale()) / 100.0;
        let slate = Slate::new(moves(game, limits), t::terms());
        let kind = classification.kind;
        Self { game, limits, control, start, budget, kind, strategy, share: share.min(0.9), slate }
    }

    /// The clock of the search.
    pub fn timer(&self) -> Timer<'a> {
        Timer::new(self.start, self.budget, self.control)
    }

    /// How many playouts of so many positions are for Monte Carlo tree search where one stands for so many
    /// positions of alpha-beta; and how many positions are left.
    pub fn divide_nodes(&self, nodes: u64, weight: i32) -> (u64, u64) {
        let playouts = (nodes as f64 * self.share / f64::from(weight)) as u64;
        (playouts, nodes.saturating_sub(playouts).max(1))
    }
}

/// The weights of the middle, for every position.
const fn fixed(table: StrategyTable) -> Strategy {
    table.row(PositionType::Balanced)
}

/// The moves that may be played.
pub fn moves(game: &Game, limits: &Limits) -> Vec<Move> {
    let is_asked = |m: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
    game.position().legal_moves().into_iter().filter(is_asked).collect()
}
