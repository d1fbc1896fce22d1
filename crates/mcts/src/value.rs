//! What a playout brings back from its end, and what can be proven of a position.

use tandem_chess::{Color, PieceType, Position, Wdl};
use tandem_nnue::{WinRateModel, material};
use tandem_search::plies_to_mate;

use crate::math::exp;

/// The worth of a position for its side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// The chance to win less the chance to lose, from -1 to 1.
    pub q: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// Plies until the game ends, as far as one can tell.
    pub plies: f32,
}

impl Value {
    /// A draw on the board.
    pub const DRAW: Self = Self { q: 0.0, draw: 1.0, plies: 0.0 };

    /// The same for the other side, a ply earlier.
    #[inline]
    #[must_use]
    pub fn before(self) -> Self {
        Self { q: -self.q, draw: self.draw, plies: self.plies + 1.0 }
    }
}

/// What is certain about a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Proof {
    /// Nothing.
    #[default]
    None,
    /// It mates in so many plies at most.
    Mates(u8),
    /// It is mated in so many plies at least.
    Mated(u8),
    /// Neither side can win.
    Draw,
    /// A tablebase says that it wins.
    Wins,
    /// A tablebase says that it loses.
    Loses,
}

impl Proof {
    const KINDS: u64 = 7;

    /// As bits that [`from_bits`](Self::from_bits) understands; 16 are used.
    #[inline]
    pub const fn bits(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Mates(plies) => 1 | (plies as u64) << 8,
            Self::Mated(plies) => 2 | (plies as u64) << 8,
            Self::Draw => 3,
            Self::Wins => 4,
            Self::Loses => 5,
        }
    }

    /// From such bits.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        let plies = (bits >> 8) as u8;
        match bits & Self::KINDS {
            1 => Self::Mates(plies),
            2 => Self::Mated(plies),
            3 => Self::Draw,
            4 => Self::Wins,
            5 => Self::Loses,
            _ => Self::None,
        }
    }

    /// Whether anything is certain.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Self::None
    }

    /// Whether the side to move certainly wins.
    #[inline]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Mates(_) | Self::Wins)
    }

    /// Whether the side to move certainly loses.
    #[inline]
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Mated(_) | Self::Loses)
    }

    /// The same for the side that has just moved, before its move.
    #[must_use]
    pub const fn before(self) -> Self {
        match self {
            Self::Mates(plies) => Self::Mated(plies.saturating_add(1)),
            Self::Mated(plies) => Self::Mates(plies.saturating_add(1)),
            Self::Wins => Self::Loses,
            Self::Loses => Self::Wins,
            other => other,
        }
    }

    /// How good it is: the sooner a mate the better, the later the less bad. Nothing certain lies
    /// where a draw does.
    #[must_use]
    pub const fn rank(self) -> i32 {
        match self {
            Self::Mates(plies) => 1000 - plies as i32,
            Self::Wins => 500,
            Self::None | Self::Draw => 0,
            Self::Loses => -500,
            Self::Mated(plies) => plies as i32 - 1000,
        }
    }

    /// What it is worth.
    pub fn value(self) -> Value {
        let plies = match self {
            Self::Mates(plies) | Self::Mated(plies) => f32::from(plies),
            Self::Wins | Self::Loses => TABLEBASE_PLIES,
            Self::None | Self::Draw => 0.0,
        };
        let q = if self.is_win() {
            1.0
        } else if self.is_loss() {
            -1.0
        } else {
            0.0
        };
        Value { q, draw: if q == 0.0 { 1.0 } else { 0.0 }, plies }
    }

    /// What a tablebase's word proves.
    pub const fn of_tablebase(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Win => Self::Wins,
            Wdl::Loss => Self::Loses,
            _ => Self::Draw,
        }
    }
}

/// How long a game that a tablebase has decided may last.
const TABLEBASE_PLIES: f32 = 40.0;
/// Scores beyond this leave no more to tell about how soon a game ends.
const CLEAR: f32 = 8000.0;

