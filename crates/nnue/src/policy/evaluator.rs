//! Judging the moves of one position after another.

use std::sync::Arc;

use tandem_chess::{Move, Position};

use super::PolicyNetwork;
use super::inputs::{Rows, View};
use super::slots::slot;
use crate::simd::{HiddenLayer, Kernels};
use crate::{Kernel, KernelError};

/// The judgement of one thread.
#[derive(Clone)]
pub struct PolicyEvaluator {
    network: Arc<PolicyNetwork>,
    kernels: Kernels,
    hidden: Box<HiddenLayer>,
    rows: Rows,
    slots: Vec<u16>,
    outputs: Vec<i32>,
}

impl PolicyEvaluator {
    /// Judges with that network.
    ///
    /// # Errors
    /// Where the environment variable `TANDEM_SIMD` asks for a kernel that this processor lacks.
    pub fn new(network: Arc<PolicyNetwork>) -> Result<Self, KernelError> {
        Self::with_kernel(network, Kernel::chosen()?)
    }

    /// Judges with that network on that kernel.
    ///
    /// # Errors
    /// Where this processor cannot run the kernel.
    pub fn with_kernel(network: Arc<PolicyNetwork>, kernel: Kernel) -> Result<Self, KernelError> {
        let kernels = Kernels::new(kernel)?;
        let (hidden, rows) = (HiddenLayer::new(), Rows::new());
        Ok(Self { network, kernels, hidden, rows, slots: Vec::new(), outputs: Vec::new() })
    }

    /// The network in use.
    #[must_use]
    pub fn network(&self) -> &Arc<PolicyNetwork> {
        &self.network
    }

    /// The kernel in use.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernels.kernel()
    }

    /// For each of the legal moves the logarithm of its likelihood, up to what they have in common: the
    /// likelihood of a move is to those of the others as the exponential of its number.
    ///
    /// # Panics
    /// Where there are more or fewer moves than places for their numbers.
    pub fn judge(&mut self, position: &Position, moves: &[Move], logits: &mut [f32]) {
        let mut outputs = std::mem::take(&mut self.outputs);
        outputs.clear();
        outputs.resize(moves.len(), 0);
        self.outputs(position, moves, &mut outputs);
        assert_eq!(logits.len(), moves.len(), "each move has one number");
        let scale = self.network.scale();
        for (logit, &output) in logits.iter_mut().zip(&outputs) {
            *logit = output as f32 * scale;
        }
        self.outputs = outputs;
    }

    /// The same as the integers that the network gives.
    ///
    /// # Panics
    /// Where there are more or fewer moves than places for their numbers.
    pub fn outputs(&mut self, position: &Position, moves: &[Move], outputs: &mut [i32]) {
        assert_eq!(outputs.len(), moves.len(), "each move has one number");
        let weights = self.network.weights();
        let view = View::of(position);
        view.rows(position, &mut self.rows);
        weights.prefetch_rows(&self.rows);
        // Looking at exchanges takes as long as the rows need to arrive.
        self.slots.clear();
        for &m in moves {
            let slot = slot(&view, position, m);
            weights.prefetch_output(slot);
            self.slots.push(slot);
        }
        self.kernels.policy_hidden(&weights, &self.rows, &mut self.hidden);
        self.kernels.policy_outputs(&weights, &self.hidden, &self.slots, outputs);
    }
}
