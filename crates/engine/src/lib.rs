//! One engine for every face of the program: options, the game, and a search in the background.

mod bench;
pub mod book;
mod engine;
mod evaluation;
mod explain;
mod gpu;
mod mcts;
pub mod networks;
mod openings;
mod options;
mod strength;
pub mod tablebases;
#[cfg(test)]
mod testing;
pub mod tunables;

pub use bench::{BENCH_DEPTH, Bench, bench, speed};
pub use engine::{Engine, Event, search};
pub use explain::explain;
pub use gpu::gpu_bench;
pub use mcts::{Leaf, Profile, mcts};
pub use openings::Openings;
pub use options::{LeafKind, OptionError, OptionKind, OptionSpec, Options, SearchMode};
pub use tandem_mcts::{Counts, Mcts, Params, Phase, Policy};
pub use tandem_nnue::Digest;
pub use tandem_search::{
    Bound, Choice, Clock, Control, Limits, MoveReport, Progress, Score, Search, Settings,
};
