//! The GPU as the exploring search meets it: opened in the background when it may be of use, shared by all
//! searches of the process, and never waited for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_gpu::limits::PREFERRED_BATCH;
use tandem_gpu::{AdaptiveEvaluator, Preference};
use tandem_nnue::{
    Assessment, BatchError, BatchEvaluator, CpuBatchEvaluator, Networks, PolicyEvaluator, Ticket,
};

/// Where nobody has asked for the GPU, it is looked for once searches are so long that it could help.
const UNASKED: Duration = Duration::from_millis(300);
/// No longer than this is a device waited for that is being opened when the program ends.
const FAREWELL: Duration = Duration::from_secs(10);

/// The GPU for searches with the same networks and as many threads. Where it does not serve, no batches are
/// wanted, or the processor evaluates them.
pub struct Gpu {
    networks: Networks,
    policy: Option<PolicyEvaluator>,
    threads: usize,
    preference: Preference,
    /// Who evaluates batches while the GPU does not; without it, no batches are wanted then.
    instead: Option<CpuBatchEvaluator>,
    asked: OnceLock<Instant>,
    is_begun: AtomicBool,
    is_announced: AtomicBool,
    evaluator: Arc<OnceLock<AdaptiveEvaluator>>,
    looking: Mutex<Option<JoinHandle<()>>>,
}

/// All that are in use.
static OPEN: Mutex<Vec<Weak<Gpu>>> = Mutex::new(Vec::new());
/// What is still to be taken apart of those that no longer are.
static LEAVING: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

impl Gpu {
    /// The GPU for those networks, that for moves included where they are to be judged, and that many threads,
    /// by its own speed or whenever there is one. With `always` batches are wanted even while it does not
    /// serve.
    pub fn shared(
        networks: &Networks,
        policy: Option<&PolicyEvaluator>,
        threads: usize,
        preference: Preference,
        always: bool,
    ) -> Arc<Self> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|gpu| gpu.strong_count() > 0);
        let is_same = |gpu: &Arc<Self>| {
            is_same(&gpu.networks, networks)
                && has_same_policy(gpu.policy.as_ref(), policy)
                && (gpu.threads, gpu.preference, gpu.instead.is_some())
                    == (threads, preference, always)
        };
        if let Some(gpu) = open.iter().filter_map(Weak::upgrade).find(is_same) {
            return gpu;
        }
        let gpu = Arc::new(Self {
            networks: networks.clone(),
            policy: policy.cloned(),
            threads,
            preference,
            instead: always.then(|| CpuBatchEvaluator::new(networks, policy, threads)),
            asked: OnceLock::new(),
            is_begun: AtomicBool::new(false),
            is_announced: AtomicBool::new(false),
            evaluator: Arc::default(),
            looking: Mutex::default(),
        });
        open.push(Arc::downgrade(&gpu));
        if preference == Preference::Gpu {
            gpu.begin();
        }
        gpu
    }

    /// Waits until the GPU serves or is known not to; answers whether it does. For measurements.
    pub fn wait(&self) -> bool {
        self.begin();
        if let Some(looking) = self.looking.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = looking.join();
        }
        self.evaluator.get().is_some_and(|evaluator| evaluator.wait_until_open(FAREWELL))
    }

    /// Looks for a GPU in the background, the first time.
    fn begin(&self) {
        if self.is_begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let (networks, policy) = (self.networks.clone(), self.policy.clone());
        let evaluator = Arc::clone(&self.evaluator);
        let (threads, preference) = (self.threads, self.preference);
        let look = move || {
            // A processor that plays the part of a GPU is never faster than itself: not worth a measurement.
            let is_hardware = || tandem_gpu::adapters().first().is_some_and(|a| !a.is_software());
            if preference == Preference::Gpu || is_hardware() {
                let policy = policy.as_ref();
                let new = || AdaptiveEvaluator::new(&networks, policy, threads, preference);
                evaluator.get_or_init(new);
            }
        };
        *self.looking.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(std::thread::spawn(look));
    }

    /// The evaluator, while it evaluates on the GPU.
    fn serving(&self) -> Option<&AdaptiveEvaluator> {
        let Some(evaluator) = self.evaluator.get() else {
            let asked = self.asked.get_or_init(Instant::now);
            if asked.elapsed() >= UNASKED {
                self.begin();
            }
            return None;
        };
        evaluator.revive();
        Some(evaluator).filter(|evaluator| evaluator.is_on_gpu())
    }

    /// Who evaluates the next batch, and the mark of its tickets.
    fn desk(&self) -> (&dyn BatchEvaluator, u64) {
        match (&self.instead, self.evaluator.get()) {
            (Some(instead), _) if self.serving().is_none() => (instead, 0),
            (_, Some(evaluator)) => (evaluator, 1),
            (instead, None) => {
                (instead.as_ref().expect("no batch is handed in that is not wanted"), 0)
            }
        }
    }

    /// Who has given that ticket, and what it is called there.
    fn giver(&self, ticket: &Ticket) -> Option<(&dyn BatchEvaluator, Ticket)> {
        let number = Ticket::new(ticket.number() / 2);
        if ticket.number().is_multiple_of(2) {
            self.instead.as_ref().map(|instead| (instead as &dyn BatchEvaluator, number))
        } else {
            self.evaluator.get().map(|evaluator| (evaluator as &dyn BatchEvaluator, number))
        }
    }
}

