//! Batches on their way.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_nnue::{BatchEvaluator, Ticket};

use super::ways::Ways;
use crate::counts::Counts;
use crate::table::key;

/// Leaves that are handed in together, and the playouts that wait for them.
#[derive(Default)]
pub struct Batch {
    /// What distinguishes it from the others of its thread.
    number: u64,
    /// The ways of the playouts.
    pub ways: Ways,
    /// The leaf of each, and which of the answers is for it; none where an earlier batch asks.
    pub leaves: Vec<(Position, Option<usize>)>,
    /// The positions that are asked for; empty once they are handed in.
    asked: Vec<Position>,
}

/// A batch that was handed in.
pub struct Flight {
    /// What it is asked for by.
    pub ticket: Ticket,
    /// Who waits for it.
    pub batch: Batch,
    /// Whether its answers are known to be there.
    is_back: bool,
}

/// The batches of one thread that are on their way, the oldest first.
pub struct Flights<'a> {
    /// Who evaluates them.
    pub evaluator: &'a dyn BatchEvaluator,
    queue: VecDeque<Flight>,
    /// The positions that are asked for: by which batch, and where in it.
    asked: HashMap<u64, (u64, usize), BuildHasherDefault<KeyHasher>>,
    last_number: u64,
    /// Until when the time is accounted for.
    watched: Instant,
}

impl<'a> Flights<'a> {
    pub fn new(evaluator: &'a dyn BatchEvaluator) -> Self {
        Self {
            evaluator,
            queue: VecDeque::new(),
            asked: HashMap::default(),
            last_number: 0,
            watched: Instant::now(),
        }
    }

    /// How many are on their way.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// The oldest.
    pub fn first(&self) -> Option<&Flight> {
        self.queue.front()
    }

    /// A batch to gather for.
    pub fn begin(&mut self) -> Batch {
        self.last_number += 1;
        Batch { number: self.last_number, ..Batch::default() }
    }

    /// Adds a leaf to a batch. A position that is asked for already, on another way, is not asked for again.
    pub fn add(&mut self, batch: &mut Batch, position: &Position) {
        let place = (batch.number, batch.asked.len());
        let (number, index) = *self.asked.entry(key(position)).or_insert(place);
        if (number, index) == place {
            batch.asked.push(*position);
        }
        batch.leaves.push((*position, (number == batch.number).then_some(index)));
    }

    /// Hands a batch in.
    pub fn launch(&mut self, mut batch: Batch, wanted: usize, counts: &mut Counts) {
        let positions = std::mem::take(&mut batch.asked);
        counts.batches.note(positions.len(), wanted);
        let ticket = self.evaluator.submit(positions);
        self.queue.push_back(Flight { ticket, batch, is_back: false });
    }

    /// Takes the oldest out; what it asked for may be asked for again.
    pub fn pop(&mut self) -> Option<Flight> {
        let flight = self.queue.pop_front()?;
        let number = flight.batch.number;
        for (position, _) in flight.batch.leaves.iter().filter(|leaf| leaf.1.is_some()) {
            if self.asked.get(&key(position)).is_some_and(|place| place.0 == number) {
                self.asked.remove(&key(position));
            }
        }
        Some(flight)
    }

    /// Accounts for the time since this was last called, in which the thread did or did not work, and looks
    /// which batches have come back meanwhile.
    pub fn watch(&mut self, counts: &mut Counts, at_work: bool) {
        let now = Instant::now();
        let computed = self.queue.iter().filter(|flight| !flight.is_back).count();
        counts.batches.pass(now - self.watched, computed, at_work);
        self.watched = now;
        for flight in self.queue.iter_mut().filter(|flight| !flight.is_back) {
            flight.is_back = self.evaluator.is_back(&flight.ticket, Duration::ZERO);
        }
    }
}

/// Keys of positions are random numbers already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
