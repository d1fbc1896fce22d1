//! Winning chances, and the scale on which +1.00 means an even chance to win.
//!
//! The chance to win with a score `v` is `1 / (1 + exp((a - v) / b))`, where `a`, the score of an
//! even chance, and `b`, the spread, depend on the material left. The program goes by polynomials that
//! were fitted to its own games; those that the Stockfish project fitted to its games for version 18, with
//! far more positions a move, and published in its `WDL_model` repository say what Stockfish's
//! scores mean.

use tandem_chess::{PieceType, Position};

/// The polynomials of the win-rate model in the material left, the highest power first. Their argument
/// is 1 at [`ANCHOR`](Self::ANCHOR) points of material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRateModel {
    /// The score of an even chance to win.
    pub even: [f64; 4],
    /// The spread.
    pub spread: [f64; 4],
}

impl WinRateModel {
    /// The points of material at which the polynomials' argument is 1.
    pub const ANCHOR: u32 = 58;
    /// The fits cover these points of material; outside, the nearest counts.
    pub const MATERIAL: std::ops::RangeInclusive<u32> = 17..=78;
    /// What the program goes by.
    pub const CURRENT: Self = Self::TANDEM;
    /// Fitted by `tandem datagen winrate` to 441,289 positions of the program's games against itself at 5,000
    /// positions a move (`docs/networks.md`).
    pub const TANDEM: Self = Self {
        even: [-154.5407, 566.0567, -768.3217, 642.5471],
        spread: [65.0711, -122.3684, 196.4672, 100.5895],
    };
    /// Stockfish 18's.
    pub const STOCKFISH: Self = Self {
        even: [-72.325_658_36, 185.938_320_38, -144.588_621_93, 416.449_504_46],
        spread: [83.867_940_42, -136.061_129_97, 69.988_208_87, 47.629_014_33],
    };

    /// The model for that many [points of material](material).
    #[must_use]
    pub fn at(&self, points: u32) -> WinRate {
        let points = points.clamp(*Self::MATERIAL.start(), *Self::MATERIAL.end());
        let x = f64::from(points) / f64::from(Self::ANCHOR);
        let polynomial = |[c3, c2, c1, c0]: [f64; 4]| ((c3 * x + c2) * x + c1) * x + c0;
        WinRate { even: polynomial(self.even), spread: polynomial(self.spread) }
    }
}

/// The points of material of both sides: a pawn is 1, a knight or bishop 3, a rook 5, a queen 9.
#[must_use]
pub fn material(position: &Position) -> u32 {
    let count = |kind| position.kind(kind).count();
    count(PieceType::Pawn)
        + 3 * count(PieceType::Knight)
        + 3 * count(PieceType::Bishop)
        + 5 * count(PieceType::Rook)
        + 9 * count(PieceType::Queen)
}

/// Chances in per mille from the side to move's view; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The win-rate model for an amount of material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    even: f64,
    spread: f64,
}

impl WinRate {
    /// The model for the material of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        WinRateModel::CURRENT.at(material(position))
    }

    /// The score, in internal units, of an even chance to win.
    #[must_use]
    pub const fn even(self) -> f64 {
        self.even
    }

    /// How far the score of an even chance lies from that of 73 in 100, in internal units.
    #[must_use]
    pub const fn spread(self) -> f64 {
        self.spread
    }

    /// The probability to win with a score in internal units.
    #[must_use]
    pub fn win(self, value: i32) -> f64 {
        // Not the platform's exponential: every machine is to see the same chances.
        1.0 / (1.0 + libm::exp((self.even - f64::from(value)) / self.spread))
    }

    /// The score, in internal units, with which the chance to win is larger than the chance to lose by `q`, from
    /// -1 to 1. It is infinite at the ends, where nothing is left to chance.
    #[must_use]
    pub fn of_difference(self, q: f64) -> f64 {
        // With x the score over the spread, q is sinh x / (cosh(even over spread) + cosh x), which makes a
        // quadratic equation for e^x. For a negative q its root would be a difference of equals.
        let (size, cosh) = (q.abs().min(1.0), libm::cosh(self.even / self.spread));
        let middle = size * cosh;
        let root = (middle + (middle * middle + 1.0 - size * size).sqrt()) / (1.0 - size);
        (self.spread * libm::log(root)).copysign(q)
    }

    /// The chances with a score in internal units.
    #[must_use]
    pub fn wdl(self, value: i32) -> Wdl {
        let per_mille = |value| (0.5 + 1000.0 * self.win(value)) as u16;
        let (win, loss) = (per_mille(value), per_mille(-value));
        Wdl { win, draw: 1000 - win - loss, loss }
    }

    /// Hundredths of a pawn: 100 where the chance to win is even.
    #[must_use]
    pub fn centipawns(self, value: i32) -> i32 {
        (100.0 * f64::from(value) / self.even).round() as i32
    }

    /// The score in internal units that is shown as that many hundredths of a pawn.
    #[must_use]
    pub fn value(self, centipawns: i32) -> i32 {
        (f64::from(centipawns) * self.even / 100.0).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn models() -> [WinRateModel; 2] {
        [WinRateModel::TANDEM, WinRateModel::STOCKFISH]
    }

    #[test]
    fn one_pawn_is_an_even_chance_to_win_whatever_the_material() {
        for (of, material) in models().into_iter().flat_map(|of| (0..=100).map(move |m| (of, m))) {
            let model = of.at(material);
            let value = model.value(100);
            assert_eq!(model.centipawns(value), 100);
            assert!((495..=505).contains(&model.wdl(value).win), "{material}");
        }
    }

    #[test]
    fn scores_come_back_from_the_chances_that_they_mean() {
        for material in [17, 40, 58, 78] {
            let model = WinRateModel::CURRENT.at(material);
            for value in (-900..=900).step_by(50) {
                let q = model.win(value) - model.win(-value);
                assert!((model.of_difference(q) - f64::from(value)).abs() < 0.01, "{value}");
            }
            assert!(model.of_difference(1.0).is_infinite() && model.of_difference(-1.5) < -1e9);
        }
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let materials = [10, 17, 40, 58, 78, 90];
        for (of, material) in models().into_iter().flat_map(|of| materials.map(|m| (of, m))) {
            let model = of.at(material);
            let mut last = 0;
            for value in (-3000..=3000).step_by(10) {
                let wdl = model.wdl(value);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
                assert!(wdl.win >= last);
                let other = model.wdl(-value);
                assert_eq!((wdl.win, wdl.loss), (other.loss, other.win));
                last = wdl.win;
            }
        }
    }
}
