//! Opening the GPU in the background, and again after a failure.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tandem_nnue::{CpuBatchEvaluator, Networks, PolicyEvaluator};

use super::Ready;
use crate::calibration::{Cache, Calibration, key};
use crate::{Device, GpuBatchEvaluator, GpuError, Options};

/// After the first failure the GPU is left alone that long, then twice as long, and so on.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_mins(5);

/// Whether there is a GPU, and when to try again if not.
pub(super) struct Opening {
    networks: Networks,
    policy: Option<PolicyEvaluator>,
    cpu: Arc<CpuBatchEvaluator>,
    threads: usize,
    options: Options,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    stage: Stage,
    rest: Duration,
    trouble: Option<String>,
    /// What the user has been told since the GPU last served: once is enough.
    told: Option<GpuError>,
}

enum Stage {
    Closed { retry: Instant },
    Opening,
    Ready(Ready),
}

impl Opening {
    pub fn new(
        networks: Networks,
        policy: Option<PolicyEvaluator>,
        cpu: Arc<CpuBatchEvaluator>,
        threads: usize,
        options: Options,
    ) -> Self {
        let stage = Stage::Closed { retry: Instant::now() };
        let state = Mutex::new(State { stage, rest: FIRST_REST, trouble: None, told: None });
        Self { networks, policy, cpu, threads, options, state, changed: Condvar::new() }
    }

    /// Opens the GPU in the background if it is closed and has rested.
    pub fn begin_if_due(self: &Arc<Self>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Stage::Closed { retry } = state.stage
            && retry <= Instant::now()
        {
            state.stage = Stage::Opening;
            let opening = Arc::clone(self);
            std::thread::spawn(move || {
                let result = opening.open();
                opening.conclude(result);
            });
        }
    }

    /// The GPU, if it serves.
    pub fn ready(&self) -> Option<Ready> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Stage::Ready(ready) = &state.stage else { return None };
        let ready = ready.clone();
        drop(state);
        if ready.gpu.trouble().is_some() {
            self.note_failure(&ready.gpu);
            return None;
        }
        Some(ready)
    }

    /// Closes the GPU that has failed.
    pub fn note_failure(&self, failed: &Arc<GpuBatchEvaluator>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Stage::Ready(ready) = &state.stage else { return };
        if Arc::ptr_eq(&ready.gpu, failed)
            && let Some(error) = failed.trouble()
        {
            let broken = state.close(&error);
            drop(state);
            // Taking a broken device apart can take long, and nobody should wait for it.
            std::thread::spawn(move || drop(broken));
        }
    }

    pub fn take_trouble(&self) -> Option<String> {
        // A failure that nobody has met yet is one, too.
        let _ = self.ready();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).trouble.take()
    }

    pub fn wait(&self, patience: Duration) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_opening = |state: &mut State| matches!(state.stage, Stage::Opening);
        let (state, _) = self
            .changed
            .wait_timeout_while(state, patience, is_opening)
            .unwrap_or_else(PoisonError::into_inner);
        matches!(state.stage, Stage::Ready(_))
    }

    fn conclude(&self, result: Result<Ready, GpuError>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match result {
            Ok(ready) => {
                state.stage = Stage::Ready(ready);
                state.told = None;
            }
            Err(error) => drop(state.close(&error)),
        }
        self.changed.notify_all();
    }

    fn open(&self) -> Result<Ready, GpuError> {
        let device = Device::open_with(self.options.device)?;
        let cache = Cache::of_user();
        let policy = self.policy.as_ref();
        let key = key(device.report(), &self.networks, policy, self.threads);
        let known = cache.find(&key);
        let subgroup_from = known.as_ref().map(Calibration::subgroup_from);
        let mut options = self.options;
        options.subgroup_from = subgroup_from.unwrap_or(options.subgroup_from);
        let gpu = GpuBatchEvaluator::new(&device, &self.networks, policy, options)?;
        let calibration = if let Some(known) = known {
            known
        } else {
            let measured = Calibration::measure(gpu.model(), gpu.policy(), &self.cpu)?;
            gpu.set_subgroup_from(measured.subgroup_from());
            cache.keep(&key, &measured);
            measured
        };
        Ok(Ready { gpu: Arc::new(gpu), calibration: Arc::new(calibration) })
    }
}

impl State {
    /// Closes, with a sentence for the user, and returns what was open.
    fn close(&mut self, error: &GpuError) -> Stage {
        let rest = self.rest;
        self.rest = (rest * 2).min(LONGEST_REST);
        if self.told.as_ref() != Some(error) {
            self.told = Some(error.clone());
            self.trouble =
                Some(format!("{error}; the CPU evaluates, and the GPU is tried again later"));
        }
        std::mem::replace(&mut self.stage, Stage::Closed { retry: Instant::now() + rest })
    }
}
