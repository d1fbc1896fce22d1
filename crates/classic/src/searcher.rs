//! Playing: one depth after the other until the time is up.

use std::time::Duration;

use tandem_chess::{Game, Move};

use crate::{Evaluation, Limits, MAX_DEPTH, Memory, Playing, Score, Search, Value};

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The depth that was finished.
    pub depth: u32,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Nodes entered so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// The line both sides should follow; every move is legal.
    pub pv: &'a [Move],
}

/// What a search decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; none only if there is no legal move.
    pub best: Option<Move>,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The last depth that was finished.
    pub depth: u32,
    /// Nodes entered.
    pub nodes: u64,
}

impl Answer {
    /// There is nothing to search.
    fn game_over(game: &Game) -> Self {
        let value = if game.position().in_check() {
            Value::mated_after(0)
        } else {
            Value::DRAW
        };
        Self {
            best: None,
            ponder: None,
            score: value.score(),
            depth: 0,
            nodes: 0,
        }
    }
}

/// A player with its memory. The same games in the same order get the same answers.
#[derive(Clone, Debug)]
pub struct Searcher {
    memory: Memory,
    evaluation: Evaluation,
}

impl Searcher {
    /// A player whose table takes at most that many MiB.
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        Self {
            memory: Memory::new(table_mib),
            evaluation: Evaluation::default(),
        }
    }

    /// Forgets all that was learnt, as for a new game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches the game's present position and reports each finished depth.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        mut on_info: impl FnMut(&Info),
    ) -> Answer {
        let moves = game.position().legal_moves();
        let Some(&first) = moves.first() else {
            return Answer::game_over(game);
        };
        let evaluation = self.evaluation;
        let mut line = vec![first];
        let mut value = evaluation.evaluate(game.position());
        let mut finished = 0;
        let mut search = Search::<Playing>::new(game, evaluation, &mut self.memory, limits);
        while finished < MAX_DEPTH
            && search
                .clock
                .allows_depth(finished + 1, search.counts.nodes())
        {
            let found = search.run(finished + 1);
            // A depth that was broken off still counts if its first move, the best so far, was
            // finished: what it then prefers is better.
            if !search.line().is_empty() {
                value = search.value();
                line = search.line().to_vec();
            }
            if found.is_err() {
                break;
            }
            finished += 1;
            on_info(&Info {
                depth: finished,
                score: value.score(),
                nodes: search.counts.nodes(),
                time: search.clock.elapsed(),
                hash_full: search.memory.table.permille_full(),
                pv: &line,
            });
        }
        Answer {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            score: value.score(),
            depth: finished,
            nodes: search.counts.nodes(),
        }
    }
}
