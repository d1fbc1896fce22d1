//! The choice of a kernel at run time.

use tandem_nnue::{Kernel, KernelError};

use super::dense::{self, ByInput, ByOutput, Square};
use super::moves;
use super::rows;
use super::scalar::Scalar;
use super::update::{self, AdamStep, CatchUp};
use super::{FC0, FC1, LINE, PAIRS, PANEL, Row, Vectors};

/// Adding up rows of a table, which comes in two widths.
pub(crate) trait Accumulate<const W: usize> {
    /// Adds the rows of `table` that `indices` name to `out`.
    fn accumulate(&self, out: &mut Row<W>, table: &[Row<W>], indices: &[u16]);
}

/// Declares the table of functions of a kernel, a safe way to call each, and how to compile them
/// for an instruction set.
macro_rules! kernels {
    ($( $(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:path; )*) => {
        /// The compiled functions of one kernel. Whoever holds one may call it: the processor was
        /// asked.
        #[derive(Clone, Copy)]
        pub(crate) struct Kernels {
            $( $name: unsafe fn($($type),*) $(-> $out)?, )*
        }

        impl Kernels {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $name(&self, $($arg: $type),*) $(-> $out)? {
                    // SAFETY: the processor can run the kernel, which checks all lengths.
                    unsafe { (self.$name)($($arg),*) }
                }
            )*
        }

        mod scalar {
            use super::*;
            type V = Scalar;
            pub const KERNELS: Kernels = Kernels { $($name),* };
            $(
                unsafe fn $name($($arg: $type),*) $(-> $out)? {
                    // SAFETY: plain code runs everywhere.
                    unsafe { $body($($arg),*) }
                }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        mod avx2 {
            use super::*;
            type V = super::super::avx2::Avx2;
            pub const KERNELS: Kernels = Kernels { $($name),* };
            $(
                #[target_feature(enable = "avx2,fma")]
                unsafe fn $name($($arg: $type),*) $(-> $out)? {
                    // SAFETY: the caller's promise; this function is compiled for AVX2 and FMA.
                    unsafe { $body($($arg),*) }
                }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        mod avx512 {
            use super::*;
            type V = super::super::avx512::Avx512;
            pub const KERNELS: Kernels = Kernels { $($name),* };
            $(
                #[target_feature(enable = "avx512f")]
                unsafe fn $name($($arg: $type),*) $(-> $out)? {
                    // SAFETY: the caller's promise; this function is compiled for AVX-512.
                    unsafe { $body($($arg),*) }
                }
            )*
        }
    };
}

kernels! {
    /// Adds rows of a panel.
    accumulate_panel(out: &mut Row<PANEL>, table: &[Row<PANEL>], indices: &[u16])
        = rows::accumulate::<V, PANEL, { PANEL / V::LANES }>;
    /// Adds rows of the piece-square table.
    accumulate_psqt(out: &mut Row<LINE>, table: &[Row<LINE>], indices: &[u16])
        = rows::accumulate::<V, LINE, { LINE / V::LANES }>;
    /// `out = (weights + shared) * scale`, rounded to integers if asked.
    combine(out: &mut [f32], weights: &[f32], shared: Option<&[f32]>, scale: f32, is_rounded: bool)
        = rows::combine::<V>;
    /// The products of the clipped pairs of a panel, with the fraction cut off if asked.
    multiply_pairs(sums: &Row<PANEL>, products: &mut [f32; PAIRS], is_floored: bool)
        = rows::multiply_pairs::<V>;
    /// Replaces the sums of a panel by their gradients, given those of the products.
    multiply_pairs_back(sums: &mut Row<PANEL>, gains: &[f32; PAIRS])
        = rows::multiply_pairs_back::<V>;
    /// Adds `values` to `out`.
    add(out: &mut [f32], values: &[f32]) = rows::add::<V>;
    /// Brings weights up to date that no gradient reached for some steps.
    catch_up(
        weights: &mut [f32], first: &[f32], second: &[f32], change: &CatchUp, limit: f32
    ) = update::catch_up::<V>;
    /// Takes a step of the optimiser.
    adam(
        weights: &mut [f32], first: &mut [f32], second: &mut [f32], gradient: &[f32],
        step: &AdamStep, limit: f32
    ) = update::adam::<V>;
    /// The sum of the squares.
    sum_of_squares(values: &[f32]) -> f32 = update::sum_of_squares::<V>;
    /// Adds to the first layer's outputs what the inputs of a panel contribute.
    first_layer(inputs: &[Row<PANEL>], weights: &ByInput, outputs: &mut [Row<FC0>])
        = dense::first_layer::<V, { FC0 / V::LANES }, { V::LANES / 2 }>;
    /// Adds to the gradient of a panel's weights what a block of samples contributes.
    first_layer_weights_back(
        inputs: &[Row<PANEL>], gains: &[Row<FC0>], gradient: &mut ByOutput
    ) = dense::first_layer_weights_back::<V>;
    /// Replaces the inputs of a panel by their gradients.
    first_layer_inputs_back(
        gains: &[Row<FC0>], weights: &ByOutput, inputs: &mut [Row<PANEL>]
    ) = dense::first_layer_inputs_back::<V>;
    /// Adds `vector * matrix` to `out`.
    weigh_rows(vector: &Row<FC1>, matrix: &Square, out: &mut Row<FC1>)
        = dense::weigh_rows::<V, { FC1 / V::LANES }>;
    /// Adds the outer product of two vectors to a matrix.
    add_outer(rows: &Row<FC1>, columns: &Row<FC1>, matrix: &mut Square)
        = dense::add_outer::<V>;
    /// The squares of the clipped neurons of a panel, with the fraction cut off if asked.
    square(sums: &Row<PANEL>, squares: &mut Row<PANEL>, is_floored: bool) = moves::square::<V>;
    /// Replaces the sums of a panel by their gradients, given those of the squares.
    square_back(sums: &mut Row<PANEL>, gains: &Row<PANEL>) = moves::square_back::<V>;
    /// Adds to each number of `out` the product of `row` with the row that its index names.
    multiply_rows(row: &Row<PANEL>, table: &[Row<PANEL>], indices: &[u16], out: &mut [f32])
        = moves::multiply_rows::<V, { PANEL / V::LANES }>;
    /// Adds rows of a panel, each times its weight.
    accumulate_weighted(
        out: &mut Row<PANEL>, table: &[Row<PANEL>], indices: &[u16], weights: &[f32]
    ) = moves::accumulate_weighted::<V, { PANEL / V::LANES }>;
    /// Changes weights so that their sums with the shared ones keep a limit.
    confine(weights: &mut [f32], shared: &[f32], limit: f32) = moves::confine::<V>;
}

impl Kernels {
    /// The functions of that kernel.
    pub fn new(kernel: Kernel) -> Result<Self, KernelError> {
        match kernel {
            Kernel::Scalar => Ok(scalar::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if is_x86_feature_detected!("avx512f") => Ok(avx512::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") => {
                Ok(avx2::KERNELS)
            }
            // The baseline of these processors is vectors.
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => Ok(scalar::KERNELS),
            _ => Err(KernelError::Unavailable(kernel)),
        }
    }

    /// The fastest functions for this processor, or those that the environment variable
    /// `TANDEM_SIMD` names.
    pub fn chosen() -> Result<Self, KernelError> {
        let chosen = Kernel::chosen()?;
        Self::new(chosen).or_else(|_| Self::new(Kernel::Scalar))
    }

    /// The functions of all kernels that this processor can run.
    #[cfg(test)]
    pub fn available() -> impl Iterator<Item = Self> {
        Kernel::ALL.into_iter().filter_map(|kernel| Self::new(kernel).ok())
    }
}

impl Accumulate<PANEL> for Kernels {
    #[inline]
    fn accumulate(&self, out: &mut Row<PANEL>, table: &[Row<PANEL>], indices: &[u16]) {
        self.accumulate_panel(out, table, indices);
    }
}

impl Accumulate<LINE> for Kernels {
    #[inline]
    fn accumulate(&self, out: &mut Row<LINE>, table: &[Row<LINE>], indices: &[u16]) {
        self.accumulate_psqt(out, table, indices);
    }
}
