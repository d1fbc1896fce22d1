//! Our positions and results in the words of shakmaty, whose tablebase reader we use.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, PositionError, Setup, Square,
};
use tandem_chess::{Color, PieceType, Position, Wdl};

/// The same position for shakmaty; none where castling is possible, which no table knows.
pub fn position(position: &Position) -> Option<Chess> {
    if position.castling_rooks().any() {
        return None;
    }
    let kind = |kind| Bitboard(position.kind(kind).0);
    let by_role = ByRole {
        pawn: kind(PieceType::Pawn),
        knight: kind(PieceType::Knight),
        bishop: kind(PieceType::Bishop),
        rook: kind(PieceType::Rook),
        queen: kind(PieceType::Queen),
        king: kind(PieceType::King),
    };
    let by_color = ByColor {
        white: Bitboard(position.color(Color::White).0),
        black: Bitboard(position.color(Color::Black).0),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: color(position.side_to_move()),
        ep_square: position.en_passant().map(square),
        halfmoves: position.halfmove_clock().into(),
        ..Setup::empty()
    };
    // Our own rules have judged the position; where shakmaty is stricter, it may look away.
    setup
        .position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The same side.
pub fn color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

/// The same square.
pub fn square(square: tandem_chess::Square) -> Square {
    Square::new(square.index() as u32)
}

/// The same result.
pub fn wdl(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    match wdl {
        shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
        shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
        shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
        shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
        shakmaty_syzygy::Wdl::Win => Wdl::Win,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{EnPassantMode, fen::Fen};

    #[test]
    fn a_position_stays_the_same_in_other_words() {
        for fen in [
            "8/8/8/8/8/2k5/8/K6Q w - - 0 1",
            "8/8/8/3pP3/8/8/8/K1k5 w - d6 0 1",
            "8/8/8/8/3Pp3/8/8/K1k5 b - d3 0 1",
            "4k3/8/8/8/8/8/8/R3K3 b - - 17 1",
        ] {
            let ours: Position = fen.parse().unwrap();
            let theirs = super::position(&ours).unwrap();
            assert_eq!(Fen::from_position(&theirs, EnPassantMode::Legal).to_string(), fen);
        }
        let castling: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        assert!(super::position(&castling).is_none());
    }
}
