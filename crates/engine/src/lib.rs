//! One engine for every face of the program: options, the game, and a search in the background.

// What wgpu's types are made of lies deep.
#![recursion_limit = "256"]

mod bench;
pub mod book;
mod engine;
mod evaluation;
mod explain;
mod gpu;
mod likely;
mod mcts;
pub mod networks;
mod odds;
mod openings;
mod options;
mod strength;
pub mod tablebases;
#[cfg(test)]
mod testing;
pub mod tunables;

pub use bench::{BENCH_DEPTH, Bench, bench, gpu_bench, speed};
pub use engine::{Engine, Event, search};
pub use evaluation::Evaluation;
pub use explain::explain;
pub use gpu::Gpu;
pub use likely::{explain_moves, likely_moves};
pub use mcts::{Leaf, Profile, batches, mcts};
pub use odds::{Odds, OddsMode};
pub use openings::Openings;
pub use options::{Backend, LeafKind, OptionError, OptionKind, OptionSpec, Options, SearchMode};
pub use tandem_hybrid::{
    Hybrid, Params as HybridParams, Schedule, Share, Strategy, StrategyTable, verdict,
};
pub use tandem_mcts::{Batches, Choices, Counts, Mcts, Params, Phase, Policy};
pub use tandem_nnue::Digest;
pub use tandem_search::{
    Bound, Choice, Clock, Contender, Control, Deliberation, Exchange, JudgedMove, Limits,
    MoveReport, Progress, Score, Search, Settings, Side,
};
