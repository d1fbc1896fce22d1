//! Alpha-beta, the one search of this crate, through the tree below one position.

use std::marker::PhantomData;

use tandem_chess::{Game, KeyHistory, Move};

use crate::node::{Node, Tried};
use crate::order::{CapturesFirst, Hints, Order, is_tactical};
use crate::table::Entry;
use crate::watch::{Stopped, Watch};
use crate::{Evaluation, Memory, Recipe, Rules, Tally, Value, Window};

/// No search goes deeper than this.
pub const MAX_DEPTH: u32 = 100;

/// The work a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls with depth to go below the root: the paper's nodes.
    pub interior: u64,
    /// Positions at depth zero whose value is their evaluation.
    pub leaves: u64,
    /// Positions in which captures were played out.
    pub quiescence: u64,
    /// Interior nodes that the table settled.
    pub table_hits: u64,
}

impl Counts {
    /// All nodes that were entered, whatever was done there.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.interior + self.leaves + self.quiescence
    }
}

/// Why a node looks at no more moves.
#[derive(PartialEq, Eq)]
enum End {
    /// A move is so good that the opponent will not allow the node.
    Cutoff,
    /// The search breaks off.
    Stopped,
}

impl From<Stopped> for End {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// A search of the tree below one position.
pub struct TreeSearch<'a, R: Recipe> {
    root: Node,
    pub(crate) memory: &'a mut Memory,
    pub(crate) watch: Watch<'a>,
    pub(crate) counts: Counts,
    /// The longest line looked at, in plies.
    pub(crate) deepest: usize,
    /// Moves that are not looked at in the root.
    barred: Vec<Move>,
    /// The game's positions and those of the line looked at; the rules without draws need none.
    path: KeyHistory,
    /// For each ply the best line from there on.
    lines: Vec<Vec<Move>>,
    /// What the first of these lines is worth.
    value: Value,
    recipe: PhantomData<R>,
}

impl<'a, R: Recipe> TreeSearch<'a, R> {
    /// A search of the position that the game has reached.
    #[must_use]
    pub fn new(
        game: &Game,
        evaluation: Evaluation,
        memory: &'a mut Memory,
        watch: Watch<'a>,
    ) -> Self {
        let position = *game.position();
        Self {
            root: Node { position, tally: Tally::new(evaluation, &position), ply: 0 },
            memory,
            watch,
            counts: Counts::default(),
            deepest: 0,
            barred: Vec::new(),
            path: game.history().clone(),
            lines: vec![Vec::new(); MAX_DEPTH as usize + 2],
            value: Value::DRAW,
            recipe: PhantomData,
        }
    }

    /// From now on looks at all moves of the root but these.
    pub fn bar(&mut self, moves: Vec<Move>) {
        self.barred = moves;
    }

    /// Searches to one depth. The best line is then in [`line`](Self::line).
    ///
    /// # Errors
    /// A limit was reached. The line is then the best of the moves that were finished, if any.
    pub fn run(&mut self, depth: u32) -> Result<Value, Stopped> {
        self.lines.iter_mut().for_each(Vec::clear);
        self.deepest = depth as usize;
        let root = self.root;
        self.alpha_beta(&root, depth.min(MAX_DEPTH), Window::FULL)
    }

    /// The best line of the last [`run`](Self::run).
    #[must_use]
    pub fn line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// What that line is worth.
    #[must_use]
    pub const fn value(&self) -> Value {
        self.value
    }

