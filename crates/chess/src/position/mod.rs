//! A position: what stands where, who moves, and what castling and en passant allow.

mod attackers;
mod build;
mod checks;
mod chess960;
mod flip;
mod legality;
mod make;
mod movegen;
mod observer;
pub mod see;
mod verdict;
pub(crate) mod zobrist;

pub use build::{Builder, PositionError};
pub use checks::Checks;
pub use observer::Observer;

use crate::{Bitboard, Color, Piece, PieceType, Square};

/// Everything that decides the legal moves, in about three cache lines, cheap to copy. How often
/// it has occurred before is the business of a [`Game`](crate::Game).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    board: [Option<Piece>; 64],
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    keys: Keys,
    /// Enemy pieces that give check to the side to move.
    checkers: Bitboard,
    /// Pieces of the side to move that stand alone between their king and an enemy slider.
    pinned: Bitboard,
    /// The rooks of both sides that may still castle.
    castling: Bitboard,
    halfmove_clock: u16,
    fullmove_number: u16,
    side: Color,
    /// Where a pawn may be taken en passant; set only if such a capture is legal.
    en_passant: Option<Square>,
}

/// Zobrist keys, each changed by one exclusive-or as a piece comes or goes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Keys {
    whole: u64,
    /// Pawns of both sides, then per colour minor pieces, then the other pieces: the keys that
    /// correction histories use are sums of these.
    parts: [u64; 8],
}

impl Keys {
    #[inline]
    const fn part(piece: Piece) -> usize {
        const PARTS: [u8; Piece::SLOTS] = [0, 0, 0, 0, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 0, 0];
        PARTS[piece.slot()] as usize & 7
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        self.whole ^= number;
        self.parts[Self::part(piece)] ^= number;
    }
}

impl Position {
    /// The position in which a game of standard chess begins.
    #[must_use]
    pub fn startpos() -> Self {
        Self::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            .expect("the start position is legal")
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// What stands on a square.
    #[inline]
    #[must_use]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Every square with a piece on it.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// The pieces of one side.
    #[inline]
    #[must_use]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of one kind, of both sides.
    #[inline]
    #[must_use]
    pub const fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of one side and kind.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        Bitboard(self.colors[color.index()].0 & self.kinds[kind.index()].0)
    }

    /// Rooks and queens of one side.
    #[inline]
    #[must_use]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Rook) | self.kind(PieceType::Queen)) & self.color(color)
    }

    /// Bishops and queens of one side.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)) & self.color(color)
    }

    /// Where that side's king stands.
    #[inline]
    #[must_use]
    pub const fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).first()
    }

    /// The rooks of both sides that may still castle.
    #[inline]
    #[must_use]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square on which a pawn can be taken en passant, if such a capture is legal.
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, which grows after Black's.
    #[inline]
    #[must_use]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that would expose their king by leaving a line.
    #[inline]
    #[must_use]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// A number for the whole position: pieces, side to move, castling and en-passant rights.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.keys.whole
    }

    /// A number for the pawns of both sides.
    #[inline]
    #[must_use]
    pub const fn pawn_key(&self) -> u64 {
        self.keys.parts[0]
    }

    /// A number for the knights and bishops of both sides.
    #[inline]
    #[must_use]
    pub const fn minor_key(&self) -> u64 {
        self.keys.parts[1] ^ self.keys.parts[2]
    }

    /// A number for everything but the pawns of one side.
    #[inline]
    #[must_use]
    pub const fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.parts[1 + color.index()] ^ self.keys.parts[3 + color.index()]
    }
}
