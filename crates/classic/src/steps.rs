//! The way from the paper's search to one that can play, one measured step at a time.

use std::time::Duration;

use tandem_chess::attacks::indexing;
use tandem_chess::{Game, Move, Position};
use tandem_search::{Control, Limits, Settings};

use crate::watch::{Stopped, Watch};
use crate::{
    Counts, Evaluation, Memory, Paper, PaperWithOrder, PaperWithQuiescence, PaperWithTable, Recipe,
    TreeSearch, Value,
};

/// A search of the ladder; each has everything of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The paper's search.
    Paper,
    /// A transposition table.
    Table,
    /// One depth after the other, trying first what the table and earlier cutoffs suggest.
    Order,
    /// Captures played out at the leaves.
    Quiescence,
}

/// What one search did.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The work, of all depths together where one was searched after the other.
    pub counts: Counts,
    /// The time it took.
    pub time: Duration,
    /// What the root is worth.
    pub value: Value,
    /// The move to play.
    pub best: Option<Move>,
}

impl Step {
    /// All steps, first to last.
    pub const ALL: [Self; 4] = [Self::Paper, Self::Table, Self::Order, Self::Quiescence];

    /// A word for tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Table => "table",
            Self::Order => "order",
            Self::Quiescence => "quiescence",
        }
    }

    /// Searches a position to a depth with an empty memory.
    #[must_use]
    pub fn measure(
        self,
        position: &Position,
        evaluation: Evaluation,
        depth: u32,
        table_mib: usize,
    ) -> Measurement {
        let run = match self {
            Self::Paper => run::<Paper>,
            Self::Table => run::<PaperWithTable>,
            Self::Order => run::<PaperWithOrder>,
            Self::Quiescence => run::<PaperWithQuiescence>,
        };
        // Without a table move to try first, the depths before the last would be wasted.
        let first_depth = match self {
            Self::Paper | Self::Table => depth,
            Self::Order | Self::Quiescence => 1,
        };
        let mut memory = Memory::new(if self == Self::Paper { 0 } else { table_mib });
        // The attack tables are filled by whoever asks first, which is not the search's work.
        let _ = indexing();
        run(position, evaluation, first_depth..=depth, &mut memory)
            .expect("nothing stops a search without limits")
    }
}

fn run<R: Recipe>(
    position: &Position,
    evaluation: Evaluation,
    depths: std::ops::RangeInclusive<u32>,
    memory: &mut Memory,
) -> Result<Measurement, Stopped> {
    let game = Game::new(*position);
    let (limits, control) = (Limits::default(), Control::default());
    let watch = Watch::start(&limits, &control, &Settings::default(), position.side_to_move());
    let mut search = TreeSearch::<R>::new(&game, evaluation, memory, watch);
    let mut value = Value::DRAW;
    for depth in depths {
        value = search.run(depth)?;
    }
    Ok(Measurement {
        counts: search.counts(),
        time: search.watch.elapsed(),
        value,
        best: search.line().first().copied(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_start(step: Step, depth: u32) -> Measurement {
        step.measure(&Position::startpos(), Evaluation::Positional, depth, 16)
    }

    /// Interior nodes, all calls and best move as counted by the paper's own program.
    const TABLE_1: [(u32, u64, u64, &str); 3] = [
        (6, 227_362, 1_675_071, "e2e3"),
        (7, 1_327_027, 9_940_730, "b1c3"),
        (8, 12_895_763, 88_869_796, "e2e3"),
    ];

    #[test]
    fn the_paper_s_nodes_are_counted_exactly() {
        for (depth, interior, calls, best) in TABLE_1 {
            let measured = from_start(Step::Paper, depth);
            assert_eq!(measured.counts.interior, interior);
            assert_eq!(measured.counts.nodes(), calls);
            assert_eq!(measured.best.map(|m| m.to_string()).as_deref(), Some(best));
        }
    }

    #[test]
    fn each_saving_step_saves_nodes_and_keeps_the_value() {
        let paper = from_start(Step::Paper, 6);
        let table = from_start(Step::Table, 6);
        let order = from_start(Step::Order, 6);
        assert_eq!((table.value, table.best), (paper.value, paper.best));
        assert_eq!(order.value, paper.value);
        assert!(table.counts.interior < paper.counts.interior);
        assert!(order.counts.interior < table.counts.interior / 4);
    }
}
