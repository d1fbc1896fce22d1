//! Evaluating one position after another, as fast as they come.

use std::sync::Arc;

use tandem_chess::Position;

use crate::accumulator::{Accumulators, Work};
use crate::architecture::BUCKETS;
use crate::score::{Blend, prefers_small};
use crate::simd::Kernels;
use crate::{Kernel, KernelError, Network, Outputs, Score};

/// The networks that an evaluation uses, and the kernel that computes it.
#[derive(Clone)]
pub struct Networks {
    large: Arc<Network>,
    small: Option<Arc<Network>>,
    kernels: Kernels,
}

impl Networks {
    /// A network for every position and, if given, a small one for lop-sided material.
    ///
    /// # Errors
    /// Where the environment variable `TANDEM_SIMD` asks for a kernel that this processor lacks.
    pub fn new(large: Arc<Network>, small: Option<Arc<Network>>) -> Result<Self, KernelError> {
        let kernels = Kernels::new(Kernel::chosen()?)?;
        Ok(Self { large, small, kernels })
    }

    /// The same networks on that kernel.
    ///
    /// # Errors
    /// Where this processor cannot run the kernel.
    pub fn with_kernel(self, kernel: Kernel) -> Result<Self, KernelError> {
        Ok(Self { kernels: Kernels::new(kernel)?, ..self })
    }

    /// The network for every position.
    #[must_use]
    pub fn large(&self) -> &Arc<Network> {
        &self.large
    }

    /// The network for lop-sided material.
    #[must_use]
    pub fn small(&self) -> Option<&Arc<Network>> {
        self.small.as_ref()
    }

    /// The kernel in use.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernels.kernel()
    }
}

/// The evaluation of one thread: it follows a line of positions, and what it has computed for one
/// it uses for the next.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use tandem_chess::Position;
/// # use tandem_nnue::{Evaluator, Network, Networks};
/// let network = Arc::new(Network::load("nn-c288c895ea92.nnue")?);
/// let position = Position::startpos();
/// let mut evaluator = Evaluator::new(&Networks::new(network, None)?, &position);
/// for m in position.legal_moves() {
///     evaluator.push(&position.after(m));
///     println!("{m} {:?}", evaluator.evaluate());
///     evaluator.pop();
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evaluator {
    line: Vec<Position>,
    large: Accumulators,
    small: Option<Accumulators>,
}

impl Evaluator {
    /// An evaluator whose line begins with that position.
    #[must_use]
    pub fn new(networks: &Networks, position: &Position) -> Self {
        let accumulators =
            |network: &Arc<Network>| Accumulators::new(network.clone(), networks.kernels);
        Self {
            line: vec![*position],
            large: accumulators(&networks.large),
            small: networks.small.as_ref().map(accumulators),
        }
    }

    /// Begins a new line. What is known of king placements is kept.
    pub fn reset(&mut self, position: &Position) {
        self.line.clear();
        self.push(position);
    }

    /// Goes on to the position after a move, a null move, or any other change.
    #[inline]
    pub fn push(&mut self, after: &Position) {
        let ply = self.line.len();
        self.line.push(*after);
        self.large.forget(ply);
        if let Some(small) = &mut self.small {
            small.forget(ply);
        }
    }

    /// Goes back to the position before the last [`push`](Self::push).
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.line.len() > 1, "the first position of the line stays");
        self.line.pop();
    }

    /// The position at the end of the line.
    #[inline]
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.line[self.line.len() - 1]
    }

    /// The score of the position at the end of the line.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        self.evaluate_and_tell(true).0
    }

    /// The same, faster where the next position to be evaluated will hardly be a sibling of this one,
    /// slower where it will.
    #[inline]
    pub fn evaluate_alone(&mut self) -> Score {
        self.evaluate_and_tell(false).0
    }

    /// The score, and whether it is the small network's.
    #[inline]
    pub(crate) fn evaluate_and_tell(&mut self, siblings: bool) -> (Score, bool) {
        let position = &self.line[self.line.len() - 1];
        if let Some(small) = &mut self.small
            && prefers_small(position)
        {
            let blend = Blend::new(small.outputs(&self.line, siblings));
            debug_assert!(small.sample_agrees(&self.line));
            if blend.is_clear() {
                return (blend.score(position), true);
            }
        }
        let blend = Blend::new(self.large.outputs(&self.line, siblings));
        debug_assert!(self.large.sample_agrees(&self.line));
        (blend.score(position), false)
    }

    /// The raw outputs of the network that is for every position.
    pub fn outputs(&mut self) -> Outputs {
        self.large.outputs(&self.line, true)
    }

    /// The same, added up from nothing instead of updated.
    pub fn outputs_from_scratch(&mut self) -> Outputs {
        self.large.outputs_from_scratch(&self.line[self.line.len() - 1])
    }

    /// The raw outputs that each layer stack of the network would give.
    pub fn outputs_by_bucket(&mut self) -> [Outputs; BUCKETS] {
        self.large.outputs_by_bucket(&self.line)
    }

    /// Whether everything that was updated for the position equals what adding up its features
    /// gives. For tests and for hunting errors: it takes longer than an evaluation.
    pub fn agrees_with_scratch(&mut self) -> bool {
        self.large.agree_with_scratch(&self.line)
            && self.small.as_mut().is_none_or(|small| small.agree_with_scratch(&self.line))
    }

    /// What the network for every position had to do so far.
    #[must_use]
    pub fn work(&self) -> Work {
        self.large.work()
    }
}
