//! Plain Rust: what every processor runs, and what the other kernels are compared with.

use super::Vectors;

/// Arrays in place of vectors.
pub(super) struct Scalar;

impl Vectors for Scalar {
    type Words = [i16; 8];
    type Ints = [i32; 4];
    const WORDS: usize = 8;
    const INTS: usize = 4;

    #[inline(always)]
    unsafe fn load_words(from: *const i16) -> Self::Words {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Self::Words>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut i16, words: Self::Words) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Self::Words>().write_unaligned(words) }
    }

    #[inline(always)]
    unsafe fn load_widened(from: *const i8) -> Self::Words {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<[i8; 8]>().read_unaligned() }.map(i16::from)
    }

    #[inline(always)]
    unsafe fn add_words(a: Self::Words, b: Self::Words) -> Self::Words {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    unsafe fn subtract_words(a: Self::Words, b: Self::Words) -> Self::Words {
        std::array::from_fn(|i| a[i].wrapping_sub(b[i]))
    }

    #[inline(always)]
    unsafe fn store_products(
        to: *mut u8,
        first: (Self::Words, Self::Words),
        second: (Self::Words, Self::Words),
        clip: i16,
    ) -> u32 {
        let shift = if clip == 127 { 7 } else { 9 };
        let product = |a: i16, b: i16| {
            ((i32::from(a.clamp(0, clip)) * i32::from(b.clamp(0, clip))) >> shift) as u8
        };
        let bytes: [u8; 16] = std::array::from_fn(|i| match i {
            0..8 => product(first.0[i], first.1[i]),
            _ => product(second.0[i - 8], second.1[i - 8]),
        });
        // SAFETY: the caller's promise.
        unsafe { to.cast::<[u8; 16]>().write_unaligned(bytes) };
        let groups = bytes.as_chunks::<4>().0;
        groups.iter().enumerate().map(|(i, group)| u32::from(*group != [0; 4]) << i).sum()
    }

    #[inline(always)]
    unsafe fn load_ints(from: *const i32) -> Self::Ints {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Self::Ints>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_ints(to: *mut i32, ints: Self::Ints) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Self::Ints>().write_unaligned(ints) }
    }

    #[inline(always)]
    unsafe fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    unsafe fn zero_ints() -> Self::Ints {
        [0; 4]
    }

    #[inline(always)]
    unsafe fn splat_bytes(bytes: i32) -> Self::Ints {
        [bytes; 4]
    }

    #[inline(always)]
    unsafe fn add_dot(sum: Self::Ints, unsigned: Self::Ints, signed: Self::Ints) -> Self::Ints {
        std::array::from_fn(|lane| {
            let (a, b) = (unsigned[lane].to_ne_bytes(), signed[lane].to_ne_bytes());
            (0..4)
                .fold(sum[lane], |sum, i| sum.wrapping_add(i32::from(a[i]) * i32::from(b[i] as i8)))
        })
    }

    #[inline(always)]
    unsafe fn sum_ints(ints: Self::Ints) -> i32 {
        ints.into_iter().fold(0, i32::wrapping_add)
    }
}
