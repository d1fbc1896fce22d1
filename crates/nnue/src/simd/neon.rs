//! 128-bit vectors of 64-bit ARM processors.

use std::arch::aarch64::*;

use super::Vectors;

/// NEON, which every 64-bit ARM processor has.
pub(super) struct Neon;

impl Vectors for Neon {
    type Words = int16x8_t;
    type Ints = int32x4_t;
    const WORDS: usize = 8;
    const INTS: usize = 4;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller's promise, here and below.
        unsafe { vld1q_s16(from) }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: as above.
        unsafe { vst1q_s16(to, words) }
    }

    #[inline(always)]
    unsafe fn load_widened(from: *const i8) -> Self::Words {
        // SAFETY: as above.
        unsafe { vmovl_s8(vld1_s8(from)) }
    }

    #[inline(always)]
    unsafe fn add_words(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { vaddq_s16(a, b) }
    }

    #[inline(always)]
    unsafe fn subtract_words(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { vsubq_s16(a, b) }
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
            let zero = vdupq_n_s16(0);
            let top = vdupq_n_s16(clip);
            let clipped = |words| vreinterpretq_u16_s16(vmaxq_s16(vminq_s16(words, top), zero));
            // 255 * 255 just fits an unsigned word, so the product needs no widening.
            let right = vdupq_n_s16(if clip == 127 { -7 } else { -9 });
            let product = |(a, b)| vmovn_u16(vshlq_u16(vmulq_u16(clipped(a), clipped(b)), right));
            let bytes = vcombine_u8(product(first), product(second));
            vst1q_u8(to, bytes);
            let groups = vreinterpretq_u32_u8(bytes);
            let bits = vld1q_u32([1, 2, 4, 8].as_ptr());
            vaddvq_u32(vandq_u32(vtstq_u32(groups, groups), bits))
        }
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: as above.
        unsafe { vld1q_s32(from) }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: as above.
        unsafe { vst1q_s32(to, ints) }
    }

    #[inline(always)]
    unsafe fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        // SAFETY: as above.
        unsafe { vaddq_s32(a, b) }
    }

    #[inline(always)]
    unsafe fn zero_ints() -> Self::Ints {
        // SAFETY: as above.
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    unsafe fn splat_bytes(bytes: i32) -> Self::Ints {
        // SAFETY: as above.
        unsafe { vdupq_n_s32(bytes) }
    }

    #[inline(always)]
    unsafe fn add_dot(sum: Self::Ints, unsigned: Self::Ints, signed: Self::Ints) -> Self::Ints {
        // SAFETY: as above. The unsigned bytes are below 128, so both factors may be taken as
        // signed, and two products of at most 127 * 128 fit a word.
        unsafe {
            let (a, b) = (vreinterpretq_s8_s32(unsigned), vreinterpretq_s8_s32(signed));
            let low = vmull_s8(vget_low_s8(a), vget_low_s8(b));
            let high = vmull_high_s8(a, b);
            vpadalq_s16(sum, vpaddq_s16(low, high))
        }
    }

    #[inline(always)]
    unsafe fn sum_ints(ints: Self::Ints) -> i32 {
        // SAFETY: as above.
        unsafe { vaddvq_s32(ints) }
    }
}
