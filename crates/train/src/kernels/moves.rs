//! What judges moves: clipped squares, rows that answer for single moves, and the way back.

use super::{LINE, PANEL, Row, Vectors, is_aligned};

/// Clipped neurons lie between 0 and this.
const TOP: f32 = 255.0;
/// The square of a neuron is divided by this.
const SQUARE: f32 = 512.0;

/// The squares of the clipped neurons of a panel, with the fraction cut off if asked.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn square<V: Vectors>(
    sums: &Row<PANEL>,
    squares: &mut Row<PANEL>,
    is_floored: bool,
) {
    // SAFETY: a row holds whole vectors.
    unsafe {
        let (zero, top, scale) = (V::splat(0.0), V::splat(TOP), V::splat(1.0 / SQUARE));
        for at in (0..PANEL).step_by(V::LANES) {
            let neuron = V::load(sums.0.as_ptr().add(at));
            let neuron = V::minimum(V::maximum(neuron, zero), top);
            let square = V::multiply(V::multiply(neuron, neuron), scale);
            let square = if is_floored { V::floor(square) } else { square };
            V::store(squares.0.as_mut_ptr().add(at), square);
        }
    }
}

/// Replaces the sums of a panel by what the loss gains from each, given what it gains from the squares.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn square_back<V: Vectors>(sums: &mut Row<PANEL>, gains: &Row<PANEL>) {
    // SAFETY: a row holds whole vectors.
    unsafe {
        let (zero, top, scale) = (V::splat(0.0), V::splat(TOP), V::splat(2.0 / SQUARE));
        for at in (0..PANEL).step_by(V::LANES) {
            let neuron = V::load(sums.0.as_ptr().add(at));
            let gain = V::multiply(V::load(gains.0.as_ptr().add(at)), scale);
            let gain = V::where_within(V::multiply(gain, neuron), neuron, zero, top);
            V::store(sums.0.as_mut_ptr().add(at), gain);
        }
    }
}

/// Adds to each number of `out` the product of `row` with the row of `table` that its index names.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn multiply_rows<V: Vectors, const N: usize>(
    row: &Row<PANEL>,
    table: &[Row<PANEL>],
    indices: &[u16],
    out: &mut [f32],
) {
    const { assert!(N * V::LANES == PANEL) };
    assert!(indices.len() == out.len());
    // SAFETY: a row holds `N` vectors.
    unsafe {
        let mut x = [V::splat(0.0); N];
        for (i, x) in x.iter_mut().enumerate() {
            *x = V::load(row.0.as_ptr().add(i * V::LANES));
        }
        for (&index, out) in indices.iter().zip(out) {
            let weights = table[usize::from(index)].0.as_ptr();
            let mut sum = V::multiply(x[0], V::load(weights));
            for (i, &x) in x.iter().enumerate().skip(1) {
                sum = V::multiply_add(x, V::load(weights.add(i * V::LANES)), sum);
            }
            *out += V::sum(sum);
        }
    }
}

/// Adds to `out` the rows of `table` that `indices` name, each times its weight.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn accumulate_weighted<V: Vectors, const N: usize>(
    out: &mut Row<PANEL>,
    table: &[Row<PANEL>],
    indices: &[u16],
    weights: &[f32],
) {
    const { assert!(N * V::LANES == PANEL) };
    assert!(indices.len() == weights.len());
    // SAFETY: a row holds `N` vectors.
    unsafe {
        let to = out.0.as_mut_ptr();
        let mut sums = [V::splat(0.0); N];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = V::load(to.add(i * V::LANES));
        }
        for (&index, &weight) in indices.iter().zip(weights) {
            let (row, weight) = (table[usize::from(index)].0.as_ptr(), V::splat(weight));
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = V::multiply_add(weight, V::load(row.add(i * V::LANES)), *sum);
            }
        }
        for (i, sum) in sums.into_iter().enumerate() {
            V::store(to.add(i * V::LANES), sum);
        }
    }
}

/// Changes weights so that their sums with the shared ones lie between minus and plus the limit.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn confine<V: Vectors>(weights: &mut [f32], shared: &[f32], limit: f32) {
    let len = weights.len();
    assert!(len == shared.len() && len.is_multiple_of(LINE));
    assert!(is_aligned(weights) && is_aligned(shared));
    // SAFETY: both slices are aligned and have `len` floats, whole lines.
    unsafe {
        let (low, high) = (V::splat(-limit), V::splat(limit));
        for at in (0..len).step_by(V::LANES) {
            let shared = V::load(shared.as_ptr().add(at));
            let low = V::subtract(low, shared);
            let high = V::subtract(high, shared);
            let weight = V::load(weights.as_ptr().add(at));
            V::store(weights.as_mut_ptr().add(at), V::minimum(V::maximum(weight, low), high));
        }
    }
}
