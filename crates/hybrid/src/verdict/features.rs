//! What is known of a disagreement when the move has to be chosen.

use crate::classifier::PositionType;

/// How many numbers a model sees.
pub const COUNT: usize = 7;

/// Their names, as model files and reports use them.
pub const NAMES: [&str; COUNT] =
    ["score_gap", "value_gap", "visit_share", "depth", "type", "clock", "playouts"];

/// In which direction each may change a model's mind as it grows: towards alpha-beta's move (-1), towards the
/// explored one (1), or either way (0).
pub const DIRECTIONS: [i32; COUNT] = [-1, 1, 1, 0, 0, 0, 0];

/// Two searches that would play different moves. Values are chances to win less chances to lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    /// What kind of position it is.
    pub kind: PositionType,
    /// What alpha-beta thinks of its own move.
    pub own: f64,
    /// What it found when it looked at the explored move alone.
    pub verified: f64,
    /// How deep it looked there, in plies.
    pub depth: i32,
    /// What playouts brought alpha-beta's move.
    pub value_own: f64,
    /// What they brought the explored one.
    pub value_explored: f64,
    /// The part of all visits that alpha-beta's move got.
    pub share_own: f64,
    /// The part that the explored one got.
    pub share_explored: f64,
    /// How long the search took, in seconds.
    pub seconds: f64,
    /// How many playouts there were.
    pub playouts: u64,
}

impl Disagreement {
    /// What a model sees of it, in the order of [`NAMES`].
    #[must_use]
    pub fn features(&self) -> [f64; COUNT] {
        [
            self.own - self.verified,
            self.value_explored - self.value_own,
            self.share_explored - self.share_own,
            f64::from(self.depth) / 20.0,
            self.kind.index() as f64 / 4.0,
            libm::log(1.0 + 1000.0 * self.seconds) / 10.0,
            libm::log(1.0 + self.playouts as f64) / 10.0,
        ]
    }
}
