//! The search that proves: principal variation search with everything strong engines have learnt.
//!
//! [`AlphaBeta`] is the search, [`LeafSearch`] a small one that stands in for an evaluation. Both ask
//! an evaluation that they are given ([`Evaluate`](tandem_search::Evaluate)). The steps of a node are
//! in `node`, `pruning` and `moves`, the order of moves in `picker`, what is remembered in `table`,
//! `history` and `correction`, and every number that could be otherwise in [`tunables`].

mod company;
mod correction;
mod endgames;
mod history;
mod leaf;
mod learning;
mod live;
mod moves;
mod node;
mod pace;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod root;
mod stack;
mod table;
mod threads;
pub mod tunables;
pub mod value;
mod worker;

pub use leaf::{LeafSearch, LeafTable};
pub use threads::{AlphaBeta, Decision, RootPolicy};
