//! Playouts whose leaves are evaluated elsewhere, many at a time.
//!
//! A thread gathers leaves (`gather`), hands them in, and gathers the next while those are computed
//! (`flights`). When enough batches are on their way it waits for the oldest and carries its values to the
//! root (`land`). How much may be under way depends on how large the tree is (`size`). With one
//! thread nothing depends on how long a batch takes, so that the same seed gives the same tree.

mod counts;
mod flights;
mod gather;
mod land;
mod size;
mod ways;

pub use self::counts::Batches;

use std::time::Instant;

use tandem_nnue::BatchEvaluator;
use tandem_search::Evaluate;

use self::flights::Flights;
use self::land::abandon;
use self::size::Size;
use crate::arena::Pocket;
use crate::counts::Phase;
use crate::shared::Shared;
use crate::worker::Worker;

impl<E: Evaluate> Worker<E> {
    /// Like [`run`](Self::run), but with leaves evaluated in batches, until they are no longer worth it.
    pub fn run_batched(
        &mut self,
        shared: &Shared<'_>,
        evaluator: &dyn BatchEvaluator,
        between: &mut dyn FnMut(&mut Self),
    ) {
        let mut flights = Flights::new(evaluator);
        let _using = shared.gate.enter();
        self.pocket = Pocket::default();
        while shared.goes_on(true) {
            self.fly(shared, Size::of(shared, shared.batch()), &mut flights, between);
        }
        // Nobody may be on his way when the tree is left to others.
        let before = self.counts.playouts;
        while self.land(shared, &mut flights, between) {}
        shared.finish(self.counts.playouts - before);
    }

    /// Gathers one batch, hands it in, and lands as many as have to.
    fn fly(
        &mut self,
        shared: &Shared<'_>,
        size: Size,
        flights: &mut Flights<'_>,
        between: &mut dyn FnMut(&mut Self),
    ) {
        let before = self.counts.playouts;
        let start = Instant::now();
        let batch = self.gather(shared, size, flights, between);
        self.counts.add_time(Phase::Selection, start.elapsed());
        let mut room = size.flights;
        if shared.is_over() {
            abandon(shared, &batch);
        } else if batch.leaves.is_empty() {
            // Nothing is left to gather before something comes back.
            room = room.min(flights.len().saturating_sub(1));
        } else {
            flights.watch(&mut self.counts, true);
            flights.launch(batch, size.leaves, &mut self.counts);
        }
        while flights.len() > room && self.land(shared, flights, between) {}
        shared.finish(self.counts.playouts - before);
        between(self);
    }
}
