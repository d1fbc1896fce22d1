//! The static evaluation of a network.

use tandem_chess::{Move, Position};
use tandem_nnue::{Evaluator, Networks};

use super::{LabelError, Labeller};

/// Scores by the static evaluation of networks: hundreds of thousands a second.
pub struct NetworkLabeller(Evaluator);

impl NetworkLabeller {
    /// The evaluation of those networks.
    #[must_use]
    pub fn new(networks: &Networks) -> Self {
        Self(Evaluator::new(networks, &Position::startpos()))
    }
}

impl Labeller for NetworkLabeller {
    fn begin(&mut self, start: &Position) -> Result<(), LabelError> {
        self.0.reset(start);
        Ok(())
    }

    fn push(&mut self, m: Move) {
        let after = self.0.position().after(m);
        self.0.push(&after);
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn score(&mut self) -> Result<Option<i32>, LabelError> {
        Ok(Some(self.0.evaluate().value()))
    }
}
