//! What an experiment is.

use crate::report::Content;
use crate::{LabError, Plan, Session, Setup};

/// What is played unless the user says otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    /// Games for each point.
    pub games: u64,
    /// Positions for each move; several if the experiment compares them.
    pub nodes: &'static [u64],
}

impl Usual {
    /// As in the paper: 100 games a point, 1,000 positions a move.
    pub const PAPER: Self = Self { games: 100, nodes: &[1000] };
}

/// A question that games can answer. The value holds the experiment's own options.
pub trait Experiment {
    /// What is played unless the user says otherwise.
    fn usual(&self) -> Usual {
        Usual::PAPER
    }

    /// The experiment's own options, as one would type them. Another list is another experiment.
    fn words(&self) -> Vec<String>;

    /// The games that are known before the first of them is played.
    ///
    /// # Errors
    /// The options make no experiment.
    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError>;

    /// How many games there are at the most.
    fn most_games(&self, setup: &Setup, plans: &[Plan]) -> u64 {
        let _ = setup;
        plans.iter().map(|plan| plan.settings.games).sum()
    }

    /// Plays, and says what came of it.
    ///
    /// # Errors
    /// The games cannot be played or were interrupted.
    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError>;
}
