//! The state of the first layer for one position and side.

use crate::simd::{Base, Psqt, Target, Words};

/// The neurons and piece-square sums of one side.
#[derive(PartialEq, Eq)]
pub(super) struct Accumulator {
    neurons: Box<[Words]>,
    psqt: Psqt,
}

impl Accumulator {
    pub fn new(width: usize) -> Self {
        let line = Words([0; Words::LEN]);
        Self { neurons: vec![line; width / Words::LEN].into_boxed_slice(), psqt: Psqt::ZERO }
    }

    #[inline]
    pub fn neurons(&self) -> &[Words] {
        &self.neurons
    }

    /// The piece-square sum of a bucket.
    #[inline]
    pub fn psqt(&self, bucket: usize) -> i32 {
        self.psqt.0[bucket]
    }

    /// The two parts, to be written.
    #[inline]
    pub fn target(&mut self) -> Target<'_> {
        Target { neurons: &mut self.neurons, psqt: &mut self.psqt }
    }

    /// The two parts, to be read.
    #[inline]
    pub fn base(&self) -> Base<'_> {
        Base { neurons: &self.neurons, psqt: &self.psqt }
    }

    /// Takes over another one's state.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.neurons.copy_from_slice(&other.neurons);
        self.psqt = other.psqt;
    }
}
