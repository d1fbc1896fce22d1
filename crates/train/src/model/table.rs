//! Some columns of the feature transformer.

use crate::batch::Batch;
use crate::kernels::{Accumulate, AdamStep, Kernels, Row};
use crate::optimiser::{Clock, RowPlan};
use crate::sample::{BUCKET_ROWS, REAL_ROWS, VIRTUAL_ROWS};

/// `W` columns of all rows, with what the optimiser knows of them, and room for a batch. Tables have
/// nothing in common, so each can be computed by another thread.
pub(crate) struct Table<const W: usize> {
    /// The real rows, and behind them the virtual ones if there are any.
    pub weights: Vec<Row<W>>,
    pub first: Vec<Row<W>>,
    pub second: Vec<Row<W>>,
    /// What a weight of 1.0 is in the units of inference.
    unit: f32,
    /// Weights stay between minus this and plus this.
    limit: f32,
    /// The rows of one king's bucket as they are added up.
    tile: Vec<Row<W>>,
    /// For each item the sums, and on the way back their gradients.
    pub sums: Vec<Row<W>>,
    /// For each touched row, the real ones first, its gradient.
    pub(super) gradients: Vec<Row<W>>,
}

/// What happens to the touched rows of a batch in a step.
pub(crate) struct Plan {
    /// For each touched row, the real ones first.
    pub rows: Vec<(u32, RowPlan)>,
}

impl Plan {
    /// The plan for a batch, given when each row was last updated.
    pub fn new(batch: &Batch, clock: &Clock, last: &[u32]) -> Self {
        let is_factorised = last.len() > REAL_ROWS;
        let virtual_rows = batch.virtual_rows.iter().map(|row| row + REAL_ROWS as u32);
        let rows = batch.rows.iter().copied().chain(virtual_rows.filter(|_| is_factorised));
        let plan = |row: u32| (row, clock.plan(last[row as usize].into()));
        Self { rows: rows.map(plan).collect() }
    }
}

impl<const W: usize> Table<W>
where
    Kernels: Accumulate<W>,
{
    /// A table of zeros.
    pub fn new(unit: f32, limit: f32, is_factorised: bool) -> Self {
        let rows = REAL_ROWS + if is_factorised { VIRTUAL_ROWS } else { 0 };
        let zeros = || vec![Row::ZERO; rows];
        Self {
            weights: zeros(),
            first: zeros(),
            second: zeros(),
            unit,
            limit,
            tile: vec![Row::ZERO; BUCKET_ROWS],
            sums: Vec::new(),
            gradients: Vec::new(),
        }
    }

    fn is_factorised(&self) -> bool {
        self.weights.len() > REAL_ROWS
    }

    /// Brings the touched rows up to the step before the one in progress.
    pub fn catch_up(&mut self, plan: &Plan, kernels: &Kernels) {
        for (row, plan) in &plan.rows {
            if let Some(change) = &plan.catch_up {
                let row = *row as usize;
                let (m, v) = (&self.first[row].0, &self.second[row].0);
                kernels.catch_up(&mut self.weights[row].0, m, v, change, self.limit);
            }
        }
    }

    /// Adds up the features of every item, and calls back with each and its sums.
    pub fn forward(
        &mut self,
        batch: &Batch,
        start: &Row<W>,
        is_rounded: bool,
        kernels: &Kernels,
        mut done: impl FnMut(usize, &Row<W>),
    ) {
        self.sums.resize(batch.destinations.len(), Row::ZERO);
        let is_factorised = self.is_factorised();
        for bucket in &batch.buckets {
            for slot in bucket.rows.clone() {
                let row = batch.rows[slot] as usize;
                let parent = batch.virtual_rows[batch.parents[slot] as usize] as usize;
                let shared = is_factorised.then(|| &self.weights[REAL_ROWS + parent].0[..]);
                let out = &mut self.tile[row % BUCKET_ROWS].0;
                kernels.combine(out, &self.weights[row].0, shared, self.unit, is_rounded);
            }
            for item in bucket.items.clone() {
                let sums = &mut self.sums[item];
                *sums = *start;
                kernels.accumulate(sums, &self.tile, batch.features_of(item));
                done(item, sums);
            }
        }
    }

    /// Turns the items' gradients into those of the rows. First each item's sums are replaced by
    /// their gradients, which the callback does. The result is the sum of the squares.
    pub fn backward(
        &mut self,
        batch: &Batch,
        kernels: &Kernels,
        mut gradient: impl FnMut(usize, &mut Row<W>),
    ) -> f64 {
        let virtual_rows = if self.is_factorised() { batch.virtual_rows.len() } else { 0 };
        self.gradients.clear();
        self.gradients.resize(batch.rows.len() + virtual_rows, Row::ZERO);
        for group in &batch.groups {
            for item in group.items.clone() {
                gradient(item, &mut self.sums[item]);
            }
            let sums = &self.sums[group.items.clone()];
            for entry in &batch.entries[group.entries.clone()] {
                let members = entry.members.start as usize..entry.members.end as usize;
                let out = &mut self.gradients[entry.slot as usize];
                kernels.accumulate(out, sums, &batch.members[members]);
            }
        }
        if self.is_factorised() {
            let (real, shared) = self.gradients.split_at_mut(batch.rows.len());
            for (row, &parent) in real.iter().zip(&batch.parents) {
                kernels.add(&mut shared[parent as usize].0, &row.0);
            }
        }
        let squares = self.gradients.iter().map(|row| f64::from(kernels.sum_of_squares(&row.0)));
        f64::from(self.unit).powi(2) * squares.sum::<f64>()
    }

    /// Takes the step for the touched rows; their gradients are multiplied by `scale`.
    pub fn update(&mut self, plan: &Plan, scale: f32, kernels: &Kernels) {
        let gradient_scale = scale * self.unit;
        for ((row, plan), gradient) in plan.rows.iter().zip(&self.gradients) {
            let row = *row as usize;
            let step = AdamStep { gradient_scale, ..plan.step };
            let (m, v) = (&mut self.first[row].0, &mut self.second[row].0);
            kernels.adam(&mut self.weights[row].0, m, v, &gradient.0, &step, self.limit);
        }
    }

    /// Brings all rows up to the end of the step in progress.
    pub fn settle(&mut self, clock: &Clock, last: &[u32], kernels: &Kernels) {
        let now = clock.step();
        for (row, &last) in last.iter().enumerate().filter(|(_, last)| u64::from(**last) < now) {
            let change = clock.catch_up(last.into(), now);
            let (first, second) = (&mut self.first[row].0, &mut self.second[row].0);
            kernels.catch_up(&mut self.weights[row].0, first, second, &change, self.limit);
            let (fade1, fade2) = clock.fade(now - u64::from(last));
            for (m, v) in first.iter_mut().zip(second) {
                *m *= fade1;
                *v *= fade2;
            }
        }
    }

    /// The columns of a real row as a file has them: whole numbers, the virtual row added.
    pub fn exported(&self, row: usize, parent: usize, kernels: &Kernels) -> [f32; W] {
        let mut out = Row::ZERO;
        let shared = self.is_factorised().then(|| &self.weights[REAL_ROWS + parent].0[..]);
        kernels.combine(&mut out.0, &self.weights[row].0, shared, self.unit, true);
        out.0
    }
}
