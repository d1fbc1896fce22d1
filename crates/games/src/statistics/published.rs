//! Results as other programs have printed them, which ours must give to the digits printed.

use super::*;

/// Whether a value, rounded to two decimals, is the one printed.
fn same(value: f64, printed: f64) -> bool {
    (value - printed).abs() < 0.005_001
}

/// A value and the margin after "±".
type Printed = (f64, f64);

/// A match as fastchess reports it: wins, draws, losses, pairs, Elo with margin, normalised Elo with
/// margin, likelihood of superiority in per cent.
struct Reported {
    counts: (u64, u64, u64),
    pairs: [u64; 5],
    elo: Printed,
    normalised: Printed,
    superiority: f64,
}

#[rustfmt::skip]
const FASTCHESS: [Reported; 9] = [
    // github.com/brunocodutra/cinder/pull/727
    Reported { counts: (816, 1328, 670), pairs: [50, 287, 610, 387, 73],
        elo: (18.04, 8.23), normalised: (28.19, 12.84), superiority: 100.0 },
    // github.com/lynx-chess/Lynx/pull/1899
    Reported { counts: (3025, 5355, 3060), pairs: [235, 1384, 2521, 1341, 239],
        elo: (-1.06, 4.05), normalised: (-1.67, 6.37), superiority: 30.33 },
    // github.com/Disservin/fastchess/issues/807
    Reported { counts: (30, 6, 84), pairs: [30, 6, 18, 0, 6],
        elo: (-168.40, 73.37), normalised: (-170.08, 62.16), superiority: 0.0 },
    // github.com/Disservin/fastchess/pull/515
    Reported { counts: (1, 7, 2), pairs: [0, 1, 4, 0, 0],
        elo: (-34.86, 62.20), normalised: (-122.84, 215.34), superiority: 13.18 },
    // github.com/DSTGU/Dual/releases/tag/v0.3.2, twice
    Reported { counts: (412, 396, 254), pairs: [16, 82, 222, 150, 61],
        elo: (52.08, 14.57), normalised: (75.87, 20.90), superiority: 100.0 },
    Reported { counts: (309, 125, 286), pairs: [49, 48, 154, 49, 60],
        elo: (11.10, 21.86), normalised: (12.92, 25.38), superiority: 84.08 },
    // github.com/InternetHamburger/Axiom/releases/tag/v2.0.0
    Reported { counts: (1075, 358, 567), pairs: [84, 112, 318, 184, 302],
        elo: (90.22, 14.49), normalised: (99.23, 15.23), superiority: 100.0 },
    // github.com/brunocodutra/cinder/pull/836
    Reported { counts: (15367, 27393, 15016), pairs: [835, 6884, 13116, 7201, 852],
        elo: (2.11, 1.70), normalised: (3.52, 2.83), superiority: 99.25 },
    // github.com/Disservin/fastchess/pull/882
    Reported { counts: (0, 10, 154), pairs: [72, 10, 0, 0, 0],
        elo: (-600.97, 118.46), normalised: (-1409.98, 53.17), superiority: 0.0 },
];

#[test]
fn elo_agrees_with_fastchess() {
    for reported in &FASTCHESS {
        let (wins, draws, losses) = reported.counts;
        let tally = Tally::new(wins, draws, losses, reported.pairs).unwrap();
        let (elo, normalised) = (tally.elo().unwrap(), tally.normalised_elo().unwrap());
        for (value, printed) in [
            (elo.value, reported.elo.0),
            (elo.margin(), reported.elo.1),
            (normalised.value, reported.normalised.0),
        ] {
            assert!(same(value, printed), "{tally:?}: {value}, not {printed}");
        }
        let value = 100.0 * tally.superiority().unwrap();
        assert!(same(value, reported.superiority), "{tally:?}: {value} %");
        // fastchess takes the standard deviation as known, which makes a difference far from 0.
        if normalised.value.abs() < 60.0 {
            let ratio = normalised.margin() / reported.normalised.1;
            assert!((0.99..1.01).contains(&ratio), "{tally:?}: {ratio}");
        }
    }
}

