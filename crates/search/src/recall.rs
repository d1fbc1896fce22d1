//! What one search remembers of positions, for another to ask.

use tandem_chess::{Move, Position};

use crate::Bound;

/// What is remembered of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recollection {
    /// The score in the engine's unit; never one of a mate.
    pub value: i32,
    /// How it relates to the true one; none if only the evaluation is known.
    pub bound: Option<Bound>,
    /// How many plies of search are behind it.
    pub depth: i32,
    /// The evaluation without search, if it is known.
    pub evaluation: Option<i32>,
    /// The best move, which is legal.
    pub best: Option<Move>,
}

impl Recollection {
    /// The best guess of the score, if at least so many plies are behind it: the score itself, or a bound
    /// that corrects the evaluation.
    #[must_use]
    pub fn score(&self, least_depth: i32) -> Option<i32> {
        let bound = self.bound.filter(|_| self.depth >= least_depth)?;
        let corrects = |evaluation: i32| match bound {
            Bound::Exact => true,
            Bound::Lower => self.value > evaluation,
            Bound::Upper => self.value < evaluation,
        };
        match self.evaluation {
            Some(evaluation) => Some(if corrects(evaluation) { self.value } else { evaluation }),
            None => (bound == Bound::Exact).then_some(self.value),
        }
    }
}

/// A memory of positions that other threads may ask at any time.
pub trait Recall: Send + Sync {
    /// What is remembered of a position.
    fn recall(&self, position: &Position) -> Option<Recollection>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_counts_only_where_it_corrects_the_evaluation() {
        let known = |bound, value| Recollection {
            value,
            bound,
            depth: 5,
            evaluation: Some(50),
            best: None,
        };
        assert_eq!(known(Some(Bound::Exact), 20).score(5), Some(20));
        assert_eq!(known(Some(Bound::Exact), 20).score(6), None);
        assert_eq!(known(Some(Bound::Lower), 70).score(1), Some(70));
        assert_eq!(known(Some(Bound::Lower), 20).score(1), Some(50));
        assert_eq!(known(Some(Bound::Upper), 20).score(1), Some(20));
        assert_eq!(known(Some(Bound::Upper), 70).score(1), Some(50));
        assert_eq!(known(None, 70).score(0), None);
        let bare = Recollection { evaluation: None, ..known(Some(Bound::Lower), 70) };
        assert_eq!(bare.score(1), None);
    }
}
