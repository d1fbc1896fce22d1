//! 256-bit vectors of x86-64 processors since about 2013.

use std::arch::x86_64::*;

use super::Vectors;

/// AVX2.
pub(super) struct Avx2;

impl Vectors for Avx2 {
    type Words = __m256i;
    type Ints = __m256i;
    const WORDS: usize = 16;
    const INTS: usize = 8;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller's promise, here and below.
        unsafe { _mm256_load_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: as above.
        unsafe { _mm256_store_si256(to.cast(), words) }
    }

    #[inline(always)]
    unsafe fn load_widened(from: *const i8) -> Self::Words {
        // SAFETY: as above.
        unsafe { _mm256_cvtepi8_epi16(_mm_load_si128(from.cast())) }
    }

    #[inline(always)]
    unsafe fn add_words(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn subtract_words(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn store_products(
        to: *mut u8,
        first: (Self::Words, Self::Words),
        second: (Self::Words, Self::Words),
        clip: i16,
    ) -> u32 {
        // SAFETY: as above.
        unsafe {
            let zero = _mm256_setzero_si256();
            let top = _mm256_set1_epi16(clip);
            // The high half of a product is a shift right by 16, so one factor goes left by 9 or 7.
            let shifted = |words| match clip {
                127 => _mm256_slli_epi16::<9>(words),
                _ => _mm256_slli_epi16::<7>(words),
            };
            let product = |(a, b): (__m256i, __m256i)| {
                let a = shifted(_mm256_max_epi16(_mm256_min_epi16(a, top), zero));
                let b = _mm256_max_epi16(_mm256_min_epi16(b, top), zero);
                _mm256_mulhi_epu16(a, b)
            };
            // Packing works within 128-bit lanes; the permutation restores the order.
            let packed = _mm256_packus_epi16(product(first), product(second));
            let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            _mm256_store_si256(to.cast(), bytes);
            let nonzero = _mm256_cmpgt_epi32(bytes, zero);
            _mm256_movemask_ps(_mm256_castsi256_ps(nonzero)) as u32
        }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm256_load_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: as above.
        unsafe { _mm256_store_si256(to.cast(), ints) }
    }

    #[inline(always)]
    unsafe fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn zero_ints() -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    unsafe fn splat_bytes(bytes: i32) -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm256_set1_epi32(bytes) }
    }

    #[inline(always)]
    unsafe fn add_dot(sum: Self::Ints, unsigned: Self::Ints, signed: Self::Ints) -> Self::Ints {
        // SAFETY: as above. Two products of at most 127 * 128 fit a word, so nothing saturates.
        unsafe {
            let pairs = _mm256_maddubs_epi16(unsigned, signed);
            _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }

    #[inline(always)]
    unsafe fn sum_ints(ints: Self::Ints) -> i32 {
        // SAFETY: as above.
        unsafe {
            let four =
                _mm_add_epi32(_mm256_castsi256_si128(ints), _mm256_extracti128_si256::<1>(ints));
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            _mm_cvtsi128_si32(one)
        }
    }
}