/// Matches with a fixed number of games as fishtest reports them: pairs, Elo and normalised Elo,
/// each with its margin, which has one decimal. The page gives no single games; how level pairs
/// came about does not matter here.
#[rustfmt::skip]
const FISHTEST: [([u64; 5], Printed, Printed); 6] = [
    // github.com/official-stockfish/Stockfish/pull/6255 and 4160
    ([1, 137, 4659, 203, 0], (2.22, 1.3), (12.00, 6.8)),
    ([39, 5335, 18992, 5622, 12], (1.35, 1.2), (3.13, 2.8)),
    // github.com/official-stockfish/Stockfish/wiki/Regression-Tests, 2022-05-14 and 2023-07-19
    ([18, 1850, 25507, 2580, 45], (4.54, 0.8), (16.29, 2.8)),
    ([5, 803, 18029, 1154, 9], (3.12, 0.8), (13.92, 3.4)),
    ([96, 6835, 16121, 6851, 97], (0.10, 1.4), (0.21, 2.8)),
    ([30, 5872, 17820, 6261, 17], (2.10, 1.3), (4.64, 2.8)),
];

#[test]
fn elo_agrees_with_fishtest() {
    for (pairs, elo, normalised) in FISHTEST {
        let [lost, half, level, more, won] = pairs;
        let tally =
            Tally::new(2 * won + more, half + more + 2 * level, 2 * lost + half, pairs).unwrap();
        for (estimate, (value, margin)) in
            [(tally.elo().unwrap(), elo), (tally.normalised_elo().unwrap(), normalised)]
        {
            assert!(same(estimate.value, value), "{pairs:?}: {estimate:?}, not {value}");
            assert!((estimate.margin() - margin).abs() < 0.050_01, "{pairs:?}: {estimate:?}");
        }
    }
}

/// Matches without pairs: wins, draws, losses, Elo with margin, likelihood of superiority in per
/// cent, as cutechess-cli prints them, with one decimal.
#[rustfmt::skip]
const CUTECHESS: [([u64; 3], Printed, f64); 5] = [
    // github.com/cutechess/cutechess/issues/543
    ([880, 1863, 759], (12.0, 7.9), 99.9),
    // github.com/JoAnnP38/PedanticRF/pull/51
    ([1013, 1998, 896], (10.4, 7.6), 99.6),
    // github.com/princesslana/princhess/pull/256
    ([289, 417, 294], (-1.7, 16.4), 41.8),
    // github.com/brunocodutra/cinder/pull/570
    ([1038, 1925, 1037], (0.1, 7.7), 50.9),
    // github.com/jw1912/Chess-Challenge/pull/22
    ([195, 85, 110], (77.0, 31.1), 100.0),
];

#[test]
fn elo_of_single_games_agrees_with_cutechess() {
    for ([wins, draws, losses], (value, margin), superiority) in CUTECHESS {
        let tally = Tally::new(wins, draws, losses, [0; 5]).unwrap();
        let elo = tally.elo().unwrap();
        assert!((elo.value - value).abs() < 0.050_01, "{tally:?} {elo:?}");
        // Its interval reaches 1.95716 standard errors, by Winitzki's approximation of the inverse
        // error function, where ours reaches 1.95996.
        assert!((elo.margin() * 1.95716 / 1.95996 - margin).abs() < 0.050_01, "{tally:?} {elo:?}");
        let found = 100.0 * tally.superiority().unwrap();
        assert!((found - superiority).abs() < 0.050_01, "{tally:?} {found}");
    }
}

/// Wins, draws, losses, pairs, `elo0`, `elo1`, and the log-likelihood ratio as it was printed.
type Test = ((u64, u64, u64), [u64; 5], f64, f64, f64);

