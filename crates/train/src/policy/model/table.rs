//! Rows of numbers, with what the optimiser knows of them.

use crate::kernels::{AdamStep, Kernels, Row};

/// What the numbers of a table are.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What 1.0 is in the units of inference.
    pub unit: f32,
    /// The numbers of a file stay between minus this and plus this.
    pub limit: f32,
    /// Whether they shrink by themselves.
    pub decays: bool,
}

/// `W` columns of some rows. Behind the rows of the file there may be shared ones: each is added to all
/// rows that differ by a multiple of their number.
#[derive(Clone, Debug)]
pub struct Table<const W: usize> {
    pub weights: Vec<Row<W>>,
    pub first: Vec<Row<W>>,
    pub second: Vec<Row<W>>,
    pub gradients: Vec<Row<W>>,
    /// The rows of the file in the units of inference, shared ones added.
    pub ready: Vec<Row<W>>,
    kind: Kind,
}

impl<const W: usize> Table<W> {
    /// A table of zeros.
    pub fn zero(rows: usize, shared: usize, kind: Kind) -> Self {
        let zeros = || vec![Row::ZERO; rows + shared];
        Self {
            weights: zeros(),
            first: zeros(),
            second: zeros(),
            gradients: zeros(),
            ready: vec![Row::ZERO; rows],
            kind,
        }
    }

    /// The number of rows that a file has.
    pub fn rows(&self) -> usize {
        self.ready.len()
    }

    /// The number of shared rows.
    fn shared(&self) -> usize {
        self.weights.len() - self.rows()
    }

    /// Makes the rows ready that are computed with, rounded to integers if asked.
    pub fn prepare(&mut self, is_rounded: bool, kernels: &Kernels) {
        let shared = self.shared();
        let (real, common) = self.weights.split_at(self.ready.len());
        for (row, (weights, ready)) in real.iter().zip(&mut self.ready).enumerate() {
            let common = (shared > 0).then(|| &common[row % shared].0[..]);
            kernels.combine(&mut ready.0, &weights.0, common, self.kind.unit, is_rounded);
        }
    }

    /// Forgets the gradients.
    pub fn clear(&mut self) {
        self.gradients.fill(Row::ZERO);
    }

    /// Adds the gradients of the rows to those of the shared ones, and gives the sum of all squares.
    pub fn gather(&mut self, kernels: &Kernels) -> f64 {
        let shared = self.shared();
        let (real, common) = self.gradients.split_at_mut(self.ready.len());
        if shared > 0 {
            for (row, gradient) in real.iter().enumerate() {
                kernels.add(&mut common[row % shared].0, &gradient.0);
            }
        }
        let squares = self.gradients.iter().map(|row| f64::from(kernels.sum_of_squares(&row.0)));
        f64::from(self.kind.unit).powi(2) * squares.sum::<f64>()
    }

    /// Takes a step; gradients are multiplied by `scale`.
    pub fn update(&mut self, step: &AdamStep, scale: f32, kernels: &Kernels) {
        let decay = if self.kind.decays { step.decay } else { 1.0 };
        let step = AdamStep { gradient_scale: scale * self.kind.unit, decay, ..*step };
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weights, gradient), (m, v)) in
            self.weights.iter_mut().zip(&self.gradients).zip(moments)
        {
            let (m, v) = (&mut m.0, &mut v.0);
            kernels.adam(&mut weights.0, m, v, &gradient.0, &step, self.kind.limit);
        }
        let shared = self.shared();
        if shared > 0 {
            let (real, common) = self.weights.split_at_mut(self.ready.len());
            for (row, weights) in real.iter_mut().enumerate() {
                kernels.confine(&mut weights.0, &common[row % shared].0, self.kind.limit);
            }
        }
    }

    /// All arrays that training goes on from.
    pub fn arrays(&self) -> [&[Row<W>]; 3] {
        [&self.weights, &self.first, &self.second]
    }

    /// The same, to be filled.
    pub fn arrays_mut(&mut self) -> [&mut [Row<W>]; 3] {
        [&mut self.weights, &mut self.first, &mut self.second]
    }
}
