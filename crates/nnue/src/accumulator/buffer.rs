//! The state of the first layer for one position and side, and memory that holds many of them.

use bytemuck::{Pod, Zeroable};

use crate::architecture::BUCKETS;

/// What vectors like to be aligned to.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
struct CacheLine([i16; 32]);

// SAFETY: an array of integers without padding; every bit pattern is one.
unsafe impl Zeroable for CacheLine {}
// SAFETY: as above.
unsafe impl Pod for CacheLine {}

/// The neurons and piece-square sums of one side.
#[derive(PartialEq, Eq)]
pub(super) struct Accumulator {
    neurons: Box<[CacheLine]>,
    pub psqt: [i32; BUCKETS],
}

impl Accumulator {
    pub fn new(width: usize) -> Self {
        Self {
            neurons: vec![CacheLine([0; 32]); width / 32].into_boxed_slice(),
            psqt: [0; BUCKETS],
        }
    }

    #[inline]
    pub fn neurons(&self) -> &[i16] {
        bytemuck::cast_slice(&self.neurons)
    }

    /// The two parts, to be written.
    #[inline]
    pub fn target(&mut self) -> crate::simd::Target<'_> {
        let neurons = bytemuck::cast_slice_mut(&mut self.neurons);
        crate::simd::Target {
            neurons,
            psqt: &mut self.psqt,
        }
    }

    /// The two parts, to be read.
    #[inline]
    pub fn base(&self) -> (&[i16], &[i32; BUCKETS]) {
        (self.neurons(), &self.psqt)
    }

    /// Takes over another one's state.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.neurons.copy_from_slice(&other.neurons);
        self.psqt = other.psqt;
    }
}
