//! The keys under which Polyglot's books list positions. The 781 random numbers behind them are
//! published with the format; shakmaty's Zobrist hashes use the same and promise to go on doing so.

use shakmaty::zobrist::{Zobrist64, ZobristValue as _};
use shakmaty::{CastlingSide, File, Piece, Role};
use tandem_chess::{Bitboard, Color, Game, PieceType, Position, Square};

use crate::tablebases::convert;

/// The key of a game's position.
pub fn of(game: &Game) -> u64 {
    let position = game.position();
    let mut key = Zobrist64::default();
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let (color, role) = (convert::color(piece.color()), role(piece.kind()));
            key ^= Zobrist64::zobrist_for_piece(convert::square(square), Piece { color, role });
        }
    }
    for rook in position.castling_rooks() {
        let color = if rook.rank() == 0 { Color::White } else { Color::Black };
        let is_short = rook.file() > position.king(color).file();
        let side = if is_short { CastlingSide::KingSide } else { CastlingSide::QueenSide };
        key ^= Zobrist64::zobrist_for_castling_right(convert::color(color), side);
    }
    if let Some(file) = en_passant_file(game) {
        key ^= Zobrist64::zobrist_for_en_passant_file(File::new(file.into()));
    }
    if position.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// The file of a pawn that has just made a double step beside an enemy pawn. To Polyglot it does not
/// matter whether that pawn may really take, so that the last move is asked rather than the position.
fn en_passant_file(game: &Game) -> Option<u8> {
    let position = game.position();
    let passed = match game.moves().last() {
        Some(m) => {
            let is_pawn = position.piece_on(m.to()).is_some_and(|p| p.kind() == PieceType::Pawn);
            (is_pawn && m.from().rank().abs_diff(m.to().rank()) == 2).then_some(m.to())
        }
        None => position.en_passant().map(|square| behind(position, square)),
    }?;
    let beside = Bitboard::rank(passed.rank()) & neighbours(passed);
    let takers = position.pieces(position.side_to_move(), PieceType::Pawn) & beside;
    takers.any().then_some(passed.file())
}

/// Where the pawn stands that has just passed a square.
fn behind(position: &Position, passed: Square) -> Square {
    passed.offset(if position.side_to_move() == Color::White { -8 } else { 8 })
}

fn neighbours(square: Square) -> Bitboard {
    let file = Bitboard::of(square);
    (file - Bitboard::FILE_A).shift(-1) | (file - Bitboard::FILE_H).shift(1)
}

fn role(kind: PieceType) -> Role {
    match kind {
        PieceType::Pawn => Role::Pawn,
        PieceType::Knight => Role::Knight,
        PieceType::Bishop => Role::Bishop,
        PieceType::Rook => Role::Rook,
        PieceType::Queen => Role::Queen,
        PieceType::King => Role::King,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nine examples published with the format.
    #[test]
    fn the_published_keys_come_out() {
        for (moves, key) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            let mut game = Game::default();
            for text in moves.split_whitespace() {
                game.play(game.position().parse_uci(text).unwrap()).unwrap();
            }
            assert_eq!(of(&game), key, "{moves}");
            assert_eq!(of(&Game::new(*game.position())), key, "{moves}, from its position");
        }
    }

    #[test]
    fn a_pawn_that_is_pinned_still_counts() {
        // After d7d5 the pawn on e5 stands beside it but may not take: the rook would give check.
        let mut game = Game::new("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1".parse().unwrap());
        game.play(game.position().parse_uci("d7d5").unwrap()).unwrap();
        assert_eq!(game.position().en_passant(), None);
        assert_eq!(of(&game) ^ of(&Game::new(*game.position())), 0x1C99_DED3_3CB8_90A1);
    }
}
