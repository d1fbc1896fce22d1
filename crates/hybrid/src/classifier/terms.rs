//! What each feature weighs. All numbers of the classifier's formula stand here.

use super::Features;

/// What a term speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// Calculation.
    Tactical,
    /// Planning.
    Strategic,
}

/// When a term is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It is part of a score, which is 1 at most.
    Score,
    /// It is added to the score.
    Adjustment,
}

/// The most that a score can be, in hundredths.
const MOST: u32 = 100;

/// One summand of the formula.
#[derive(Debug)]
pub struct Term {
    /// What it looks at, as words.
    pub name: &'static str,
    /// What it speaks for.
    pub toward: Toward,
    stage: Stage,
    /// Hundredths each time that the feature counts.
    each: u32,
    /// How often the feature counts.
    times: fn(&Features) -> u32,
}

impl Term {
    /// What the term adds, in hundredths.
    #[inline]
    #[must_use]
    pub fn weight(&self, features: &Features) -> u32 {
        self.each * (self.times)(features)
    }

    /// Whether the term is added to a score that is already capped.
    #[must_use]
    pub fn is_adjustment(&self) -> bool {
        self.stage == Stage::Adjustment
    }
}

/// The formula: all terms, in the order in which they are shown.
#[inline]
#[must_use]
pub fn terms() -> &'static [Term] {
    &TERMS
}

static TERMS: [Term; 17] = {
    use Stage::{Adjustment, Score};
    use Toward::{Strategic, Tactical};
    [
        term("in check", Tactical, Score, 30, |f| f.in_check.into()),
        term("moves that give check, up to 3", Tactical, Score, 10, |f| f.checking_moves.min(3)),
        term("captures, up to 5", Tactical, Score, 5, |f| f.captures.min(5)),
        term("a promotion", Tactical, Score, 20, |f| can_promote(f).into()),
        term("a hanging piece", Tactical, Score, 20, |f| any(f.hanging, 0).into()),
        term("more than 2 attackers at a king", Tactical, Score, 20, |f| {
            any(f.king_attackers, 2).into()
        }),
        term("material differs by more than 200", Tactical, Score, 10, |f| {
            (f.imbalance() > 200).into()
        }),
        term("in check, or mate in one", Tactical, Adjustment, 30, |f| {
            (f.in_check || f.mate_threat).into()
        }),
        term("tension in the centre", Tactical, Adjustment, 30, |f| f.has_tension().into()),
        // Tension already says that there is something to take.
        term(
            "a promotion, or more than 3 captures without tension",
            Tactical,
            Adjustment,
            20,
            |f| (can_promote(f) || f.captures > 3 && !f.has_tension()).into(),
        ),
        term("closed", Strategic, Score, 30, |f| f.closed().into()),
        term("more than 2 pawn islands", Strategic, Score, 10, |f| any(f.pawn_islands, 2).into()),
        term("a passed pawn", Strategic, Score, 15, |f| any(f.passed_pawns, 0).into()),
        term("endgame", Strategic, Score, 20, |f| f.endgame().into()),
        term("quiet: no check, no tension, fewer than 3 captures", Strategic, Score, 10, |f| {
            (!f.in_check && !f.has_tension() && f.captures < 3).into()
        }),
        term("mobility differs by more than 10", Strategic, Score, 10, |f| {
            (f.mobility[0].abs_diff(f.mobility[1]) > 10).into()
        }),
        term("closed, once more", Strategic, Adjustment, 20, |f| f.closed().into()),
    ]
};

/// What speaks for calculation and what for planning, in hundredths.
#[must_use]
pub fn sums(features: &Features) -> [u32; 2] {
    [Toward::Tactical, Toward::Strategic].map(|toward| {
        let at = |stage| {
            let terms = TERMS.iter().filter(|term| term.toward == toward && term.stage == stage);
            terms.map(|term| term.weight(features)).sum::<u32>()
        };
        at(Stage::Score).min(MOST) + at(Stage::Adjustment)
    })
}

const fn term(
    name: &'static str,
    toward: Toward,
    stage: Stage,
    each: u32,
    times: fn(&Features) -> u32,
) -> Term {
    Term { name, toward, stage, each, times }
}

const fn can_promote(features: &Features) -> bool {
    features.promotions > 0
}

/// Whether either side has more than that.
const fn any(sides: [u32; 2], more_than: u32) -> bool {
    sides[0] > more_than || sides[1] > more_than
}
