//! One thread of the search: its line, its memory, and when it has to stop.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tandem_chess::{Color, Game, KeyHistory, Move, PieceType, Position, Wdl};
use tandem_search::{Company, Control, Evaluate, Side};

use crate::correction::Corrections;
use crate::endgames::Tables;
use crate::history::{ContinuationKey, Histories};
use crate::reductions::Reductions;
use crate::stack::{Line, Stack};
use crate::table::Table;
use crate::value::{DRAW, INFINITE, MAX_PLY, Value};

/// What the threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub tables: Tables<'a>,
    pub control: &'a Control,
    /// Set when any limit is reached: every thread returns.
    pub stop: AtomicBool,
    /// Positions visited by each thread.
    pub nodes: &'a [AtomicU64],
    /// Stop after that many positions.
    pub node_limit: Option<u64>,
    /// Whether time is up; asked by the first thread now and then.
    pub is_out_of_time: &'a (dyn Fn() -> bool + Sync),
    /// The other search that looks at the position, if there is one.
    pub company: Company<'a>,
}

impl Shared<'_> {
    /// Whether every thread has to return.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search has ended, or is about to.
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.control.is_stopped()
    }

    /// Whether the user or the clock ends the search.
    fn is_told_to_stop(&self) -> bool {
        if let Some(slate) = self.company.slate {
            slate.note_nodes(self.total_nodes());
        }
        self.control.is_stopped() || (self.is_out_of_time)()
    }

    /// Positions visited by all threads together.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub m: Move,
    /// Higher is better, whatever the score says: a tablebase has spoken. The same for all moves
    /// if none has.
    pub rank: i32,
    /// What a tablebase says that the move leads to.
    pub proven: Option<Wdl>,
    /// What the history of the root begins with.
    pub expectation: i32,
    /// The score of this iteration; minus infinity if it did not beat the best.
    pub value: Value,
    /// Whether that score is the move's own, not just a bound of it.
    pub exact: bool,
    /// The score of the last iteration.
    pub previous: Value,
    /// The line of the last iteration.
    pub previous_pv: Line,
    /// A running mean of the scores, around which the next window opens.
    pub average: Value,
    pub seldepth: usize,
    /// Positions visited below this move.
    pub nodes: u64,
    pub pv: Line,
}

impl RootMove {
    pub fn new(m: Move) -> Self {
        let mut pv = Line::new();
        pv.push(m);
        Self {
            m,
            rank: 0,
            proven: None,
            expectation: 0,
            value: -INFINITE,
            exact: false,
            previous: -INFINITE,
            previous_pv: pv.clone(),
            average: -INFINITE,
            seldepth: 0,
            nodes: 0,
            pv,
        }
    }

    /// Another iteration begins.
    pub fn keep(&mut self) {
        self.previous = self.value;
        self.previous_pv = self.pv.clone();
    }

    /// The iteration is not finished: if it has only a bound of this move, the last one counts.
    pub fn settle(&mut self) {
        if !self.exact {
            self.value = self.previous;
            self.pv = self.previous_pv.clone();
        }
    }

    /// Sorts the best to the front.
    pub const fn order(&self) -> (Reverse<i32>, Reverse<Value>) {
        (Reverse(self.rank), Reverse(self.value))
    }
}

/// Positions between two questions whose turn it is.
const REST: u64 = 256;

/// One thread. It keeps what it learnt from move to move until a new game begins.
pub struct Worker<E> {
    pub id: usize,
    /// Whether it takes turns with a thread of another search.
    pub is_divided: bool,
    /// Whether it looks at one move alone, so that what it finds is not about the root.
    pub is_verifying: bool,
    pub evaluator: E,
    pub histories: Histories,
    pub corrections: Corrections,
    pub reductions: Reductions,
    pub stack: Stack,
    pub keys: KeyHistory,
    /// How many plies before ply 0 belong to the same line of search: none where ply 0 is the root,
    /// all since the root of the tree where ply 0 is a leaf of one.
    pub lead: usize,
    pub root_moves: Vec<RootMove>,
    /// Which of the root moves the present line is about, if several lines are asked for.
    pub line: usize,
    pub root_depth: i32,
    pub root_delta: Value,
    pub completed_depth: i32,
    pub nodes: u64,
    pub seldepth: usize,
    /// How much less than nothing a draw is worth at the root.
    pub contempt: Value,
    /// No null move above this ply for the verifying side.
    pub null_ply: usize,
}

impl<E: Evaluate> Worker<E> {
    pub fn new(id: usize, evaluator: E) -> Self {
        Self {
            id,
            is_divided: false,
            is_verifying: false,
            evaluator,
            histories: Histories::new(),
            corrections: Corrections::new(),
            reductions: Reductions::new(),
            stack: Stack::new(),
            keys: KeyHistory::new(),
            lead: 0,
            root_moves: Vec::new(),
            line: 0,
            root_depth: 0,
            root_delta: 1,
            completed_depth: 0,
            nodes: 0,
            seldepth: 0,
            contempt: 0,
            null_ply: 0,
        }
    }

    /// Forgets what earlier games taught.
    pub fn new_game(&mut self) {
        self.histories = Histories::new();
        self.corrections = Corrections::new();
    }

