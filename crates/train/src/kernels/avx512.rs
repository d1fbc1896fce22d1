//! 512-bit vectors of x86-64 servers since about 2017, and of AMD's processors since 2022.

use std::arch::x86_64::*;

use super::Vectors;

/// AVX-512 Foundation.
pub(super) struct Avx512;

impl Vectors for Avx512 {
    type Floats = __m512;
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> __m512 {
        // SAFETY: the caller's promise, here and below.
        unsafe { _mm512_load_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, value: __m512) {
        // SAFETY: as above.
        unsafe { _mm512_store_ps(to, value) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn add(a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn subtract(a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_sub_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn multiply(a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn divide(a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_div_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn multiply_add(a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    unsafe fn square_root(value: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_sqrt_ps(value) }
    }

    #[inline(always)]
    unsafe fn minimum(a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_min_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn maximum(a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_max_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn floor(value: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(value) }
    }

    #[inline(always)]
    unsafe fn round(value: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(value) }
    }

    #[inline(always)]
    unsafe fn where_within(value: __m512, test: __m512, low: __m512, high: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe {
            let above = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(low, test);
            let within = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(above, test, high);
            _mm512_maskz_mov_ps(within, value)
        }
    }

    #[inline(always)]
    unsafe fn sum(value: __m512) -> f32 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_ps(value) }
    }
}
