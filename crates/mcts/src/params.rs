//! What a user can set about this search.

use crate::priors::Policy;
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
    /// How alike the moves' likelihoods become below the root, if not the tunable's.
    pub policy_temperature: Option<f32>,
    /// Noise on the root's priors; none in play.
    pub noise: Option<Noise>,
    /// Where everything that is left to chance begins.
    pub seed: u64,
    /// How many positions a thread gathers at the most before it asks a batch evaluator for their values;
    /// with 1 each thread evaluates for itself, with 0 the batch evaluator says how many.
    pub batch: usize,
    /// Whether the last report tells of every move.
    pub verbose: bool,
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

    /// How alike the moves' likelihoods become, below the root.
    #[must_use]
    pub fn policy_temperature(&self) -> f32 {
        self.policy_temperature.unwrap_or(thousandths(t::policy_temperature()))
    }
}

/// A number that is declared in thousandths.
pub const fn thousandths(number: i32) -> f32 {
    number as f32 / 1000.0
}
