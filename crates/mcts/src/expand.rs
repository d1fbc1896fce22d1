//! Making the moves of a position known: judged by the thread itself, or by the batch that evaluated it.

use std::time::Instant;

use arrayvec::ArrayVec;
use tandem_chess::{Move, Position};
use tandem_search::Evaluate;

use crate::arena::Handle;
use crate::counts::Phase;
use crate::judged::Judged;
use crate::node::{Link, Weighed};
use crate::priors::{Policy, softmax};
use crate::shared::Shared;
use crate::tree::Full;
use crate::tunables as t;
use crate::worker::Worker;

impl<E: Evaluate> Worker<E> {
    /// Gives a position edges for its likeliest moves, or for all if those that it had have been tried.
    pub fn expand(
        &mut self,
        shared: &Shared<'_>,
        handle: Handle,
        had: Link,
        ply: usize,
        timed: bool,
    ) -> Result<Link, Full> {
        let mut clock = timed.then(Instant::now);
        let is_first = !had.is_expanded() && ply > 0;
        let moves = if is_first && self.recall(shared, had) {
            usize::from(had.moves)
        } else {
            let position = self.line.position(ply);
            let moves = position.legal_moves();
            let mut likelihoods: ArrayVec<f32, 256> = moves.iter().map(|_| 0.0).collect();
            self.priors.judge(position, &moves, &mut likelihoods);
            softmax(&mut likelihoods, shared.temperature(self.priors.policy()));
            self.heed_likely_move(shared, ply, &moves, &mut likelihoods);
            let most = if is_first { t::first_edges() as usize } else { moves.len() };
            self.keep_likeliest(&moves, &likelihoods, most);
            moves.len()
        };
        let link = shared.tree.expand(&mut self.pocket, handle, &self.weighed, moves);
        if let Some(start) = clock.take() {
            self.counts.add_time(Phase::Expansion, start.elapsed());
        }
        link
    }

    /// Keeps so many of the likeliest moves at hand.
    fn keep_likeliest(&mut self, moves: &[Move], likelihoods: &[f32], most: usize) {
        self.weighed.clear();
        for (&m, &likelihood) in moves.iter().zip(likelihoods) {
            insert(&mut self.weighed, Weighed::new(m, likelihood), most);
        }
    }

    /// Keeps in the tree what somebody else said of the legal moves of a leaf, until a playout goes on from
    /// there.
    pub fn remember(
        &mut self,
        shared: &Shared<'_>,
        leaf: Handle,
        position: &Position,
        logits: &[f32],
    ) {
        let moves = position.legal_moves();
        if self.priors.policy() != Policy::Network || moves.len() != logits.len() {
            return;
        }
        let mut likelihoods: ArrayVec<f32, 256> = logits.iter().copied().collect();
        softmax(&mut likelihoods, shared.temperature(self.priors.policy()));
        self.keep_likeliest(&moves, &likelihoods, Judged::MOST.min(t::first_edges() as usize));
        // Where there is no room the thread judges for itself, after the tree has been turned.
        let _ = shared.tree.remember(&mut self.pocket, leaf, &self.weighed, moves.len());
    }

    /// Whether what the tree remembers of a position's moves is enough for its first edges; then it is at
    /// hand.
    fn recall(&mut self, shared: &Shared<'_>, had: Link) -> bool {
        self.weighed.clear();
        self.weighed.extend(shared.tree.remembered(had));
        let wanted = usize::from(had.moves).min(t::first_edges() as usize);
        had.is_judged() && self.weighed.len() == wanted
    }
}

/// Puts a move into its place among the likeliest, of which so many are kept.
#[inline]
fn insert(likeliest: &mut Vec<Weighed>, weighed: Weighed, most: usize) {
    if likeliest.len() < most {
        likeliest.push(weighed);
    } else if likeliest.last().is_some_and(|last| *last < weighed) {
        likeliest[most - 1] = weighed;
    } else {
        return;
    }
    let mut place = likeliest.len() - 1;
    while place > 0 && likeliest[place - 1] < weighed {
        likeliest[place] = likeliest[place - 1];
        place -= 1;
    }
    likeliest[place] = weighed;
}
