//! A small search in place of a static evaluation.
//!
//! A Monte Carlo tree search asks an evaluation at each of its leaves. Given a leaf search instead,
//! it learns what the leaf is worth once captures are played out, or a few plies further on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use tandem_chess::Position;
use tandem_search::{Company, Control, Endgames, Evaluate};

use crate::endgames::Tables;
use crate::node::Pv;
use crate::table::Table;
use crate::value::{DRAW, INFINITE, MAX_PLY, WIN_BOUND};
use crate::worker::{Shared, Worker};

/// What leaf searches know about positions, shared by those of all threads.
pub struct LeafTable(Table);

impl LeafTable {
    /// A table of at most that many MiB.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self(Table::new(mebibytes))
    }
}

/// The leaf search of one thread: an evaluation that looks ahead before it answers.
///
/// It asks no tablebase and heeds no clock, so a search that uses it is late by one leaf at most.
/// A position that the line has already seen once is a draw, except for the line's first.
pub struct LeafSearch<E> {
    worker: Worker<E>,
    table: Arc<LeafTable>,
    /// How many plies are searched before quiescence; none if 0.
    depth: i32,
    /// The keys of the line, that of its last position included.
    line: Vec<u64>,
    nodes: u64,
    /// Nobody stops a leaf search.
    control: Control,
    /// No tables.
    endgames: Endgames,
}

impl<E: Evaluate> LeafSearch<E> {
    /// Evaluates by quiescence: captures and evasions until nothing hangs. The line begins with the
    /// first position of chess.
    #[must_use]
    pub fn quiescence(evaluator: E, table: Arc<LeafTable>) -> Self {
        Self::new(evaluator, table, 0)
    }

    /// Evaluates by a search that deepens to that many plies, at least one. The line begins with the
    /// first position of chess.
    #[must_use]
    pub fn to_depth(evaluator: E, table: Arc<LeafTable>, depth: u32) -> Self {
        Self::new(evaluator, table, depth.clamp(1, MAX_PLY as u32 - 1) as i32)
    }

    fn new(evaluator: E, table: Arc<LeafTable>, depth: i32) -> Self {
        let mut leaf = Self {
            worker: Worker::new(0, evaluator),
            table,
            depth,
            line: Vec::new(),
            nodes: 0,
            control: Control::new(false),
            endgames: Endgames::default(),
        };
        leaf.worker.root_delta = 2 * INFINITE;
        leaf.reset(&Position::startpos());
        leaf
    }

    /// Positions visited so far, leaves included.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl<E: Evaluate> Evaluate for LeafSearch<E> {
    fn new_game(&mut self) {
        self.worker.new_game();
        self.table.0.clear(1);
    }

    /// What the search before knew grows old and gives way first.
    fn new_search(&mut self) {
        self.table.0.next_generation();
    }

    fn reset(&mut self, position: &Position) {
        self.worker.evaluator.reset(position);
        while !self.worker.keys.is_empty() {
            self.worker.keys.pop();
        }
        self.line.clear();
        self.line.push(position.key());
    }

    fn push(&mut self, after: &Position) {
        self.worker.evaluator.push(after);
        self.worker.keys.push(self.line[self.line.len() - 1]);
        self.line.push(after.key());
    }

    fn pop(&mut self) {
        debug_assert!(self.line.len() > 1, "the first position of the line stays");
        self.worker.evaluator.pop();
        self.worker.keys.pop();
        self.line.pop();
    }

