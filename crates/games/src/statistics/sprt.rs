//! The sequential test: may the match stop, and with which verdict?

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Tally;
use super::elo::{NORMALISED_SCALE, score_of_elo};
use super::likelihood::Observed;

/// The largest Elo difference a test may be about.
const LARGEST: f64 = 3000.0;

/// On which scale the two hypotheses are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo, by the logistic curve of the expected score.
    #[default]
    Logistic,
    /// Normalised Elo, by which a test takes about as many games whatever the share of draws.
    Normalised,
}

/// What a test has found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More games are needed.
    Continue,
    /// The player is not as strong as hoped.
    AcceptH0,
    /// The player is as strong as hoped.
    AcceptH1,
}

/// Settings that make no test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are in the wrong order, or equal.
    #[error("elo0 must be less than elo1, but they are {elo0} and {elo1}")]
    Order {
        /// The Elo of the hypothesis to reject.
        elo0: f64,
        /// The Elo of the hypothesis to accept.
        elo1: f64,
    },
    /// A hypothesis is not a number, or beyond all reason.
    #[error("{name} must be a number from -{LARGEST} to {LARGEST}, but is {value}")]
    Elo {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The probability of an error is not one that a test can promise.
    #[error("{name} must be greater than 0 and less than 0.5, but is {value}")]
    Probability {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: f64,
    },
}

/// A sequential probability ratio test between two hypotheses on the player's strength.
///
/// After every pair of games it compares how well the two explain all results so far, and stops the
/// match as soon as one is clearly ahead. If the player's strength is `elo0` or less, the test
/// accepts H1 with probability `alpha` at most; if `elo1` or more, H0 with `beta` at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// Is the player 5 Elo stronger, or not stronger at all? With 5 % errors either way.
impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::default() }
    }
}

/// A test with what it has found so far, for a report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The settings.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The logarithm of how much better H1 explains the results than H0.
    pub llr: f64,
    /// At this ratio or below, H0 is accepted.
    pub lower: f64,
    /// At this ratio or above, H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
}

