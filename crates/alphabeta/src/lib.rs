//! The search that proves: principal variation search with everything strong engines have learnt.
//!
//! [`AlphaBeta`] is the search; [`Evaluate`] is what it asks of an evaluation. The steps of a node
//! are in `node`, `pruning` and `moves`, the order of moves in `picker`, what is remembered in `table`,
//! `history` and `correction`, and every number that could be otherwise in [`tunables`].

mod correction;
mod endgames;
mod evaluate;
mod history;
mod learning;
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

pub use evaluate::Evaluate;
pub use threads::AlphaBeta;
