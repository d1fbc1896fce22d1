//! Batches from any number of callers, on one device.
//!
//! Callers' batches wait in a [`Queue`]. One thread hands them to the device as soon as a slot is free,
//! everything that waits together; another reads the answers. So while one batch is computed the next
//! is already with the driver, and batches grow by themselves when the device is the slower part.

mod queue;
mod request;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tandem_chess::Position;
use tandem_nnue::{
    Assessment, BatchError, BatchEvaluator, Network, Networks, Outputs, PolicyEvaluator, Score,
    Ticket, prefers_small,
};

use self::queue::{Part, Queue};
pub(crate) use self::request::Request;
use crate::direct::PATIENCE;
use crate::kernels::{Role, Variant};
use crate::limits::{MAX_BATCH, PREFERRED_BATCH, SLOTS, SUBGROUP_FROM};
use crate::model::{Model, Plan, Source};
use crate::policy::{Asked, PolicyModel};
use crate::slot::Slot;
use crate::statistics::{Clock, Statistics};
use crate::{Checks, Device, DeviceOptions, GpuError, Packed};

/// How an evaluator works.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// From this batch size on the subgroup kernels serve, where the device has them.
    pub subgroup_from: usize,
    /// How long a batch may take before the device counts as hung.
    pub patience: Duration,
    /// Whether kernels check their indices.
    pub checks: Checks,
    /// How the device is opened, by those who open it themselves.
    pub device: DeviceOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            subgroup_from: SUBGROUP_FROM,
            patience: PATIENCE,
            checks: Checks::Off,
            device: DeviceOptions::default(),
        }
    }
}

/// The batch evaluator of a GPU. It gives the scores and the judgements of the CPU's, or, once the device has
/// failed, an error for every batch.
pub struct GpuBatchEvaluator {
    shared: Arc<Shared>,
    tickets: Mutex<(u64, HashMap<u64, Arc<Request>>)>,
    threads: Vec<JoinHandle<()>>,
}

/// What callers and the two threads share.
struct Shared {
    models: Vec<Model>,
    policy: Option<Arc<PolicyModel>>,
    queue: Queue,
    clock: Clock,
    subgroup_from: AtomicUsize,
    patience: Duration,
}

/// The places of the networks among the models.
const LARGE: usize = 0;
const SMALL: usize = 1;

/// A batch on its way.
struct Flight {
    network: usize,
    slot: Slot,
    parts: Vec<Part>,
    count: usize,
}

impl GpuBatchEvaluator {
    /// Puts the networks on a device, with that for moves where they are to be judged. That takes a while:
    /// copying numbers and compiling kernels.
    ///
    /// # Errors
    /// Where the device is too small for a network, or fails.
    pub fn new(
        device: &Device,
        networks: &Networks,
        policy: Option<&PolicyEvaluator>,
        options: Options,
    ) -> Result<Self, GpuError> {
        let both = [Some(networks.large()), networks.small()];
        let model = |network: &Arc<Network>| Model::new(device, network, options.checks);
        let models: Vec<_> = both.into_iter().flatten().map(model).collect::<Result<_, _>>()?;
        let judge = |policy: &PolicyEvaluator| {
            PolicyModel::new(device, policy.network(), options.checks).map(Arc::new)
        };
        let policy = policy.map(judge).transpose()?;
        let slots = |model| (0..SLOTS).map(|_| Slot::new(model, policy.as_ref())).collect();
        let slots: Vec<Vec<Slot>> = models.iter().map(slots).collect::<Result<_, _>>()?;
        let queue = Queue::new(models.len(), SLOTS);
        let shared = Arc::new(Shared {
            models,
            policy,
            queue,
            clock: Clock::new(),
            subgroup_from: AtomicUsize::new(options.subgroup_from),
            patience: options.patience,
        });
        let (flights, landing) = mpsc::channel();
        let (returned, free) = mpsc::channel();
        let (first, second) = (Arc::clone(&shared), Arc::clone(&shared));
        let threads = vec![
            std::thread::spawn(move || first.launch_all(slots, &free, &flights)),
            std::thread::spawn(move || second.land_all(&landing, &returned)),
        ];
        Ok(Self { shared, tickets: Mutex::default(), threads })
    }

    /// What it has done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.shared.clock.statistics()
    }

    /// Why it serves no more, if so.
    #[must_use]
    pub fn trouble(&self) -> Option<GpuError> {
        self.shared.queue.ended()
    }

    /// From that batch size on the subgroup kernels serve, where the device has them.
    pub fn set_subgroup_from(&self, size: usize) {
        self.shared.subgroup_from.store(size, Ordering::Relaxed);
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.shared.models[LARGE].device()
    }

    /// The network for every position, on the device.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.shared.models[LARGE]
    }

    /// The network that judges moves, on the device.
    #[must_use]
    pub fn policy(&self) -> Option<&Arc<PolicyModel>> {
        self.shared.policy.as_ref()
    }

    /// Hands in a batch, kept so that it can be evaluated elsewhere if need be.
    pub(crate) fn request(&self, batch: Vec<Position>) -> Arc<Request> {
        let request = Arc::new(Request::new(batch, self.shared.policy.as_deref()));
        let has_small = self.shared.models.len() > SMALL;
        let all = 0..request.positions.len() as u32;
        let (small, large): (Vec<_>, Vec<_>) =
            all.partition(|&index| has_small && prefers_small(&request.positions[index as usize]));
        for (network, indexes) in [(LARGE, large), (SMALL, small)] {
            if !indexes.is_empty() {
                let part = Part { request: Arc::clone(&request), indexes, with_moves: true };
                self.shared.queue.push(network, part);
            }
        }
        request
    }

    pub(crate) fn answers(&self, request: &Request) -> Result<Vec<Assessment>, BatchError> {
        self.shared.clock.waiting(|| request.wait())
    }

    pub(crate) fn is_done(&self, request: &Request, patience: Duration) -> bool {
        // Who only looks does not wait.
        request.is_done(Duration::ZERO)
            || !patience.is_zero() && self.shared.clock.waiting(|| request.is_done(patience))
    }
}

