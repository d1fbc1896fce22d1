//! Evaluating many positions at once.

use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tandem_chess::Position;
use thiserror::Error;

use crate::{Evaluator, Networks, PolicyEvaluator, Score};

/// What a batch evaluator says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The score from the side to move's view.
    pub score: Score,
    /// What [`PolicyEvaluator::judge`] says of the legal moves, in the order of
    /// [`legal_moves`](Position::legal_moves); none without a policy network.
    pub logits: Option<Vec<f32>>,
}

/// Stands for a batch that has been handed in.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Ticket(u64);

impl Ticket {
    /// The ticket with that number, which its evaluator gives once.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number it was made with.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.0
    }
}

/// Why a batch was not evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// The ticket is not of this evaluator.
    #[error("ticket {0} was not given by this evaluator")]
    UnknownTicket(u64),
    /// Whatever computes is gone.
    #[error("the evaluation was lost: {0}")]
    Lost(String),
}

/// Evaluates batches of positions. Several may be on their way at once; every ticket is to be
/// waited for. All implementations give the same integers.
pub trait BatchEvaluator: Send + Sync {
    /// Hands in a batch. Does not wait for the result.
    fn submit(&self, batch: Vec<Position>) -> Ticket;

    /// Waits for a batch; the answers stand in the order of its positions.
    ///
    /// # Errors
    /// Where the evaluation was lost. The caller may hand in the batch elsewhere.
    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError>;

    /// How many positions a batch should have for the best throughput; 1 where batches are not worth
    /// their way, for the time being or for ever, and callers do better to evaluate by themselves.
    fn preferred_batch(&self) -> usize;

    /// Waits until a batch has come back, but no longer than that; answers whether it has, so that
    /// [`wait`](Self::wait) answers at once. Whoever cannot tell says that it has.
    fn is_back(&self, _ticket: &Ticket, _patience: Duration) -> bool {
        true
    }

    /// Gives a ticket back whose answers nobody wants any more.
    fn forget(&self, ticket: Ticket) {
        let _ = self.wait(ticket);
    }

    /// A sentence for the user about what has become of this evaluator since this was last asked, where
    /// there is something to tell: that its device was lost, say.
    fn take_notice(&self) -> Option<String> {
        None
    }
}

/// A part of a batch on its way to a worker.
struct Job {
    batch: Arc<Vec<Position>>,
    /// The positions of the batch from here, as many as `count`.
    first: usize,
    count: usize,
    reply: Sender<(usize, Vec<Assessment>)>,
}

/// A batch on its way: how many positions it has, how many of them have not come back, where its parts
/// arrive, and those that have, each with the place where it begins.
struct Pending {
    positions: usize,
    missing: usize,
    arriving: Receiver<(usize, Vec<Assessment>)>,
    parts: Vec<(usize, Vec<Assessment>)>,
}

impl Pending {
    /// Takes in what comes until then; answers whether nothing more is to come.
    fn gather(&mut self, until: Option<Instant>) -> bool {
        while self.missing > 0 {
            let part = match until {
                None => self.arriving.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => {
                    self.arriving.recv_timeout(until.saturating_duration_since(Instant::now()))
                }
            };
            match part {
                Ok(part) => {
                    self.missing -= part.1.len();
                    self.parts.push(part);
                }
                Err(error) => return error == RecvTimeoutError::Disconnected,
            }
        }
        true
    }
}

#[derive(Default)]
struct Tickets {
    next: u64,
    pending: HashMap<u64, Arc<Mutex<Pending>>>,
}

/// The batch evaluator of the processor: a number of threads, each with an evaluator of its own.
pub struct CpuBatchEvaluator {
    /// None once the workers are to end.
    jobs: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
    tickets: Mutex<Tickets>,
}

/// Smaller parts are not worth the way to another thread.
const LEAST_PART: usize = 16;
/// What keeps a thread busy between two messages.
const POSITIONS_A_THREAD: usize = 64;

impl CpuBatchEvaluator {
    /// Evaluates with those networks on that many threads, at least one; and judges the legal moves, where
    /// there is somebody to do so.
    #[must_use]
    pub fn new(networks: &Networks, policy: Option<&PolicyEvaluator>, threads: usize) -> Self {
        let (jobs, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let worker = |_| {
            let (networks, policy) = (networks.clone(), policy.cloned());
            let waiting = Arc::clone(&waiting);
            std::thread::spawn(move || work(&networks, policy, &waiting))
        };
        let workers = (0..threads.max(1)).map(worker).collect();
        Self { jobs: Some(jobs), workers, tickets: Mutex::default() }
    }

    fn tickets(&self) -> MutexGuard<'_, Tickets> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BatchEvaluator for CpuBatchEvaluator {
    fn submit(&self, batch: Vec<Position>) -> Ticket {
        let (reply, parts) = mpsc::channel();
        let positions = batch.len();
        let part = positions.div_ceil(self.workers.len()).max(LEAST_PART);
        let batch = Arc::new(batch);
        for first in (0..positions).step_by(part) {
            let (batch, reply) = (Arc::clone(&batch), reply.clone());
            let job = Job { batch, first, count: part.min(positions - first), reply };
            // Where nobody listens any more, the wait for the ticket will say so.
            let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
        }
        let mut tickets = self.tickets();
        let number = tickets.next;
        tickets.next += 1;
        let pending = Pending { positions, missing: positions, arriving: parts, parts: Vec::new() };
        tickets.pending.insert(number, Arc::new(Mutex::new(pending)));
        Ticket::new(number)
    }

    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError> {
        let number = ticket.number();
        let pending = self.tickets().pending.remove(&number);
        let pending = pending.ok_or(BatchError::UnknownTicket(number))?;
        let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.gather(None);
        let mut parts = std::mem::take(&mut pending.parts);
        parts.sort_unstable_by_key(|&(first, _)| first);
        let answers: Vec<_> = parts.into_iter().flat_map(|(_, answers)| answers).collect();
        if answers.len() == pending.positions {
            Ok(answers)
        } else {
            Err(BatchError::Lost("a thread has ended".into()))
        }
    }

    fn is_back(&self, ticket: &Ticket, patience: Duration) -> bool {
        let pending = self.tickets().pending.get(&ticket.number()).cloned();
        pending.is_none_or(|pending| {
            let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
            pending.gather(Some(Instant::now() + patience))
        })
    }

    fn forget(&self, ticket: Ticket) {
        self.tickets().pending.remove(&ticket.number());
    }

    fn preferred_batch(&self) -> usize {
        POSITIONS_A_THREAD * self.workers.len()
    }
}

impl Drop for CpuBatchEvaluator {
    fn drop(&mut self) {
        self.jobs = None;
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

/// Evaluates one part after the other until nobody can send any.
fn work(networks: &Networks, mut policy: Option<PolicyEvaluator>, waiting: &Mutex<Receiver<Job>>) {
    let mut evaluator = Evaluator::new(networks, &Position::startpos());
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let positions = &job.batch[job.first..job.first + job.count];
        let assess = |position: &Position| {
            evaluator.reset(position);
            let logits = policy.as_mut().map(|policy| judged(policy, position));
            Assessment { score: evaluator.evaluate(), logits }
        };
        let answers = positions.iter().map(assess).collect();
        // Whoever has lost interest is not told.
        let _ = job.reply.send((job.first, answers));
    }
}

fn judged(policy: &mut PolicyEvaluator, position: &Position) -> Vec<f32> {
    let moves = position.legal_moves();
    let mut logits = vec![0.0; moves.len()];
    policy.judge(position, &moves, &mut logits);
    logits
}
