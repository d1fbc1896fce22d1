//! The endgame against a bare king, which is won by method rather than by looking ahead.

use tandem_chess::{Color, PieceType, Position, Square};

/// What a sure win is worth at least, in internal units (a pawn is about 208).
const WON: i32 = 4000;
/// A step of the bare king away from the centre.
const EDGE: i32 = 40;
/// A step of the kings towards each other.
const NEAR: i32 = 14;
/// A step of the bare king towards a corner where bishop and knight can mate.
const CORNER: i32 = 40;

/// The score for the side to move where one side has a bare king and the other can force mate
/// without a pawn: it grows as the bare king comes to the edge, or with bishop and knight to a corner
/// of the bishop's colour, and as the kings come together. None in all other positions.
#[inline]
#[must_use]
pub fn bare_king(position: &Position) -> Option<i32> {
    let us = position.side_to_move();
    let is_bare = |side| position.color(side).count() == 1;
    if is_bare(!us) {
        winning(position, us)
    } else if is_bare(us) {
        winning(position, !us).map(|score| -score)
    } else {
        None
    }
}

/// The score for the side that has more than its king.
#[cold]
fn winning(position: &Position, side: Color) -> Option<i32> {
    let count = |kind| position.pieces(side, kind).count() as i32;
    let bishops = position.pieces(side, PieceType::Bishop);
    let colours =
        [false, true].map(|dark| bishops.into_iter().any(|square| is_dark(square) == dark));
    let majors = count(PieceType::Queen) + count(PieceType::Rook);
    let pair = colours == [true, true];
    let bishop_and_knight = bishops.any() && count(PieceType::Knight) > 0;
    if majors == 0 && !pair && !bishop_and_knight {
        return None;
    }
    let [bare, near] = [!side, side].map(|side| position.king(side));
    let mut score = WON
        + 208 * count(PieceType::Pawn)
        + 781 * count(PieceType::Knight)
        + 825 * bishops.count() as i32
        + 1276 * count(PieceType::Rook)
        + 2538 * count(PieceType::Queen)
        + EDGE * from_centre(bare)
        + NEAR * (14 - steps(bare, near));
    if majors == 0 && !pair {
        let corners = if colours[1] { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
        let away = corners.map(|corner| steps(bare, corner)).into_iter().min().unwrap_or(0);
        score += CORNER * (7 - away);
    }
    Some(score)
}

fn is_dark(square: Square) -> bool {
    (square.file() + square.rank()).is_multiple_of(2)
}

/// Files and ranks between two squares.
fn steps(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank()))
}

/// Steps to the four squares in the centre.
fn from_centre(square: Square) -> i32 {
    let outside = |line: u8| i32::from(if line < 4 { 3 - line } else { line - 4 });
    outside(square.file()) + outside(square.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> Option<i32> {
        bare_king(&fen.parse().unwrap())
    }

    #[test]
    fn only_mating_material_against_a_bare_king_counts() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/2k5/8/8/4P3/4K3 w - - 0 1",
            "8/8/8/2k5/8/8/3NN3/4K3 w - - 0 1",
            "8/8/8/2k5/8/3B4/4B3/4K3 w - - 0 1",
            "8/8/8/2k5/8/7P/4B3/4K3 w - - 0 1",
            "8/8/8/2k3p1/8/8/4R3/4K3 w - - 0 1",
        ] {
            assert_eq!(score(fen), None, "{fen}");
        }
        for fen in [
            "8/8/8/2k5/8/8/4R3/4K3 w - - 0 1",
            "8/8/8/2k5/8/8/4Q3/4K3 w - - 0 1",
            "8/8/8/2k5/8/8/3BB3/4K3 w - - 0 1",
            "8/8/8/2k5/8/8/3NB3/4K3 w - - 0 1",
        ] {
            let (white, black) = (score(fen).unwrap(), score(&fen.replace(" w ", " b ")).unwrap());
            assert!(white > WON && black == -white, "{fen}");
        }
    }

    #[test]
    fn the_edge_the_right_corner_and_a_near_king_are_worth_going_for() {
        let rook = |bare, king| score(&format!("{bare}/8/8/8/8/8/{king}/7R w - - 0 1")).unwrap();
        assert!(rook("k7", "K7") > rook("3k4", "K7"));
        assert!(rook("k7", "K7") > rook("k7", "7K"));
        // The bishop stands on a light square: a8 is the corner.
        let minors = |bare| score(&format!("{bare}/8/8/8/8/8/3K4/5BN1 w - - 0 1")).unwrap();
        assert!(minors("k7") > minors("7k"));
    }
}
