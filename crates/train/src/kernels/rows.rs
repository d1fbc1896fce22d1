//! The feature transformer: sums of rows, products of pairs, and the way back.

use super::{LINE, PAIRS, PANEL, Row, Vectors, is_aligned};

/// Clipped neurons lie between 0 and this.
const TOP: f32 = 127.0;
/// The product of two neurons is divided by this.
const PRODUCT: f32 = 128.0;

/// Adds the rows of `table` that `indices` name to `out`. `N` vectors hold a row.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn accumulate<V: Vectors, const W: usize, const N: usize>(
    out: &mut Row<W>,
    table: &[Row<W>],
    indices: &[u16],
) {
    const { assert!(N * V::LANES == W) };
    // SAFETY: a row holds `N` vectors.
    unsafe {
        let to = out.0.as_mut_ptr();
        let mut sums = [V::splat(0.0); N];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = V::load(to.add(i * V::LANES));
        }
        for &index in indices {
            let row = table[usize::from(index)].0.as_ptr();
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = V::add(*sum, V::load(row.add(i * V::LANES)));
            }
        }
        for (i, sum) in sums.into_iter().enumerate() {
            V::store(to.add(i * V::LANES), sum);
        }
    }
}

/// `out = (weights + shared) * scale`, rounded to integers if asked.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn combine<V: Vectors>(
    out: &mut [f32],
    weights: &[f32],
    shared: Option<&[f32]>,
    scale: f32,
    is_rounded: bool,
) {
    let len = out.len();
    assert!(len == weights.len() && len.is_multiple_of(LINE));
    assert!(shared.is_none_or(|shared| shared.len() == len && is_aligned(shared)));
    assert!(is_aligned(out) && is_aligned(weights));
    // SAFETY: all slices are aligned and have `len` floats, whole lines.
    unsafe {
        let scale = V::splat(scale);
        for at in (0..len).step_by(V::LANES) {
            let mut sum = V::load(weights.as_ptr().add(at));
            if let Some(shared) = shared {
                sum = V::add(sum, V::load(shared.as_ptr().add(at)));
            }
            let value = V::multiply(sum, scale);
            let value = if is_rounded { V::round(value) } else { value };
            V::store(out.as_mut_ptr().add(at), value);
        }
    }
}

/// A neuron between nothing and everything.
#[inline(always)]
unsafe fn clip<V: Vectors>(sum: V::Floats) -> V::Floats {
    // SAFETY: the caller's promise.
    unsafe { V::minimum(V::maximum(sum, V::splat(0.0)), V::splat(TOP)) }
}

/// The products of the clipped pairs of a panel, with the fraction cut off if asked.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn multiply_pairs<V: Vectors>(
    sums: &Row<PANEL>,
    products: &mut [f32; PAIRS],
    is_floored: bool,
) {
    assert!(is_aligned(products));
    // SAFETY: a panel holds both halves, each as long as the products, which are aligned.
    unsafe {
        let scale = V::splat(1.0 / PRODUCT);
        let sums = sums.0.as_ptr();
        for at in (0..PAIRS).step_by(V::LANES) {
            let first = clip::<V>(V::load(sums.add(at)));
            let second = clip::<V>(V::load(sums.add(PAIRS + at)));
            let product = V::multiply(V::multiply(first, second), scale);
            let product = if is_floored { V::floor(product) } else { product };
            V::store(products.as_mut_ptr().add(at), product);
        }
    }
}

/// Replaces the sums of a panel by what the loss gains from each, given what it gains from the
/// products.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn multiply_pairs_back<V: Vectors>(sums: &mut Row<PANEL>, gains: &[f32; PAIRS]) {
    assert!(is_aligned(gains));
    // SAFETY: a panel holds both halves, each as long as the gains, which are aligned.
    unsafe {
        let (zero, top) = (V::splat(0.0), V::splat(TOP));
        let scale = V::splat(1.0 / PRODUCT);
        let sums = sums.0.as_mut_ptr();
        for at in (0..PAIRS).step_by(V::LANES) {
            let (first, second) = (V::load(sums.add(at)), V::load(sums.add(PAIRS + at)));
            let gain = V::multiply(V::load(gains.as_ptr().add(at)), scale);
            let to_first = V::multiply(gain, clip::<V>(second));
            let to_second = V::multiply(gain, clip::<V>(first));
            V::store(sums.add(at), V::where_within(to_first, first, zero, top));
            V::store(sums.add(PAIRS + at), V::where_within(to_second, second, zero, top));
        }
    }
}

/// Adds `values` to `out`.
///
/// # Safety
/// As [`Vectors`].
#[inline(always)]
pub(super) unsafe fn add<V: Vectors>(out: &mut [f32], values: &[f32]) {
    let len = out.len();
    assert!(len == values.len() && len.is_multiple_of(LINE));
    assert!(is_aligned(out) && is_aligned(values));
    // SAFETY: both slices are aligned and have `len` floats, whole lines.
    unsafe {
        for at in (0..len).step_by(V::LANES) {
            let sum = V::add(V::load(out.as_ptr().add(at)), V::load(values.as_ptr().add(at)));
            V::store(out.as_mut_ptr().add(at), sum);
        }
    }
}
