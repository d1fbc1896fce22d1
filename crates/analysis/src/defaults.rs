//! What holds for questions that do not say otherwise.

use std::time::Duration;

use tandem_engine::{Limits, SearchMode};

/// What holds for questions that do not say otherwise.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// What a position may take.
    pub limits: Limits,
    /// How many best lines are shown.
    pub multi_pv: usize,
    /// Which search answers.
    pub mode: SearchMode,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            limits: Limits::movetime(Duration::from_secs(1)),
            multi_pv: 1,
            mode: SearchMode::Hybrid,
            chess960: false,
        }
    }
}
