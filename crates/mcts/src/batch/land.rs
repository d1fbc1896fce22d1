//! What happens to a batch that was handed in: its values go to the root, whoever computes them, and what
//! it says of moves is remembered at its leaves.

use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_nnue::{Assessment, BatchError, Score};
use tandem_search::Evaluate;

use super::flights::{Batch, Flight, Flights};
use crate::camp::Camp;
use crate::counts::Phase;
use crate::shared::Shared;
use crate::value::Proof;
use crate::worker::{Worker, back_up, withdraw};

/// Between two looks at the clock while a thread waits.
const STEP: Duration = Duration::from_millis(1);
/// A batch that takes longer is evaluated by the thread itself: its device may hang.
const PATIENCE: Duration = Duration::from_millis(500);

impl<E: Evaluate> Worker<E> {
    /// Waits for the oldest batch and carries its values to the root. Answers whether there was one.
    pub(super) fn land(
        &mut self,
        shared: &Shared<'_>,
        flights: &mut Flights<'_>,
        between: &mut dyn FnMut(&mut Self),
    ) -> bool {
        flights.watch(&mut self.counts, true);
        let start = Instant::now();
        let patience = PATIENCE / (1 << self.late.min(8));
        let is_back = loop {
            let Some(Flight { ticket, .. }) = flights.first() else { return false };
            let is_back = flights.evaluator.is_back(ticket, STEP.min(patience));
            flights.watch(&mut self.counts, false);
            if is_back || shared.is_over() || start.elapsed() > patience {
                break is_back;
            }
            between(self);
        };
        let Some(Flight { ticket, batch, .. }) = flights.pop() else { return false };
        let answers = if is_back {
            self.late = 0;
            flights.evaluator.wait(ticket)
        } else {
            if !shared.is_over() {
                // The next is not waited for as long, until one is in time again.
                self.late += 1;
            }
            flights.evaluator.forget(ticket);
            Err(BatchError::Lost("it did not answer in time".into()))
        };
        let answers = match answers {
            Ok(answers) => {
                self.counts.batches.answered += answers.len() as u64;
                let judged = answers.iter().filter(|answer| answer.logits.is_some());
                self.counts.batches.judged += judged.count() as u64;
                Some(answers)
            }
            Err(_) if shared.is_over() => None,
            Err(error) => {
                self.counts.batches.lost += 1;
                shared.note_loss(&error);
                self.make_good(shared, &batch)
            }
        };
        let landed = Instant::now();
        self.counts.add_time(Phase::Evaluation, landed - start);
        match answers {
            Some(answers) => self.deliver(shared, &batch, &answers),
            None => abandon(shared, &batch),
        }
        self.counts.add_time(Phase::Backup, landed.elapsed());
        true
    }

    /// Evaluates a lost batch; nothing if the search ends meanwhile. Its moves are judged when a playout goes
    /// on from there, as they are without batches.
    fn make_good(&mut self, shared: &Shared<'_>, batch: &Batch) -> Option<Vec<Assessment>> {
        let mut answers = Vec::new();
        for (position, answer) in &batch.leaves {
            if shared.is_over() {
                break;
            }
            if *answer == Some(answers.len()) {
                let score = Score::new(self.line.evaluate_apart(position));
                answers.push(Assessment { score, logits: None });
            }
        }
        self.line.come_back();
        self.counts.evaluations_after = self.line.evaluator.evaluations();
        (!shared.is_over()).then_some(answers)
    }

    fn deliver(&mut self, shared: &Shared<'_>, batch: &Batch, answers: &[Assessment]) {
        let mut next = 0;
        for (way, (position, answer)) in batch.ways.iter().zip(&batch.leaves) {
            let score = if let Some(place) = *answer {
                let Assessment { score, logits } = &answers[place];
                if let Some(logits) = logits {
                    self.remember(shared, way[way.len() - 1].node, position, logits);
                }
                if place == next {
                    next += 1;
                    self.counts.evaluated += 1;
                    shared.table.store(position, score.value());
                } else {
                    self.counts.table_hits += 1;
                }
                score.value()
            } else {
                self.recall_score(shared, position)
            };
            let value = shared.scale.value(score, position);
            back_up(shared, way, &mut Camp::default(), value, Proof::None);
            self.counts.note_depth(way.len() - 1);
        }
    }

    /// The score of a position that an earlier batch has asked for: in the table, unless another position
    /// has taken its place there.
    fn recall_score(&mut self, shared: &Shared<'_>, position: &Position) -> i32 {
        if let Some(score) = shared.table.probe(position) {
            self.counts.table_hits += 1;
            return score;
        }
        self.counts.evaluated += 1;
        let score = self.line.evaluate_apart(position);
        self.line.come_back();
        self.counts.evaluations_after = self.line.evaluator.evaluations();
        score
    }
}

/// Takes back playouts that nobody waits for any more.
pub(super) fn abandon(shared: &Shared<'_>, batch: &Batch) {
    batch.ways.iter().for_each(|way| withdraw(shared, way));
}
