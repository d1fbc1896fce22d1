//! Which evaluation the searches ask: networks where there are any, the plain one of the HPC paper
//! otherwise.

use tandem_alphabeta::Evaluate;
use tandem_alphabeta::value::Value;
use tandem_chess::Position;
use tandem_nnue::{Evaluator, Networks, WinRate};
use tandem_search::bare_king;

/// The evaluation of one thread.
#[allow(clippy::large_enum_variant, reason = "there is one for each thread")]
pub enum Evaluation {
    /// By networks.
    Networks(Evaluator),
    /// By material and piece-square tables.
    Plain,
}

impl Evaluation {
    /// What those networks say, or the plain evaluation if there are none.
    pub fn new(networks: Option<&Networks>) -> Self {
        networks.map_or(Self::Plain, |networks| {
            Self::Networks(Evaluator::new(networks, &Position::startpos()))
        })
    }
}

/// The plain evaluation counts in centipawns; the searches' margins expect about twice that.
const PLAIN_SCALE: Value = 2;

impl Evaluate for Evaluation {
    fn reset(&mut self, position: &Position) {
        if let Self::Networks(evaluator) = self {
            evaluator.reset(position);
        }
    }

    #[inline]
    fn push(&mut self, after: &Position) {
        if let Self::Networks(evaluator) = self {
            evaluator.push(after);
        }
    }

    #[inline]
    fn pop(&mut self) {
        if let Self::Networks(evaluator) = self {
            evaluator.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        if let Some(won) = bare_king(position) {
            return won;
        }
        match self {
            Self::Networks(evaluator) => evaluator.evaluate().value(),
            Self::Plain => {
                PLAIN_SCALE * tandem_classic::Evaluation::Positional.evaluate(position).0
            }
        }
    }

    fn centipawns(&self, value: Value, position: &Position) -> i32 {
        match self {
            Self::Networks(_) => WinRate::of(position).centipawns(value),
            Self::Plain => value / PLAIN_SCALE,
        }
    }

    fn wdl(&self, value: Value, position: &Position) -> Option<[u16; 3]> {
        let wdl = WinRate::of(position).wdl(value);
        Some([wdl.win, wdl.draw, wdl.loss])
    }
}
