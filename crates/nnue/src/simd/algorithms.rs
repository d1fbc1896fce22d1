//! Accumulator updates and the forward pass, for any instruction set.

use super::{Bytes, Psqt, Vectors, Words};
use crate::architecture::{FC0_OUT, FC1_IN, FC1_OUT, MAX_L1};
use crate::image::Stack;

/// Lanes of the first layer that one pass over the features keeps in registers.
pub(super) const TILE: usize = 128;

/// The feature transformer's parameters.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub weights: &'a [Words],
    pub psqt: &'a [Psqt],
    pub threat_weights: &'a [Bytes],
    pub threat_psqt: &'a [Psqt],
}

/// The rows to add and to subtract.
#[derive(Clone, Copy, Default)]
pub(crate) struct Change<'a> {
    pub added: &'a [u32],
    pub removed: &'a [u32],
    pub threats_added: &'a [u32],
    pub threats_removed: &'a [u32],
}

/// The accumulator that is read: the neurons, as many as the network has, and the piece-square sums.
#[derive(Clone, Copy)]
pub(crate) struct Base<'a> {
    pub neurons: &'a [Words],
    pub psqt: &'a Psqt,
}

/// The accumulator that is written.
pub(crate) struct Target<'a> {
    pub neurons: &'a mut [Words],
    pub psqt: &'a mut Psqt,
}

/// What the first layer passes on: a byte a neuron pair, and which groups of four are not zero.
#[repr(C, align(64))]
pub(crate) struct Activations {
    bytes: [u8; MAX_L1],
    nonzero: [u64; MAX_L1 / 4 / 64],
    len: usize,
}

impl Activations {
    pub fn new() -> Box<Self> {
        Box::new(Self { bytes: [0; MAX_L1], nonzero: [0; MAX_L1 / 4 / 64], len: 0 })
    }

    /// The bytes of both sides, the side to move's first.
    #[cfg(test)]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// How many groups of four bytes are not all zero.
    #[cfg(test)]
    pub fn active_groups(&self) -> usize {
        let words = &self.nonzero[..(self.len / 4).div_ceil(64)];
        words.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Writes `base` with the change applied. `REGISTERS` vectors hold one tile.
///
/// # Safety
/// As [`Vectors`]; the widths of `base` and `target` are equal and a multiple of [`TILE`], and every
/// row of the change exists.
#[inline(always)]
pub(super) unsafe fn update<V: Vectors, const REGISTERS: usize>(
    source: &Source,
    base: Base,
    change: &Change,
    target: &mut Target,
) {
    const { assert!(REGISTERS * V::WORDS == TILE) };
    let width = base.neurons.len() * Words::LEN;
    assert!(target.neurons.len() == base.neurons.len() && width.is_multiple_of(TILE));
    debug_assert!(rows_exist(source, width, change));

    let from = base.neurons.as_ptr().cast::<i16>();
    let to = target.neurons.as_mut_ptr().cast::<i16>();
    let weights = source.weights.as_ptr().cast::<i16>();
    let threat_weights = source.threat_weights.as_ptr().cast::<i8>();
    for tile in (0..width).step_by(TILE) {
        // SAFETY: the tile lies inside the width, which the accumulators and every row have, and
        // tiles begin on cache lines.
        unsafe {
            let mut sums: [V::Words; REGISTERS] =
                std::array::from_fn(|i| V::load_words(from.add(tile + i * V::WORDS)));
            for &row in change.removed {
                let row = weights.add(row as usize * width + tile);
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = V::subtract_words(*sum, V::load_words(row.add(i * V::WORDS)));
                }
            }
            for &row in change.added {
                let row = weights.add(row as usize * width + tile);
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = V::add_words(*sum, V::load_words(row.add(i * V::WORDS)));
                }
            }
            for &row in change.threats_removed {
                let row = threat_weights.add(row as usize * width + tile);
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = V::subtract_words(*sum, V::load_widened(row.add(i * V::WORDS)));
                }
            }
            for &row in change.threats_added {
                let row = threat_weights.add(row as usize * width + tile);
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = V::add_words(*sum, V::load_widened(row.add(i * V::WORDS)));
                }
            }
            for (i, sum) in sums.into_iter().enumerate() {
                V::store_words(to.add(tile + i * V::WORDS), sum);
            }
        }
    }
    *target.psqt = updated_psqt(source, *base.psqt, change);
}

