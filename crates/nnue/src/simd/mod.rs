//! The arithmetic of inference, once, over vectors that each processor provides in its own file.
//!
//! [`algorithms`] is written against the [`Vectors`] trait; `scalar`, `avx2`, `avx512` and `neon`
//! implement it with the same function names. [`Kernels`] are the compiled results: the best one
//! that the processor can run is chosen when the program starts.

#![allow(
    clippy::inline_always,
    reason = "vectors are compiled for their instruction set only where they are inlined"
)]
#![allow(clippy::cast_ptr_alignment, reason = "cache lines are aligned to more than any vector")]
#![allow(clippy::wildcard_imports, reason = "intrinsics are many, and their names are unique")]

mod algorithms;
mod kernel;
mod lines;
mod policy;
mod prefetch;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(test)]
mod tests;

pub(crate) use algorithms::{Activations, Base, Change, Source, Target};
pub(crate) use kernel::Kernels;
pub use kernel::{Kernel, KernelError};
pub(crate) use lines::{Bytes, Psqt, Words};
pub(crate) use policy::{HiddenLayer, PolicyRows, PolicyWeights};
pub(crate) use prefetch::prefetch;

/// Vectors of one instruction set, as far as inference needs them.
///
/// # Safety
/// Every function may only be called where the processor has the instruction set, inside a
/// function that is compiled for it. Loads and stores need that many values behind the pointer,
/// aligned to the size of the vector.
pub(crate) trait Vectors {
    /// A vector of `i16`.
    type Words: Copy;
    /// A vector of `i32`, of which the dot product sees the bytes.
    type Ints: Copy;
    /// Lanes of [`Words`](Self::Words).
    const WORDS: usize;
    /// Lanes of [`Ints`](Self::Ints).
    const INTS: usize;

    unsafe fn load_words(from: *const i16) -> Self::Words;
    unsafe fn store_words(to: *mut i16, words: Self::Words);
    /// As many signed bytes as there are words, each made a word.
    unsafe fn load_widened(from: *const i8) -> Self::Words;
    unsafe fn add_words(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn subtract_words(a: Self::Words, b: Self::Words) -> Self::Words;

    /// Clips every word to `0..=clip`, multiplies `a` with `b`, shifts right by 7 if `clip` is 127
    /// and by 9 if it is 255, and stores the products of the first and then the second pair as
    /// bytes. The answer has a bit for each group of four bytes, set where one of them is not 0.
    unsafe fn store_products(
        to: *mut u8,
        first: (Self::Words, Self::Words),
        second: (Self::Words, Self::Words),
        clip: i16,
    ) -> u32;

    unsafe fn load_ints(from: *const i32) -> Self::Ints;
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints);
    unsafe fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    unsafe fn zero_ints() -> Self::Ints;
    /// The four bytes in every lane.
    unsafe fn splat_bytes(bytes: i32) -> Self::Ints;
    /// Adds to every lane the sum of the products of its four unsigned bytes, each below 128, with
    /// its four signed bytes.
    unsafe fn add_dot(sum: Self::Ints, unsigned: Self::Ints, signed: Self::Ints) -> Self::Ints;
    /// The sum of all lanes.
    unsafe fn sum_ints(ints: Self::Ints) -> i32;
}
