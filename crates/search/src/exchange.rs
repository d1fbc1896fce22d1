//! What two searches exchange, how strongly it counts, and how often it happened.

use std::sync::atomic::{AtomicU64, Ordering};

/// One thing that one of the searches tells the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// To the proving search: visits put moves of the root in order.
    Order,
    /// To the proving search: visited moves of the root are reduced less.
    Relief,
    /// To the proving search: the exploring search's candidate is looked at alone.
    Verification,
    /// To the proving search: agreement saves time, doubt costs it.
    Patience,
    /// To the exploring search: the table's scores stand in for evaluations.
    LeafValue,
    /// To the exploring search: the table's evaluations need not be computed again.
    Evaluation,
    /// To the exploring search: the table's best move is likely.
    LikelyMove,
    /// To the exploring search: scores and effort at the root change its priors.
    RootPrior,
    /// To the exploring search: refuted moves of the root get no more visits.
    Refutation,
    /// To the exploring search: close alternatives at the root get more.
    Alternative,
}

impl Exchange {
    /// All of them, those to the proving search first.
    pub const ALL: [Self; 10] = [
        Self::Order,
        Self::Relief,
        Self::Verification,
        Self::Patience,
        Self::LeafValue,
        Self::Evaluation,
        Self::LikelyMove,
        Self::RootPrior,
        Self::Refutation,
        Self::Alternative,
    ];

    /// Whether it goes from the exploring search to the proving one.
    #[must_use]
    pub const fn is_to_prover(self) -> bool {
        (self as usize) < Self::LeafValue as usize
    }

    /// The name that reports use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Relief => "relief",
            Self::Verification => "verification",
            Self::Patience => "patience",
            Self::LeafValue => "leaf_value",
            Self::Evaluation => "evaluation",
            Self::LikelyMove => "likely_move",
            Self::RootPrior => "root_prior",
            Self::Refutation => "refutation",
            Self::Alternative => "alternative",
        }
    }
}

/// How often each exchange happened.
#[derive(Debug, Default)]
pub struct Traffic([AtomicU64; Exchange::ALL.len()]);

impl Traffic {
    /// So many more of one kind.
    pub fn count(&self, exchange: Exchange, times: u64) {
        if times > 0 {
            self.0[exchange as usize].fetch_add(times, Ordering::Relaxed);
        }
    }

    /// How many of one kind there were.
    #[must_use]
    pub fn of(&self, exchange: Exchange) -> u64 {
        self.0[exchange as usize].load(Ordering::Relaxed)
    }
}

/// What is exchanged, and how strongly it counts. Nothing by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// What a quiet move that has all visits adds to its history at the root, each iteration; 0 for nothing.
    pub order: i32,
    /// By how much such a move is reduced less, in 1024ths of a ply; 0 for not.
    pub relief: i32,
    /// Whether candidates are looked at alone.
    pub verification: bool,
    /// From which depth on.
    pub verification_from: i32,
    /// After how many plies again.
    pub verification_step: i32,
    /// What multiplies the time for a move while both searches agree.
    pub patience_in_accord: f64,
    /// The same where no other move has a chance to catch up.
    pub patience_when_settled: f64,
    /// The same while they do not agree.
    pub patience_in_doubt: f64,
    /// How many times the visits of the second move make a lead that lasts.
    pub settled_lead: u64,
    /// The plies that a score of the table needs to stand in for an evaluation, if any may.
    pub leaf_depth: Option<i32>,
    /// Whether evaluations are taken from the table.
    pub evaluations: bool,
    /// The part of the likelihood that the table's best move gets; 0 for none.
    pub likely_move: f32,
    /// The part of the root's priors that follows the proving search's effort; 0 for none.
    pub root_prior: f32,
    /// How soon a prior of the root falls with its score (win less loss) below the best.
    pub score_temperature: f32,
    /// By how much (win less loss) a move of the root must be worse to be refuted, if any may be.
    pub refutation: Option<f32>,
    /// The least depth of a refutation.
    pub refutation_depth: i32,
    /// Alternatives are close within so much (win less loss).
    pub close: f32,
    /// The least prior of a close alternative; 0 for none.
    pub alternative: f32,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            order: 0,
            relief: 0,
            verification: false,
            verification_from: 0,
            verification_step: 1,
            patience_in_accord: 1.0,
            patience_when_settled: 1.0,
            patience_in_doubt: 1.0,
            settled_lead: u64::MAX,
            leaf_depth: None,
            evaluations: false,
            likely_move: 0.0,
            root_prior: 0.0,
            score_temperature: 1.0,
            refutation: None,
            refutation_depth: 0,
            close: 0.0,
            alternative: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_exchange_is_counted_for_itself() {
        let traffic = Traffic::default();
        for (times, exchange) in Exchange::ALL.into_iter().enumerate() {
            traffic.count(exchange, times as u64);
        }
        for (times, exchange) in Exchange::ALL.into_iter().enumerate() {
            assert_eq!((traffic.of(exchange), exchange as usize), (times as u64, times));
        }
        assert_eq!(Exchange::ALL.iter().filter(|exchange| exchange.is_to_prover()).count(), 4);
    }
}