impl BatchEvaluator for Gpu {
    fn submit(&self, batch: Vec<Position>) -> Ticket {
        let (desk, mark) = self.desk();
        Ticket::new(2 * desk.submit(batch).number() + mark)
    }

    fn wait(&self, ticket: Ticket) -> Result<Vec<Assessment>, BatchError> {
        let (giver, inner) =
            self.giver(&ticket).ok_or(BatchError::UnknownTicket(ticket.number()))?;
        giver.wait(inner)
    }

    fn preferred_batch(&self) -> usize {
        match self.serving() {
            Some(_) => PREFERRED_BATCH,
            None => self.instead.as_ref().map_or(1, BatchEvaluator::preferred_batch),
        }
    }

    fn is_back(&self, ticket: &Ticket, patience: Duration) -> bool {
        self.giver(ticket).is_none_or(|(giver, inner)| giver.is_back(&inner, patience))
    }

    fn forget(&self, ticket: Ticket) {
        if let Some((giver, inner)) = self.giver(&ticket) {
            giver.forget(inner);
        }
    }

    fn take_notice(&self) -> Option<String> {
        let evaluator = self.evaluator.get()?;
        if let Some(trouble) = evaluator.take_trouble() {
            self.is_announced.store(false, Ordering::Relaxed);
            return Some(trouble);
        }
        let device = evaluator.device().filter(|_| evaluator.is_on_gpu())?;
        let is_new = !self.is_announced.swap(true, Ordering::Relaxed);
        is_new.then(|| format!("batches are evaluated by {}", device.report().name()))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if !*self.is_begun.get_mut() {
            return;
        }
        let looking = self.looking.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let evaluator = std::mem::take(&mut self.evaluator);
        let leave = move || {
            let _ = looking.map(JoinHandle::join);
            evaluator.get().map(|evaluator| evaluator.wait_until_open(FAREWELL));
        };
        let mut leaving = LEAVING.lock().unwrap_or_else(PoisonError::into_inner);
        leaving.retain(|thread| !thread.is_finished());
        leaving.push(std::thread::spawn(leave));
    }
}

/// Waits, when it is dropped, for GPUs that are being opened for nobody any more: a driver that is still at
/// work when the program ends may end it badly.
#[derive(Default)]
pub struct Farewell;

