//! Building a position from its parts, and refusing what no game could reach.

use thiserror::Error;

use super::{Position, zobrist};
use crate::{Bitboard, Color, Piece, PieceType, Square};

/// Why a placement of pieces is no legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// A side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A side has several kings.
    #[error("{0} has {1} kings; there is one king a side")]
    ManyKings(Color, u32),
    /// A side has more than sixteen men.
    #[error("{0} has {1} men; there are at most 16 a side")]
    TooManyMen(Color, u32),
    /// A side has more than eight pawns.
    #[error("{0} has {1} pawns; there are at most 8 a side")]
    TooManyPawns(Color, u32),
    /// More pieces than promotions can explain.
    #[error(
        "{color} has {extra} more pieces than at the start but only {missing} pawns have promoted"
    )]
    TooManyPromotions {
        /// The side in question.
        color: Color,
        /// Pieces beyond the initial set.
        extra: u32,
        /// Pawns that are no longer on the board.
        missing: u32,
    },
    /// A pawn stands where none can.
    #[error("a pawn stands on {0}; pawns never stand on the first or last rank")]
    PawnOnEdge(Square),
    /// The side that has just moved left its king attacked.
    #[error("{0} is in check though it is not to move")]
    OpponentInCheck(Color),
    /// More checkers than one move can produce.
    #[error("{0} pieces give check at once; one move gives at most two checks")]
    TooManyCheckers(u32),
    /// A castling right without the rook.
    #[error("castling is claimed with a rook on {0}, but {1} has no rook there")]
    NoCastlingRook(Square, Color),
    /// A castling right without the king in place.
    #[error(
        "castling is claimed for {0}, whose king on {1} is not on its back rank between its rooks"
    )]
    NoCastlingKing(Color, Square),
    /// An en-passant square that no double step can have passed.
    #[error("{0} cannot be an en-passant square: {1}")]
    EnPassant(Square, &'static str),
}

/// The parts of a position, before anyone has looked whether they fit together.
#[derive(Clone, Debug)]
pub struct Builder {
    /// What stands on each square.
    pub board: [Option<Piece>; 64],
    /// Whose move it is.
    pub side: Color,
    /// The rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn has just passed by a double step.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, from 1.
    pub fullmove_number: u16,
}

impl Builder {
    /// An empty board with White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; 64],
            side: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The parts of a position, to be changed.
    #[must_use]
    pub const fn of(position: &Position) -> Self {
        Self {
            board: position.board,
            side: position.side,
            castling: position.castling,
            en_passant: position.en_passant,
            halfmove_clock: position.halfmove_clock,
            fullmove_number: position.fullmove_number,
        }
    }

    /// The position, if it could occur in a game.
    ///
    /// # Errors
    /// Says which rule the parts break.
    pub fn build(&self) -> Result<Position, PositionError> {
        let mut position = Position {
            board: [None; 64],
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            keys: super::Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: self.castling,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            side: self.side,
            en_passant: None,
        };
        for (square, piece) in Square::all().zip(self.board) {
            if let Some(piece) = piece {
                position.place(piece, square, &mut ());
            }
        }
        check_material(&position)?;
        check_castling(&position)?;
        let (us, them) = (position.side, !position.side);
        if position.is_attacked(position.king(them), us, position.occupied()) {
            return Err(PositionError::OpponentInCheck(them));
        }
        position.update_checks_and_pins();
        if position.checkers.count() > 2 {
            return Err(PositionError::TooManyCheckers(position.checkers.count()));
        }
        if let Some(passed) = self.en_passant {
            check_en_passant(&position, passed)?;
            let takers = position.en_passant_takers(us, passed);
            position.en_passant = takers.any().then_some(passed);
        }
        position.keys.whole ^= zobrist::castling(position.castling);
        if let Some(square) = position.en_passant {
            position.keys.whole ^= zobrist::en_passant(square);
        }
        if us == Color::Black {
            position.keys.whole ^= zobrist::side();
        }
        Ok(position)
    }
}

fn check_material(position: &Position) -> Result<(), PositionError> {
    for color in Color::ALL {
        let count = |kind| position.pieces(color, kind).count();
        match count(PieceType::King) {
            0 => return Err(PositionError::NoKing(color)),
            1 => {}
            kings => return Err(PositionError::ManyKings(color, kings)),
        }
        let men = position.color(color).count();
        if men > 16 {
            return Err(PositionError::TooManyMen(color, men));
        }
        let pawns = count(PieceType::Pawn);
        if pawns > 8 {
            return Err(PositionError::TooManyPawns(color, pawns));
        }
        let bishops = position.pieces(color, PieceType::Bishop);
        let extra = [
            (count(PieceType::Knight), 2),
            ((bishops & Bitboard::DARK).count(), 1),
            ((bishops - Bitboard::DARK).count(), 1),
            (count(PieceType::Rook), 2),
            (count(PieceType::Queen), 1),
        ]
        .into_iter()
        .map(|(men, initial): (u32, u32)| men.saturating_sub(initial))
        .sum();
        let missing = 8 - pawns;
        if extra > missing {
            return Err(PositionError::TooManyPromotions { color, extra, missing });
        }
    }
    let edges = Bitboard::rank(0) | Bitboard::rank(7);
    match (position.kind(PieceType::Pawn) & edges).into_iter().next() {
        Some(square) => Err(PositionError::PawnOnEdge(square)),
        None => Ok(()),
    }
}

/// Each castling rook exists, and the king stands on its back rank with at most one such rook on
/// either side.
fn check_castling(position: &Position) -> Result<(), PositionError> {
    for rook in position.castling {
        let color = if rook.rank() == 0 { Color::White } else { Color::Black };
        let king = position.king(color);
        if rook.rank_for(color) != 0 || !position.pieces(color, PieceType::Rook).contains(rook) {
            return Err(PositionError::NoCastlingRook(rook, color));
        }
        let beside = position.castling & Bitboard::rank_for(color, 0);
        let same_side = beside
            .into_iter()
            .filter(|other| (other.file() > king.file()) == (rook.file() > king.file()))
            .count();
        if king.rank() != rook.rank() || matches!(king.file(), 0 | 7) || same_side > 1 {
            return Err(PositionError::NoCastlingKing(color, king));
        }
    }
    Ok(())
}

/// The side that has just moved could have made the double step.
fn check_en_passant(position: &Position, passed: Square) -> Result<(), PositionError> {
    let them = !position.side_to_move();
    let forward = if them == Color::White { 8 } else { -8 };
    let refuse = |reason| Err(PositionError::EnPassant(passed, reason));
    if passed.rank_for(them) != 2 {
        return refuse("the side that has just moved does not pass that rank by a double step");
    }
    if !position.pieces(them, PieceType::Pawn).contains(passed.offset(forward)) {
        return refuse("no pawn of the side that has just moved stands in front of it");
    }
    let path = Bitboard::of(passed) | Bitboard::of(passed.offset(-forward));
    if (path & position.occupied()).any() {
        return refuse("the pawn's way there is not empty");
    }
    let (pawn, origin) = (passed.offset(forward), passed.offset(-forward));
    let before = (position.occupied() - pawn.into()) | origin.into();
    let king = position.king(position.side_to_move());
    let attackers = position.attackers_to(king, before) & position.checkers();
    if (attackers - pawn.into()).any() {
        return refuse("the check was there before the double step");
    }
    Ok(())
}
