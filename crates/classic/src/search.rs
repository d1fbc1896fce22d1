//! Alpha-beta, the one search of this crate.

use tandem_chess::{Game, KeyHistory, Move, Position};

use crate::limits::Clock;
use crate::order::{Experience, Hints, Order, is_tactical};
use crate::table::{Bound, Entry, Table};
use crate::{Evaluation, Limits, Recipe, Rules, Stopped, Tally, Value, Window};

/// No search goes deeper than this.
pub const MAX_DEPTH: u32 = 100;

/// What outlives a search and helps the next one.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) table: Table,
    pub(crate) experience: Experience,
}

impl Memory {
    /// Nothing is remembered yet; the table takes at most that many MiB.
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        Self {
            table: Table::new(table_mib),
            experience: Experience::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.experience = Experience::default();
    }
}

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

/// A position in the tree.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) position: Position,
    pub(crate) tally: Tally,
    pub(crate) ply: usize,
}

impl Node {
    #[inline]
    pub(crate) fn after(&self, m: Move) -> Self {
        let mut next = *self;
        next.position.make(m, &mut next.tally);
        next.ply += 1;
        next
    }

    /// The evaluation from the side to move.
    #[inline]
    pub(crate) fn evaluation(&self) -> Value {
        self.tally.value(self.position.side_to_move())
    }
}

/// What the moves of a node have shown so far.
struct Tried {
    /// What is still open: the best move raises its lower end.
    window: Window,
    best: Value,
    best_move: Option<Move>,
    any: bool,
}

impl Tried {
    #[inline]
    fn nothing(window: Window) -> Self {
        Self {
            window,
            best: -Value::INFINITE,
            best_move: None,
            any: false,
        }
    }

    /// Notes what a move is worth; answers whether it is the best yet and good enough to matter.
    #[inline]
    fn improves(&mut self, m: Move, value: Value) -> bool {
        self.any = true;
        self.best = self.best.max(value);
        let matters = value > self.window.alpha;
        if matters {
            self.window.alpha = value;
            self.best_move = Some(m);
        }
        matters
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

/// A search from one root.
pub struct Search<'a, R: Recipe> {
    root: Node,
    pub(crate) memory: &'a mut Memory,
    pub(crate) clock: Clock<'a>,
    pub(crate) counts: Counts,
    /// The game's positions and those of the line looked at; the rules without draws need none.
    path: KeyHistory,
    /// For each ply the best line from there on.
    lines: Vec<Vec<Move>>,
    /// What the first of these lines is worth.
    value: Value,
    recipe: std::marker::PhantomData<R>,
}

impl<'a, R: Recipe> Search<'a, R> {
    /// A search of the position that the game has reached.
    #[must_use]
    pub fn new(
        game: &Game,
        evaluation: Evaluation,
        memory: &'a mut Memory,
        limits: Limits<'a>,
    ) -> Self {
        let position = *game.position();
        Self {
            root: Node {
                position,
                tally: Tally::new(evaluation, &position),
                ply: 0,
            },
            memory,
            clock: Clock::start(limits),
            counts: Counts::default(),
            path: game.history().clone(),
            lines: vec![Vec::new(); MAX_DEPTH as usize + 2],
            value: Value::DRAW,
            recipe: std::marker::PhantomData,
        }
    }

    /// Searches to one depth. The best line is then in [`line`](Self::line).
    ///
    /// # Errors
    /// A limit was reached. The line is then the best of the moves that were finished, if any.
    pub fn run(&mut self, depth: u32) -> Result<Value, Stopped> {
        self.lines.iter_mut().for_each(Vec::clear);
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
        self.clock.tick(self.counts.nodes())?;

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
        if depth == 1 && R::BARE_LEAVES {
            self.try_moves(node, depth, window, moves, |search, m, _| {
                search.counts.leaves += 1;
                Ok(node.tally.value_after(&node.position, m))
            })
        } else {
            self.try_moves(node, depth, window, moves, |search, m, window| {
                search.child(node, m, depth - 1, window)
            })
        }
    }

    /// The move loop of [`alpha_beta`](Self::alpha_beta); `child` tells what a move is worth to the
    /// side that makes it.
    #[inline]
    fn try_moves(
        &mut self,
        node: &Node,
        depth: u32,
        window: Window,
        moves: R::Order,
        mut child: impl FnMut(&mut Self, Move, Window) -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        let mut tried = Tried::nothing(window);
        let end = moves.visit::<R::Rules, End>(&node.position, |m| {
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
            return Ok(if node.position.in_check() {
                R::Rules::mated(node.ply, depth)
            } else {
                Value::DRAW
            });
        }
        let bound = if tried.best >= window.beta {
            Bound::Lower
        } else if tried.best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.remember(node, depth, (tried.best, bound), tried.best_move);
        Ok(tried.best)
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
        if R::TABLE {
            self.memory.table.find(node.position.key()).copied()
        } else {
            None
        }
    }

    #[inline]
    fn remember(
        &mut self,
        node: &Node,
        depth: u32,
        found: (Value, Bound),
        best_move: Option<Move>,
    ) {
        if R::TABLE {
            let place = (node.ply, depth);
            let entry = Entry::new::<R::Rules>(node.position.key(), place, found, best_move);
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