    /// Gets ready for a search of that game's position.
    pub fn prepare(&mut self, game: &Game, root_moves: &[RootMove], contempt: Value) {
        self.contempt = contempt;
        self.evaluator.reset(game.position());
        self.histories.forget_low_plies();
        for root in root_moves {
            self.histories.expect_at_root(root.m, root.expectation);
        }
        self.reductions = Reductions::new();
        self.stack.reset();
        self.keys = game.history().clone();
        self.root_moves = root_moves.to_vec();
        self.line = 0;
        self.completed_depth = 0;
        self.nodes = 0;
        self.null_ply = 0;
        self.is_verifying = false;
    }

    /// Counts a node and looks whether the search must end. Answers whether it must.
    #[inline]
    pub fn visit(&mut self, shared: &Shared<'_>) -> bool {
        if shared.is_stopped() {
            return true;
        }
        self.nodes += 1;
        shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        if self.is_divided && self.nodes.is_multiple_of(REST) {
            self.rest(shared);
        }
        if self.id == 0 {
            let over = shared.node_limit.is_some_and(|limit| self.over_limit(shared, limit))
                || (self.nodes.is_multiple_of(1024) && shared.is_told_to_stop());
            if over {
                shared.stop.store(true, Ordering::Relaxed);
                return true;
            }
        }
        false
    }

    /// Waits while it is another search's turn.
    #[cold]
    fn rest(&self, shared: &Shared<'_>) {
        if let Some(turns) = shared.company.turns {
            let is_mine_to_tell = self.id == 0;
            turns.rest(Side::Prover, || {
                shared.is_stopped() || is_mine_to_tell && shared.is_told_to_stop()
            });
        }
    }

    /// Looks at the clock after something that may have taken long.
    pub fn heed_clock(&self, shared: &Shared<'_>) {
        if self.id == 0 && shared.is_told_to_stop() {
            shared.stop.store(true, Ordering::Relaxed);
        }
    }

    fn over_limit(&self, shared: &Shared<'_>, limit: u64) -> bool {
        if shared.nodes.len() == 1 { self.nodes >= limit } else { shared.total_nodes() >= limit }
    }

    /// The position after a move, with everything that follows the line told of it.
    #[inline]
    pub fn make(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        m: Move,
        ply: usize,
    ) -> Position {
        let mut next = *position;
        next.make(m, &mut ());
        shared.table.prefetch(next.key());
        let moved = position.piece_on(m.from()).map(|piece| (piece, m.to()));
        let quiet = !crate::picker::is_noisy(position, m);
        let entry = &mut self.stack[ply];
        entry.current = Some(m);
        entry.moved = moved;
        entry.continuation =
            moved.map_or(ContinuationKey::NONE, |(piece, to)| ContinuationKey::new(piece, to));
        entry.quiet = quiet;
        self.keys.push(position.key());
        self.evaluator.push(&next);
        next
    }

    /// The position after passing.
    pub fn make_null(&mut self, shared: &Shared<'_>, position: &Position, ply: usize) -> Position {
        let mut next = *position;
        next.make_null();
        shared.table.prefetch(next.key());
        let entry = &mut self.stack[ply];
        entry.current = None;
        entry.moved = None;
        entry.continuation = ContinuationKey::NONE;
        entry.quiet = false;
        self.keys.push(position.key());
        self.evaluator.push(&next);
        next
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.evaluator.pop();
        self.keys.pop();
    }

    /// What a draw is worth to the side to move at that ply: less than nothing to the side that
    /// decides at the root if it holds its opponent in contempt.
    #[inline]
    pub const fn draw(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) { DRAW - self.contempt } else { DRAW + self.contempt }
    }

    /// A draw, or a tiny bit more or less, so that the search keeps looking among draws.
    #[inline]
    pub fn draw_value(&self, ply: usize) -> Value {
        self.draw(ply) - 1 + (self.nodes & 2) as Value
    }

    /// The value of a line that has ended by repetition, the fifty-move rule, lack of material, or
    /// because it is as long as lines may be.
    #[inline]
    pub fn end_of_line(&mut self, position: &Position, ply: usize) -> Option<Value> {
        if self.is_draw(position, ply) {
            return Some(self.draw_value(ply));
        }
        if ply < MAX_PLY {
            return None;
        }
        Some(if position.in_check() { DRAW } else { self.evaluator.evaluate(position) })
    }

    /// Whether the side to move can repeat a position of the line with its next move.
    #[inline]
    pub fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        self.keys.can_repeat(position, ply + self.lead)
    }

    fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmove_clock() >= 100 && (!position.in_check() || position.has_legal_move()) {
            return true;
        }
        // Within the search one repetition is enough: what was worth repeating once will be again.
        // A position from before the root must have occurred twice.
        let mut earlier = self.keys.occurrences(position);
        match earlier.next() {
            Some(ago) if ago < ply + self.lead => return true,
            Some(_) if earlier.next().is_some() => return true,
            _ => {}
        }
        position.is_insufficient_material()
    }

    /// Whether that side has more than king and pawns, without which passing is dangerous.
    pub fn has_pieces(position: &Position, side: Color) -> bool {
        let plain = position.kind(PieceType::Pawn) | position.kind(PieceType::King);
        (position.color(side) - plain).any()
    }
}