impl Drop for Farewell {
    fn drop(&mut self) {
        let leaving = std::mem::take(&mut *LEAVING.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in leaving {
            // One that panicked has printed why.
            let _ = thread.join();
        }
    }
}

fn is_same(one: &Networks, other: &Networks) -> bool {
    let small = |of: &Networks| of.small().map(Arc::as_ptr);
    Arc::ptr_eq(one.large(), other.large()) && small(one) == small(other)
}

fn has_same_policy(one: Option<&PolicyEvaluator>, other: Option<&PolicyEvaluator>) -> bool {
    let network = |of: &PolicyEvaluator| Arc::as_ptr(of.network());
    one.map(network) == other.map(network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::LeafKind;
    use tandem_chess::Game;
    use tandem_mcts::{Counts, Params};
    use tandem_search::{Control, Limits, Search as _, Settings};

    /// A search that begins on the GPU and is robbed of it in between.
    #[test]
    fn a_device_that_is_lost_in_mid_search_costs_a_sentence_and_not_the_move() {
        let networks = crate::networks::load("", "").unwrap().expect("the program has a network");
        let gpu = Gpu::shared(&networks, None, 2, Preference::Gpu, false);
        assert!(gpu.wait(), "there is no GPU: install Debian's mesa-vulkan-drivers");
        let settings = Settings { threads: 2, hash: 16, ..Settings::default() };
        let batches = Arc::clone(&gpu) as Arc<dyn BatchEvaluator>;
        let params = Params { batch: 0, ..Params::default() };
        let mut search =
            crate::mcts(&settings, &params, LeafKind::Static, Some(&networks), Some(batches));
        let mut notices = Vec::new();
        let game = Game::default();
        let limits = Limits::movetime(Duration::from_millis(1500));
        let choice = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(500));
                let device = gpu.evaluator.get().and_then(AdaptiveEvaluator::device);
                device.expect("it serves").lose();
            });
            let mut note = |progress: &tandem_search::Progress| {
                notices.extend(progress.notices.iter().cloned());
            };
            search.search(&game, &limits, &Control::default(), &mut note)
        });
        let best = choice.best.expect("a move is answered");
        assert!(game.position().legal_moves().contains(&best));
        let told = notices.iter().filter(|notice| notice.contains("the CPU evaluates")).count();
        assert_eq!(told, 1, "{notices:?}");
        assert!(search.counts().batches.answered > 0, "the GPU served before");
    }

    /// The tree of one thread that has batches of 32 evaluated; `meanwhile` happens beside the search.
    fn tree(
        networks: &Networks,
        policy: &PolicyEvaluator,
        batches: Arc<dyn BatchEvaluator>,
        meanwhile: impl FnOnce() + Send,
    ) -> (u64, Counts) {
        let settings = Settings { hash: 64, ..Settings::default() };
        let params = Params { batch: 32, ..Params::default() };
        let mut search =
            crate::mcts(&settings, &params, LeafKind::Static, Some(networks), Some(batches))
                .with_policy(Some(policy.clone()));
        let limits = Limits { nodes: Some(12_000), ..Limits::default() };
        std::thread::scope(|scope| {
            scope.spawn(meanwhile);
            search.search(&Game::default(), &limits, &Control::default(), &mut |_| {});
        });
        (search.fingerprint(), *search.counts())
    }

    #[test]
    fn one_thread_builds_the_same_tree_whoever_evaluates_and_judges() {
        let networks = crate::networks::load("", "").unwrap().expect("the program has a network");
        let policy = crate::networks::load_policy("").unwrap().expect("and one for moves");
        let cpu = || Arc::new(CpuBatchEvaluator::new(&networks, Some(&policy), 1));
        let (expected, counts) = tree(&networks, &policy, cpu(), || {});
        assert!(counts.batches.judged > 1000 && counts.batches.judged == counts.batches.answered);
        let values = Arc::new(CpuBatchEvaluator::new(&networks, None, 1));
        let (alone, counts) = tree(&networks, &policy, values, || {});
        assert_eq!((alone, counts.batches.judged), (expected, 0), "the thread judges by itself");

        let gpu = Gpu::shared(&networks, Some(&policy), 1, Preference::Gpu, true);
        assert!(gpu.wait(), "there is no GPU: install Debian's mesa-vulkan-drivers");
        let evaluator = gpu.evaluator.get().expect("it serves");
        let batches = || Arc::clone(&gpu) as Arc<dyn BatchEvaluator>;
        let (found, counts) = tree(&networks, &policy, batches(), || {});
        assert_eq!(found, expected);
        assert!(counts.batches.judged > 1000);
        assert!(evaluator.statistics().expect("it still serves").positions > 1000);

        let robbed = tree(&networks, &policy, batches(), || {
            std::thread::sleep(Duration::from_millis(50));
            evaluator.device().expect("it serves").lose();
        });
        assert_eq!(robbed.0, expected, "the device was lost on the way");
    }

    #[test]
    fn another_policy_network_has_a_gpu_of_its_own() {
        let networks = crate::networks::load("", "").unwrap().expect("the program has a network");
        let policy = |seed| {
            let network = tandem_nnue::PolicyNetwork::random(64, seed).unwrap();
            PolicyEvaluator::new(Arc::new(network)).unwrap()
        };
        let (one, other) = (policy(1), policy(2));
        let shared = |policy: Option<&PolicyEvaluator>| {
            Gpu::shared(&networks, policy, 1, Preference::Fastest, false)
        };
        let first = shared(Some(&one));
        let clone = one.clone();
        assert!(Arc::ptr_eq(&first, &shared(Some(&clone))));
        assert!(!Arc::ptr_eq(&first, &shared(Some(&other))));
        assert!(!Arc::ptr_eq(&first, &shared(None)));
    }
}