impl Sprt {
    /// A test with these settings.
    ///
    /// # Errors
    /// The settings make no test; the error says why.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Self, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-LARGEST..=LARGEST).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }
    /// The strength that H0 claims.
    #[must_use]
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The strength that H1 claims.
    #[must_use]
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much better H1 explains the results than H0: each hypothesis with the
    /// distribution of results that suits them best among those of its strength.
    ///
    /// Only pairs count where there are any, so that a game that waits for its partner changes
    /// nothing; single games count where there are no pairs at all.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pair_count() > 0 {
            // The mean of two independent games has a standard deviation smaller by the root of 2.
            self.log_ratio(tally.pairs(), std::f64::consts::SQRT_2)
        } else if tally.games() > 0 {
            self.log_ratio([tally.losses(), tally.draws(), tally.wins()], 1.0)
        } else {
            0.0
        }
    }

    fn log_ratio<const N: usize>(&self, counts: [u64; N], surplus_scale: f64) -> f64 {
        let observed = Observed::new(counts);
        let [first, second] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => observed.with_mean(score_of_elo(elo)),
            EloModel::Normalised => observed.with_surplus(surplus_scale * elo / NORMALISED_SCALE),
        });
        observed.log_ratio(&first, &second)
    }

    /// Where the test stands with these results.
    #[must_use]
    pub fn judge(&self, tally: &Tally) -> SprtReport {
        let llr = self.llr(tally);
        let (lower, upper) = self.bounds();
        let verdict = if llr <= lower {
            Verdict::AcceptH0
        } else if llr >= upper {
            Verdict::AcceptH1
        } else {
            Verdict::Continue
        };
        SprtReport { sprt: *self, llr, lower, upper, verdict }
    }
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::statistics::Summary;

    fn test(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic)
    }

    #[test]
    fn settings_that_make_no_test_are_refused_with_a_sentence() {
        assert!(test(0.0, 5.0, 0.05, 0.1).is_ok());
        for (settings, word) in [
            (test(5.0, 5.0, 0.05, 0.05), "less than"),
            (test(5.0, 0.0, 0.05, 0.05), "less than"),
            (test(f64::NAN, 5.0, 0.05, 0.05), "elo0"),
            (test(0.0, f64::INFINITY, 0.05, 0.05), "elo1"),
            (test(0.0, 5.0, 0.0, 0.05), "alpha"),
            (test(0.0, 5.0, 0.5, 0.05), "alpha"),
            (test(0.0, 5.0, 0.05, -0.1), "beta"),
            (test(0.0, 5.0, 0.05, f64::NAN), "beta"),
        ] {
            let sentence = settings.unwrap_err().to_string();
            assert!(sentence.contains(word), "{sentence}");
        }
    }

    #[test]
    fn bounds_follow_from_the_error_probabilities() {
        let (lower, upper) = Sprt::default().bounds();
        assert!((lower + 2.944_438_979).abs() < 1e-8 && (upper - 2.944_438_979).abs() < 1e-8);
        let (lower, upper) = test(0.0, 5.0, 0.05, 0.1).unwrap().bounds();
        assert!((lower + 2.251_291_799).abs() < 1e-8 && (upper - 2.890_371_758).abs() < 1e-8);
    }

    #[test]
    fn no_games_no_verdict() {
        let report = Sprt::default().judge(&Tally::default());
        assert_eq!((report.llr, report.verdict), (0.0, Verdict::Continue));
    }

    #[test]
    fn a_clear_result_ends_the_test() {
        let tally = Tally::new(816, 1328, 670, [50, 287, 610, 387, 73]).unwrap();
        assert_eq!(Sprt::default().judge(&tally).verdict, Verdict::AcceptH1);
        assert_eq!(Sprt::default().judge(&tally.swapped()).verdict, Verdict::AcceptH0);
        let text = serde_json::to_value(Sprt::default().judge(&tally)).unwrap();
        assert_eq!(text["verdict"], "accept-h1");
        assert_eq!(text["model"], "logistic");
    }

    #[test]
    fn the_opponents_test_is_the_mirror_image() {
        let tally = Tally::new(816, 1328, 670, [50, 287, 610, 387, 73]).unwrap();
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let ours = Sprt::new(-1.0, 6.0, 0.05, 0.05, model).unwrap().llr(&tally);
            let theirs = Sprt::new(-6.0, 1.0, 0.05, 0.05, model).unwrap().llr(&tally.swapped());
            assert!((ours + theirs).abs() < 1e-8, "{ours} {theirs}");
        }
    }

    /// A count of any size, often zero.
    fn count(random: &mut Random) -> u64 {
        let limits = [1, 2, 5, 40, 3000, 1_000_000_000_000];
        let limit = limits[random.below(limits.len())];
        random.below(limit) as u64
    }

    #[test]
    fn no_counts_and_no_settings_give_anything_but_numbers() {
        let mut random = Random::new(7);
        for _ in 0..5_000 {
            let pairs: [u64; 5] = std::array::from_fn(|_| count(&mut random));
            let [lost, half, level, more, won] = pairs;
            let spare: [u64; 3] = std::array::from_fn(|_| count(&mut random));
            let (mixed, drawn) = if random.below(2) == 0 { (level, 0) } else { (0, level) };
            let tally = Tally::new(
                2 * won + more + mixed + spare[0],
                half + more + 2 * drawn + spare[1],
                2 * lost + half + mixed + spare[2],
                pairs,
            )
            .unwrap();
            let singles = Tally::new(spare[0], spare[1], spare[2], [0; 5]).unwrap();
            let elo0 = (random.unit() - 0.5) * if random.below(2) == 0 { 10.0 } else { 4000.0 };
            let elo1 = elo0 + 0.1 + random.unit() * 500.0;
            for tally in [tally, singles] {
                for model in [EloModel::Logistic, EloModel::Normalised] {
                    let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
                    let llr = sprt.llr(&tally);
                    assert!(llr.is_finite(), "{tally:?} {sprt:?} {llr}");
                }
                let summary = Summary::from(tally);
                for estimate in [summary.elo, summary.normalised_elo].into_iter().flatten() {
                    assert!(estimate.lower <= estimate.value, "{tally:?} {estimate:?}");
                    assert!(estimate.value <= estimate.upper, "{tally:?} {estimate:?}");
                }
                if let Some(superiority) = summary.superiority {
                    assert!((0.0..=1.0).contains(&superiority), "{tally:?} {superiority}");
                }
            }
        }
    }
}
