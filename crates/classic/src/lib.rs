//! The plain engine: the search and the evaluation of the HPC paper, and the steps that its author
//! names as future work. It is the readable baseline that every comparison starts from.
//!
//! There is one [`Search`]; a [`Recipe`] says what it is made of. [`Paper`] counts exactly the
//! nodes of the paper's Table 1, [`Playing`] is what a [`Searcher`] plays games with.

mod evaluation;
mod limits;
mod order;
mod quiescence;
mod recipe;
mod rules;
mod search;
mod searcher;
mod steps;
mod table;
#[cfg(test)]
mod testing;
mod value;

pub use evaluation::{Evaluation, Tally};
pub use limits::{Limits, Stopped};
pub use order::{CapturesFirst, Experience, Hints, Informed, Order};
pub use recipe::{
    Paper, PaperWithOrder, PaperWithQuiescence, PaperWithTable, Plain, Playing, Recipe,
};
pub use rules::{ChessRules, PaperRules, Rules};
pub use search::{Counts, MAX_DEPTH, Memory, Search};
pub use searcher::{Answer, Info, Searcher};
pub use steps::{Measurement, Step};
pub use table::{Entry, Table};
pub use value::{Bound, Score, Value, Window};
