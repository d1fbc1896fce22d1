//! Exponentials and logarithms that give the same bits on every machine.
//!
//! Those of the standard library come from the platform; a tree that is to be the same everywhere
//! must not depend on them. Only additions, multiplications, divisions and square roots are used here,
//! which every processor rounds alike.

use std::f32::consts::{LN_2, LOG2_E};

/// e to the power of `x`, to about six digits; 0 or the largest power where it does not fit.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    // e^x = 2^n * e^r with |r| at most half of ln 2.
    let x = x.clamp(-87.0, 88.0);
    let n = (x * LOG2_E + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let r = x - n as f32 * LN_2;
    let series = 1.0
        + r * (1.0
            + r * (1.0 / 2.0
                + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    series * f32::from_bits(((n + 127) as u32) << 23)
}

/// The natural logarithm of a positive number, to about six digits.
#[inline]
#[must_use]
pub fn ln(x: f32) -> f32 {
    // x = 2^n * m with m from 0.7 to 1.4, and ln m = 2 artanh((m - 1) / (m + 1)).
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let shifted = bits.wrapping_sub(0x3F35_04F3);
    let n = (shifted as i32) >> 23;
    let m = f32::from_bits((shifted & 0x007F_FFFF) + 0x3F35_04F3);
    let t = (m - 1.0) / (m + 1.0);
    let square = t * t;
    let series = 1.0
        + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0))));
    n as f32 * LN_2 + 2.0 * t * series
}

/// `x` to the power of `y`, for positive `x`.
#[inline]
#[must_use]
pub fn pow(x: f32, y: f32) -> f32 {
    exp(y * ln(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_standard_library() {
        for i in -8000..8000 {
            let x = i as f32 / 100.0;
            let error = (exp(x) / x.exp() - 1.0).abs();
            assert!(error < 2e-5, "exp({x}) is off by {error}");
        }
        for i in 1..20_000 {
            for x in [i as f32 / 1000.0, i as f32 * 977.0] {
                let error = (ln(x) - x.ln()).abs();
                assert!(error < 1e-5 * x.ln().abs().max(1.0), "ln({x}) is off by {error}");
            }
        }
        assert!((pow(2.0, 10.0) - 1024.0).abs() < 0.05);
        assert!(exp(-1000.0) >= 0.0 && exp(1000.0).is_finite());
    }
}
