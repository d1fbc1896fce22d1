//! Vectors in plain code, which compilers turn into what the processor's baseline has.

use super::Vectors;

/// Plain code.
pub(super) struct Scalar;

const LANES: usize = 8;
type Floats = [f32; LANES];

#[inline(always)]
fn zip(a: Floats, b: Floats, f: impl Fn(f32, f32) -> f32) -> Floats {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Vectors for Scalar {
    type Floats = Floats;
    const LANES: usize = LANES;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Floats {
        // SAFETY: the caller's promise.
        unsafe { from.cast::<Floats>().read() }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, value: Floats) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<Floats>().write(value) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Floats {
        [value; LANES]
    }

    #[inline(always)]
    unsafe fn add(a: Floats, b: Floats) -> Floats {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn subtract(a: Floats, b: Floats) -> Floats {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    unsafe fn multiply(a: Floats, b: Floats) -> Floats {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    unsafe fn divide(a: Floats, b: Floats) -> Floats {
        zip(a, b, |a, b| a / b)
    }

    #[inline(always)]
    unsafe fn multiply_add(a: Floats, b: Floats, c: Floats) -> Floats {
        std::array::from_fn(|i| a[i] * b[i] + c[i])
    }

    #[inline(always)]
    unsafe fn square_root(value: Floats) -> Floats {
        value.map(f32::sqrt)
    }

    #[inline(always)]
    unsafe fn minimum(a: Floats, b: Floats) -> Floats {
        zip(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    unsafe fn maximum(a: Floats, b: Floats) -> Floats {
        zip(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    unsafe fn floor(value: Floats) -> Floats {
        value.map(f32::floor)
    }

    #[inline(always)]
    unsafe fn round(value: Floats) -> Floats {
        value.map(f32::round_ties_even)
    }

    #[inline(always)]
    unsafe fn where_within(value: Floats, test: Floats, low: Floats, high: Floats) -> Floats {
        std::array::from_fn(
            |i| if low[i] <= test[i] && test[i] <= high[i] { value[i] } else { 0.0 },
        )
    }

    #[inline(always)]
    unsafe fn sum(value: Floats) -> f32 {
        let halves: [f32; LANES / 2] = std::array::from_fn(|i| value[i] + value[i + LANES / 2]);
        (halves[0] + halves[2]) + (halves[1] + halves[3])
    }
}
