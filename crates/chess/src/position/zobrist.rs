//! Random numbers whose combination names a position.

use crate::{Bitboard, Piece, Random, Square};

/// The numbers for pieces on squares, castling rooks, en-passant files and the side to move.
struct Numbers {
    pieces: [[u64; 64]; Piece::SLOTS],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = numbers();

const fn numbers() -> Numbers {
    let mut all = Numbers {
        pieces: [[0; 64]; Piece::SLOTS],
        castling: [0; 64],
        en_passant: [0; 8],
        black_to_move: 0,
    };
    let mut random = Random::new(0x7461_6E64_656D_0001);
    let mut i = 0;
    while i < Piece::SLOTS * 64 {
        all.pieces[i / 64][i % 64] = random.bits();
        i += 1;
    }
    i = 0;
    while i < 64 {
        all.castling[i] = random.bits();
        i += 1;
    }
    i = 0;
    while i < 8 {
        all.en_passant[i] = random.bits();
        i += 1;
    }
    all.black_to_move = random.bits();
    all
}

/// The number of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.slot()][square.index()]
}

/// The number of a set of rooks that may castle.
#[inline]
pub fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ NUMBERS.castling[rook.index()])
}

/// The number of a possible capture en passant on that file.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    NUMBERS.en_passant[square.file() as usize]
}

/// What the key changes by when the move passes to the other side.
#[inline]
pub fn side() -> u64 {
    NUMBERS.black_to_move
}
