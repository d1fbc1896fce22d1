//! What a line is worth, and the window in which that matters.

use std::ops::{Add, Neg, Sub};

use tandem_search::{Bound, Score};

/// Centipawns from the side to move; beyond [`Value::MATE_FROM`], a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(pub i32);

impl Value {
    /// A full window reaches from minus this to plus this.
    pub const INFINITE: Self = Self(50_000);
    /// No evaluation comes near this; from here on a value is a mate.
    pub const MATE_FROM: Self = Self(49_000);
    /// Nobody is better.
    pub const DRAW: Self = Self(0);

    /// The side to move is mated that many plies after the root.
    #[must_use]
    pub const fn mated_after(plies: usize) -> Self {
        Self(plies as i32 - Self::INFINITE.0)
    }

    /// The value as it is reported; a mate is counted from the root.
    #[must_use]
    pub fn score(self) -> Score {
        if self >= Self::MATE_FROM {
            Score::Mate((Self::INFINITE - self).0)
        } else if self <= -Self::MATE_FROM {
            Score::Mate((-Self::INFINITE - self).0)
        } else {
            Score::Centipawns(self.0)
        }
    }
}

impl Neg for Value {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Value {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Value {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// The open interval in which a search looks for a value: below it the side to move has something
/// better elsewhere, above it the opponent does not allow the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: Value,
    /// What the opponent has already.
    pub beta: Value,
}

impl Window {
    /// Nothing is known yet.
    pub const FULL: Self = Self { alpha: Value(-Value::INFINITE.0), beta: Value::INFINITE };

    /// The same interval as the opponent sees it.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// What a value found in this window says about the true one.
    #[inline]
    #[must_use]
    pub fn bound(self, value: Value) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_shown_in_plies() {
        assert_eq!(Value::mated_after(4).score(), Score::Mate(-4));
        assert_eq!((-Value::mated_after(3)).score(), Score::Mate(3));
        assert_eq!(Value(-35).score(), Score::Centipawns(-35));
    }
}
