//! Gathering the leaves of a batch.

use tandem_search::{Evaluate, bare_king};

use super::flights::{Batch, Flights};
use super::size::Size;
use super::ways::Ways;
use crate::camp::Camp;
use crate::shared::Shared;
use crate::tree::Full;
use crate::value::{Proof, Value};
use crate::worker::{End, Worker, back_up, withdraw};

/// Playouts between two looks at what has come back and at the clock.
const LOOK: usize = 32;
/// Playouts for a leaf that is wanted, at the most: those that end at once could go on for ever where
/// everything is decided.
const TRIES: usize = 4;

impl<E: Evaluate> Worker<E> {
    /// Plays out until a batch has its leaves, or until too many playouts have met others under way.
    pub(super) fn gather(
        &mut self,
        shared: &Shared<'_>,
        size: Size,
        flights: &mut Flights<'_>,
        between: &mut dyn FnMut(&mut Self),
    ) -> Batch {
        let mut batch = flights.begin();
        // Whoever meets another stays announced until the end, so that the next goes elsewhere.
        let mut collided = Ways::default();
        for tries in 1..=TRIES * size.leaves {
            if batch.leaves.len() == size.leaves
                || collided.len() > size.collisions
                || !shared.claim()
            {
                break;
            }
            match self.descend(shared, false) {
                Ok(End::Known(value, proof)) => {
                    self.counts.finished += 1;
                    self.finish(shared, value, proof);
                }
                Ok(End::Leaf) => self.meet(shared, flights, &mut batch, &mut collided),
                Ok(End::Busy) => collided.push(&self.path),
                Err(Full) => {
                    withdraw(shared, &self.path);
                    break;
                }
            }
            if tries.is_multiple_of(LOOK) {
                flights.watch(&mut self.counts, true);
                between(self);
            }
        }
        self.counts.batches.collisions += collided.len() as u64;
        collided.iter().for_each(|way| withdraw(shared, way));
        batch
    }

    /// Finishes the playout if its leaf needs no evaluation; otherwise it waits in the batch, or has
    /// collided with another that asks for the same.
    fn meet(
        &mut self,
        shared: &Shared<'_>,
        flights: &mut Flights<'_>,
        batch: &mut Batch,
        collided: &mut Ways,
    ) {
        let ply = self.path.len() - 1;
        if shared.tree.node(self.path[ply].node).in_flight() > 1 {
            collided.push(&self.path);
            return;
        }
        let position = *self.line.position(ply);
        if let Some(proof) = self.prove(shared, &position, ply) {
            self.finish(shared, proof.value(), proof);
        } else if let Some(score) = self.known_score(shared, &position) {
            self.finish(shared, shared.scale.value(score, &position), Proof::None);
        } else if let Some(score) = bare_king(&position) {
            self.counts.evaluated += 1;
            shared.table.store(&position, score);
            self.finish(shared, shared.scale.value(score, &position), Proof::None);
        } else {
            batch.ways.push(&self.path);
            flights.add(batch, &position);
        }
    }

    fn finish(&mut self, shared: &Shared<'_>, value: Value, proof: Proof) {
        back_up(shared, &self.path, &mut Camp::default(), value, proof);
        self.counts.note_depth(self.path.len() - 1);
    }
}
