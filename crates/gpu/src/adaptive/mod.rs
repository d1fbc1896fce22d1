//! Processor or GPU, whichever serves a batch best, and the processor whenever the GPU cannot.

mod opening;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tandem_chess::Position;
use tandem_nnue::{
    Assessment, BatchError, BatchEvaluator, CpuBatchEvaluator, Networks, PolicyEvaluator, Ticket,
};

use self::opening::Opening;
use crate::evaluator::Request;
use crate::limits::PREFERRED_BATCH;
use crate::{Calibration, Choice, Device, GpuBatchEvaluator, Options, Statistics};

/// Who is to evaluate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// Whoever was faster when both were measured.
    #[default]
    Fastest,
    /// The GPU, whenever there is one.
    Gpu,
}

/// A batch evaluator that never fails. It works from the first moment, on the processor; the GPU is
/// opened in the background, joins when it is ready, and is tried again some time after a failure. Batches
/// that it loses are evaluated by the processor.
pub struct AdaptiveEvaluator {
    cpu: Arc<CpuBatchEvaluator>,
    opening: Arc<Opening>,
    preference: Preference,
    tickets: Mutex<(u64, HashMap<u64, Pending>)>,
}

/// A batch on its way.
#[derive(Clone)]
enum Pending {
    Cpu(u64),
    Gpu(Arc<GpuBatchEvaluator>, Arc<Request>),
}

/// A GPU that serves, and what is known of its speed.
#[derive(Clone)]
struct Ready {
    gpu: Arc<GpuBatchEvaluator>,
    calibration: Arc<Calibration>,
}

impl AdaptiveEvaluator {
    /// Evaluates with those networks, and judges moves where there is somebody to do so, on that many threads
    /// of the processor or on the GPU. Returns at once: whatever takes time happens in the background.
    #[must_use]
    pub fn new(
        networks: &Networks,
        policy: Option<&PolicyEvaluator>,
        threads: usize,
        preference: Preference,
    ) -> Self {
        Self::with_options(networks, policy, threads, preference, Options::default())
    }

    /// The same with other options for the GPU.
    #[must_use]
    pub fn with_options(
        networks: &Networks,
        policy: Option<&PolicyEvaluator>,
        threads: usize,
        preference: Preference,
        options: Options,
    ) -> Self {
        let cpu = Arc::new(CpuBatchEvaluator::new(networks, policy, threads));
        let beside = Arc::clone(&cpu);
        let opening = Opening::new(networks.clone(), policy.cloned(), beside, threads, options);
        let opening = Arc::new(opening);
        opening.begin_if_due();
        Self { cpu, opening, preference, tickets: Mutex::default() }
    }

    /// Waits until the GPU serves, or is known not to. Whether it serves.
    pub fn wait_until_open(&self, patience: Duration) -> bool {
        self.opening.wait(patience)
    }

    /// A sentence on what has gone wrong with the GPU since this was last asked.
    pub fn take_trouble(&self) -> Option<String> {
        self.opening.take_trouble()
    }

    /// What the GPU that serves now has done; none while there is none.
    #[must_use]
    pub fn statistics(&self) -> Option<Statistics> {
        self.opening.ready().map(|ready| ready.gpu.statistics())
    }

    /// What is known of the speed of both; none while there is no GPU.
    #[must_use]
    pub fn calibration(&self) -> Option<Arc<Calibration>> {
        self.opening.ready().map(|ready| ready.calibration)
    }

    /// The device that serves now.
    #[must_use]
    pub fn device(&self) -> Option<Device> {
        self.opening.ready().map(|ready| ready.gpu.device().clone())
    }

    /// Tries a GPU again that has failed and rested; whoever hands in batches need not ask for that.
    pub fn revive(&self) {
        self.opening.begin_if_due();
    }

    /// Whether the GPU serves batches of the size that it is best at.
    #[must_use]
    pub fn is_on_gpu(&self) -> bool {
        self.gpu_for(PREFERRED_BATCH).is_some()
    }

    /// The GPU, if it is to serve a batch of that size.
    fn gpu_for(&self, size: usize) -> Option<Arc<GpuBatchEvaluator>> {
        let ready = self.opening.ready()?;
        let serves =
            self.preference == Preference::Gpu || ready.calibration.choose(size) != Choice::Cpu;
        serves.then_some(ready.gpu)
    }
}

impl BatchEvaluator for AdaptiveEvaluator {
    fn submit(&self, batch: Vec<Position>) -> Ticket {
        self.opening.begin_if_due();
        let pending = match self.gpu_for(batch.len()) {
            Some(gpu) => {
                let request = gpu.request(batch);
                Pending::Gpu(gpu, request)
            }
            None => Pending::Cpu(self.cpu.submit(batch).number()),
        };
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        let number = tickets.0;
        tickets.0 += 1;
        tickets.1.insert(number, pending);
        Ticket::new(number)
    }

    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError> {
        let number = ticket.number();
        let pending = {
            let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
            tickets.1.remove(&number).ok_or(BatchError::UnknownTicket(number))?
        };
        match pending {
            Pending::Cpu(number) => self.cpu.wait(Ticket::new(number)),
            Pending::Gpu(gpu, request) => gpu.answers(&request).or_else(|_| {
                self.opening.note_failure(&gpu);
                self.cpu.wait(self.cpu.submit(request.positions.clone()))
            }),
        }
    }

    fn is_back(&self, ticket: &Ticket, patience: Duration) -> bool {
        let pending = {
            let tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
            tickets.1.get(&ticket.number()).cloned()
        };
        pending.is_none_or(|pending| match pending {
            Pending::Cpu(number) => self.cpu.is_back(&Ticket::new(number), patience),
            Pending::Gpu(gpu, request) => gpu.is_done(&request, patience),
        })
    }

    fn forget(&self, ticket: Ticket) {
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Pending::Cpu(number)) = tickets.1.remove(&ticket.number()) {
            self.cpu.forget(Ticket::new(number));
        }
    }

    fn take_notice(&self) -> Option<String> {
        self.take_trouble()
    }

    fn preferred_batch(&self) -> usize {
        if self.is_on_gpu() { PREFERRED_BATCH } else { self.cpu.preferred_batch() }
    }
}
