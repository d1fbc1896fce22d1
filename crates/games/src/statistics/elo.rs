//! Elo, normalised Elo and likelihood of superiority of a tally, with their uncertainty.

use serde::Serialize;

use super::Tally;
use super::likelihood::moments;

/// How many standard errors an interval of 95 % reaches to either side.
pub(super) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo for one standard deviation of a game's score: near equal strength and without
/// draws, normalised Elo is then the same as Elo.
pub(super) const NORMALISED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// What is added to every count where the results do not vary at all.
const ADDED: f64 = 0.5;

/// The Elo difference at which that score rate is expected; infinite for 0 and 1.
#[must_use]
pub fn elo_of_score(rate: f64) -> f64 {
    if rate <= 0.0 {
        f64::NEG_INFINITY
    } else if rate >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (rate / (1.0 - rate)).log10()
    }
}

/// The score rate expected at that Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A value with its interval of 95 %. What is infinite is written as `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl Estimate {
    /// Half the width of the interval, which is what stands after "±"; infinite if an end is.
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }
}

/// A tally with all that follows from it, for a report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The counts.
    #[serde(flatten)]
    pub tally: Tally,
    /// How many games there are.
    pub games: u64,
    /// Points per game.
    pub score_rate: Option<f64>,
    /// The share of drawn games.
    pub draw_rate: Option<f64>,
    /// Elo over the opponent.
    pub elo: Option<Estimate>,
    /// Normalised Elo over the opponent.
    pub normalised_elo: Option<Estimate>,
    /// The probability that the player is the stronger one.
    pub superiority: Option<f64>,
}

impl From<Tally> for Summary {
    fn from(tally: Tally) -> Self {
        Self {
            tally,
            games: tally.games(),
            score_rate: tally.score_rate(),
            draw_rate: tally.draw_rate(),
            elo: tally.elo(),
            normalised_elo: tally.normalised_elo(),
            superiority: tally.superiority(),
        }
    }
}

/// The score rate as a measurement.
struct Sample {
    /// Points per game.
    rate: f64,
    /// Whether all results were alike, so that they say nothing of their own spread.
    uniform: bool,
    /// The middle of the interval; `rate` unless the results are uniform.
    centre: f64,
    /// The variance of one game's score that would, with independent games, make the score rate as
    /// uncertain as it is.
    variance: f64,
    /// How many games count.
    games: f64,
    /// The variance of normalised Elo compared with that of a small surplus; see
    /// [`surplus_variance`].
    surplus_variance: f64,
}

impl Sample {
    fn of(tally: &Tally) -> Option<Self> {
        let rate = tally.score_rate()?;
        let games = tally.games() as f64;
        let pairs = tally.pairs().map(|count| count as f64);
        let results = [tally.losses(), tally.draws(), tally.wins()].map(|count| count as f64);
        let in_pairs = tally.pair_count() > 0;
        let variance = game_variance(&results, &pairs);
        if variance > 0.0 {
            let surplus_variance =
                if in_pairs { surplus_variance(&pairs) } else { surplus_variance(&results) };
            return Some(Self {
                rate,
                uniform: false,
                centre: rate,
                variance,
                games,
                surplus_variance,
            });
        }
        let regular = if in_pairs {
            let counts = pairs.map(|count| count + ADDED);
            let (centre, variance) = moments(&counts);
            (centre, 2.0 * variance, games + 2.0 * 5.0 * ADDED, surplus_variance(&counts))
        } else {
            let counts = results.map(|count| count + ADDED);
            let (centre, variance) = moments(&counts);
            (centre, variance, games + 3.0 * ADDED, surplus_variance(&counts))
        };
        let (centre, variance, games, surplus_variance) = regular;
        Some(Self { rate, uniform: true, centre, variance, games, surplus_variance })
    }

    fn standard_error(&self) -> f64 {
        (self.variance / self.games).sqrt()
    }
}

/// The variance of a game's score. Games in pairs are taken with the variance that their pairs
/// show, the others with that of all games.
fn game_variance(results: &[f64; 3], pairs: &[f64; 5]) -> f64 {
    let games: f64 = results.iter().sum();
    let paired = 2.0 * pairs.iter().sum::<f64>();
    let (_, of_games) = moments(results);
    let (_, of_pairs) = moments(pairs);
    // The mean of two independent games has half the variance of one.
    (paired * 2.0 * of_pairs + (games - paired) * of_games) / games
}

/// The variance of the measured surplus over ½ in standard deviations, times the number of results.
///
/// It is 1 if the surplus is small; for a larger one the standard deviation, which is measured too,
/// has its share, depending on skewness and kurtosis.
fn surplus_variance<const N: usize>(counts: &[f64; N]) -> f64 {
    // There are distributions in which the two errors cancel to first order, and then only to that.
    const LEAST: f64 = 0.25;
    let (mean, variance) = moments(counts);
    if variance <= 0.0 {
        return 1.0;
    }
    let deviation = variance.sqrt();
    let total: f64 = counts.iter().sum();
    let standard_moment = |power| {
        let each = counts.iter().enumerate().map(|(class, count)| {
            count * ((class as f64 / (N - 1) as f64 - mean) / deviation).powi(power)
        });
        each.sum::<f64>() / total
    };
    let surplus = (mean - 0.5) / deviation;
    let (skewness, kurtosis) = (standard_moment(3), standard_moment(4));
    (1.0 - surplus * skewness + surplus * surplus * (kurtosis - 1.0) / 4.0).max(LEAST)
}

