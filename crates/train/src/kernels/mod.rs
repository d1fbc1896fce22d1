//! The arithmetic of training, once, over vectors of floats that each processor provides in its own
//! file.
//!
//! [`rows`] holds what the feature transformer needs, [`dense`] the layers behind it, [`moves`] what
//! judges moves and [`update`] the optimiser. `scalar`, `avx2` and `avx512` implement [`Vectors`]; [`Kernels`] are the compiled
//! results, and the best one that the processor can run is chosen when a trainer is made.

#![allow(
    clippy::inline_always,
    reason = "vectors are compiled for their instruction set only where they are inlined"
)]
#![allow(clippy::wildcard_imports, reason = "intrinsics are many, and their names are unique")]

mod dense;
mod kernel;
mod moves;
mod rows;
mod scalar;
mod update;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(test)]
mod tests;

pub(crate) use dense::{ByInput, ByOutput, Square};
pub(crate) use kernel::{Accumulate, Kernels};
pub(crate) use update::{AdamStep, CatchUp};

/// Floats of the widest vectors, and of a cache line: every row is some of these.
pub(crate) const LINE: usize = 16;
/// Columns of a panel: 32 neurons of the first half of the accumulator and their 32 partners of the
/// second, so that the products of pairs need nothing from outside.
pub(crate) const PANEL: usize = 64;
/// Half of a panel.
pub(crate) const PAIRS: usize = PANEL / 2;
/// Outputs of the first layer behind the transformer.
pub(crate) const FC0: usize = 16;
/// Inputs (two of them unused) and outputs of the second layer.
pub(crate) const FC1: usize = 32;

/// Some columns of a table's row, on cache lines of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row<const W: usize>(pub [f32; W]);

impl<const W: usize> Row<W> {
    pub const ZERO: Self = Self([0.0; W]);
}

/// Whether floats begin where a vector may begin.
fn is_aligned(values: &[f32]) -> bool {
    values.as_ptr().addr().is_multiple_of(align_of::<Row<LINE>>())
}

/// Vectors of floats.
///
/// # Safety
/// Every function may only be called where the processor has the instruction set, inside a
/// function that is compiled for it. Loads and stores need as many floats behind the pointer as a
/// vector has, aligned to its size.
pub(crate) trait Vectors {
    type Floats: Copy;
    /// How many floats a vector has; a line is one vector or some.
    const LANES: usize;

    unsafe fn load(from: *const f32) -> Self::Floats;
    unsafe fn store(to: *mut f32, value: Self::Floats);
    unsafe fn splat(value: f32) -> Self::Floats;
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn subtract(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn multiply(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn divide(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a * b + c`, rounded once or twice.
    unsafe fn multiply_add(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    unsafe fn square_root(value: Self::Floats) -> Self::Floats;
    unsafe fn minimum(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn maximum(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn floor(value: Self::Floats) -> Self::Floats;
    /// To the nearest integer, halves to the even one.
    unsafe fn round(value: Self::Floats) -> Self::Floats;
    /// `value` where `low <= test <= high`, elsewhere 0.
    unsafe fn where_within(
        value: Self::Floats,
        test: Self::Floats,
        low: Self::Floats,
        high: Self::Floats,
    ) -> Self::Floats;
    /// The sum of all floats.
    unsafe fn sum(value: Self::Floats) -> f32;
}
