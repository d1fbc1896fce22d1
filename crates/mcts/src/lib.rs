//! The search that explores: Monte Carlo tree search with a network's evaluation at every leaf, on all
//! threads, in constant memory.
//!
//! [`Mcts`] is the search. A *playout* goes from the root to a leaf by PUCT (`select`), evaluates it, and
//! carries the value back (`worker`). The tree lies in an arena of fixed size (`arena`, `node`, `tree`);
//! evaluations are shared between paths (`table`); priors come from [`Priors`]. Every number that could
//! be otherwise is in [`tunables`].

mod apart;
mod arena;
mod batch;
mod camp;
mod choices;
mod company;
mod contempt;
mod counts;
mod expand;
mod gate;
mod judged;
mod line;
pub mod math;
mod node;
mod outlook;
mod pace;
mod params;
mod priors;
mod root;
mod search;
mod select;
mod shared;
mod table;
mod temperature;
mod tree;
pub mod tunables;
mod value;
mod verdict;
mod worker;

pub use batch::Batches;
pub use choices::Choices;
pub use contempt::Frozen;
pub use counts::{Counts, Phase};
pub use params::{ContemptMode, Noise, Params};
pub use priors::{Policy, Priors, softmax};
pub use search::Mcts;
pub use temperature::Temperature;
