//! Shares of counted things, and how they compare.

use tandem_games::statistics::Estimate;

use super::TWO_SIDED_95;

/// The share of `part` in `whole`, with Wilson's interval; none of nothing.
#[must_use]
pub fn share(part: u64, whole: u64) -> Option<Estimate> {
    if whole == 0 {
        return None;
    }
    let (n, z2) = (whole as f64, TWO_SIDED_95 * TWO_SIDED_95);
    let value = part as f64 / n;
    let centre = (value + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let reach =
        TWO_SIDED_95 * (value * (1.0 - value) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    // What rounding leaves beyond the ends is no probability.
    let lower = if part == 0 { 0.0 } else { centre - reach };
    let upper = if part == whole { 1.0 } else { centre + reach };
    Some(Estimate { value, lower, upper })
}

/// How many of the one there are for each of the other: the share of the one, p, put through p/(1-p),
/// and the ends of its interval with it. Infinite where the other may be missing.
#[must_use]
pub fn ratio(one: u64, other: u64) -> Option<Estimate> {
    let share = share(one, one + other)?;
    let odds = |p: f64| if p >= 1.0 { f64::INFINITY } else { p / (1.0 - p) };
    Some(Estimate { value: odds(share.value), lower: odds(share.lower), upper: odds(share.upper) })
}

/// By how much the first share is larger than the second, with Newcombe's interval.
#[must_use]
pub fn difference(one: (u64, u64), other: (u64, u64)) -> Option<Estimate> {
    Some(apart(share(one.0, one.1)?, share(other.0, other.1)?))
}

/// By how much the first of two independent values is larger, its interval made of both of theirs.
#[must_use]
pub fn apart(a: Estimate, b: Estimate) -> Estimate {
    let value = a.value - b.value;
    let down = (a.value - a.lower).hypot(b.upper - b.value);
    let up = (a.upper - a.value).hypot(b.value - b.lower);
    Estimate { value, lower: value - down, upper: value + up }
}

/// How many times as large the first share is as the second, with a normal interval of its logarithm. Where
/// one of them is nothing, half a case is added to each for the interval.
#[must_use]
pub fn times(one: (u64, u64), other: (u64, u64)) -> Option<Estimate> {
    if one.1 == 0 || other.1 == 0 {
        return None;
    }
    let added = if one.0 == 0 || other.0 == 0 { 0.5 } else { 0.0 };
    let [a, n, b, m] = [one.0, one.1, other.0, other.1].map(|count| count as f64 + added);
    let centre = (a / n / (b / m)).ln();
    let reach = TWO_SIDED_95 * (1.0 / a - 1.0 / n + 1.0 / b - 1.0 / m).max(0.0).sqrt();
    let value = (one.0 as f64 / one.1 as f64) / (other.0 as f64 / other.1 as f64);
    let value = if value.is_nan() { 1.0 } else { value };
    Some(Estimate { value, lower: (centre - reach).exp(), upper: (centre + reach).exp() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<Estimate>, expected: [f64; 3]) {
        let found = found.unwrap();
        for (found, expected) in [found.value, found.lower, found.upper].into_iter().zip(expected) {
            assert!((found - expected).abs() < 5e-4, "{found} is not {expected}");
        }
    }

    #[test]
    fn wilsons_intervals_agree_with_published_ones() {
        // Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        close(share(81, 263), [0.3080, 0.2553, 0.3662]);
        close(share(15, 148), [0.1014, 0.0624, 0.1605]);
        close(share(0, 20), [0.0, 0.0, 0.1611]);
        close(share(1, 29), [0.0345, 0.0061, 0.1718]);
        assert_eq!(share(0, 0), None);
        assert!((share(20, 20).unwrap().upper - 1.0).abs() < 1e-12);
    }

    #[test]
    fn newcombes_differences_agree_with_published_ones() {
        // Newcombe 1998 (II), table II, method 10: 56/70 - 48/80 and 10/10 - 0/10.
        close(difference((56, 70), (48, 80)), [0.2, 0.0524, 0.3339]);
        close(difference((10, 10), (0, 10)), [1.0, 0.6075, 1.0]);
    }

    #[test]
    fn a_ratio_is_the_share_seen_in_another_way() {
        let (ratio, share) = (ratio(58, 42).unwrap(), share(58, 100).unwrap());
        assert!((ratio.value - 58.0 / 42.0).abs() < 1e-12);
        assert!((ratio.lower / (1.0 + ratio.lower) - share.lower).abs() < 1e-12);
        assert!(super::ratio(7, 0).unwrap().value.is_infinite());
        assert!(super::ratio(7, 0).unwrap().lower > 1.0);
    }

    #[test]
    fn shares_are_compared_by_how_many_times_they_are_as_large() {
        // ln(2) and its error by hand: sqrt(1/20 - 1/100 + 1/10 - 1/100) = 0.3606.
        close(times((20, 100), (10, 100)), [2.0, 0.9866, 4.0545]);
        let none = times((0, 100), (0, 100)).unwrap();
        assert!((none.value - 1.0).abs() < 1e-12 && none.lower < 0.1 && none.upper > 10.0);
        assert!(times((5, 100), (0, 100)).unwrap().value.is_infinite());
    }
}
