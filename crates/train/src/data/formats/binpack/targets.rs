//! The number of a move among those that its piece could make, as binpack counts them.

use tandem_chess::attacks::{attacks, king_attacks, pawn_attacks};
use tandem_chess::{Bitboard, Color, Move, MoveKind, Piece, PieceType, Position, Square};

use super::bits::{BitReader, BitWriter, needed};

/// What a piece could do by its way of moving, whether or not its king allows it.
struct Reach {
    kind: PieceType,
    targets: Bitboard,
    /// The rooks with which the king may still castle, the queen's side first.
    rooks: Bitboard,
    promotes: bool,
}

impl Reach {
    fn of(position: &Position, from: Square, kind: PieceType) -> Self {
        let us = position.side_to_move();
        let (ours, theirs) = (position.color(us), position.color(!us));
        let mut reach =
            Self { kind, targets: Bitboard::EMPTY, rooks: Bitboard::EMPTY, promotes: false };
        match kind {
            PieceType::Pawn => {
                let passed = position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
                let forward = if us == Color::White { 8 } else { -8 };
                let step = Bitboard::of(from).shift(forward) - position.occupied();
                let double =
                    (step & Bitboard::rank_for(us, 2)).shift(forward) - position.occupied();
                reach.targets = (pawn_attacks(us, from) & (theirs | passed)) | step | double;
                reach.promotes = from.rank_for(us) == 6;
            }
            PieceType::King => {
                reach.targets = king_attacks(from) - ours;
                reach.rooks = position.castling_rooks() & Bitboard::rank_for(us, 0);
            }
            _ => reach.targets = attacks(kind, us, from, position.occupied()) - ours,
        }
        reach
    }

    fn count(&self) -> u32 {
        self.targets.count() * if self.promotes { 4 } else { 1 } + self.rooks.count()
    }

    fn number_of(&self, m: Move) -> u32 {
        let before = |set: Bitboard| (set & Bitboard((1 << m.to().index()) - 1)).count();
        if m.is_castling() {
            return self.targets.count() + before(self.rooks);
        }
        match m.becomes() {
            Some(kind) => 4 * before(self.targets) + kind.index() as u32 - 1,
            None => before(self.targets),
        }
    }

    fn with_number(&self, position: &Position, from: Square, number: u32) -> Option<Move> {
        if self.promotes {
            let to = nth(self.targets, number / 4)?;
            return Some(Move::promotion(from, to, PieceType::from_index(number as u8 % 4 + 1)));
        }
        if let Some(castling) = number.checked_sub(self.targets.count()) {
            return nth(self.rooks, castling).map(|rook| Move::castling(from, rook));
        }
        let to = nth(self.targets, number)?;
        if self.kind == PieceType::Pawn && position.en_passant() == Some(to) {
            return Some(Move::en_passant(from, to));
        }
        Some(Move::normal(from, to))
    }
}

fn nth(set: Bitboard, number: u32) -> Option<Square> {
    set.into_iter().nth(number as usize)
}

/// Writes a legal move.
pub fn put(m: Move, position: &Position, out: &mut BitWriter) {
    let ours = position.color(position.side_to_move());
    let before = ours & Bitboard((1 << m.from().index()) - 1);
    out.put(before.count(), needed(ours.count()));
    let kind = position.piece_on(m.from()).map_or(PieceType::King, Piece::kind);
    debug_assert!(m.kind() != MoveKind::Promotion || kind == PieceType::Pawn);
    let reach = Reach::of(position, m.from(), kind);
    out.put(reach.number_of(m), needed(reach.count()));
}

/// Reads a move; none if the bits are cut off or name a move that is not there.
pub fn get(position: &Position, input: &mut BitReader<'_>) -> Option<Move> {
    let ours = position.color(position.side_to_move());
    let from = nth(ours, input.get(needed(ours.count()))?)?;
    let reach = Reach::of(position, from, position.piece_on(from)?.kind());
    let number = input.get(needed(reach.count()))?;
    reach.with_number(position, from, number)
}
