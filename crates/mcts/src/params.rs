//! What a user can set about this search.

use std::num::NonZeroI64;

use tandem_chess::Color;

use crate::contempt::Freeze;
use crate::outlook::Outlook;
use crate::priors::Policy;
use crate::temperature::Temperature;
use crate::tunables as t;

/// Settings of the search that are its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Params {
    /// Which priors it goes by.
    pub policy: Policy,
    /// Exploration at the first visits, if not the tunable's.
    pub c_puct: Option<f32>,
    /// By how much an untried move is worse than its position, if not the tunable's.
    pub fpu_reduction: Option<f32>,
    /// How alike the moves' likelihoods become below the root, if not the policy's own.
    pub policy_temperature: Option<f32>,
    /// Noise on the root's priors; none in play.
    pub noise: Option<Noise>,
    /// Search-contempt: after so many visits a side's choices are frozen; never without it. The opponent's,
    /// or our own if it is negative.
    pub sc_limit: Option<NonZeroI64>,
    /// How alike the frozen shares become, if they are not left as they are.
    pub sc_temperature: Option<f32>,
    /// By how many points of Elo we are taken to be stronger than the opponent.
    pub rating_advantage: f32,
    /// What a draw is worth to us, from -1 to 1.
    pub draw_score: f32,
    /// Whether scores are shown as contempt and the worth of a draw make them look.
    pub shows_contempt: bool,
    /// Who the opponent is.
    pub contempt_mode: ContemptMode,
    /// How much is left to chance when the move is chosen.
    pub temperature: Temperature,
    /// Where everything that is left to chance begins.
    pub seed: u64,
    /// How many positions a thread gathers at the most before it asks a batch evaluator for their values;
    /// with 1 each thread evaluates for itself, with 0 the batch evaluator says how many.
    pub batch: usize,
    /// Whether the last report tells of every move.
    pub verbose: bool,
}

/// Who the opponent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContemptMode {
    /// Who is not to move in the position that is searched.
    #[default]
    Play,
    /// That side, whoever is to move: analysis can go back and forth.
    Against(Color),
    /// Nobody.
    Off,
}

/// Dirichlet noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The smaller, the fewer moves get most of it.
    pub alpha: f32,
    /// The share of the priors that becomes noise.
    pub epsilon: f32,
}

impl Noise {
    /// What self-play uses.
    pub const SELF_PLAY: Self = Self { alpha: 0.3, epsilon: 0.25 };
}

impl Params {
    /// Exploration at the first visits.
    #[must_use]
    pub fn c_puct(&self) -> f32 {
        self.c_puct.unwrap_or(thousandths(t::c_puct()))
    }

    /// By how much an untried move is worse than its position.
    #[must_use]
    pub fn fpu_reduction(&self) -> f32 {
        self.fpu_reduction.unwrap_or(thousandths(t::fpu_reduction()))
    }

    /// Who the opponent is when that side is to move at the root, if anybody.
    fn opponent(&self, root: Color) -> Option<Color> {
        match self.contempt_mode {
            ContemptMode::Play => Some(!root),
            ContemptMode::Against(side) => Some(side),
            ContemptMode::Off => None,
        }
    }

    /// How things look when that side is to move at the root.
    pub(crate) fn outlook(&self, root: Color) -> Outlook {
        let view =
            |opponent: Color| Outlook::new(!opponent, self.rating_advantage, self.draw_score);
        self.opponent(root).map(view).unwrap_or_default()
    }

    /// Whose choices are frozen when that side is to move at the root.
    pub(crate) fn freeze(&self, root: Color) -> Option<Freeze> {
        let opponent = self.opponent(root)?;
        let limit = self.sc_limit?.get();
        Some(Freeze {
            side: if limit > 0 { opponent } else { !opponent },
            limit: limit.unsigned_abs(),
            temperature: self.sc_temperature,
            seed: self.seed,
        })
    }
}

/// A number that is declared in thousandths.
pub const fn thousandths(number: i32) -> f32 {
    number as f32 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_says_whose_choices_are_frozen() {
        use Color::{Black, White};
        let side = |limit: i64, contempt_mode, root| {
            let params =
                Params { sc_limit: NonZeroI64::new(limit), contempt_mode, ..Params::default() };
            params.freeze(root).map(|freeze| (freeze.side, freeze.limit))
        };
        assert_eq!(side(5, ContemptMode::Play, White), Some((Black, 5)));
        assert_eq!(side(5, ContemptMode::Play, Black), Some((White, 5)));
        assert_eq!(side(-5, ContemptMode::Play, White), Some((White, 5)));
        for root in Color::ALL {
            assert_eq!(side(7, ContemptMode::Against(Black), root), Some((Black, 7)));
            assert_eq!(side(-7, ContemptMode::Against(Black), root), Some((White, 7)));
            assert_eq!(side(5, ContemptMode::Off, root), None);
            assert_eq!(side(0, ContemptMode::Play, root), None);
        }
    }
}
