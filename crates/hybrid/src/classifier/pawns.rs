//! What the pawns say about a position.

use tandem_chess::{Bitboard, Color, PieceType, Position};

/// Files without any pawn.
pub fn open_files(position: &Position) -> u32 {
    8 - files(position.kind(PieceType::Pawn)).count_ones()
}

/// Groups of pawns on neighbouring files.
pub fn islands(position: &Position, side: Color) -> u32 {
    let files = files(position.pieces(side, PieceType::Pawn));
    (files & !(files << 1)).count_ones()
}

/// Pawns that no enemy pawn can stop or take on their way.
pub fn passed(position: &Position, side: Color) -> u32 {
    let enemies = position.pieces(!side, PieceType::Pawn);
    (position.pieces(side, PieceType::Pawn) - ahead(enemies, !side)).count()
}

/// Pairs of pawns that could take each other, at least one of them on the d- or e-file.
pub fn central_tension(position: &Position) -> u32 {
    // Where the taken pawn stands if either of the two is on those files.
    const LEFT: Bitboard =
        Bitboard(Bitboard::file(2).0 | Bitboard::file(3).0 | Bitboard::file(4).0);
    const RIGHT: Bitboard = Bitboard(LEFT.0 << 1);
    let white = position.pieces(Color::White, PieceType::Pawn);
    let black = position.pieces(Color::Black, PieceType::Pawn);
    ((white << 7) & black & LEFT).count() + ((white << 9) & black & RIGHT).count()
}

/// The files that hold a pawn, one bit for each.
const fn files(pawns: Bitboard) -> u8 {
    let mut files = pawns.0;
    files |= files >> 32;
    files |= files >> 16;
    files |= files >> 8;
    files as u8
}

/// All squares before the pawns of a side, on their own and the neighbouring files.
fn ahead(pawns: Bitboard, side: Color) -> Bitboard {
    let mut squares = pawns;
    for step in [8, 16, 32] {
        squares |= match side {
            Color::White => squares << step,
            Color::Black => squares >> step,
        };
    }
    // A pawn's own rank is not before it.
    squares = match side {
        Color::White => squares << 8,
        Color::Black => squares >> 8,
    };
    squares | ((squares - Bitboard::FILE_A) >> 1) | ((squares - Bitboard::FILE_H) << 1)
}
