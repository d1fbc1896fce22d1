//! The plain engine: the search and the evaluation of the HPC paper, and the steps that its author
//! names as future work. It is the readable baseline that every comparison starts from.
//!
//! There is one [`TreeSearch`]; a [`Recipe`] says what it is made of. [`Paper`] counts exactly the
//! nodes of the paper's Table 1, [`Playing`] is what [`Classic`] plays games with.

mod classic;
mod evaluation;
mod memory;
mod node;
mod order;
mod quiescence;
mod recipe;
mod rules;
mod steps;
mod stopwatch;
mod table;
#[cfg(test)]
mod testing;
mod tree;
mod value;
mod watch;

pub use classic::Classic;
pub use evaluation::{Evaluation, Tally};
pub use memory::Memory;
pub use order::{CapturesFirst, Experience, Hints, Informed, Order};
pub use recipe::{
    Paper, PaperWithOrder, PaperWithQuiescence, PaperWithTable, Plain, Playing, Recipe,
};
pub use rules::{ChessRules, PaperRules, Rules};
pub use steps::{Measurement, Published, Step};
pub use table::{Entry, Table};
pub use tree::{Counts, MAX_DEPTH, TreeSearch};
pub use value::{Value, Window};
pub use watch::{Stopped, Watch};