#[inline(always)]
fn updated_psqt(source: &Source, mut sums: Psqt, change: &Change) -> Psqt {
    let mut apply = |rows: &[u32], table: &[Psqt], operation: fn(i32, i32) -> i32| {
        for &row in rows {
            for (sum, value) in sums.0.iter_mut().zip(table[row as usize].0) {
                *sum = operation(*sum, value);
            }
        }
    };
    apply(change.removed, source.psqt, i32::wrapping_sub);
    apply(change.added, source.psqt, i32::wrapping_add);
    apply(change.threats_removed, source.threat_psqt, i32::wrapping_sub);
    apply(change.threats_added, source.threat_psqt, i32::wrapping_add);
    sums
}

fn rows_exist(source: &Source, width: usize, change: &Change) -> bool {
    let inside =
        |rows: &[u32], values: usize| rows.iter().all(|&row| (row as usize + 1) * width <= values);
    let (weights, threats) = (size_of_val(source.weights) / 2, size_of_val(source.threat_weights));
    inside(change.added, weights)
        && inside(change.removed, weights)
        && inside(change.threats_added, threats)
        && inside(change.threats_removed, threats)
}

/// Multiplies the two halves of each accumulator, clipped, into bytes.
///
/// # Safety
/// As [`Vectors`]; both accumulators have the same width, a multiple of [`TILE`].
#[inline(always)]
pub(super) unsafe fn activate<V: Vectors>(
    us: &[Words],
    them: &[Words],
    clip: i16,
    out: &mut Activations,
) {
    let width = us.len() * Words::LEN;
    let half = width / 2;
    assert!(them.len() == us.len() && width.is_multiple_of(TILE) && width <= MAX_L1);
    out.len = width;
    // Groups of four bytes that one store makes; each word of `nonzero` has bits for 64.
    let groups = V::WORDS / 2;
    let (mut word, mut bit) = (0, 0);
    let mut mask = 0_u64;
    for (side, neurons) in [us, them].into_iter().enumerate() {
        for at in (0..half).step_by(2 * V::WORDS) {
            // SAFETY: `half` is a multiple of the step, so all loads stay inside `neurons` and the
            // store inside the first `width` bytes.
            let nonzero = unsafe {
                let pair = |at: usize| {
                    let low = neurons.as_ptr().cast::<i16>().add(at);
                    (V::load_words(low), V::load_words(low.add(half)))
                };
                let to = out.bytes.as_mut_ptr().add(side * half + at);
                V::store_products(to, pair(at), pair(at + V::WORDS), clip)
            };
            mask |= u64::from(nonzero) << bit;
            bit += groups;
            if bit == 64 {
                out.nonzero[word] = mask;
                (word, bit, mask) = (word + 1, 0, 0);
            }
        }
    }
    if bit > 0 {
        out.nonzero[word] = mask;
    }
}

/// The layers of one stack. `FIRST` vectors hold the outputs of the first layer, `SECOND` those of
/// the second.
///
/// # Safety
/// As [`Vectors`]; the stack belongs to a network as wide as the activations.
#[inline(always)]
pub(super) unsafe fn propagate<V: Vectors, const FIRST: usize, const SECOND: usize>(
    stack: &Stack,
    input: &Activations,
) -> i32 {
    // SAFETY: the caller's promise.
    let first = unsafe { first_layer::<V, FIRST>(stack, input) };
    let (bytes, skip) = squared_and_clipped(&first);
    // SAFETY: the caller's promise.
    let second = unsafe { second_layer::<V, SECOND>(stack, &bytes) };
    let mut sum = stack.fc2_bias;
    for (value, &weight) in second.into_iter().zip(stack.fc2_weights) {
        sum = sum.wrapping_add((value >> 6).clamp(0, 127) * i32::from(weight));
    }
    sum.wrapping_add(skip)
}

/// Room for the outputs of a layer, as vectors store them.
#[repr(C, align(64))]
struct Aligned<const N: usize>([i32; N]);

