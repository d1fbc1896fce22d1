//! One batch at a time, on the caller's thread: for tests, calibration and benchmarks, and for the
//! children of a parent.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem_chess::Position;
use tandem_nnue::Outputs;

use crate::kernels::{Role, Variant};
use crate::limits::MAX_BATCH;
use crate::lists::{Lists, Parent};
use crate::model::{Model, Plan, Source};
use crate::policy::{Asked, MOST_MOVES, Questions};
use crate::slot::{Answers, Slot};
use crate::{GpuError, Packed, PolicyModel};

/// Runs batches and waits for each.
pub struct Direct<'a> {
    model: &'a Model,
    slot: Slot,
    packed: Vec<Packed>,
    asked: Asked,
    patience: Duration,
}

/// Where the time of one batch went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    /// Packing the positions, and listing rows and slots where moves are judged.
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
        Self::with_policy(model, None)
    }

    /// The same, with a network to [judge](Self::judge) moves.
    ///
    /// # Errors
    /// Where the device has no memory left, or fails.
    pub fn with_policy(
        model: &'a Model,
        policy: Option<&Arc<PolicyModel>>,
    ) -> Result<Self, GpuError> {
        let (packed, asked) = (Vec::new(), Asked::default());
        let slot = Slot::new(model, policy)?;
        Ok(Self { model, slot, packed, asked, patience: PATIENCE })
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
            all.extend(self.run(positions, None, variant, &mut stages)?.0);
        }
        Ok((all, stages))
    }

    /// The same with the outputs of all legal moves, position by position, where there is a network that
    /// judges them.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn judge(
        &mut self,
        positions: &[Position],
        variant: Variant,
    ) -> Result<(Vec<Outputs>, Vec<i32>, Stages), GpuError> {
        let (mut all, mut judged) = (Vec::with_capacity(positions.len()), Vec::new());
        let mut stages = Stages::default();
        let mut rest = positions;
        while !rest.is_empty() {
            let start = Instant::now();
            let questions = Questions::of(&rest[..rest.len().min(MAX_BATCH)]);
            stages.pack += start.elapsed();
            let (batch, others) = rest.split_at(questions.fitting(MOST_MOVES));
            let answers = self.run(batch, Some(&questions), variant, &mut stages)?;
            all.extend(answers.0);
            judged.extend(answers.1);
            rest = others;
        }
        Ok((all, judged, stages))
    }

    /// One batch, its time added to what others took.
    fn run(
        &mut self,
        positions: &[Position],
        questions: Option<&Questions>,
        variant: Variant,
        stages: &mut Stages,
    ) -> Result<Answers, GpuError> {
        let start = Instant::now();
        self.packed.clear();
        self.packed.extend(positions.iter().map(Packed::new));
        self.asked.clear();
        if let Some(questions) = questions {
            (0..positions.len()).for_each(|index| self.asked.push(questions, index));
        }
        let packed = Instant::now();
        self.slot.write(&self.packed)?;
        let written = Instant::now();
        let plan = Plan { source: Source::Boards, variant, role: Role::Fresh };
        self.slot.launch(self.model, positions.len(), plan, &self.asked)?;
        let submitted = Instant::now();
        let answers = self.slot.wait(self.model, self.patience)?;
        stages.pack += packed - start;
        stages.upload += written - packed;
        stages.submit += submitted - written;
        stages.device += submitted.elapsed();
        Ok(answers)
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
        self.asked.clear();
        self.slot.launch(self.model, count, plan, &self.asked)?;
        Ok(self.slot.wait(self.model, self.patience)?.0)
    }
}
