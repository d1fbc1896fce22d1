//! 512-bit vectors, with and without the dot-product instruction (VNNI).

use std::arch::x86_64::*;

use super::Vectors;

/// AVX-512 with its byte and word instructions; `VNNI` where dot products are one instruction.
pub(super) struct Avx512<const VNNI: bool>;

impl<const VNNI: bool> Vectors for Avx512<VNNI> {
    type Words = __m512i;
    type Ints = __m512i;
    const WORDS: usize = 32;
    const INTS: usize = 16;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller's promise, here and below.
        unsafe { _mm512_load_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: as above.
        unsafe { _mm512_store_si512(to.cast(), words) }
    }

    #[inline(always)]
    unsafe fn load_widened(from: *const i8) -> Self::Words {
        // SAFETY: as above.
        unsafe { _mm512_cvtepi8_epi16(_mm256_load_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn add_words(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    unsafe fn subtract_words(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { _mm512_sub_epi16(a, b) }
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
            let zero = _mm512_setzero_si512();
            let top = _mm512_set1_epi16(clip);
            // The high half of a product is a shift right by 16, so one factor goes left by 9 or 7.
            let shifted = |words| match clip {
                127 => _mm512_slli_epi16::<9>(words),
                _ => _mm512_slli_epi16::<7>(words),
            };
            let product = |(a, b): (__m512i, __m512i)| {
                let a = shifted(_mm512_max_epi16(_mm512_min_epi16(a, top), zero));
                let b = _mm512_max_epi16(_mm512_min_epi16(b, top), zero);
                multiply_high(a, b)
            };
            // Packing works within 128-bit lanes; the permutation restores the order.
            let packed = _mm512_packus_epi16(product(first), product(second));
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let bytes = _mm512_permutexvar_epi64(order, packed);
            _mm512_store_si512(to.cast(), bytes);
            u32::from(_mm512_test_epi32_mask(bytes, bytes))
        }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm512_load_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: as above.
        unsafe { _mm512_store_si512(to.cast(), ints) }
    }

    #[inline(always)]
    unsafe fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn zero_ints() -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    unsafe fn splat_bytes(bytes: i32) -> Self::Ints {
        // SAFETY: as above.
        unsafe { _mm512_set1_epi32(bytes) }
    }

    #[inline(always)]
    unsafe fn add_dot(sum: Self::Ints, unsigned: Self::Ints, signed: Self::Ints) -> Self::Ints {
        // SAFETY: as above. Two products of at most 127 * 128 fit a word, so nothing saturates.
        unsafe {
            if VNNI {
                return _mm512_dpbusd_epi32(sum, unsigned, signed);
            }
            let pairs = _mm512_maddubs_epi16(unsigned, signed);
            _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
        }
    }

    #[inline(always)]
    unsafe fn sum_ints(ints: Self::Ints) -> i32 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_epi32(ints) }
    }
}

/// The high halves of the products of unsigned words.
///
/// # Safety
/// The processor has AVX-512BW.
#[inline(always)]
#[cfg(not(miri))]
unsafe fn multiply_high(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_mulhi_epu16(a, b) }
}

/// Miri lacks this one instruction; plain code stands in for it there.
///
/// # Safety
/// None is needed here; the instruction asks for it.
#[cfg(miri)]
unsafe fn multiply_high(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: both sides are 64 bytes of plain numbers.
    let (a, b): ([u16; 32], [u16; 32]) =
        unsafe { (std::mem::transmute(a), std::mem::transmute(b)) };
    let products: [u16; 32] =
        std::array::from_fn(|i| (u32::from(a[i]) * u32::from(b[i]) >> 16) as u16);
    // SAFETY: as above.
    unsafe { std::mem::transmute(products) }
}