impl<const N: usize> Aligned<N> {
    /// The outputs with the biases added.
    #[inline(always)]
    fn plus(self, biases: &[i32; N]) -> [i32; N] {
        std::array::from_fn(|i| self.0[i].wrapping_add(biases[i]))
    }
}

/// The first layer: only groups of inputs that are not all zero are multiplied.
#[inline(always)]
unsafe fn first_layer<V: Vectors, const FIRST: usize>(
    stack: &Stack,
    input: &Activations,
) -> [i32; FC0_OUT] {
    const { assert!(FIRST * V::INTS == FC0_OUT) };
    assert!(size_of_val(stack.fc0_weights) == FC0_OUT * input.len);
    let mut out = Aligned([0; FC0_OUT]);
    // SAFETY: groups are counted inside `input.len`, for which the weights were just checked.
    unsafe {
        let mut sums: [V::Ints; FIRST] = std::array::from_fn(|_| V::zero_ints());
        let mut others = sums;
        let bytes = input.bytes.as_ptr().cast::<i32>();
        let weights = stack.fc0_weights.as_ptr().cast::<i32>();
        let add = |sums: &mut [V::Ints; FIRST], group: usize| {
            let bytes = V::splat_bytes(bytes.add(group).read());
            let weights = weights.add(group * FC0_OUT);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = V::add_dot(*sum, bytes, V::load_ints(weights.add(i * V::INTS)));
            }
        };
        for (word, &mask) in input.nonzero[..(input.len / 4).div_ceil(64)].iter().enumerate() {
            let mut mask = mask;
            // Two groups a turn, into different sums, so that one need not wait for the other.
            while mask & mask.wrapping_sub(1) != 0 {
                add(&mut sums, word * 64 + mask.trailing_zeros() as usize);
                mask &= mask - 1;
                add(&mut others, word * 64 + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
            if mask != 0 {
                add(&mut sums, word * 64 + mask.trailing_zeros() as usize);
            }
        }
        for i in 0..FIRST {
            let sum = V::add_ints(sums[i], others[i]);
            V::store_ints(out.0.as_mut_ptr().add(i * V::INTS), sum);
        }
    }
    out.plus(stack.fc0_biases)
}

/// The inputs of the second layer, and what the first layer's last output adds to the result.
#[inline(always)]
fn squared_and_clipped(first: &[i32; FC0_OUT]) -> ([u8; FC1_IN], i32) {
    const USED: usize = FC0_OUT - 1;
    let mut bytes = [0; FC1_IN];
    for i in 0..USED {
        // A square that would not fit is clipped anyway.
        let word = first[i].clamp(-0x8000, 0x7FFF);
        bytes[i] = ((word * word) >> 19).min(127) as u8;
        bytes[USED + i] = (first[i] >> 6).clamp(0, 127) as u8;
    }
    let skip = (i64::from(first[USED]) * 9600 / 8128) as i32;
    (bytes, skip)
}

#[inline(always)]
unsafe fn second_layer<V: Vectors, const SECOND: usize>(
    stack: &Stack,
    input: &[u8; FC1_IN],
) -> [i32; FC1_OUT] {
    const { assert!(SECOND * V::INTS == FC1_OUT) };
    assert!(size_of_val(stack.fc1_weights) == FC1_IN * FC1_OUT);
    let mut out = Aligned([0; FC1_OUT]);
    // SAFETY: there are `FC1_IN / 4` groups of `FC1_OUT` times four weights.
    unsafe {
        let mut sums: [V::Ints; SECOND] = std::array::from_fn(|_| V::zero_ints());
        let weights = stack.fc1_weights.as_ptr().cast::<i32>();
        for (group, bytes) in input.as_chunks::<4>().0.iter().enumerate() {
            let bytes = V::splat_bytes(i32::from_ne_bytes(*bytes));
            let weights = weights.add(group * FC1_OUT);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = V::add_dot(*sum, bytes, V::load_ints(weights.add(i * V::INTS)));
            }
        }
        for (i, sum) in sums.into_iter().enumerate() {
            V::store_ints(out.0.as_mut_ptr().add(i * V::INTS), sum);
        }
    }
    out.plus(stack.fc1_biases)
}
