//! Which evaluation the searches ask.

use tandem_alphabeta::Evaluate;
use tandem_alphabeta::value::Value;
use tandem_chess::Position;

/// The evaluation in force: the plain one of the HPC paper.
#[derive(Debug)]
pub struct Evaluation;

impl Evaluate for Evaluation {
    fn reset(&mut self, _position: &Position) {}

    fn push(&mut self, _after: &Position) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Value {
        2 * tandem_classic::Evaluation::Positional.evaluate(position).0
    }

    fn centipawns(&self, value: Value, _position: &Position) -> i32 {
        value / 2
    }

    fn wdl(&self, _value: Value, _position: &Position) -> Option<[u16; 3]> {
        None
    }
}
