//! Log-likelihood ratios against a computation by another method.
//!
//! The numbers were made with Python and scipy: the log-likelihood maximised directly over
//! probabilities in softmax form by `scipy.optimize.minimize` (SLSQP, scipy 1.17.1) under the
//! constraint on the mean, or on the surplus over ½ in standard deviations, the best from seven
//! starting points; zero counts set to 0.001. No Lagrange multiplier was solved for.

use super::*;

/// Counts by rising score, `elo0`, `elo1`, the ratio for Elo and that for normalised Elo.
type Case<const N: usize> = ([u64; N], f64, f64, f64, f64);

const PAIRS: [Case<5>; 10] = [
    ([50, 287, 610, 387, 73], 0.0, 5.0, 4.359680, 2.965942),
    ([1, 3, 32, 87, 164], 0.0, 3.0, 2.444553, 2.927805),
    ([0, 1236, 4490, 1474, 1], 0.0, 2.0, 6.070125, 2.944439),
    ([3, 4, 5, 9, 2], -10.0, 10.0, 0.232839, 0.200903),
    ([10, 0, 0, 0, 12], 0.0, 50.0, 0.060765, -0.042202),
    ([0, 0, 0, 0, 40], 0.0, 30.0, 3.305104, 4.576470),
    ([0, 0, 60, 0, 0], 0.0, 30.0, -5.395338, -0.881166),
    ([144, 3, 1, 0, 0], -1500.0, -500.0, 4.867799, -6.721260),
    ([72, 10, 0, 0, 0], -1000.0, -500.0, 12.652208, -2.965755),
    ([7, 40, 90, 60, 30], 100.0, 250.0, -90.216345, -49.972257),
];

const GAMES: [Case<3>; 3] = [
    ([120, 340, 215], -20.0, 20.0, 21.969720, 15.521212),
    ([0, 30, 60], 0.0, 100.0, 22.225726, 17.679575),
    ([36027, 68692, 36433], 0.0, 2.0, -0.002982, 0.923293),
];

fn check(tally: &Tally, elo0: f64, elo1: f64, expected: [f64; 2]) {
    for (model, expected) in [EloModel::Logistic, EloModel::Normalised].into_iter().zip(expected) {
        let llr = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(tally);
        let tolerance = 1e-4 * (1.0 + expected.abs());
        assert!((llr - expected).abs() < tolerance, "{tally:?} {model:?} {llr} {expected}");
    }
}

#[test]
fn pairs_agree_with_direct_maximisation() {
    for (pairs, elo0, elo1, logistic, normalised) in PAIRS {
        let [lost, half, level, more, won] = pairs;
        let tally =
            Tally::new(2 * won + more, half + more + 2 * level, 2 * lost + half, pairs).unwrap();
        check(&tally, elo0, elo1, [logistic, normalised]);
    }
}

#[test]
fn single_games_agree_with_direct_maximisation() {
    for ([losses, draws, wins], elo0, elo1, logistic, normalised) in GAMES {
        let tally = Tally::new(wins, draws, losses, [0; 5]).unwrap();
        check(&tally, elo0, elo1, [logistic, normalised]);
    }
}
