//! The optimiser's arithmetic.

use super::{LINE, Row, Vectors, is_aligned};

/// What happened to numbers while no gradient reached them: weights decay, and what is left of
/// their momentum still moves them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CatchUp {
    /// The weights are multiplied by this.
    pub decay: f32,
    /// How often the last step, `m / (sqrt(v) + epsilon)`, is taken again in sum.
    pub push: f32,
    /// The constant beside the root.
    pub epsilon: f32,
}

/// One step of `AdamW`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AdamStep {
    /// The gradient is multiplied by this.
    pub gradient_scale: f32,
    /// What the first moment is multiplied by, and the weight of the new gradient in it.
    pub first: (f32, f32),
    /// The same for the second moment and the gradient's square.
    pub second: (f32, f32),
    /// The weights are multiplied by this.
    pub decay: f32,
    /// The learning rate with both bias corrections.
    pub rate: f32,
    /// The constant beside the root.
    pub epsilon: f32,
}

/// Brings weights up to date; they stay between minus and plus the limit.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn catch_up<V: Vectors>(
    weights: &mut [f32],
    first: &[f32],
    second: &[f32],
    change: &CatchUp,
    limit: f32,
) {
    let len = weights.len();
    assert!(len == first.len() && len == second.len() && len.is_multiple_of(LINE));
    assert!(is_aligned(weights) && is_aligned(first) && is_aligned(second));
    // SAFETY: all slices are aligned and have `len` floats, whole lines.
    unsafe {
        let (decay, push) = (V::splat(change.decay), V::splat(change.push));
        let (low, high) = (V::splat(-limit), V::splat(limit));
        let epsilon = V::splat(change.epsilon);
        for at in (0..len).step_by(V::LANES) {
            let m = V::load(first.as_ptr().add(at));
            let v = V::load(second.as_ptr().add(at));
            let w = V::multiply(V::load(weights.as_ptr().add(at)), decay);
            let step = V::divide(V::multiply(m, push), V::add(V::square_root(v), epsilon));
            let w = V::minimum(V::maximum(V::subtract(w, step), low), high);
            V::store(weights.as_mut_ptr().add(at), w);
        }
    }
}

/// Takes a step; weights stay between minus and plus the limit.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn adam<V: Vectors>(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    gradient: &[f32],
    step: &AdamStep,
    limit: f32,
) {
    let len = weights.len();
    assert!(len == first.len() && len == second.len() && len == gradient.len());
    assert!(len.is_multiple_of(LINE) && is_aligned(weights) && is_aligned(gradient));
    assert!(is_aligned(first) && is_aligned(second));
    // SAFETY: all slices are aligned and have `len` floats, whole lines.
    unsafe {
        let scale = V::splat(step.gradient_scale);
        let (keep1, new1) = (V::splat(step.first.0), V::splat(step.first.1));
        let (keep2, new2) = (V::splat(step.second.0), V::splat(step.second.1));
        let (decay, rate) = (V::splat(step.decay), V::splat(step.rate));
        let epsilon = V::splat(step.epsilon);
        let (low, high) = (V::splat(-limit), V::splat(limit));
        for at in (0..len).step_by(V::LANES) {
            let g = V::multiply(V::load(gradient.as_ptr().add(at)), scale);
            let m = V::multiply_add(V::load(first.as_ptr().add(at)), keep1, V::multiply(g, new1));
            let square = V::multiply(V::multiply(g, g), new2);
            let v = V::multiply_add(V::load(second.as_ptr().add(at)), keep2, square);
            let w = V::multiply(V::load(weights.as_ptr().add(at)), decay);
            let change = V::divide(V::multiply(m, rate), V::add(V::square_root(v), epsilon));
            let w = V::minimum(V::maximum(V::subtract(w, change), low), high);
            V::store(first.as_mut_ptr().add(at), m);
            V::store(second.as_mut_ptr().add(at), v);
            V::store(weights.as_mut_ptr().add(at), w);
        }
    }
}

/// The sum of the squares.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn sum_of_squares<V: Vectors>(values: &[f32]) -> f32 {
    assert!(values.len().is_multiple_of(LINE) && is_aligned(values));
    // As wide as the widest vector; what a narrower one leaves is nothing.
    let mut lanes = Row::<LINE>::ZERO;
    // SAFETY: the slice is aligned and whole lines.
    unsafe {
        let mut sum = V::splat(0.0);
        for at in (0..values.len()).step_by(V::LANES) {
            let value = V::load(values.as_ptr().add(at));
            sum = V::multiply_add(value, value, sum);
        }
        V::store(lanes.0.as_mut_ptr(), sum);
    }
    lanes.0.iter().sum()
}