/// Turns scores into chances; the polynomials of the win-rate model are worked out once.
pub struct Scale {
    /// The score of an even chance and one over the spread, by points of material.
    rates: Vec<(f32, f32)>,
}

impl Scale {
    /// The model that the program goes by.
    pub fn new() -> Self {
        let rates = (0..=*WinRateModel::MATERIAL.end()).map(|points| {
            let rate = WinRateModel::CURRENT.at(points);
            (rate.even() as f32, 1.0 / rate.spread() as f32)
        });
        Self { rates: rates.collect() }
    }

    fn rate(&self, position: &Position) -> (f32, f32) {
        self.rates[(material(position) as usize).min(self.rates.len() - 1)]
    }

    /// The worth of a score in the engine's unit.
    #[inline]
    pub fn value(&self, score: i32, position: &Position) -> Value {
        let (even, sharpness) = self.rate(position);
        let score = score as f32;
        let win = 1.0 / (1.0 + exp((even - score) * sharpness));
        let loss = 1.0 / (1.0 + exp((even + score) * sharpness));
        Value { q: win - loss, draw: 1.0 - win - loss, plies: plies_left(score, position) }
    }

    /// The score in the engine's unit that is worth `q`: the inverse of [`value`](Self::value).
    pub fn score(&self, q: f32, position: &Position) -> i32 {
        let (mut low, mut high) = (-CLEAR as i32, CLEAR as i32);
        while low < high {
            let middle = (low + high).div_euclid(2);
            if self.value(middle, position).q < q {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// How long the game may last: the more pieces the longer, and the clearer the score the shorter. It
/// only has to point the right way.
#[inline]
fn plies_left(score: f32, position: &Position) -> f32 {
    if let Some(plies) = plies_to_mate(position) {
        return plies as f32;
    }
    let pieces: u32 = Color::ALL.map(|side| position.color(side).count()).iter().sum();
    let pawns = position.kind(PieceType::Pawn).count();
    let quiet_game = 40.0 + 2.0 * pieces as f32 + pawns as f32;
    quiet_game * (1.0 - 0.9 * score.abs().min(CLEAR) / CLEAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_chances_are_each_others_inverse() {
        let scale = Scale::new();
        let position = Position::startpos();
        for score in (-1500..=1500).step_by(50) {
            let value = scale.value(score, &position);
            assert!((scale.score(value.q, &position) - score).abs() <= 3, "{score}");
            assert!((-1.0..=1.0).contains(&value.q) && (0.0..=1.0).contains(&value.draw));
            assert!((value.q + scale.value(-score, &position).q).abs() < 1e-6);
        }
        assert!(scale.value(6000, &position).plies < scale.value(3000, &position).plies);
    }

    #[test]
    fn chances_are_those_that_the_program_shows() {
        let scale = Scale::new();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
        ] {
            let position: Position = fen.parse().unwrap();
            for score in (-1000..=1000).step_by(100) {
                let shown = tandem_nnue::Score::new(score).wdl(&position);
                let value = scale.value(score, &position);
                let q = f32::from(shown.win) - f32::from(shown.loss);
                assert!((1000.0 * value.q - q).abs() < 1.6, "{score} in {fen}");
                assert!((1000.0 * value.draw - f32::from(shown.draw)).abs() < 1.6);
            }
        }
    }

    #[test]
    fn proofs_keep_their_kind_and_distance() {
        let proofs =
            [Proof::None, Proof::Mates(5), Proof::Mated(0), Proof::Draw, Proof::Wins, Proof::Loses];
        for proof in proofs {
            assert_eq!(Proof::from_bits(proof.bits()), proof);
        }
        assert_eq!(Proof::Mated(0).before(), Proof::Mates(1));
        assert_eq!(Proof::Wins.before(), Proof::Loses);
        assert!(Proof::Mates(1).rank() > Proof::Mates(3).rank());
        assert!(Proof::Mated(4).rank() > Proof::Mated(2).rank());
        assert!(Proof::Mates(255).rank() > Proof::Wins.rank());
    }
}