/// Tests in normalised Elo.
#[rustfmt::skip]
const NORMALISED: [Test; 13] = [
    // fastchess: github.com/brunocodutra/cinder/pull/727, 836, 879, 773
    ((816, 1328, 670), [50, 287, 610, 387, 73], 0.0, 5.0, 2.97),
    ((15367, 27393, 15016), [835, 6884, 13116, 7201, 852], 0.0, 3.0, 2.89),
    ((2740, 4825, 2611), [115, 1156, 2443, 1233, 141], -3.0, 1.0, 2.90),
    ((999, 1590, 785), [36, 340, 767, 462, 82], 0.0, 3.0, 2.89),
    // fastchess, far from the hypotheses: github.com/Disservin/fastchess/pull/882
    ((0, 10, 154), [72, 10, 0, 0, 0], -1000.0, -500.0, -2.97),
    // fishtest: github.com/official-stockfish/Stockfish/pull/6036, 5751, 6616
    ((3432, 6184, 3184), [1, 1098, 3954, 1346, 1], 0.5, 2.5, 2.94),
    ((3865, 6912, 3625), [0, 1236, 4490, 1474, 1], 0.0, 2.0, 2.94),
    ((17426, 31927, 17239), [208, 7812, 17109, 7919, 248], -1.75, 0.25, 2.92),
    ((45764, 88146, 45706), [125, 19665, 50162, 19739, 117], -1.75, 0.25, 2.94),
    ((8784, 16127, 8499), [5, 2968, 10474, 3253, 5], 0.5, 2.5, 2.96),
    // OpenBench: github.com/Yoshie2000/PlentyChess/pull/211 and 334, github.com/Aethdv/Soul/pull/25
    ((442, 100, 32), [1, 3, 32, 87, 164], 0.0, 3.0, 2.93),
    ((18661, 39658, 18509), [214, 8992, 19871, 9102, 235], 0.0, 2.5, 0.16),
    ((2698, 3445, 2765), [315, 1070, 1746, 1013, 310], 0.0, 5.0, -2.27),
];

/// Tests in logistic Elo.
#[rustfmt::skip]
const LOGISTIC: [Test; 7] = [
    // fishtest: github.com/official-stockfish/Stockfish/pull/3098, 3209, 3232
    ((9940, 71721, 9667), [491, 7345, 29693, 7670, 465], -0.25, 1.25, 2.96),
    ((2799, 47063, 2586), [53, 2220, 21459, 2445, 47], 0.25, 1.25, 2.97),
    ((5776, 42375, 5561), [253, 4282, 17604, 4431, 286], -0.25, 1.25, 2.94),
    ((4007, 72438, 3739), [58, 3302, 33130, 3518, 84], 0.25, 1.25, 2.97),
    ((2388, 19696, 2228), [85, 1800, 8241, 1930, 100], -0.25, 1.25, 2.94),
    // fastchess: github.com/lynx-chess/Lynx/pull/1899
    ((3025, 5355, 3060), [235, 1384, 2521, 1341, 239], -5.0, 0.0, 1.69),
    // Single games, by Van den Bergh's script: github.com/cutechess/cutechess/issues/543
    ((880, 1863, 759), [0; 5], 0.0, 5.0, 2.95),
];

#[test]
fn likelihood_ratios_agree_with_fishtest_fastchess_and_openbench() {
    let normalised = NORMALISED.iter().map(|test| (EloModel::Normalised, test));
    let logistic = LOGISTIC.iter().map(|test| (EloModel::Logistic, test));
    for (model, &((wins, draws, losses), pairs, elo0, elo1, printed)) in normalised.chain(logistic)
    {
        let tally = Tally::new(wins, draws, losses, pairs).unwrap();
        let llr = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(&tally);
        assert!(same(llr, printed), "{tally:?} {model:?} {llr}, not {printed}");
    }
}
