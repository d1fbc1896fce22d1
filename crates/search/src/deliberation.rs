//! How two searches came to one choice.

use tandem_chess::Move;

use crate::{Exchange, Score};

/// A move that one of the searches would play.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// The move.
    pub m: Move,
    /// What the search that would play it thinks that it is worth.
    pub score: Score,
    /// How deep that search looked, in plies.
    pub depth: u32,
    /// How often the exploring search tried it.
    pub visits: u64,
    /// What that brought: the chance to win less the chance to lose.
    pub value: f32,
    /// The expected continuation, from the move on.
    pub pv: Vec<Move>,
}

/// How two searches came to one choice, or how it looks while they think.
#[derive(Clone, Debug, PartialEq)]
pub struct Deliberation {
    /// Whether it is decided. Before, nobody is followed, and what is known only at the end is missing.
    pub is_final: bool,
    /// What kind of position it is.
    pub kind: &'static str,
    /// The share of all threads' time that the exploring search had.
    pub share: f64,
    /// What the proving search would play.
    pub proven: Option<Contender>,
    /// What the exploring search would play.
    pub explored: Option<Contender>,
    /// By how many centipawns the proving search prefers its own move, where it has looked at both.
    pub gap: Option<i32>,
    /// What was known of a disagreement, in numbers, where a model could be asked.
    pub features: Option<Vec<f64>>,
    /// How likely it is that the explored move is the better one, where that was asked.
    pub probability: Option<f64>,
    /// Whether the explored move is played.
    pub follows_explorer: bool,
    /// Why; that it is not decided, as long as it is not.
    pub reason: &'static str,
    /// Playouts of the exploring search.
    pub playouts: u64,
    /// Evaluations that it had computed; 0 before the end.
    pub evaluations: u64,
    /// Positions visited by the proving search.
    pub nodes: u64,
    /// How often each exchange happened, in the order of [`Exchange::ALL`].
    pub exchanges: [u64; Exchange::ALL.len()],
}

impl Deliberation {
    /// Whether the searches would play different moves.
    #[must_use]
    pub fn is_disagreement(&self) -> bool {
        let m = |contender: &Option<Contender>| contender.as_ref().map(|contender| contender.m);
        matches!((m(&self.proven), m(&self.explored)), (Some(proven), Some(explored)) if proven != explored)
    }
}