    /// The value of the search. Mates become the largest scores that are none.
    fn evaluate(&mut self, position: &Position) -> i32 {
        debug_assert_eq!(self.line.last(), Some(&position.key()), "it ends the line");
        let nodes = [AtomicU64::new(0)];
        let shared = Shared {
            table: &self.table.0,
            tables: Tables::unused(&self.endgames),
            control: &self.control,
            stop: AtomicBool::new(false),
            nodes: &nodes,
            node_limit: None,
            is_out_of_time: &|| false,
            company: Company::default(),
        };
        let worker = &mut self.worker;
        worker.lead = self.line.len() - 1;
        worker.nodes = 0;
        worker.seldepth = 0;
        // Extensions end at twice the depth, and a node looks at the ply below.
        worker.stack.refresh(2 * self.depth as usize + 2);
        let mut value = DRAW;
        for depth in self.depth.min(1)..=self.depth {
            worker.root_depth = depth;
            value = worker.search::<Pv>(&shared, position, 0, depth, -INFINITE, INFINITE, false);
        }
        self.nodes += worker.nodes;
        value.clamp(1 - WIN_BOUND, WIN_BOUND - 1)
    }

    fn centipawns(&self, value: i32, position: &Position) -> i32 {
        self.worker.evaluator.centipawns(value, position)
    }

    fn wdl(&self, value: i32, position: &Position) -> Option<[u16; 3]> {
        self.worker.evaluator.wdl(value, position)
    }

