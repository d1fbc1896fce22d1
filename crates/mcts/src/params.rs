//! What a user can set about this search.

use crate::priors::Policy;
use crate::tunables as t;

/// Settings of the search that are its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Which priors it goes by.
    pub policy: Policy,
    /// Exploration at the first visits.
    pub c_puct: f32,
    /// By how much an untried move is worse than its position.
    pub fpu_reduction: f32,
    /// How alike the moves' likelihoods become, below the root.
    pub policy_temperature: f32,
    /// Noise on the root's priors; none in play.
    pub noise: Option<Noise>,
    /// Where everything that is left to chance begins.
    pub seed: u64,
    /// How many positions a thread gathers before it asks a batch evaluator for their values; with 1 each
    /// thread evaluates for itself.
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

impl Default for Params {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            c_puct: thousandths(t::c_puct()),
            fpu_reduction: thousandths(t::fpu_reduction()),
            policy_temperature: thousandths(t::policy_temperature()),
            noise: None,
            seed: 0,
            batch: 1,
            verbose: false,
        }
    }
}

/// A number that is declared in thousandths.
pub const fn thousandths(number: i32) -> f32 {
    number as f32 / 1000.0
}