    /// The work done so far.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The value of a node, exact inside the window; outside it, a bound on the same side.
    fn alpha_beta(&mut self, node: &Node, depth: u32, window: Window) -> Result<Value, Stopped> {
        self.lines[node.ply].clear();
        if node.ply > 0 && R::Rules::DRAWS && self.is_draw(node) {
            return Ok(Value::DRAW);
        }
        if depth == 0 {
            return self.leaf(node, window);
        }
        if node.ply > 0 {
            self.counts.interior += 1;
        }
        self.watch.tick(self.counts.nodes())?;

        if depth == 1 && R::BARE_LEAVES {
            return self.last_ply(node, window);
        }
        let known = self.recall(node);
        if let Some(entry) = known
            && node.ply > 0
            && let Some(value) = entry.settles::<R::Rules>(node.ply, depth, window)
        {
            self.counts.table_hits += 1;
            return Ok(value);
        }
        let hints = Hints {
            table_move: known.and_then(|entry| entry.best),
            experience: &self.memory.experience,
            ply: node.ply,
        };
        let moves = R::Order::new::<R::Rules>(&node.position, hints);
        let tried = self.try_moves(node, depth, window, moves, |search, m, window| {
            search.child(node, m, depth - 1, window)
        })?;
        self.remember(node, depth, window, &tried);
        Ok(tried.best)
    }

    /// The same with one ply to go, where a move is worth the evaluation after it. That is so cheap
    /// that neither the table nor a better order would pay.
    #[inline]
    fn last_ply(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        let tried = self.try_moves(node, 1, window, CapturesFirst, |search, m, _| {
            search.counts.leaves += 1;
            Ok(node.tally.value_after(&node.position, m))
        })?;
        Ok(tried.best)
    }

    /// The move loop of [`alpha_beta`](Self::alpha_beta); `child` tells what a move is worth to the
    /// side that makes it.
    #[inline]
    fn try_moves(
        &mut self,
        node: &Node,
        depth: u32,
        window: Window,
        moves: impl Order,
        mut child: impl FnMut(&mut Self, Move, Window) -> Result<Value, Stopped>,
    ) -> Result<Tried, Stopped> {
        let mut tried = Tried::nothing(window);
        let end = moves.visit::<R::Rules, End>(&node.position, |m| {
            if node.ply == 0 && self.barred.contains(&m) {
                return Ok(());
            }
            let value = child(self, m, tried.window)?;
            if tried.improves(m, value) {
                if node.ply == 0 {
                    self.value = value;
                } else if value >= window.beta {
                    self.learn(node, m, depth);
                    return Err(End::Cutoff);
                }
                self.note_line(node.ply, m);
            }
            Ok(())
        });
        if end == Err(End::Stopped) {
            return Err(Stopped);
        }
        if !tried.any {
            tried.best = if node.position.in_check() {
                R::Rules::mated(node.ply, depth)
            } else {
                Value::DRAW
            };
        }
        Ok(tried)
    }

    /// Makes a move and searches on.
    #[inline]
    fn child(
        &mut self,
        node: &Node,
        m: Move,
        depth: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        if R::Rules::DRAWS {
            self.path.push(node.position.key());
        }
        let value = self.alpha_beta(&node.after(m), depth, window.flipped());
        if R::Rules::DRAWS {
            self.path.pop();
        }
        value.map(|value| -value)
    }

    #[inline]
    fn leaf(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        if R::QUIESCENCE {
            self.quiesce(node, window)
        } else {
            self.counts.leaves += 1;
            Ok(node.evaluation())
        }
    }

    /// Fifty moves, bare kings, or a repetition. Coming back once to a position of this search is
    /// enough, since what is best there is best again; positions of the game count as the laws say.
    fn is_draw(&self, node: &Node) -> bool {
        let position = &node.position;
        if position.halfmove_clock() >= 100 {
            return !position.is_checkmate();
        }
        let mut repeats = self.path.occurrences(position).enumerate();
        position.is_insufficient_material()
            || repeats.any(|(count, ago)| ago <= node.ply || count > 0)
    }

    #[inline]
    fn recall(&self, node: &Node) -> Option<Entry> {
        if R::TABLE { self.memory.table.find(node.position.key()).copied() } else { None }
    }

