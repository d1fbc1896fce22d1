//! Forsyth-Edwards notation, with the castling fields of X-FEN and Shredder-FEN.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::quote;
use crate::position::{Builder, PositionError};
use crate::{Bitboard, Color, Piece, PieceType, Position, Square};

/// Why a text is no FEN of a legal position. Each sentence names the field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Nothing to read.
    #[error(
        "the FEN is empty; expected pieces, side to move, castling, en passant and two counters"
    )]
    Empty,
    /// More than six fields.
    #[error("the FEN has a seventh field '{0}'; a FEN has six")]
    TooManyFields(String),
    /// The board field has other than eight ranks.
    #[error("FEN field 1 (pieces) has {0} ranks; expected 8, separated by '/'")]
    RankCount(usize),
    /// A rank does not add up to eight squares.
    #[error("FEN field 1 (pieces): rank {rank} '{text}' describes {squares} squares; expected 8")]
    RankLength {
        /// The rank's number, 1 to 8.
        rank: u8,
        /// The rank's text.
        text: String,
        /// How many squares it describes.
        squares: u32,
    },
    /// An unknown letter in the board field.
    #[error("FEN field 1 (pieces): rank {rank} has '{found}'; expected one of pnbrqkPNBRQK or 1-8")]
    Piece {
        /// The rank's number, 1 to 8.
        rank: u8,
        /// The character found.
        found: String,
    },
    /// The second field is neither w nor b.
    #[error("FEN field 2 (side to move) is '{0}'; expected 'w' or 'b'")]
    Side(String),
    /// The castling field cannot be read.
    #[error(
        "FEN field 3 (castling) is '{0}'; expected '-' or up to four of KQkq or rook files A-H, a-h"
    )]
    Castling(String),
    /// A castling right without any rook on that side of the king.
    #[error(
        "FEN field 3 (castling) claims '{0}', but there is no such rook and king on the back rank"
    )]
    NoSuchRook(char),
    /// The en-passant field is no square.
    #[error("FEN field 4 (en passant) is '{0}'; expected '-' or a square such as e3")]
    EnPassant(String),
    /// A counter is no number.
    #[error("FEN field {field} ({name}) is '{found}'; expected a whole number from 0 to 65535")]
    Counter {
        /// The field's place, 5 or 6.
        field: u8,
        /// What the field counts.
        name: &'static str,
        /// What was found.
        found: String,
    },
    /// The fields are readable, but no game reaches the position.
    #[error("impossible position: {0}")]
    Position(#[from] PositionError),
}