impl Tally {
    /// How much stronger the player is than the opponent, by the usual logistic curve. None without
    /// games.
    ///
    /// The interval is that of the score rate (a normal one, with the variance of pairs where there
    /// are pairs) put through the curve; an end at or beyond a score of 0 or 1 is infinite. If all
    /// results are alike, their variance of zero says nothing; then every possible result is counted
    /// half a time more before the interval is taken, which for wins only comes close to the rule
    /// that with 95 % confidence fewer than 3 in `n` are not won.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        let sample = Sample::of(self)?;
        let reach = TWO_SIDED_95 * sample.standard_error();
        let lower = if sample.rate <= 0.0 { 0.0 } else { sample.centre - reach };
        let upper = if sample.rate >= 1.0 { 1.0 } else { sample.centre + reach };
        Some(Estimate {
            value: elo_of_score(sample.rate),
            lower: elo_of_score(lower),
            upper: elo_of_score(upper),
        })
    }

    /// How clearly the player is the stronger one: the surplus over an even score in standard
    /// deviations of a game, on a scale like that of Elo. It hardly depends on how many games are
    /// drawn, and tells how many games a test needs. None without games.
    ///
    /// The interval allows for the error of the standard deviation, as that of fishtest does and that
    /// of fastchess does not; it matters only where one side is much the stronger. If all results
    /// are alike, the value is infinite (or 0 for an even score), and the interval is made as for
    /// [`Tally::elo`].
    #[must_use]
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let sample = Sample::of(self)?;
        let deviation = sample.variance.sqrt();
        let centre = NORMALISED_SCALE * (sample.centre - 0.5) / deviation;
        let reach =
            NORMALISED_SCALE * TWO_SIDED_95 * (sample.surplus_variance / sample.games).sqrt();
        let mut estimate = Estimate { value: centre, lower: centre - reach, upper: centre + reach };
        if sample.uniform && sample.rate > 0.5 {
            estimate.value = f64::INFINITY;
            estimate.upper = f64::INFINITY;
        } else if sample.uniform && sample.rate < 0.5 {
            estimate.value = f64::NEG_INFINITY;
            estimate.lower = f64::NEG_INFINITY;
        }
        Some(estimate)
    }

    /// The likelihood of superiority: how probable it is that the player is the stronger one, from 0
    /// to 1. None without games.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        let sample = Sample::of(self)?;
        let distance = (sample.centre - 0.5) / sample.standard_error();
        Some(libm::erfc(-distance / std::f64::consts::SQRT_2) / 2.0)
    }

    /// The variance of the points won in all games of the tally; 0 without games or if all results
    /// are alike.
    pub(super) fn points_variance(&self) -> f64 {
        if self.games() == 0 {
            return 0.0;
        }
        let results = [self.losses(), self.draws(), self.wins()].map(|count| count as f64);
        self.games() as f64 * game_variance(&results, &self.pairs().map(|count| count as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(count: u64) -> Tally {
        Tally::new(2 * count, 0, 0, [0, 0, 0, 0, count]).unwrap()
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-700.0, -35.0, 0.0, 1.0, 200.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_claimed_without_games() {
        let summary = Summary::from(Tally::default());
        assert_eq!((summary.elo, summary.normalised_elo, summary.superiority), (None, None, None));
    }

    #[test]
    fn wins_only_leave_no_upper_bound_and_a_lower_one_that_rises() {
        let mut last = f64::NEG_INFINITY;
        for count in [1, 3, 10, 100, 1000] {
            let elo = wins(count).elo().unwrap();
            assert_eq!((elo.value, elo.upper), (f64::INFINITY, f64::INFINITY));
            assert!(elo.lower > last && elo.lower.is_finite());
            last = elo.lower;
            let loss = wins(count).swapped().elo().unwrap();
            assert!((loss.upper + elo.lower).abs() < 1e-9);
            assert!(loss.lower.is_infinite());
            let normalised = wins(count).normalised_elo().unwrap();
            assert!(normalised.upper.is_infinite());
            assert!(normalised.lower.is_finite());
        }
        // Three in a thousand not won.
        let rate = score_of_elo(last);
        assert!((0.9965..0.9975).contains(&rate), "{rate}");
    }

    #[test]
    fn a_few_equal_pairs_do_not_prove_equality() {
        let elo = Tally::new(1, 0, 1, [0, 0, 1, 0, 0]).unwrap().elo().unwrap();
        assert!(elo.value.abs() < 1e-9 && elo.upper > 100.0 && elo.lower < -100.0, "{elo:?}");
        let drawn = Tally::new(0, 1000, 0, [0; 5]).unwrap().elo().unwrap();
        assert!(drawn.upper > 0.0 && drawn.upper < 2.0, "{drawn:?}");
    }

    #[test]
    fn pairs_that_cancel_out_make_the_result_surer() {
        let games = Tally::new(60, 0, 40, [0; 5]).unwrap();
        let pairs = Tally::new(60, 0, 40, [0, 0, 40, 0, 10]).unwrap();
        assert!(pairs.elo().unwrap().margin() < 0.7 * games.elo().unwrap().margin());
        assert!(pairs.superiority() > games.superiority());
    }

    #[test]
    fn infinite_values_are_written_as_null() {
        let text = serde_json::to_value(Summary::from(wins(3))).unwrap();
        assert!(text["elo"]["value"].is_null() && text["elo"]["upper"].is_null());
        assert!(text["elo"]["lower"].is_f64());
        assert_eq!(text["pairs"][4], 3);
        assert_eq!(text["games"], 6);
    }
}
