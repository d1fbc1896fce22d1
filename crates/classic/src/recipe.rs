//! What a search is made of. Each step of the way from the paper's search to one that can play is a
//! type, and the compiler makes a search of each.

use crate::order::{CapturesFirst, Informed, Order};
use crate::{ChessRules, PaperRules, Rules};

/// The parts that one search is put together from.
pub trait Recipe {
    /// The rules it plays by.
    type Rules: Rules;
    /// The order in which it tries moves.
    type Order: Order;
    /// Whether it remembers positions in a transposition table.
    const TABLE: bool;
    /// Whether it plays out captures before it trusts an evaluation.
    const QUIESCENCE: bool;

    /// Whether a leaf is its evaluation and nothing else, so that it need not be set up.
    const BARE_LEAVES: bool = !Self::QUIESCENCE && !Self::Rules::DRAWS;
}

/// The search of the HPC paper's Table 1.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl Recipe for Paper {
    type Rules = PaperRules;
    type Order = CapturesFirst;
    const TABLE: bool = false;
    const QUIESCENCE: bool = false;
}

/// The paper's future work: the same search with a transposition table.
#[derive(Clone, Copy, Debug)]
pub struct PaperWithTable;

impl Recipe for PaperWithTable {
    type Rules = PaperRules;
    type Order = CapturesFirst;
    const TABLE: bool = true;
    const QUIESCENCE: bool = false;
}

/// The table, and an order that learns from it and from earlier cutoffs.
#[derive(Clone, Copy, Debug)]
pub struct PaperWithOrder;

impl Recipe for PaperWithOrder {
    type Rules = PaperRules;
    type Order = Informed;
    const TABLE: bool = true;
    const QUIESCENCE: bool = false;
}

/// Table, order, and leaves at which no capture is pending.
#[derive(Clone, Copy, Debug)]
pub struct PaperWithQuiescence;

impl Recipe for PaperWithQuiescence {
    type Rules = PaperRules;
    type Order = Informed;
    const TABLE: bool = true;
    const QUIESCENCE: bool = true;
}

/// The paper's bare search by the laws of chess.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Recipe for Plain {
    type Rules = ChessRules;
    type Order = CapturesFirst;
    const TABLE: bool = false;
    const QUIESCENCE: bool = false;
}

/// All steps by the laws of chess: what plays games.
#[derive(Clone, Copy, Debug)]
pub struct Playing;

impl Recipe for Playing {
    type Rules = ChessRules;
    type Order = Informed;
    const TABLE: bool = true;
    const QUIESCENCE: bool = true;
}
