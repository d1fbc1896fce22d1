//! Which evaluation the searches ask: networks where there are any, the plain one of the HPC paper
//! otherwise.

use tandem_alphabeta::value::Value;
use tandem_chess::Position;
use tandem_nnue::{Evaluator, Networks, WinRate};
use tandem_search::{Evaluate, bare_king};

/// The evaluation of one thread.
pub struct Evaluation {
    source: Source,
    /// How often the source has been asked.
    evaluations: u64,
    /// Whether the next position is often one after another move from the same one.
    siblings: bool,
}

/// Where scores come from.
#[allow(clippy::large_enum_variant, reason = "there is one for each thread")]
enum Source {
    /// By networks.
    Networks(Evaluator),
    /// By material and piece-square tables.
    Plain,
}

impl Evaluation {
    /// What those networks say, or the plain evaluation if there are none.
    #[must_use]
    pub fn new(networks: Option<&Networks>) -> Self {
        let source = networks.map_or(Source::Plain, |networks| {
            Source::Networks(Evaluator::new(networks, &Position::startpos()))
        });
        Self { source, evaluations: 0, siblings: true }
    }

    /// The same for a search that seldom looks at two moves of a position in a row.
    #[must_use]
    pub fn alone(networks: Option<&Networks>) -> Self {
        Self { siblings: false, ..Self::new(networks) }
    }
}

/// The plain evaluation counts in centipawns; the searches' margins expect about twice that.
const PLAIN_SCALE: Value = 2;

impl Evaluate for Evaluation {
    fn reset(&mut self, position: &Position) {
        if let Source::Networks(evaluator) = &mut self.source {
            evaluator.reset(position);
        }
    }

    #[inline]
    fn push(&mut self, after: &Position) {
        if let Source::Networks(evaluator) = &mut self.source {
            evaluator.push(after);
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Source::Networks(evaluator) = &mut self.source {
            evaluator.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        if let Some(won) = bare_king(position) {
            return won;
        }
        self.evaluations += 1;
        match &mut self.source {
            Source::Networks(evaluator) if self.siblings => evaluator.evaluate().value(),
            Source::Networks(evaluator) => evaluator.evaluate_alone().value(),
            Source::Plain => {
                PLAIN_SCALE * tandem_classic::Evaluation::Positional.evaluate(position).0
            }
        }
    }

    fn centipawns(&self, value: Value, position: &Position) -> i32 {
        match self.source {
            Source::Networks(_) => WinRate::of(position).centipawns(value),
            Source::Plain => value / PLAIN_SCALE,
        }
    }

    fn wdl(&self, value: Value, position: &Position) -> Option<[u16; 3]> {
        let wdl = WinRate::of(position).wdl(value);
        Some([wdl.win, wdl.draw, wdl.loss])
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