impl BatchEvaluator for GpuBatchEvaluator {
    fn submit(&self, batch: Vec<Position>) -> Ticket {
        let request = self.request(batch);
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        let number = tickets.0;
        tickets.0 += 1;
        tickets.1.insert(number, request);
        Ticket::new(number)
    }

    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError> {
        let number = ticket.number();
        let request = {
            let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
            tickets.1.remove(&number).ok_or(BatchError::UnknownTicket(number))?
        };
        self.answers(&request)
    }

    fn is_back(&self, ticket: &Ticket, patience: Duration) -> bool {
        let request = {
            let tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
            tickets.1.get(&ticket.number()).cloned()
        };
        request.is_none_or(|request| self.is_done(&request, patience))
    }

    fn forget(&self, ticket: Ticket) {
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.1.remove(&ticket.number());
    }

    fn preferred_batch(&self) -> usize {
        PREFERRED_BATCH
    }
}

impl Drop for GpuBatchEvaluator {
    fn drop(&mut self) {
        let hung = matches!(self.trouble(), Some(GpuError::Hung(_)));
        self.shared.queue.end(&GpuError::Lost("the evaluator has ended".into()));
        for thread in self.threads.drain(..) {
            // A hung device would keep us as well.
            if !hung {
                let _ = thread.join();
            }
        }
    }
}

impl Shared {
    /// Hands batches to the device until the queue ends.
    fn launch_all(
        &self,
        mut slots: Vec<Vec<Slot>>,
        free: &Receiver<(usize, Slot)>,
        flights: &Sender<Flight>,
    ) {
        let mut packed: Vec<Packed> = Vec::with_capacity(MAX_BATCH);
        let mut asked = Asked::default();
        while let Some((network, parts)) = self.queue.take() {
            for (network, slot) in free.try_iter() {
                slots[network].push(slot);
            }
            let Some(slot) = slots[network].pop() else {
                self.give_up(&parts, &GpuError::Lost("its buffers did not come back".into()));
                return;
            };
            packed.clear();
            asked.clear();
            for part in &parts {
                packed
                    .extend(part.indexes.iter().map(|&index| part.request.packed[index as usize]));
                if let Some(questions) = part.questions() {
                    part.indexes.iter().for_each(|&index| asked.push(questions, index as usize));
                }
            }
            let mut flight = Flight { network, slot, parts, count: packed.len() };
            let launched = flight.slot.write(&packed).and_then(|()| {
                let plan = self.plan(network, packed.len());
                flight.slot.launch(&self.models[network], packed.len(), plan, &asked)
            });
            if let Err(error) = launched {
                self.give_up(&flight.parts, &error);
                return;
            }
            self.clock.launched();
            if let Err(mpsc::SendError(flight)) = flights.send(flight) {
                let gone = GpuError::Lost("nobody reads its answers".into());
                self.give_up(&flight.parts, &self.queue.ended().unwrap_or(gone));
                return;
            }
        }
    }

    /// Reads answers until no more batches can come.
    fn land_all(&self, landing: &Receiver<Flight>, returned: &Sender<(usize, Slot)>) {
        for mut flight in landing {
            let model = &self.models[flight.network];
            let answers = match self.queue.ended() {
                Some(error @ GpuError::Hung(_)) => Err(error),
                _ => flight.slot.wait(model, self.patience),
            };
            self.clock.landed(flight.count);
            match answers {
                Ok((outputs, judged)) => {
                    // The slot first: the device should not wait for our arithmetic.
                    let _ = returned.send((flight.network, flight.slot));
                    self.queue.release(flight.network);
                    self.deliver(flight.network, &flight.parts, &outputs, &judged);
                }
                Err(error) => self.give_up(&flight.parts, &error),
            }
        }
    }

    fn plan(&self, network: usize, count: usize) -> Plan {
        let subgroup = count >= self.subgroup_from.load(Ordering::Relaxed)
            && self.models[network].has(Variant::Subgroup);
        let variant = if subgroup { Variant::Subgroup } else { Variant::Plain };
        Plan { source: Source::Boards, variant, role: Role::Fresh }
    }

    /// Turns outputs into scores. What the small network is not clear about goes to the large one.
    fn deliver(&self, network: usize, parts: &[Part], outputs: &[Outputs], mut judged: &[i32]) {
        let mut outputs = outputs.iter();
        for part in parts {
            if part.with_moves {
                judged = part.request.answer_moves(&part.indexes, judged);
            }
            let mut scores: Vec<(u32, Score)> = Vec::with_capacity(part.indexes.len());
            let mut unclear = Vec::new();
            for (&index, outputs) in part.indexes.iter().zip(&mut outputs) {
                if network == SMALL && !outputs.is_clear() {
                    unclear.push(index);
                } else {
                    let position = &part.request.positions[index as usize];
                    scores.push((index, outputs.score(position)));
                }
            }
            part.request.answer(&scores);
            // Their moves have been judged by now.
            let request = Arc::clone(&part.request);
            self.queue.push(LARGE, Part { request, indexes: unclear, with_moves: false });
        }
    }

    fn give_up(&self, parts: &[Part], error: &GpuError) {
        self.queue.end(error);
        for part in parts {
            part.request.fail(error);
        }
    }
}
