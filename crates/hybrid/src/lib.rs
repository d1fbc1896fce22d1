//! The two searches in tandem: what kind of position it is, and how the work is divided.
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
pub mod strategy;

pub use classifier::{Classification, Features, PositionType};
pub use strategy::{Share, Strategy, StrategyTable};
