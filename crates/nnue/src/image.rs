//! The parameters of a network as they lie in memory: one block, in the order that inference reads.
//!
//! The block is either private memory on huge pages or a read-only mapping of a file that several
//! processes share; inference does not see the difference.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use crate::architecture::{Architecture, BUCKETS, FC0_OUT, FC1_IN, FC1_OUT, HALFKA_ROWS};
use crate::simd::Bytes;

/// Every part starts on a cache line.
const ALIGNMENT: usize = 64;

/// Where each part of a network lies in its block, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// `i16[l1]`: what the first layer holds before any feature is added.
    pub biases: Range<usize>,
    /// `i16[HALFKA_ROWS][l1]`.
    pub weights: Range<usize>,
    /// `i8[threat rows][l1]`.
    pub threat_weights: Range<usize>,
    /// `i32[threat rows][BUCKETS]`.
    pub threat_psqt: Range<usize>,
    /// `i32[HALFKA_ROWS][BUCKETS]`, right behind the threats' as in compressed files.
    pub psqt: Range<usize>,
    /// The layer stacks, one after the other; see [`Stack`].
    pub stacks: Range<usize>,
    /// The size of one stack.
    stack_size: usize,
}

impl Layout {
    pub fn new(shape: Architecture) -> Self {
        let mut end = 0;
        let mut place = |bytes: usize| {
            let start = end;
            end = start + bytes.next_multiple_of(ALIGNMENT);
            start..start + bytes
        };
        let threats = shape.threat_rows();
        let stack_size = Stack::FC0_WEIGHTS + FC0_OUT * shape.l1;
        Self {
            biases: place(2 * shape.l1),
            weights: place(2 * shape.l1 * HALFKA_ROWS),
            threat_weights: place(shape.l1 * threats),
            threat_psqt: place(4 * BUCKETS * threats),
            psqt: place(4 * BUCKETS * HALFKA_ROWS),
            stacks: place(BUCKETS * stack_size),
            stack_size,
        }
    }

    /// The size of the whole block.
    pub fn size(&self) -> usize {
        self.stacks.end
    }

    /// Where the stack of that bucket lies.
    pub fn stack(&self, bucket: usize) -> Range<usize> {
        let start = self.stacks.start + bucket * self.stack_size;
        start..start + self.stack_size
    }
}

/// The layers behind the transformer for one bucket. Weights are grouped by four inputs: for each
/// group, the four weights of output 0, then of output 1, and so on, so that one broadcast of four
/// inputs meets all outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stack<'a> {
    pub fc0_biases: &'a [i32; FC0_OUT],
    pub fc0_weights: &'a [Bytes],
    pub fc1_biases: &'a [i32; FC1_OUT],
    pub fc1_weights: &'a [Bytes],
    pub fc2_bias: i32,
    pub fc2_weights: &'a [i8; FC1_OUT],
}

impl Stack<'_> {
    pub const FC0_BIASES: usize = 0;
    pub const FC1_BIASES: usize = Self::FC0_BIASES + 4 * FC0_OUT;
    pub const FC2_BIAS: usize = Self::FC1_BIASES + 4 * FC1_OUT;
    pub const FC2_WEIGHTS: usize = Self::FC2_BIAS + ALIGNMENT / 2;
    pub const FC1_WEIGHTS: usize = Self::FC2_WEIGHTS + FC1_OUT;
    pub const FC0_WEIGHTS: usize = Self::FC1_WEIGHTS + FC1_OUT * FC1_IN;
}

impl<'a> Stack<'a> {
    /// Reads the parts of a stack from its bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        fn array<T: bytemuck::Pod, const N: usize>(bytes: &[u8], at: usize) -> &[T; N] {
            bytemuck::cast_slice(&bytes[at..at + N * size_of::<T>()])
                .first_chunk()
                .expect("the slice has N elements")
        }
        Self {
            fc0_biases: array(bytes, Self::FC0_BIASES),
            fc0_weights: bytemuck::cast_slice(&bytes[Self::FC0_WEIGHTS..]),
            fc1_biases: array(bytes, Self::FC1_BIASES),
            fc1_weights: bytemuck::cast_slice(&bytes[Self::FC1_WEIGHTS..Self::FC0_WEIGHTS]),
            fc2_bias: array::<i32, 1>(bytes, Self::FC2_BIAS)[0],
            fc2_weights: array(bytes, Self::FC2_WEIGHTS),
        }
    }
}

/// The memory behind a network.
#[derive(Debug)]
pub(crate) enum Image {
    /// Memory of this process alone.
    Private(Arc<MmapMut>),
    /// A file that every process of the user maps; the block is its beginning.
    Shared(Mmap),
}

impl Image {
    /// Private memory of that size, all zero.
    pub fn allocate(size: usize) -> io::Result<MmapMut> {
        let memory = MmapMut::map_anon(size)?;
        // Weights are read in rows all over the block: on small pages nearly every row would miss
        // the translation buffer. Where the advice is refused, inference is only slower.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(memory)
    }

    /// The whole block.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Private(memory) => memory,
            Self::Shared(memory) => memory,
        }
    }
}
