//! A position in 32 bytes as viriformat begins a game with it (marlinformat's board).

use tandem_chess::{Bitboard, Builder, Color, Piece, PieceType, Position, Square};

use crate::data::{GameResult, Label};

/// How many bytes a board takes.
pub const SIZE: usize = 32;

/// A rook that may castle.
const CASTLING_ROOK: u8 = 6;
const NO_EN_PASSANT: u8 = 64;

/// What stands in the 32 bytes.
pub struct Board {
    /// The position.
    pub position: Position,
    /// The result of the game.
    pub result: GameResult,
}

/// The 32 bytes of a position: occupied squares, four bits for each piece in the order of the
/// squares, side and en passant, counters, a score that nobody uses, the result, an unused byte.
pub fn pack(position: &Position, result: GameResult) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    for (i, square) in position.occupied().into_iter().enumerate() {
        let Some(piece) = position.piece_on(square) else { continue };
        let castles = position.castling_rooks().contains(square);
        let kind = if castles { CASTLING_ROOK } else { piece.kind() as u8 };
        bytes[8 + i / 2] |= (kind | (piece.color() as u8) << 3) << (4 * (i % 2));
    }
    let en_passant = position.en_passant().map_or(NO_EN_PASSANT, |square| square.index() as u8);
    bytes[24] = (position.side_to_move() as u8) << 7 | en_passant;
    bytes[25] = position.halfmove_clock().min(255) as u8;
    bytes[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes[28..30].copy_from_slice(&Label::to_file(Some(Label::new(Color::White, 0))).to_le_bytes());
    bytes[30] = result.index() as u8;
    bytes
}

/// The squares that are not empty, and the four bits for what stands there. Bulletformat begins with the
/// same 24 bytes.
pub fn pieces(bytes: &[u8; SIZE]) -> Result<impl Iterator<Item = (Square, u8)>, String> {
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&bytes[..8]);
    let occupied = Bitboard(u64::from_le_bytes(occupied));
    if occupied.count() > 32 {
        return Err(format!("a board with {} pieces", occupied.count()));
    }
    let code = |i: usize| bytes[8 + i / 2] >> (4 * (i % 2)) & 15;
    Ok(occupied.into_iter().enumerate().map(move |(i, square)| (square, code(i))))
}

/// Reads the 32 bytes; a sentence says what is wrong with them.
pub fn unpack(bytes: &[u8; SIZE]) -> Result<Board, String> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let mut parts = Builder::empty();
    for (square, code) in pieces(bytes)? {
        let kind = match code & 7 {
            7 => return Err(format!("an unknown piece on {square}")),
            CASTLING_ROOK => {
                parts.castling |= square.into();
                PieceType::Rook
            }
            kind => PieceType::from_index(kind),
        };
        parts.board[square.index()] = Some(Piece::new(Color::from_bit(code >> 3), kind));
    }
    parts.side = Color::from_bit(bytes[24] >> 7);
    parts.en_passant = match bytes[24] & 127 {
        NO_EN_PASSANT => None,
        square @ 0..64 => Some(Square::from_index(square)),
        other => return Err(format!("an en-passant square number {other}")),
    };
    parts.halfmove_clock = u16::from(bytes[25]);
    parts.fullmove_number = word(26).max(1);
    let result = GameResult::from_index(bytes[30])
        .ok_or_else(|| format!("a result number {}, expected 0 to 2", bytes[30]))?;
    let position = parts.build().map_err(|error| format!("an impossible position: {error}"))?;
    Ok(Board { position, result })
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::data::testing::random_record;

    #[test]
    fn every_position_comes_back_as_it_was() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let record = random_record(&mut random, true);
            record.visit(|sample| {
                let bytes = pack(sample.position, sample.result);
                let board = unpack(&bytes).unwrap();
                assert_eq!(&board.position, sample.position);
                assert_eq!(board.result, sample.result);
            });
        }
    }

    #[test]
    fn every_flipped_bit_is_refused_or_gives_a_legal_position() {
        let bytes = pack(&Position::startpos(), GameResult::Draw);
        let mut refused = 0;
        for bit in 0..8 * SIZE {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            refused += usize::from(unpack(&damaged).is_err());
        }
        assert!(refused > 128, "{refused}");
    }
}
