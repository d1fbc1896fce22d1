//! Averages.

use tandem_games::statistics::Estimate;

use super::TWO_SIDED_95;

/// The average of independent values, with a normal interval; none of fewer than two. It is the same number, to
/// the last digit, in whatever order the values come.
#[must_use]
pub fn mean(values: &[f64]) -> Option<Estimate> {
    if values.len() < 2 {
        return None;
    }
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    let value = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|x| (x - value).powi(2)).sum::<f64>() / (count - 1.0);
    let reach = TWO_SIDED_95 * (variance / count).sqrt();
    Some(Estimate { value, lower: value - reach, upper: value + reach })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_an_average_narrows_with_the_root_of_the_count() {
        let few = mean(&[1.0, 3.0]).unwrap();
        assert!((few.value - 2.0).abs() < 1e-12);
        let many: Vec<f64> = [1.0, 3.0].repeat(5000);
        let many = mean(&many).unwrap();
        assert!((many.margin() - 0.0196).abs() < 1e-4, "{many:?}");
        assert_eq!((mean(&[]), mean(&[1.0])), (None, None));
        assert_eq!(mean(&[0.1, 0.2, 0.3, 0.7]), mean(&[0.7, 0.3, 0.1, 0.2]));
    }
}