    #[inline]
    fn remember(&mut self, node: &Node, depth: u32, window: Window, tried: &Tried) {
        if R::TABLE && (node.ply > 0 || self.barred.is_empty()) {
            let (key, place) = (node.position.key(), (node.ply, depth));
            let found = (tried.best, window.bound(tried.best));
            let entry = Entry::new::<R::Rules>(key, place, found, tried.best_move);
            self.memory.table.put(entry);
        }
    }

    #[inline]
    fn learn(&mut self, node: &Node, m: Move, depth: u32) {
        if R::Order::LEARNS && !is_tactical(&node.position, m) {
            self.memory.experience.note_refutation(m, node.ply, depth);
        }
    }

    /// The best line from a ply on is the move and the best line after it.
    #[inline(never)]
    fn note_line(&mut self, ply: usize, m: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(m);
        before[ply].extend_from_slice(&after[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{busy_positions, random_positions};
    use crate::{Paper, PaperWithOrder, PaperWithTable, Plain};
    use tandem_chess::{Color, MoveKind, Position};
    use tandem_search::{Control, Limits, Settings};

    fn value_by<R: Recipe>(position: &Position, depth: u32) -> (Value, Option<Move>) {
        let mut memory = Memory::new(if R::TABLE { 4 } else { 0 });
        let (limits, control) = (Limits::default(), Control::default());
        let watch = Watch::start(&limits, &control, &Settings::default(), Color::White);
        let game = Game::new(*position);
        let mut search = TreeSearch::<R>::new(&game, Evaluation::Positional, &mut memory, watch);
        let value = search.run(depth).expect("nothing stops it");
        (value, search.line().first().copied())
    }

    /// The definition that alpha-beta has to live up to.
    fn minimax<R: Rules>(game: &Game, ply: usize, depth: u32) -> Value {
        let position = game.position();
        let mut moves = position.legal_moves();
        moves.retain(|m| R::EN_PASSANT || m.kind() != MoveKind::EnPassant);
        let is_drawn = game.repetitions() > 1
            || position.halfmove_clock() >= 100
            || position.is_insufficient_material();
        if R::DRAWS && ply > 0 && is_drawn && !position.is_checkmate() {
            return Value::DRAW;
        }
        if depth == 0 {
            return Evaluation::Positional.evaluate(position);
        }
        let value_of = |&m: &Move| {
            let mut next = game.clone();
            next.play(m).expect("generated moves are legal");
            -minimax::<R>(&next, ply + 1, depth - 1)
        };
        match moves.iter().map(value_of).max() {
            Some(best) => best,
            None if position.in_check() => R::mated(ply, depth),
            None => Value::DRAW,
        }
    }

    #[test]
    fn alpha_beta_finds_the_value_of_minimax() {
        for position in [random_positions(20, 4), busy_positions()].concat() {
            let game = Game::new(position);
            for depth in 1..=3 {
                let paper = minimax::<crate::PaperRules>(&game, 0, depth);
                assert_eq!(value_by::<Paper>(&position, depth).0, paper, "{position}");
                let plain = minimax::<crate::ChessRules>(&game, 0, depth);
                assert_eq!(value_by::<Plain>(&position, depth).0, plain, "{position}");
            }
        }
    }

    #[test]
    fn repetitions_are_found_like_minimax_finds_them() {
        // Deep enough for both kings to come back.
        let position = "8/8/8/8/8/6pk/6pr/6K1 w - - 0 1".parse().unwrap();
        let game = Game::new(position);
        for depth in 1..=6 {
            let plain = minimax::<crate::ChessRules>(&game, 0, depth);
            assert_eq!(value_by::<Plain>(&position, depth).0, plain);
        }
    }

    #[test]
    fn neither_table_nor_order_changes_a_value_under_the_paper_s_rules() {
        for position in [random_positions(20, 5), busy_positions()].concat() {
            for depth in 2..=4 {
                let (value, best) = value_by::<Paper>(&position, depth);
                assert_eq!(value_by::<PaperWithTable>(&position, depth), (value, best));
                assert_eq!(value_by::<PaperWithOrder>(&position, depth).0, value);
            }
        }
    }
}
