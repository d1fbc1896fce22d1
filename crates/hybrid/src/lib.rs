//! The two searches in tandem: what kind of position it is, how the work is divided, and whose move is played.
//!
//! [`Hybrid`] is the search. Alpha-beta and Monte Carlo tree search do not know each other: they write on a
//! [`Slate`](tandem_search::Slate) and ask a [`Recall`](tandem_search::Recall), and this crate introduces them.
//! Every number that could be otherwise is in [`tunables`].
//!
//! ```
//! use tandem_chess::Position;
//! use tandem_hybrid::{Classification, PositionType, StrategyTable};
//!
//! let verdict = Classification::of(&Position::startpos());
//! assert_eq!(verdict.kind, PositionType::HighlyStrategic);
//! let strategy = StrategyTable::Paper.strategy(&verdict);
//! assert_eq!(strategy.mcts.to_string(), "40 %");
//! ```

pub mod classifier;
mod conclusion;
mod crew;
mod hybrid;
mod report;
mod schedule;
pub mod strategy;
mod task;
#[cfg(test)]
mod tests;
pub mod tunables;
pub mod verdict;

pub use classifier::{Classification, Features, PositionType};
pub use hybrid::{Hybrid, Params, Schedule};
pub use strategy::{Share, Strategy, StrategyTable};
