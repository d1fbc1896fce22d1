//! Counting numbers in parts of equal width.

use serde::Serialize;

/// Numbers counted in parts of equal width. What lies outside counts in the first or last part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Where the first part begins.
    pub first: i32,
    /// How wide a part is.
    pub step: i32,
    /// How many numbers are in each part.
    pub counts: Vec<u64>,
    /// How many numbers there are.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl Histogram {
    /// So many parts of that width.
    #[must_use]
    pub fn new(first: i32, step: i32, parts: usize) -> Self {
        Self { first, step, counts: vec![0; parts], count: 0, sum: 0.0, squares: 0.0 }
    }

    /// Counts a number and says in which part.
    pub fn add(&mut self, value: i32) -> usize {
        let part = value.saturating_sub(self.first).div_euclid(self.step);
        let part = (part.max(0) as usize).min(self.counts.len() - 1);
        self.counts[part] += 1;
        self.count += 1;
        self.sum += f64::from(value);
        self.squares += f64::from(value) * f64::from(value);
        part
    }

    /// Where a part begins.
    #[must_use]
    pub const fn start(&self, part: usize) -> i32 {
        self.first + self.step * part as i32
    }

    /// The average; zero of nothing.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The standard deviation.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        (self.squares / self.count.max(1) as f64 - self.mean() * self.mean()).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_land_in_their_part() {
        let mut histogram = Histogram::new(-10, 5, 4);
        for (value, part) in [(-11, 0), (-10, 0), (-5, 1), (-1, 1), (0, 2), (9, 3), (10, 3)] {
            assert_eq!(histogram.add(value), part, "{value}");
        }
        assert_eq!(histogram.counts, [2, 2, 1, 2]);
        assert!((histogram.mean() + 8.0 / 7.0).abs() < 1e-9);
        assert!(histogram.deviation() > 7.0 && histogram.deviation() < 8.0);
    }
}
