//! Playouts whose leaves are evaluated elsewhere, many at a time.

use tandem_chess::Position;
use tandem_nnue::{BatchEvaluator, Ticket};
use tandem_search::Evaluate;

use crate::camp::Camp;
use crate::shared::Shared;
use crate::tree::Full;
use crate::value::Proof;
use crate::worker::{End, Step, Worker, back_up};

/// A playout that waits for the value of its leaf.
struct Waiting {
    path: Vec<Step>,
    position: Position,
}

/// Playouts whose leaves were handed in together.
struct Flight {
    ticket: Ticket,
    playouts: Vec<Waiting>,
}

impl<E: Evaluate> Worker<E> {
    /// Like [`run`](Self::run), but with leaves evaluated in batches. While one batch is computed, the
    /// next is gathered.
    pub fn run_batched(
        &mut self,
        shared: &Shared<'_>,
        evaluator: &dyn BatchEvaluator,
        mut between: impl FnMut(&mut Self),
    ) {
        while !shared.is_over() {
            let using = shared.gate.enter();
            let mut flight: Option<Flight> = None;
            while !shared.is_over() && !shared.tree.is_full() {
                let before = self.counts.playouts;
                let mut gathered = self.gather(shared);
                if shared.is_over() {
                    // Nobody waits for these any more.
                    for waiting in gathered.drain(..) {
                        self.path = waiting.path;
                        self.give_up(shared);
                    }
                }
                let next = (!gathered.is_empty()).then(|| Flight {
                    ticket: evaluator.submit(gathered.iter().map(|w| w.position).collect()),
                    playouts: gathered,
                });
                if let Some(flight) = std::mem::replace(&mut flight, next) {
                    self.land(shared, evaluator, flight);
                }
                shared.finish(self.counts.playouts - before);
                between(self);
            }
            // Nobody may be on his way when the arena is turned.
            if let Some(flight) = flight {
                let before = self.counts.playouts;
                self.land(shared, evaluator, flight);
                shared.finish(self.counts.playouts - before);
            }
            drop(using);
            shared.gate.make_room(shared.tree);
        }
    }

    /// Playouts until a batch is full, or until one meets another under way.
    fn gather(&mut self, shared: &Shared<'_>) -> Vec<Waiting> {
        let mut gathered = Vec::with_capacity(shared.params.batch);
        // Playouts that end at once could go on for ever where everything is decided.
        for _ in 0..4 * shared.params.batch {
            if gathered.len() == shared.params.batch || !shared.claim() {
                break;
            }
            match self.descend(shared, false) {
                Ok(End::Known(value, proof)) => {
                    self.counts.finished += 1;
                    self.finish(shared, value, proof);
                }
                Ok(End::Leaf) => {
                    let Some(leaf) = self.look_up(shared) else { continue };
                    let node = shared.tree.node(self.path[self.path.len() - 1].node);
                    if node.in_flight() > 1 {
                        self.give_up(shared);
                        break;
                    }
                    gathered.push(leaf);
                }
                Err(Full) => {
                    self.give_up(shared);
                    break;
                }
            }
        }
        gathered
    }

    /// Finishes the playout if its leaf needs no evaluation; otherwise answers with what has to wait.
    fn look_up(&mut self, shared: &Shared<'_>) -> Option<Waiting> {
        let ply = self.path.len() - 1;
        let position = *self.line.position(ply);
        if let Some(proof) = self.prove(shared, &position, ply) {
            self.finish(shared, proof.value(), proof);
            return None;
        }
        if let Some(score) = shared.table.probe(&position) {
            self.counts.table_hits += 1;
            self.finish(shared, shared.scale.value(score, &position), Proof::None);
            return None;
        }
        Some(Waiting { path: self.path.clone(), position })
    }

    fn finish(&mut self, shared: &Shared<'_>, value: crate::value::Value, proof: Proof) {
        back_up(shared, &self.path, &mut Camp::default(), value, proof);
        self.counts.note_depth(self.path.len() - 1);
    }

    /// Waits for a batch and carries its values to the root. A batch that is lost is evaluated here.
    fn land(&mut self, shared: &Shared<'_>, evaluator: &dyn BatchEvaluator, flight: Flight) {
        let answers = evaluator.wait(flight.ticket).ok();
        for (i, waiting) in flight.playouts.iter().enumerate() {
            let position = &waiting.position;
            let score = if let Some(answers) = &answers {
                tandem_search::bare_king(position).unwrap_or(answers[i].score.value())
            } else {
                self.line.evaluate_apart(position)
            };
            self.counts.evaluated += 1;
            self.counts.evaluations_after += 1;
            shared.table.store(position, score);
            let value = shared.scale.value(score, position);
            back_up(shared, &waiting.path, &mut Camp::default(), value, Proof::None);
            self.counts.note_depth(waiting.path.len() - 1);
        }
    }
}
