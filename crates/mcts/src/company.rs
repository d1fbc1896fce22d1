//! What this search tells another that proves what it can, and what it takes from it.

use tandem_chess::{Move, Position};
use tandem_search::{Bound, Evaluate, Exchange, Judgement, Slate, Standing};

use crate::math::exp;
use crate::root::Root;
use crate::shared::Shared;
use crate::verdict::Candidate;
use crate::worker::Worker;

/// Tells how the moves of the root stand, the best first.
pub fn tell(slate: &Slate, candidates: &[Candidate]) {
    for candidate in candidates {
        let proof = candidate.proof.rank().signum();
        let (visits, value) = (candidate.mean.visits, candidate.value().q);
        slate.note_standing(candidate.m, Standing { visits, value, proof });
    }
    if let Some(best) = candidates.first().filter(|best| best.mean.visits > 0) {
        slate.note_candidate(best.m);
    }
}

impl<E: Evaluate> Worker<E> {
    /// The score of a position, if another search knows it better than by an evaluation, or if it needs not be
    /// evaluated again.
    pub fn known_score(&mut self, shared: &Shared<'_>, position: &Position) -> Option<i32> {
        let terms = shared.company.slate.map(|slate| slate.terms);
        let is_asked = terms.is_some_and(|terms| terms.leaf_depth.is_some() || terms.evaluations);
        let recalled =
            shared.company.recall.filter(|_| is_asked).and_then(|memory| memory.recall(position));
        let deep = terms.and_then(|terms| recalled?.score(terms.leaf_depth?));
        if deep.is_some() {
            self.counts.borrowed_values += 1;
            return deep;
        }
        if let Some(score) = shared.table.probe(position) {
            self.counts.table_hits += 1;
            return Some(score);
        }
        let score = recalled.filter(|_| terms.is_some_and(|terms| terms.evaluations))?.evaluation?;
        self.counts.borrowed_evaluations += 1;
        shared.table.store(position, score);
        Some(score)
    }

    /// Makes the move likelier that another search thinks best.
    pub fn heed_likely_move(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        moves: &[Move],
        likelihoods: &mut [f32],
    ) {
        let company = &shared.company;
        let weight = company.slate.map_or(0.0, |slate| slate.terms.likely_move);
        let Some(memory) = company.recall.filter(|_| weight > 0.0) else { return };
        let best = memory.recall(self.line.position(ply)).and_then(|recalled| recalled.best);
        let Some(place) = best.and_then(|best| moves.iter().position(|&m| m == best)) else {
            return;
        };
        for likelihood in likelihoods.iter_mut() {
            *likelihood *= 1.0 - weight;
        }
        likelihoods[place] += weight;
        self.counts.borrowed_moves += 1;
    }
}

/// What the proving search has made of the root's priors.
pub struct Guidance {
    /// The version of the slate that it goes by.
    version: u64,
    /// Which moves are refuted, in the order of the edges.
    refuted: Vec<bool>,
}

impl Guidance {
    pub const fn new() -> Self {
        Self { version: 0, refuted: Vec::new() }
    }

    /// Brings the root's priors up to date, if the other search has judged since.
    pub fn update(&mut self, slate: &Slate, shared: &Shared<'_>, edges: &[Option<Move>]) {
        let version = slate.version();
        if version == self.version {
            return;
        }
        self.version = version;
        let Some(best) = slate.best() else { return };
        let Some(value) = slate.judgement(best).filter(|known| known.bound != Bound::Upper) else {
            return;
        };
        let best_q = shared.scale.value(value.value, shared.position).q;
        let behind = |m: Move| {
            let known = slate.verified(m).or_else(|| slate.judgement(m))?;
            Some((best_q - shared.scale.value(known.value, shared.position).q, known))
        };
        let priors = guided_priors(slate, shared.root, edges, best, &behind);
        let refuted = edges.iter().enumerate().map(|(place, m)| {
            let m = m.filter(|&m| m != best && shared.root.priors[place] >= 0.0);
            m.is_some_and(|m| is_refuted(slate, m, best, behind(m)))
        });
        let refuted: Vec<bool> = refuted.collect();
        let newly = |place: &usize| !self.refuted.get(*place).copied().unwrap_or(false);
        let count = (0..refuted.len()).filter(|&place| refuted[place]).filter(newly).count();
        slate.traffic.count(Exchange::Refutation, count as u64);
        let priors =
            priors.iter().zip(&refuted).map(|(&prior, &is_out)| if is_out { -1.0 } else { prior });
        shared.root.guide(&priors.collect::<Vec<f32>>());
        self.refuted = refuted;
    }
}

/// Whether a move is so much worse than the best that no visit could change it: far behind at sufficient
/// depth, where the exploring search does not think better of it, or looked at alone.
fn is_refuted(slate: &Slate, m: Move, best: Move, behind: Option<(f32, Judgement)>) -> bool {
    let (Some(margin), Some((gap, known))) = (slate.terms.refutation, behind) else { return false };
    let is_verified = slate.verified(m).is_some();
    let (ours, theirs) = (slate.standing(m), slate.standing(best));
    let is_believed_in = ours.visits > 0 && ours.value > theirs.value && !is_verified;
    known.bound != Bound::Lower
        && known.depth >= slate.terms.refutation_depth
        && gap >= margin
        && !is_believed_in
}

