//! Making a move.

use super::{Observer, Position, zobrist};
use crate::attacks::pawn_attacks;
use crate::{Bitboard, Color, Move, MoveKind, Piece, PieceType, Square};

impl Position {
    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut next = *self;
        next.make(m, &mut ());
        next
    }

    /// Makes a legal move and tells the observer which pieces came and went.
    #[inline]
    pub fn make(&mut self, m: Move, observer: &mut impl Observer) {
        debug_assert!(self.is_legal(m), "{m:?} in {self}");
        let (us, from, to) = (self.side, m.from(), m.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "{m:?} moves nothing in {self}");
            return;
        };
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        if m.kind() == MoveKind::Castling {
            self.castle(m, observer);
        } else {
            if let Some(captured) = self.piece_on(to) {
                self.remove(captured, to, observer);
                self.halfmove_clock = 0;
            }
            if m.kind() == MoveKind::Promotion {
                self.remove(piece, from, observer);
                let becomes = m.becomes().unwrap_or(PieceType::Queen);
                self.place(Piece::new(us, becomes), to, observer);
            } else {
                self.shift(piece, from, to, observer);
            }
            if piece.kind() == PieceType::Pawn {
                self.halfmove_clock = 0;
                if m.kind() == MoveKind::EnPassant {
                    let passed = Square::new(to.file(), from.rank());
                    self.remove(Piece::new(!us, PieceType::Pawn), passed, observer);
                } else if from.index().abs_diff(to.index()) == 16 {
                    self.set_en_passant(to);
                }
            }
        }

        self.drop_castling_rights(piece, from, to);
        self.fullmove_number = self.fullmove_number.saturating_add(us.index() as u16);
        self.side = !us;
        self.keys.whole ^= zobrist::side();
        self.update_checks_and_pins();
    }

    /// Passes the move to the other side, as null-move pruning does. Not allowed in check.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(self.side.index() as u16);
        self.side = !self.side;
        self.keys.whole ^= zobrist::side();
        self.update_checks_and_pins();
    }

    /// Moves king and rook at once; in Chess960 each may land where the other stood.
    fn castle(&mut self, m: Move, observer: &mut impl Observer) {
        let king = Piece::new(self.side, PieceType::King);
        let rook = Piece::new(self.side, PieceType::Rook);
        self.remove(king, m.from(), observer);
        self.remove(rook, m.to(), observer);
        self.place(king, m.castled_king(), observer);
        self.place(rook, m.castled_rook(), observer);
    }

    #[inline]
    fn drop_castling_rights(&mut self, piece: Piece, from: Square, to: Square) {
        if self.castling.is_empty() {
            return;
        }
        let mut lost = Bitboard::of(from) | Bitboard::of(to);
        if piece.kind() == PieceType::King {
            lost |= Bitboard::rank_for(piece.color(), 0);
        }
        lost &= self.castling;
        if lost.any() {
            self.castling ^= lost;
            self.keys.whole ^= zobrist::castling(lost);
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.whole ^= zobrist::en_passant(square);
        }
    }

    /// After a double step to `to`: notes the passed square if a pawn may legally take there.
    #[inline]
    fn set_en_passant(&mut self, to: Square) {
        let passed = to.offset(if self.side == Color::White { -8 } else { 8 });
        if self.en_passant_takers(!self.side, passed).any() {
            self.en_passant = Some(passed);
            self.keys.whole ^= zobrist::en_passant(passed);
        }
    }

    /// The pawns of that side that may go to `passed`, taking the pawn that passed it, without
    /// leaving their king attacked. The two pawns leave together, so pins are looked at afresh.
    #[inline]
    pub(super) fn en_passant_takers(&self, by: Color, passed: Square) -> Bitboard {
        let candidates = pawn_attacks(!by, passed) & self.pieces(by, PieceType::Pawn);
        if candidates.is_empty() {
            return candidates;
        }
        let king = self.king(by);
        let victim = Bitboard::of(passed.offset(if by == Color::White { -8 } else { 8 }));
        let is_safe = |&taker: &Square| {
            let occupied = (self.occupied() - victim - taker.into()) | passed.into();
            let attackers = self.attackers_to(king, occupied) & self.color(!by);
            (attackers - victim).is_empty()
        };
        candidates.into_iter().filter(is_safe).collect()
    }

    #[inline]
    pub(super) fn place(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        observer.put(piece, square);
        self.toggle(piece, square);
        self.board[square.index()] = Some(piece);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        observer.take(piece, square);
        self.toggle(piece, square);
        self.board[square.index()] = None;
    }

    #[inline]
    fn shift(&mut self, piece: Piece, from: Square, to: Square, observer: &mut impl Observer) {
        observer.shift(piece, from, to);
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.kinds[piece.kind().index()] ^= both;
        self.colors[piece.color().index()] ^= both;
        self.keys.toggle(piece, from);
        self.keys.toggle(piece, to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(piece);
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= Bitboard::of(square);
        self.colors[piece.color().index()] ^= Bitboard::of(square);
        self.keys.toggle(piece, square);
    }
}
