//! A move in 16 bits as viriformat writes it.

use tandem_chess::{Move, MoveKind, PieceType, Square};

/// From the lowest bit: 6 bits from, 6 bits to (castling: the rook), 2 bits promotion (knight to
/// queen), 2 bits kind (0 normal, 1 en passant, 2 castling, 3 promotion).
pub fn to_bits(m: Move) -> u16 {
    let (promotion, kind) = match m.kind() {
        MoveKind::Normal => (0, 0),
        MoveKind::EnPassant => (0, 1),
        MoveKind::Castling => (0, 2),
        MoveKind::Promotion => (m.becomes().map_or(0, |kind| kind.index() as u16 - 1), 3),
    };
    m.from().index() as u16 | (m.to().index() as u16) << 6 | promotion << 12 | kind << 14
}

/// The move; none if it goes nowhere or promotes without being a promotion.
pub fn from_bits(bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::from_index((bits >> shift & 63) as u8);
    let (from, to, promotion) = (square(0), square(6), bits >> 12 & 3);
    if from == to {
        return None;
    }
    match (bits >> 14, promotion) {
        (0, 0) => Some(Move::normal(from, to)),
        (1, 0) => Some(Move::en_passant(from, to)),
        (2, 0) => Some(Move::castling(from, to)),
        (3, _) => Some(Move::promotion(from, to, PieceType::from_index(promotion as u8 + 1))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_specification_is_read() {
        let square = |text: &str| text.parse().unwrap();
        assert_eq!(to_bits(Move::normal(square("e2"), square("e4"))), 0x070c);
        assert_eq!(from_bits(0x09c3), Some(Move::normal(square("d1"), square("h5"))));
    }

    #[test]
    fn bits_and_moves_are_one_to_one() {
        for bits in 0..=u16::MAX {
            assert!(from_bits(bits).is_none_or(|m| to_bits(m) == bits), "{bits:04x}");
        }
        assert_eq!(from_bits(0), None);
    }
}
