//! What is special about the position that a search begins with.

use std::sync::atomic::{AtomicU32, Ordering};

use tandem_chess::{Game, Move, Random, RankedMoves, Wdl};
use tandem_search::{Endgames, Limits};

use crate::node::Weighed;
use crate::params::Params;
use crate::priors::{Priors, mix_noise, softmax};

/// The moves of the root as a search looks at them.
pub struct Root {
    /// All legal moves with their likelihoods.
    likelihoods: Vec<(Move, f32)>,
    /// The moves that may be played.
    allowed: Vec<Move>,
    ranked: Option<RankedMoves>,
    /// The priors by which the root's edges are chosen, in their order; negative where a move may
    /// not be played.
    pub priors: Vec<f32>,
    /// What another search has made of them; negative also where a move is not worth a visit.
    guided: Vec<AtomicU32>,
    /// The most pieces for which tablebases are asked below the root.
    pub max_pieces: u32,
}

impl Root {
    /// The legal moves that the limits and the tablebases leave.
    pub fn new(game: &Game, limits: &Limits, endgames: &Endgames, lines: usize) -> Self {
        let position = game.position();
        let is_asked = |m: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let mut allowed: Vec<Move> = position.legal_moves().into_iter().filter(is_asked).collect();
        let ranked = endgames.rank_moves(game);
        if let Some(ranked) = ranked.as_ref().filter(|_| lines == 1) {
            let rank = |m: &Move| ranked.moves.iter().find(|r| r.m == *m).map(|r| r.rank);
            let best = allowed.iter().filter_map(rank).max();
            allowed.retain(|m| rank(m) == best);
        }
        // Where the tables have decided, the search only chooses among what keeps the result.
        let is_settled = ranked.as_ref().is_some_and(|ranked| {
            ranked.makes_progress || ranked.moves.first().is_none_or(|best| best.wdl <= Wdl::Draw)
        });
        let max_pieces = if is_settled { 0 } else { endgames.max_pieces() };
        Self {
            likelihoods: Vec::new(),
            allowed,
            ranked,
            priors: Vec::new(),
            guided: Vec::new(),
            max_pieces,
        }
    }

    /// Whether there is nothing to choose from.
    pub fn is_empty(&self) -> bool {
        self.allowed.is_empty()
    }

    /// Whether there is but one move.
    pub fn is_forced(&self) -> bool {
        self.allowed.len() == 1
    }

    /// Judges the moves.
    pub fn judge(&mut self, game: &Game, priors: &mut dyn Priors) {
        let moves = game.position().legal_moves();
        let mut logits = vec![0.0; moves.len()];
        priors.judge(game.position(), &moves, &mut logits);
        softmax(&mut logits, priors.policy().root_temperature());
        self.likelihoods = moves.into_iter().zip(logits).collect();
    }

    /// All legal moves, the likeliest first.
    pub fn weighed(&self) -> Vec<Weighed> {
        let weigh = |&(m, likelihood): &(Move, f32)| Weighed::new(m, likelihood);
        let mut weighed: Vec<Weighed> = self.likelihoods.iter().map(weigh).collect();
        weighed.sort_unstable_by(|a, b| b.cmp(a));
        weighed
    }

    /// Puts the priors in the order of the root's edges, with noise where it is wanted.
    /// The same seed makes the same noise in the same position, `key`.
    pub fn settle(&mut self, edges: impl Iterator<Item = Option<Move>>, params: &Params, key: u64) {
        let prior_of = |m: Option<Move>| {
            let m = m.filter(|m| self.allowed.contains(m))?;
            self.likelihoods.iter().find(|known| known.0 == m).map(|known| known.1)
        };
        let known: Vec<Option<f32>> = edges.map(prior_of).collect();
        let mut mixed: Vec<f32> = known.iter().copied().flatten().collect();
        let sum: f32 = mixed.iter().sum();
        for prior in &mut mixed {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
        if let Some(noise) = params.noise {
            mix_noise(&mut mixed, noise.alpha, noise.epsilon, &mut Random::new(params.seed ^ key));
        }
        let mut mixed = mixed.into_iter();
        self.priors = known
            .into_iter()
            .map(|prior| prior.and_then(|_| mixed.next()).unwrap_or(-1.0))
            .collect();
        self.guided = self.priors.iter().map(|prior| AtomicU32::new(prior.to_bits())).collect();
    }

    /// The prior by which the edge at that place is chosen at present; negative if it is not.
    #[inline]
    pub fn prior(&self, place: usize) -> f32 {
        self.guided.get(place).map_or(-1.0, |prior| f32::from_bits(prior.load(Ordering::Relaxed)))
    }

    /// Has edges chosen by other priors from now on.
    pub fn guide(&self, priors: &[f32]) {
        for (guided, prior) in self.guided.iter().zip(priors) {
            guided.store(prior.to_bits(), Ordering::Relaxed);
        }
    }

    /// What the tablebases say that a move leads to, and how good it is among all.
    pub fn proven(&self, m: Move) -> Option<(Wdl, i32)> {
        let ranked = self.ranked.as_ref()?;
        let found = ranked.moves.iter().find(|ranked| ranked.m == m)?;
        Some((found.wdl, found.rank))
    }

    /// How many answers the tablebases gave for the root.
    pub fn tablebase_hits(&self) -> u64 {
        self.ranked.as_ref().map_or(0, |ranked| ranked.moves.len() as u64)
    }
}
