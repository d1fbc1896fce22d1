//! 256-bit vectors of x86-64 processors since about 2013, with fused multiply-add.

use std::arch::x86_64::*;

use super::Vectors;

/// AVX2 and FMA.
pub(super) struct Avx2;

impl Vectors for Avx2 {
    type Floats = __m256;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> __m256 {
        // SAFETY: the caller's promise, here and below.
        unsafe { _mm256_load_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, value: __m256) {
        // SAFETY: as above.
        unsafe { _mm256_store_ps(to, value) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn add(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn subtract(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_sub_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn multiply(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn divide(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_div_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn multiply_add(a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    unsafe fn square_root(value: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_sqrt_ps(value) }
    }

    #[inline(always)]
    unsafe fn minimum(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_min_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn maximum(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn floor(value: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_floor_ps(value) }
    }

    #[inline(always)]
    unsafe fn round(value: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(value) }
    }

    #[inline(always)]
    unsafe fn where_within(value: __m256, test: __m256, low: __m256, high: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe {
            let above = _mm256_cmp_ps::<_CMP_LE_OQ>(low, test);
            let below = _mm256_cmp_ps::<_CMP_LE_OQ>(test, high);
            _mm256_and_ps(value, _mm256_and_ps(above, below))
        }
    }

    #[inline(always)]
    unsafe fn sum(value: __m256) -> f32 {
        // SAFETY: as above.
        unsafe {
            let four = _mm_add_ps(_mm256_castps256_ps128(value), _mm256_extractf128_ps::<1>(value));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        }
    }
}
