//! Stockfish 18's way from the two outputs of a network to one score, used for every network.

use tandem_chess::{Color, PieceType, Position};

use super::Score;

/// The raw outputs of a network from the side to move's view, before the division by 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The sum of the piece-square values.
    pub psqt: i32,
    /// What the layers add to it.
    pub positional: i32,
}

impl Outputs {
    /// The score that they mean in a position.
    #[must_use]
    pub fn score(self, position: &Position) -> Score {
        Blend::new(self).score(position)
    }

    /// Whether, as outputs of a small network, they are clear enough to stand. If not, the large
    /// one is to be asked.
    #[must_use]
    pub fn is_clear(self) -> bool {
        Blend::new(self).is_clear()
    }
}

/// Outputs are finer than scores by this factor.
const OUTPUT_SCALE: i32 = 16;
/// Above this difference in material, the small network is asked first.
const SMALL_ABOVE: i32 = 962;
/// Below this answer of the small network, the large one is asked after all.
const SMALL_TRUSTED_FROM: i64 = 277;

/// Both outputs weighed into one number, before material and the fifty-move count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blend {
    value: i64,
    /// How far the two outputs lie apart: a sign that the position is unclear.
    complexity: i64,
}

impl Blend {
    #[inline]
    pub fn new(outputs: Outputs) -> Self {
        let psqt = i64::from(outputs.psqt / OUTPUT_SCALE);
        let positional = i64::from(outputs.positional / OUTPUT_SCALE);
        Self { value: (125 * psqt + 131 * positional) / 128, complexity: (psqt - positional).abs() }
    }

    /// Whether the small network's answer is clear enough to stand.
    #[inline]
    pub fn is_clear(self) -> bool {
        self.value.abs() >= SMALL_TRUSTED_FROM
    }

    /// The score: less for unclear positions, more with material on the board, less as the
    /// fifty-move rule comes near.
    #[inline]
    pub fn score(self, position: &Position) -> Score {
        let mut value = self.value - self.value * self.complexity / 18_236;
        let pawns = i64::from(position.kind(PieceType::Pawn).count());
        let pieces: i32 = Color::ALL.map(|side| non_pawn_material(position, side)).iter().sum();
        let material = 534 * pawns + i64::from(pieces);
        value = value * (77_871 + material) / 77_871;
        value -= value * i64::from(position.halfmove_clock()) / 199;
        let max = i64::from(Score::MAX.value());
        Score::new(value.clamp(-max, max) as i32)
    }
}

/// Whether the material is so lop-sided that a small network, where there is one, is asked first.
#[inline]
#[must_use]
pub fn prefers_small(position: &Position) -> bool {
    let [ours, theirs] = [position.side_to_move(), !position.side_to_move()].map(|side| {
        208 * position.pieces(side, PieceType::Pawn).count() as i32
            + non_pawn_material(position, side)
    });
    (ours - theirs).abs() > SMALL_ABOVE
}

/// The value of one side's pieces without its pawns.
#[inline]
fn non_pawn_material(position: &Position, side: Color) -> i32 {
    let count = |kind| position.pieces(side, kind).count() as i32;
    781 * count(PieceType::Knight)
        + 825 * count(PieceType::Bishop)
        + 1276 * count(PieceType::Rook)
        + 2538 * count(PieceType::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_network_is_for_lop_sided_material() {
        let is_small = |fen: &str| prefers_small(&fen.parse().unwrap());
        assert!(!is_small("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // A rook is more than the limit, a knight is not.
        assert!(is_small("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"));
        assert!(is_small("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQk - 0 1"));
        assert!(!is_small("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }

    #[test]
    fn absurd_outputs_stay_within_bounds() {
        let position = Position::startpos();
        for (psqt, positional) in [(i32::MAX, i32::MAX), (i32::MIN, i32::MIN), (i32::MAX, i32::MIN)]
        {
            let score = Blend::new(Outputs { psqt, positional }).score(&position);
            assert!(score.value().abs() <= Score::MAX.value());
        }
    }
}
