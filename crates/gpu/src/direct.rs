//! One batch at a time, on the caller's thread: for tests, calibration and benchmarks, and for the
//! children of a parent.

use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_nnue::Outputs;

use crate::kernels::{Role, Variant};
use crate::limits::MAX_BATCH;
use crate::lists::{Lists, Parent};
use crate::model::{Model, Plan, Source};
use crate::slot::Slot;
use crate::{GpuError, Packed};

/// Runs batches and waits for each.
pub struct Direct<'a> {
    model: &'a Model,
    slot: Slot,
    packed: Vec<Packed>,
    patience: Duration,
}

/// Where the time of one batch went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    /// Packing the positions.
    pub pack: Duration,
    /// Writing them where the device reads them.
    pub upload: Duration,
    /// Writing down the commands and handing them over: wgpu's own cost.
    pub submit: Duration,
    /// Until the answers can be read, and reading them.
    pub device: Duration,
}

impl Stages {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.pack + self.upload + self.submit + self.device
    }
}

/// How long a batch may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

impl<'a> Direct<'a> {
    /// Runs batches of that network.
    ///
    /// # Errors
    /// Where the device has no memory left, or fails.
    pub fn new(model: &'a Model) -> Result<Self, GpuError> {
        Ok(Self { model, slot: Slot::new(model)?, packed: Vec::new(), patience: PATIENCE })
    }

    /// The outputs for positions, and where the time went.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn evaluate(
        &mut self,
        positions: &[Position],
        variant: Variant,
    ) -> Result<(Vec<Outputs>, Stages), GpuError> {
        let mut all = Vec::with_capacity(positions.len());
        let mut stages = Stages::default();
        for positions in positions.chunks(MAX_BATCH) {
            let start = Instant::now();
            self.packed.clear();
            self.packed.extend(positions.iter().map(Packed::new));
            let packed = Instant::now();
            self.slot.write(&self.packed)?;
            let written = Instant::now();
            let plan = Plan { source: Source::Boards, variant, role: Role::Fresh };
            self.slot.launch(self.model, positions.len(), plan)?;
            let submitted = Instant::now();
            all.extend(self.slot.wait(self.model, self.patience)?);
            stages.pack += packed - start;
            stages.upload += written - packed;
            stages.submit += submitted - written;
            stages.device += submitted.elapsed();
        }
        Ok((all, stages))
    }

    /// The same from features that the host lists.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn evaluate_lists(
        &mut self,
        positions: &[Position],
        variant: Variant,
    ) -> Result<Vec<Outputs>, GpuError> {
        let plan = Plan { source: Source::Lists, variant, role: Role::Fresh };
        let mut all = Vec::with_capacity(positions.len());
        for positions in positions.chunks(MAX_BATCH) {
            let mut lists = Lists::new(self.model.shape());
            for position in positions {
                lists.push(position, None);
            }
            all.extend(self.listed(&lists, positions.len(), plan)?);
        }
        Ok(all)
    }

    /// The outputs for a position's children, or other relatives: each from the parent's accumulators
    /// with what was added and taken away.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn evaluate_children(
        &mut self,
        parent: &Position,
        children: &[Position],
        variant: Variant,
    ) -> Result<Vec<Outputs>, GpuError> {
        let plan = Plan { source: Source::Lists, variant, role: Role::Child };
        let before = Parent::new(parent, self.model.shape());
        let mut all = Vec::with_capacity(children.len());
        // The parent is the first of the batch, for the others to start from.
        for children in children.chunks(MAX_BATCH - 1) {
            let mut lists = Lists::new(self.model.shape());
            lists.push(parent, None);
            for child in children {
                lists.push(child, Some(&before));
            }
            all.extend(self.listed(&lists, 1 + children.len(), plan)?.into_iter().skip(1));
        }
        Ok(all)
    }

    fn listed(
        &mut self,
        lists: &Lists<'_>,
        count: usize,
        plan: Plan,
    ) -> Result<Vec<Outputs>, GpuError> {
        self.slot.write_lists(self.model, lists.words());
        self.slot.launch(self.model, count, plan)?;
        self.slot.wait(self.model, self.patience)
    }
}
