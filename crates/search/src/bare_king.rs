//! The endgame against a bare king, which is won by method rather than by looking ahead.

use tandem_chess::attacks::{attacks, king_attacks};
use tandem_chess::{Bitboard, Color, PieceType, Position, Square};

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
    let mut score =
        winning_pieces(position, side) + EDGE * from_centre(bare) + NEAR * (14 - steps(bare, near));
    if majors == 0 && !pair {
        let corners = if colours[1] { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
        let away = corners.map(|corner| steps(bare, corner)).into_iter().min().unwrap_or(0);
        score += CORNER * (7 - away);
    }
    Some(score)
}

/// What a sure win with these pieces is worth, wherever they stand.
fn winning_pieces(position: &Position, side: Color) -> i32 {
    const WORTH: [(PieceType, i32); 5] = [
        (PieceType::Pawn, 208),
        (PieceType::Knight, 781),
        (PieceType::Bishop, 825),
        (PieceType::Rook, 1276),
        (PieceType::Queen, 2538),
    ];
    let all = WORTH.map(|(kind, worth)| worth * position.pieces(side, kind).count() as i32);
    WON + all.iter().sum::<i32>()
}

/// About how many plies away mate is where [`bare_king`] knows a score: the fewer squares the bare king can
/// get to and the nearer the other king is, the sooner. It only has to point the right way.
#[must_use]
pub fn plies_to_mate(position: &Position) -> Option<u32> {
    let score = bare_king(position)?.abs();
    let side = if position.color(Color::White).count() == 1 { Color::Black } else { Color::White };
    let [bare, near] = [!side, side].map(|side| position.king(side));
    let room = room(position, bare, side) / 2 + 2 * steps(bare, near) as u32;
    let best = winning_pieces(position, side) + EDGE * 6 + NEAR * 14 + CORNER * 7;
    let away = ((best - score).max(0) / NEAR) as u32;
    // The walls of bishop and knight have holes: the edge and the corner tell more.
    let majors = position.pieces(side, PieceType::Queen) | position.pieces(side, PieceType::Rook);
    let has_walls = majors.any() || position.pieces(side, PieceType::Knight).is_empty();
    Some(2 + if has_walls { room + away / 4 } else { away + room / 4 })
}

/// How many squares a bare king can get to if the other side does not move.
fn room(position: &Position, bare: Square, side: Color) -> u32 {
    let without_king = position.occupied() ^ Bitboard::of(bare);
    let mut guarded = Bitboard::EMPTY;
    for kind in PieceType::ALL {
        for square in position.pieces(side, kind) {
            guarded |= attacks(kind, side, square, without_king);
        }
    }
    let mut room = Bitboard::of(bare);
    loop {
        let beside = room.into_iter().fold(room, |all, square| all | king_attacks(square));
        let wider = room | beside & !guarded;
        if wider == room {
            return room.count();
        }
        room = wider;
    }
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
