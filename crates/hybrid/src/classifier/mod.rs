//! What kind of position it is: one for calculation, one for plans, or something between.
//!
//! [`Features`] are what a look at the board finds, [`terms`] what each of them weighs. A
//! [`Classification`] is both and the type that follows. Nothing is searched and nothing allocated,
//! so that a search can ask for every move that it is to make.

pub mod examples;
mod features;
mod pawns;
mod terms;
mod timing;

#[cfg(test)]
mod tests;

use std::fmt;

use tandem_chess::Position;

pub use features::{Features, Value};
pub use terms::{Term, Toward, terms};
pub use timing::nanoseconds_per_call;

/// Above this share of one side, in hundredths, a position is tactical or strategic.
pub const PLAIN: u32 = 60;

/// Above this share of one side, in hundredths, it is highly so.
pub const HIGHLY: u32 = 80;

/// The five types of the hybrid paper, from calculation to planning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PositionType {
    /// Checks and captures decide what happens next.
    HighlyTactical,
    /// There are forcing moves.
    Tactical,
    /// Something of both.
    Balanced,
    /// Quiet.
    Strategic,
    /// Closed and quiet: the sides manoeuvre.
    HighlyStrategic,
}

impl PositionType {
    /// All five, from highly tactical to highly strategic.
    pub const ALL: [Self; 5] = [
        Self::HighlyTactical,
        Self::Tactical,
        Self::Balanced,
        Self::Strategic,
        Self::HighlyStrategic,
    ];

    /// The place of this type in [`ALL`](Self::ALL) and in tables by type.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The type as words, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighlyTactical => "highly tactical",
            Self::Tactical => "tactical",
            Self::Balanced => "balanced",
            Self::Strategic => "strategic",
            Self::HighlyStrategic => "highly strategic",
        }
    }

    /// The type that two weights, in hundredths, give.
    const fn by_weights(tactical: u32, strategic: u32) -> Self {
        let total = tactical + strategic;
        // Whole numbers: a share of exactly 60 % is never taken for more by a rounding.
        if tactical * 100 > total * HIGHLY {
            Self::HighlyTactical
        } else if tactical * 100 > total * PLAIN {
            Self::Tactical
        } else if strategic * 100 > total * HIGHLY {
            Self::HighlyStrategic
        } else if strategic * 100 > total * PLAIN {
            Self::Strategic
        } else {
            Self::Balanced
        }
    }
}

impl fmt::Display for PositionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A position's type, and what led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// What was seen on the board.
    pub features: Features,
    /// What speaks for calculation, in hundredths.
    pub tactical: u32,
    /// What speaks for planning, in hundredths.
    pub strategic: u32,
    /// The type that follows from both.
    pub kind: PositionType,
}

impl Classification {
    /// Looks at a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self::by_features(Features::of(position))
    }

    /// Concludes from features that are already known.
    #[must_use]
    pub fn by_features(features: Features) -> Self {
        let [tactical, strategic] = terms::sums(&features);
        // Whoever is in check has to calculate, be the position as quiet as it may.
        let kind = if features.in_check {
            PositionType::HighlyTactical
        } else {
            PositionType::by_weights(tactical, strategic)
        };
        Self { features, tactical, strategic, kind }
    }

    /// How much of all weight is tactical, 0 to 1. Where nothing weighs anything, one half.
    #[must_use]
    pub fn tactical_share(&self) -> f64 {
        match self.tactical + self.strategic {
            0 => 0.5,
            total => f64::from(self.tactical) / f64::from(total),
        }
    }

    /// The terms that weigh something here, each with its weight in hundredths.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static Term, u32)> {
        terms().iter().map(|term| (term, term.weight(&self.features))).filter(|&(_, w)| w > 0)
    }
}
