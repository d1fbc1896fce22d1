//! The way from the paper's search to one that can play, one measured step at a time.

use std::time::Duration;

use tandem_chess::attacks::indexing;
use tandem_chess::{Game, Move, Position};
use tandem_search::{Control, Limits, Settings};

use crate::stopwatch::processor_time;
use crate::watch::{Stopped, Watch};
use crate::{
    Counts, Evaluation, Memory, Paper, PaperWithOrder, PaperWithQuiescence, PaperWithTable, Recipe,
    TreeSearch, Value,
};

/// A row of the paper's Table 1, from its author's machine.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// How deep the start position was searched.
    pub depth: u32,
    /// Interior nodes below the root.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
    /// Nodes a second, as rounded there.
    pub nps: u64,
}

impl Published {
    const fn new(depth: u32, nodes: u64, seconds: f64, nps: u64) -> Self {
        Self { depth, nodes, seconds, nps }
    }

    /// The paper's Table 1.
    pub const TABLE_1: [Self; 4] = [
        Self::new(6, 227_362, 0.0913, 2_500_000),
        Self::new(7, 1_327_027, 0.4718, 2_800_000),
        Self::new(8, 12_895_763, 3.9007, 3_300_000),
        Self::new(9, 61_428_964, 20.8654, 2_900_000),
    ];
}

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
    /// The processor time it took.
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

    /// What it adds, for people.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Paper => "the paper's search",
            Self::Table => "Zobrist keys and a transposition table",
            Self::Order => "depth after depth, trying first what the table and cutoffs suggest",
            Self::Quiescence => "captures played out at the leaves, which changes their values",
        }
    }

    /// The step that this one builds on.
    #[must_use]
    pub const fn before(self) -> Option<Self> {
        match self {
            Self::Paper => None,
            Self::Table => Some(Self::Paper),
            Self::Order => Some(Self::Table),
            Self::Quiescence => Some(Self::Order),
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
    let started = processor_time();
    let (limits, control) = (Limits::default(), Control::default());
    let watch = Watch::start(&limits, &control, &Settings::default(), position.side_to_move());
    let mut search = TreeSearch::<R>::new(&game, evaluation, memory, watch);
    let mut value = Value::DRAW;
    for depth in depths {
        value = search.run(depth)?;
    }
    Ok(Measurement {
        counts: search.counts(),
        time: processor_time().saturating_sub(started),
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

    /// Depth, all calls and best move, as the paper's own program counts and finds them.
    const CALLS_AND_MOVES: [(u32, u64, &str); 3] =
        [(6, 1_675_071, "e2e3"), (7, 9_940_730, "b1c3"), (8, 88_869_796, "e2e3")];

    #[test]
    fn the_paper_s_nodes_are_counted_exactly() {
        for ((depth, calls, best), published) in CALLS_AND_MOVES.into_iter().zip(Published::TABLE_1)
        {
            let measured = from_start(Step::Paper, depth);
            assert_eq!(measured.counts.interior, published.nodes);
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