    fn evaluations(&self) -> u64 {
        self.worker.evaluator.evaluations()
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::{Color, PieceType, Random, see};

    use super::*;

    /// Counts material, and insists on being told every move.
    #[derive(Default)]
    struct Material {
        line: Vec<u64>,
        evaluations: u64,
    }

    impl Evaluate for Material {
        fn reset(&mut self, position: &Position) {
            self.line = vec![position.key()];
        }

        fn push(&mut self, after: &Position) {
            self.line.push(after.key());
        }

        fn pop(&mut self) {
            self.line.pop();
        }

        fn evaluate(&mut self, position: &Position) -> i32 {
            assert_eq!(self.line.last(), Some(&position.key()));
            self.evaluations += 1;
            let side = |color: Color| -> i32 {
                PieceType::ALL[..5]
                    .iter()
                    .map(|&kind| position.pieces(color, kind).count() as i32 * see::value(kind))
                    .sum()
            };
            side(position.side_to_move()) - side(!position.side_to_move())
        }

        fn centipawns(&self, value: i32, _: &Position) -> i32 {
            value
        }

        fn wdl(&self, _: i32, _: &Position) -> Option<[u16; 3]> {
            None
        }

        fn evaluations(&self) -> u64 {
            self.evaluations
        }
    }

    fn table() -> Arc<LeafTable> {
        Arc::new(LeafTable::new(1))
    }

    fn quiescence() -> LeafSearch<Material> {
        LeafSearch::quiescence(Material::default(), table())
    }

    fn to_depth(depth: u32) -> LeafSearch<Material> {
        LeafSearch::to_depth(Material::default(), table(), depth)
    }

    /// The value of a position on its own.
    fn value(evaluation: &mut impl Evaluate, fen: &str) -> i32 {
        let position: Position = fen.parse().unwrap();
        evaluation.reset(&position);
        evaluation.evaluate(&position)
    }

    /// Goes on from a position by UCI moves.
    fn play(leaf: &mut LeafSearch<Material>, mut position: Position, moves: &str) -> Position {
        for text in moves.split_whitespace() {
            position = position.after(position.parse_uci(text).unwrap());
            leaf.push(&position);
        }
        position
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    #[test]
    fn a_hanging_queen_is_taken_before_anything_is_counted() {
        let fen = "q3k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        let seen = value(&mut Material::default(), fen);
        assert_eq!(value(&mut quiescence(), fen), seen + see::value(PieceType::Queen));
        assert!(value(&mut to_depth(3), fen) >= seen + see::value(PieceType::Queen));
    }

    #[test]
    fn mates_are_the_largest_scores_that_are_none() {
        assert_eq!(value(&mut to_depth(2), BACK_RANK), WIN_BOUND - 1);
        assert_eq!(value(&mut quiescence(), BACK_RANK), see::value(PieceType::Rook));
        let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(value(&mut to_depth(2), mated), 1 - WIN_BOUND);
        assert_eq!(value(&mut quiescence(), mated), 1 - WIN_BOUND);
    }

    #[test]
    fn the_same_line_with_a_fresh_table_gives_the_same_values() {
        let run = |mut leaf: LeafSearch<Material>| {
            let mut position: Position = KIWIPETE.parse().unwrap();
            leaf.reset(&position);
            let mut values = vec![leaf.evaluate(&position)];
            for text in ["e5g6", "f7g6", "e2a6", "h3g2"] {
                position = play(&mut leaf, position, text);
                values.push(leaf.evaluate(&position));
            }
            (values, leaf.nodes(), leaf.evaluations())
        };
        assert_eq!(run(quiescence()), run(quiescence()));
        let deep = run(to_depth(5));
        assert_eq!(deep, run(to_depth(5)));
        assert!(deep.1 > deep.2 && deep.2 > 0, "the table saves evaluations: {deep:?}");
    }

    #[test]
    fn what_one_thread_has_evaluated_another_need_not() {
        let shared = table();
        let evaluations = || {
            let mut leaf = LeafSearch::quiescence(Material::default(), shared.clone());
            value(&mut leaf, KIWIPETE);
            leaf.evaluations()
        };
        let first = std::thread::scope(|scope| scope.spawn(evaluations).join().unwrap());
        assert!(first > 0);
        assert_eq!(evaluations(), 0);
        LeafSearch::quiescence(Material::default(), shared.clone()).new_game();
        assert_eq!(evaluations(), first);
    }

    #[test]
    fn the_line_is_left_as_it_was() {
        for mut leaf in [quiescence(), to_depth(4)] {
            let root: Position = KIWIPETE.parse().unwrap();
            leaf.reset(&root);
            let position = play(&mut leaf, root, "e5g6 f7g6");
            let line = leaf.worker.evaluator.line.clone();
            leaf.evaluate(&position);
            assert_eq!(leaf.worker.evaluator.line, line);
            assert_eq!((leaf.line.clone(), leaf.worker.keys.len()), (line, 2));
            leaf.pop();
            leaf.pop();
            assert_eq!(leaf.worker.evaluator.line, [root.key()]);
            assert_eq!(leaf.line, [root.key()]);
            leaf.evaluate(&root);
        }
    }

    #[test]
    fn a_position_that_the_line_repeats_is_a_draw() {
        let root: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        let rook = see::value(PieceType::Rook);
        let mut leaf = quiescence();
        leaf.reset(&root);
        let position = play(&mut leaf, root, "a1a2");
        assert_eq!(leaf.evaluate(&position), -rook);
        let position = play(&mut leaf, position, "e8e7 a2a1 e7e8");
        assert_eq!(leaf.evaluate(&position), rook, "the first position may come twice");
        let position = play(&mut leaf, position, "a1a2");
        assert!(leaf.evaluate(&position).abs() <= 1);
        leaf.reset(&position);
        assert_eq!(leaf.evaluate(&position), -rook, "the line before is forgotten");
    }

    #[test]
    fn long_walks_are_followed() {
        for mut leaf in [quiescence(), to_depth(1), to_depth(3)] {
            let mut random = Random::new(7);
            let mut longest = 0;
            for _ in 0..4 {
                let mut line = vec![Position::startpos()];
                leaf.reset(&line[0]);
                for _ in 0..600 {
                    let position = line[line.len() - 1];
                    assert!(leaf.evaluate(&position).abs() < WIN_BOUND);
                    let moves = position.legal_moves();
                    if moves.is_empty() || (line.len() > 1 && random.below(16) == 0) {
                        line.pop();
                        leaf.pop();
                        continue;
                    }
                    let next = position.after(moves[random.below(moves.len())]);
                    line.push(next);
                    leaf.push(&next);
                }
                longest = longest.max(line.len());
            }
            assert!(longest > MAX_PLY, "{longest}");
            assert!(leaf.nodes() >= 2400);
        }
    }
}