impl Position {
    /// Reads a FEN. Missing fields at the end take their usual values (White to move, no castling,
    /// no en passant, 0 and 1), because many people's files leave the counters out.
    ///
    /// An en-passant square is kept only where a capture there is legal.
    ///
    /// # Errors
    /// Says which field is wrong, what was found and what was expected.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut parts = Builder::empty();
        read_pieces(fields.next().ok_or(FenError::Empty)?, &mut parts.board)?;
        parts.side = match fields.next() {
            None | Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => return Err(FenError::Side(quote(other))),
        };
        parts.castling = read_castling(fields.next().unwrap_or("-"), &parts.board)?;
        parts.en_passant = match fields.next() {
            None | Some("-") => None,
            Some(text) => Some(text.parse().map_err(|_| FenError::EnPassant(quote(text)))?),
        };
        parts.halfmove_clock = read_counter(fields.next().unwrap_or("0"), 5, "half-move clock")?;
        // Some programs count moves from 0.
        parts.fullmove_number =
            read_counter(fields.next().unwrap_or("1"), 6, "move number")?.max(1);
        match fields.next() {
            Some(extra) => Err(FenError::TooManyFields(quote(extra))),
            None => Ok(parts.build()?),
        }
    }

    /// The FEN with castling rights as rook files (`HAha`), as Shredder and Chess960 GUIs write it.
    #[must_use]
    pub fn shredder_fen(&self) -> String {
        let mut text = String::with_capacity(80);
        self.write_fen(&mut text, true).expect("a string takes everything");
        text
    }

    fn write_fen(&self, f: &mut impl fmt::Write, rook_files: bool) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        write_gap(f, empty)?;
                        f.write_char(piece.letter())?;
                        empty = 0;
                    }
                }
            }
            write_gap(f, empty)?;
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(if self.side_to_move() == Color::White { "w " } else { "b " })?;
        self.write_castling(f, rook_files)?;
        match self.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock(), self.fullmove_number())
    }

    /// King's side before queen's side, White before Black. X-FEN writes K or Q for the outermost
    /// rook and the rook's file for an inner one.
    fn write_castling(&self, f: &mut impl fmt::Write, rook_files: bool) -> fmt::Result {
        if self.castling_rooks().is_empty() {
            return f.write_char('-');
        }
        for color in Color::ALL {
            let back_rank = Bitboard::rank_for(color, 0);
            let king = self.king(color);
            let mut rooks: Vec<_> = (self.castling_rooks() & back_rank).into_iter().collect();
            rooks.reverse();
            for rook in rooks {
                let king_side = rook.file() > king.file();
                let outermost = outermost_rook(
                    self.pieces(color, PieceType::Rook) & back_rank,
                    king,
                    king_side,
                );
                let letter = if rook_files || outermost != Some(rook) {
                    (b'a' + rook.file()) as char
                } else if king_side {
                    'k'
                } else {
                    'q'
                };
                let upper = color == Color::White;
                f.write_char(if upper { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }
}

/// The FEN in X-FEN form, which is plain FEN for standard chess.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, false)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

fn write_gap(f: &mut impl fmt::Write, empty: u8) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

fn read_pieces(field: &str, board: &mut [Option<Piece>; 64]) -> Result<(), FenError> {
    let ranks = field.split('/').count();
    if ranks != 8 {
        return Err(FenError::RankCount(ranks));
    }
    for (text, rank) in field.split('/').zip((0..8).rev()) {
        let mut file = 0u32;
        for letter in text.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    board[Square::new(file as u8, rank).index()] = Some(piece);
                }
                file += 1;
            } else {
                return Err(FenError::Piece { rank: rank + 1, found: quote(&letter.to_string()) });
            }
        }
        if file != 8 {
            return Err(FenError::RankLength { rank: rank + 1, text: quote(text), squares: file });
        }
    }
    Ok(())
}

fn read_castling(field: &str, board: &[Option<Piece>; 64]) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if field == "-" {
        return Ok(rooks);
    }
    if field.chars().count() > 4 {
        return Err(FenError::Castling(quote(field)));
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            side @ ('k' | 'q') => {
                claimed_rook(board, color, side == 'k').ok_or(FenError::NoSuchRook(letter))?
            }
            file @ 'a'..='h' => Square::new(file as u8 - b'a', color as u8 * 7),
            _ => return Err(FenError::Castling(quote(field))),
        };
        if rooks.contains(rook) {
            return Err(FenError::Castling(quote(field)));
        }
        rooks |= rook.into();
    }
    Ok(rooks)
}

/// The outermost rook on one side of the king, if both stand on their back rank.
fn claimed_rook(board: &[Option<Piece>; 64], color: Color, king_side: bool) -> Option<Square> {
    let on_back_rank = |kind| -> Bitboard {
        Bitboard::rank_for(color, 0)
            .into_iter()
            .filter(|square| board[square.index()] == Some(Piece::new(color, kind)))
            .collect()
    };
    let king = on_back_rank(PieceType::King).into_iter().next()?;
    outermost_rook(on_back_rank(PieceType::Rook), king, king_side)
}

fn outermost_rook(rooks: Bitboard, king: Square, king_side: bool) -> Option<Square> {
    if king_side {
        rooks.into_iter().last().filter(|rook| rook.file() > king.file())
    } else {
        rooks.into_iter().next().filter(|rook| rook.file() < king.file())
    }
}

fn read_counter(text: &str, field: u8, name: &'static str) -> Result<u16, FenError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(number),
        _ => Err(FenError::Counter { field, name, found: quote(text) }),
    }
}
