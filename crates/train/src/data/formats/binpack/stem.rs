//! The 32 bytes that a chain begins with.

use tandem_chess::{Bitboard, Builder, Color, Move, MoveKind, Piece, PieceType, Position, Square};

use super::{NO_SCORE, unzigzag, zigzag};
use crate::data::castling::has_standard_castling;
use crate::data::{GameResult, Label};

/// How many bytes a stem takes.
pub const SIZE: usize = 32;

/// A pawn that has just made a double step.
const PASSED_PAWN: u8 = 12;
/// A rook that may castle, White's and Black's.
const CASTLING_ROOK: u8 = 13;
/// The black king where Black is to move.
const KING_TO_MOVE: u8 = 15;
const MAX_PLY: u16 = (1 << 14) - 1;

/// The first position of a chain, what was played in it, and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The position.
    pub position: Position,
    /// The move.
    pub m: Move,
    /// The score of the position.
    pub label: Option<Label>,
    /// How the game ended.
    pub result: GameResult,
}

/// The score for the side to move as it stands in the file.
pub fn score_to_file(label: Option<Label>, side: Color) -> i16 {
    label.map_or(NO_SCORE, |label| label.for_side(side))
}

/// The other way.
pub fn score_from_file(score: i16, side: Color) -> Option<Label> {
    (score != NO_SCORE).then(|| Label::new(side, i32::from(score)))
}

impl Stem {
    /// The 32 bytes; a sentence says what has no place in them.
    pub fn pack(&self) -> Result<[u8; SIZE], String> {
        let position = &self.position;
        let side = position.side_to_move();
        if !has_standard_castling(position) {
            return Err("castling rights of Chess960".into());
        }
        let ply = 2 * u32::from(position.fullmove_number().saturating_sub(1)) + side as u32;
        let ply = u16::try_from(ply).ok().filter(|&ply| ply <= MAX_PLY);
        let ply = ply.ok_or_else(|| format!("more than {MAX_PLY} half-moves before a position"))?;
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&position.occupied().0.to_be_bytes());
        for (i, square) in position.occupied().into_iter().enumerate() {
            let Some(piece) = position.piece_on(square) else { continue };
            bytes[8 + i / 2] |= code(position, square, piece) << (4 * (i % 2));
        }
        let result = i16::from(self.result.half_points(side)) - 1;
        let words = [
            move_bits(self.m),
            zigzag(score_to_file(self.label, side)),
            ply | zigzag(result) << 14,
            position.halfmove_clock(),
        ];
        for (i, word) in words.into_iter().enumerate() {
            bytes[24 + 2 * i..26 + 2 * i].copy_from_slice(&word.to_be_bytes());
        }
        Ok(bytes)
    }

    /// Reads the 32 bytes; a sentence says what is wrong with them.
    pub fn unpack(bytes: &[u8; SIZE]) -> Result<Self, String> {
        let word = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&bytes[..8]);
        let occupied = Bitboard(u64::from_be_bytes(occupied));
        if occupied.count() > 32 {
            return Err(format!("a board with {} pieces", occupied.count()));
        }
        let mut parts = Builder::empty();
        for (i, square) in occupied.into_iter().enumerate() {
            let code = bytes[8 + i / 2] >> (4 * (i % 2)) & 15;
            place(code, square, &mut parts)?;
        }
        let ply = word(28) & MAX_PLY;
        parts.fullmove_number = ply / 2 + 1;
        parts.halfmove_clock = word(30);
        let position = parts.build().map_err(|error| format!("an impossible position: {error}"))?;
        if !has_standard_castling(&position) {
            return Err("castling rights with king or rook on an unusual square".into());
        }
        let side = position.side_to_move();
        let points = u8::try_from(unzigzag(word(28) >> 14) + 1).ok();
        let points = points.map(|points| if side == Color::White { points } else { 2 - points });
        let result = points.and_then(GameResult::from_index).ok_or("an unknown result")?;
        let m = move_from_bits(word(24)).ok_or_else(|| format!("{:#06x} is no move", word(24)))?;
        let label = score_from_file(unzigzag(word(26)), side);
        Ok(Self { position, m, label, result })
    }
}

fn code(position: &Position, square: Square, piece: Piece) -> u8 {
    let (color, kind) = (piece.color(), piece.kind());
    let behind = square.offset(if color == Color::White { -8 } else { 8 });
    if kind == PieceType::Pawn
        && color != position.side_to_move()
        && position.en_passant() == Some(behind)
    {
        PASSED_PAWN
    } else if position.castling_rooks().contains(square) {
        CASTLING_ROOK + color as u8
    } else if kind == PieceType::King && color == Color::Black && position.side_to_move() == color {
        KING_TO_MOVE
    } else {
        2 * kind as u8 + color as u8
    }
}

fn place(code: u8, square: Square, parts: &mut Builder) -> Result<(), String> {
    let piece = match code {
        PASSED_PAWN => {
            let color = match square.rank() {
                3 => Color::White,
                4 => Color::Black,
                _ => return Err(format!("a double step of a pawn to {square}")),
            };
            parts.en_passant = Some(square.offset(if color == Color::White { -8 } else { 8 }));
            Piece::new(color, PieceType::Pawn)
        }
        KING_TO_MOVE => {
            parts.side = Color::Black;
            Piece::new(Color::Black, PieceType::King)
        }
        CASTLING_ROOK.. => {
            parts.castling |= square.into();
            Piece::new(Color::from_bit(code - CASTLING_ROOK), PieceType::Rook)
        }
        _ => Piece::new(Color::from_bit(code), PieceType::from_index(code / 2)),
    };
    parts.board[square.index()] = Some(piece);
    Ok(())
}

/// From the highest bit: 2 bits kind, 6 from, 6 to (castling: the rook), 2 promotion.
fn move_bits(m: Move) -> u16 {
    let (kind, promotion) = match m.kind() {
        MoveKind::Normal => (0, 0),
        MoveKind::Promotion => (1, m.becomes().map_or(0, |kind| kind.index() as u16 - 1)),
        MoveKind::Castling => (2, 0),
        MoveKind::EnPassant => (3, 0),
    };
    kind << 14 | (m.from().index() as u16) << 8 | (m.to().index() as u16) << 2 | promotion
}

fn move_from_bits(bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::from_index((bits >> shift & 63) as u8);
    let (from, to) = (square(8), square(2));
    if from == to {
        return None;
    }
    Some(match bits >> 14 {
        0 => Move::normal(from, to),
        1 => Move::promotion(from, to, PieceType::from_index(bits as u8 % 4 + 1)),
        2 => Move::castling(from, to),
        _ => Move::en_passant(from, to),
    })
}