/// The priors of the root's edges, in their order: by what seemed likely, by scores, and by where the other
/// search finds work to do.
fn guided_priors(
    slate: &Slate,
    root: &Root,
    edges: &[Option<Move>],
    best: Move,
    behind: &impl Fn(Move) -> Option<(f32, Judgement)>,
) -> Vec<f32> {
    let terms = &slate.terms;
    let weight = terms.root_prior;
    let mut raised = 0;
    let mut priors: Vec<f32> = root.priors.clone();
    for (prior, m) in priors.iter_mut().zip(edges) {
        let Some(m) = m.filter(|_| *prior >= 0.0) else { continue };
        let known = behind(m);
        if weight > 0.0 {
            let gap = known.map_or(0.0, |(gap, _)| gap.max(0.0));
            *prior = (1.0 - weight) * *prior * exp(-gap / terms.score_temperature)
                + weight * slate.effort(m);
        }
        let is_close = m != best
            && known.is_some_and(|(gap, known)| {
                gap <= terms.close
                    && (known.bound != Bound::Upper || slate.effort(m) > terms.alternative)
            });
        if is_close && *prior < terms.alternative {
            *prior = terms.alternative;
            raised += 1;
        }
    }
    slate.traffic.count(Exchange::RootPrior, u64::from(weight > 0.0));
    slate.traffic.count(Exchange::Alternative, raised);
    let sum: f32 = priors.iter().filter(|prior| **prior >= 0.0).sum();
    for prior in priors.iter_mut().filter(|prior| **prior >= 0.0) {
        *prior /= sum.max(f32::MIN_POSITIVE);
    }
    priors
}

#[cfg(test)]
mod tests {
    use tandem_chess::Game;
    use tandem_search::{Endgames, Limits, Terms};

    use super::*;
    use crate::params::Params;
    use crate::priors::Policy;

    fn root() -> (Root, Vec<Option<Move>>) {
        let game = Game::default();
        let mut root = Root::new(&game, &Limits::default(), &Endgames::default(), 1);
        root.judge(&game, &mut *Policy::Uniform.priors(None));
        let edges = root.weighed().into_iter().map(|weighed| Move::from_bits(weighed.move_bits()));
        let edges: Vec<Option<Move>> = edges.collect();
        root.settle(edges.iter().copied(), &Params::default(), 0);
        (root, edges)
    }

    fn slate(edges: &[Option<Move>], terms: Terms) -> Slate {
        Slate::new(edges.iter().copied().flatten(), terms)
    }

    fn judgement(bound: Bound, depth: i32) -> Judgement {
        Judgement { value: 0, bound, depth }
    }

    #[test]
    fn a_move_is_refuted_by_what_is_certain_and_deep_and_not_believed_in() {
        let (_, edges) = root();
        let (best, m) = (edges[0].unwrap(), edges[1].unwrap());
        let terms = Terms { refutation: Some(0.2), refutation_depth: 8, ..Terms::default() };
        let slate = slate(&edges, terms);
        let is =
            |gap, bound, depth| is_refuted(&slate, m, best, Some((gap, judgement(bound, depth))));
        assert!(is(0.3, Bound::Upper, 9) && is(0.2, Bound::Exact, 8));
        assert!(!is(0.1, Bound::Upper, 9), "too close");
        assert!(!is(0.3, Bound::Upper, 7), "too shallow");
        assert!(!is(0.3, Bound::Lower, 9), "it may be better");
        assert!(!is_refuted(&slate, m, best, None), "nobody has looked");
        slate.note_standing(m, Standing { visits: 9, value: 0.4, proof: 0 });
        slate.note_standing(best, Standing { visits: 9, value: 0.1, proof: 0 });
        assert!(!is(0.3, Bound::Upper, 9), "the tree thinks better of it");
        slate.verify(m, judgement(Bound::Exact, 9));
        assert!(is(0.3, Bound::Exact, 9), "somebody has looked at it alone");
        let off = self::slate(&edges, Terms { refutation: None, ..terms });
        assert!(!is_refuted(&off, m, best, Some((0.9, judgement(Bound::Exact, 20)))));
    }

    #[test]
    fn priors_follow_scores_and_effort_and_add_up() {
        let (root, edges) = root();
        let [best, close, bad] = [0, 1, 2].map(|i| edges[i].unwrap());
        let terms = Terms {
            root_prior: 0.3,
            score_temperature: 0.1,
            close: 0.05,
            alternative: 0.1,
            ..Terms::default()
        };
        let slate = slate(&edges, terms);
        slate.judge(best, judgement(Bound::Exact, 9), 700);
        slate.judge(close, judgement(Bound::Upper, 9), 200);
        slate.judge(bad, judgement(Bound::Upper, 9), 100);
        let behind = |m: Move| {
            let gap = if m == bad { 0.6 } else { 0.02 };
            slate.judgement(m).map(|known| (gap, known))
        };
        let priors = guided_priors(&slate, &root, &edges, best, &behind);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(
            priors[0] > priors[1] && priors[1] > priors[3] && priors[2] < priors[1],
            "{priors:?}"
        );
        assert!(slate.traffic.of(Exchange::RootPrior) == 1);
        let off = self::slate(&edges, Terms::default());
        let same = guided_priors(&off, &root, &edges, best, &|_| None);
        assert!(same.iter().zip(&root.priors).all(|(a, b)| (a - b).abs() < 1e-6));
        root.guide(&priors);
        assert!((root.prior(0) - priors[0]).abs() < 1e-9 && root.prior(99) < 0.0);
    }
}
