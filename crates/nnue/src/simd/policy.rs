//! The policy network's arithmetic, for any instruction set.

use super::{Bytes, Vectors, Words, prefetch};
use crate::policy::{MAX_HIDDEN, is_hidden_size};

/// Neurons that one pass over the rows keeps in registers, where the layer has as many left.
pub(super) const TILE: usize = 128;
/// Neurons of a smaller pass, of which every layer is a multiple.
pub(super) const HALF_TILE: usize = 64;

/// The numbers of a policy network. Rows and slots that do not exist are refused with a panic.
#[derive(Clone, Copy)]
pub(crate) struct PolicyWeights<'a> {
    /// One for each neuron.
    pub input_biases: &'a [Words],
    pub rows: PolicyRows<'a>,
    /// One for each slot.
    pub output_biases: &'a [i32],
    /// For each slot one for each neuron.
    pub output_weights: &'a [Bytes],
}

/// For each input a weight for each neuron.
#[derive(Clone, Copy)]
pub(crate) enum PolicyRows<'a> {
    Wide(&'a [Words]),
    Narrow(&'a [Bytes]),
}

impl PolicyWeights<'_> {
    /// Neurons of the hidden layer.
    #[inline(always)]
    fn hidden(&self) -> usize {
        self.input_biases.len() * Words::LEN
    }

    /// Asks for what [`hidden`] will read.
    #[inline]
    pub fn prefetch_rows(&self, rows: &[u16]) {
        let hidden = self.hidden();
        for &row in rows {
            match self.rows {
                PolicyRows::Wide(weights) => prefetch(lines(weights, row, hidden / Words::LEN)),
                PolicyRows::Narrow(weights) => prefetch(lines(weights, row, hidden / Bytes::LEN)),
            }
        }
    }

    /// Asks for what [`outputs`] will read for that slot.
    #[inline]
    pub fn prefetch_output(&self, slot: u16) {
        prefetch(lines(self.output_weights, slot, self.hidden() / Bytes::LEN));
    }
}

/// The cache lines of a row.
#[inline(always)]
fn lines<T>(weights: &[T], row: u16, lines: usize) -> &[T] {
    &weights[row as usize * lines..][..lines]
}

/// What the hidden layer passes on: a byte below 128 for each neuron.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct HiddenLayer {
    bytes: [u8; MAX_HIDDEN],
    len: usize,
}

impl HiddenLayer {
    pub fn new() -> Box<Self> {
        Box::new(Self { bytes: [0; MAX_HIDDEN], len: 0 })
    }

    #[cfg(test)]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Adds up the rows, clips the sums and squares them. `REGISTERS` vectors hold one tile, `HALF` half of it.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn hidden<V: Vectors, const REGISTERS: usize, const HALF: usize>(
    weights: &PolicyWeights,
    rows: &[u16],
    out: &mut HiddenLayer,
) {
    const { assert!(REGISTERS * V::WORDS == TILE && HALF * V::WORDS == HALF_TILE) };
    let width = weights.hidden();
    assert!(is_hidden_size(width));
    out.len = width;
    let mut at = 0;
    while at + TILE <= width {
        // SAFETY: the caller's promise; the tile lies inside the width, and begins on a cache line.
        unsafe { tile::<V, REGISTERS>(weights, rows, at, out) };
        at += TILE;
    }
    if at < width {
        // SAFETY: as above.
        unsafe { tile::<V, HALF>(weights, rows, at, out) };
    }
}

/// The neurons from `at`, as many as the registers hold.
///
/// # Safety
/// As [`Vectors`]; there are so many neurons, and `at` is a multiple of [`HALF_TILE`].
#[inline(always)]
unsafe fn tile<V: Vectors, const REGISTERS: usize>(
    weights: &PolicyWeights,
    rows: &[u16],
    at: usize,
    out: &mut HiddenLayer,
) {
    let width = weights.hidden();
    // SAFETY: the caller's promise. Rows are as long as the width, or indexing them would have failed.
    unsafe {
        let biases = weights.input_biases.as_ptr().cast::<i16>().add(at);
        let mut sums: [V::Words; REGISTERS] =
            std::array::from_fn(|i| V::load_words(biases.add(i * V::WORDS)));
        for &row in rows {
            match weights.rows {
                PolicyRows::Wide(rows) => {
                    let row = lines(rows, row, width / Words::LEN).as_ptr().cast::<i16>().add(at);
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = V::add_words(*sum, V::load_words(row.add(i * V::WORDS)));
                    }
                }
                PolicyRows::Narrow(rows) => {
                    let row = lines(rows, row, width / Bytes::LEN).as_ptr().cast::<i8>().add(at);
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = V::add_words(*sum, V::load_widened(row.add(i * V::WORDS)));
                    }
                }
            }
        }
        let to = out.bytes.as_mut_ptr().add(at);
        for i in (0..REGISTERS).step_by(2) {
            let (first, second) = (sums[i], sums[i + 1]);
            V::store_products(to.add(i * V::WORDS), (first, first), (second, second), 255);
        }
    }
}

/// The outputs of those slots.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn outputs<V: Vectors>(
    weights: &PolicyWeights,
    hidden: &HiddenLayer,
    slots: &[u16],
    out: &mut [i32],
) {
    let width = weights.hidden();
    assert!(hidden.len == width && is_hidden_size(width));
    assert!(slots.len() == out.len());
    let bytes = hidden.bytes.as_ptr().cast::<i32>();
    for (&slot, output) in slots.iter().zip(out) {
        let row = lines(weights.output_weights, slot, width / Bytes::LEN).as_ptr().cast::<i32>();
        // SAFETY: the row is as long as the width, which the hidden layer has too, a multiple of two
        // vectors; both begin on cache lines.
        let sum = unsafe {
            // Two sums, so that one need not wait for the other.
            let (mut first, mut second) = (V::zero_ints(), V::zero_ints());
            let mut at = 0;
            let dot = |sum: V::Ints, at: usize| {
                V::add_dot(sum, V::load_ints(bytes.add(at)), V::load_ints(row.add(at)))
            };
            while at + 2 * V::INTS <= width / 4 {
                first = dot(first, at);
                second = dot(second, at + V::INTS);
                at += 2 * V::INTS;
            }
            if at < width / 4 {
                first = dot(first, at);
            }
            V::sum_ints(V::add_ints(first, second))
        };
        *output = weights.output_biases[slot as usize].wrapping_add(sum);
    }
}
