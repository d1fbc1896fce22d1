//! The HPC paper's order: captures that promote to a queen, captures, promotions to a queen, the
//! rest; within each class pawns, knights, king, castling, bishops, rooks, queens, as its
//! generator makes them and its stable sort leaves them.
//!
//! The classes are generated one after the other as they are asked for, which gives that order
//! without a list and without sorting, and most nodes end before the second class. Moves that could
//! expose the king are the only ones whose legality is looked at.

use tandem_chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use tandem_chess::{Bitboard, Color, Move, PieceType, Position, Square};

use super::{Hints, Order};
use crate::Rules;

/// The paper's order; it needs no hints.
#[derive(Clone, Copy, Debug)]
pub struct CapturesFirst;

impl Order for CapturesFirst {
    const LEARNS: bool = false;

    #[inline]
    fn new<R: Rules>(_position: &Position, _hints: Hints) -> Self {
        Self
    }

    #[inline]
    fn visit<R: Rules, E>(
        self,
        position: &Position,
        mut visit: impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        let generator = Generator::new(position);
        generator.captures::<R, E>(&mut visit)?;
        generator.quiets(&mut visit)
    }
}

/// Pawns that go in step: the distance from origin to target, and the targets.
type PawnStep = (i8, Bitboard);

struct Generator<'a> {
    position: &'a Position,
    us: Color,
    forward: i8,
    /// Pieces that must ask whether their move is legal.
    suspects: Bitboard,
}

impl<'a> Generator<'a> {
    #[inline]
    fn new(position: &'a Position) -> Self {
        let us = position.side_to_move();
        Self {
            position,
            us,
            forward: if us == Color::White { 8 } else { -8 },
            suspects: if position.in_check() {
                Bitboard::FULL
            } else {
                position.pinned() | position.king(us).into()
            },
        }
    }

    #[inline]
    fn captures<R: Rules, E>(
        &self,
        visit: &mut impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        let enemies = self.position.color(!self.us);
        let pawns = self.position.pieces(self.us, PieceType::Pawn);
        let step = |delta, pawns: Bitboard| (delta, pawns.shift(delta) & enemies);
        let west = step(self.forward - 1, pawns - Bitboard::FILE_A);
        let east = step(self.forward + 1, pawns - Bitboard::FILE_H);
        self.pawns([west, east], visit)?;
        if R::EN_PASSANT {
            self.en_passant(visit)?;
        }
        self.knights_and_king(enemies, visit)?;
        self.sliders(enemies, visit)
    }

    #[inline]
    fn quiets<E>(&self, visit: &mut impl FnMut(Move) -> Result<(), E>) -> Result<(), E> {
        let empty = !self.position.occupied();
        let pawns = self.position.pieces(self.us, PieceType::Pawn);
        let single = pawns.shift(self.forward) & empty;
        let third_rank = single & Bitboard::rank_for(self.us, 2);
        let double = third_rank.shift(self.forward) & empty;
        self.pawns([(self.forward, single), (2 * self.forward, double)], visit)?;
        self.knights_and_king(empty, visit)?;
        self.castling(visit)?;
        self.sliders(empty, visit)
    }

    #[inline]
    fn pawns<E>(
        &self,
        steps: [PawnStep; 2],
        visit: &mut impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        const OTHERS: [PieceType; 3] = [PieceType::Rook, PieceType::Bishop, PieceType::Knight];
        let last_rank = Bitboard::rank_for(self.us, 7);
        let promoting = steps.map(|(delta, targets)| (delta, targets & last_rank));
        let promotes = promoting.iter().any(|step| step.1.any());
        if promotes {
            self.promotions(promoting, &[PieceType::Queen], visit)?;
        }
        for (delta, targets) in steps {
            for to in targets - last_rank {
                self.ask(Move::normal(to.offset(-delta), to), visit)?;
            }
        }
        if promotes {
            self.promotions(promoting, &OTHERS, visit)?;
        }
        Ok(())
    }

    fn promotions<E>(
        &self,
        steps: [PawnStep; 2],
        kinds: &[PieceType],
        visit: &mut impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        for (delta, targets) in steps {
            for to in targets {
                for &kind in kinds {
                    self.ask(Move::promotion(to.offset(-delta), to, kind), visit)?;
                }
            }
        }
        Ok(())
    }

    fn en_passant<E>(&self, visit: &mut impl FnMut(Move) -> Result<(), E>) -> Result<(), E> {
        if let Some(passed) = self.position.en_passant() {
            let pawns = self.position.pieces(self.us, PieceType::Pawn);
            for from in pawn_attacks(!self.us, passed) & pawns {
                let m = Move::en_passant(from, passed);
                if self.position.is_legal(m) {
                    visit(m)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn knights_and_king<E>(
        &self,
        wanted: Bitboard,
        visit: &mut impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        for from in self.position.pieces(self.us, PieceType::Knight) {
            self.piece(from, knight_attacks(from) & wanted, visit)?;
        }
        let king = self.position.king(self.us);
        self.piece(king, king_attacks(king) & wanted, visit)
    }

    #[inline]
    fn sliders<E>(
        &self,
        wanted: Bitboard,
        visit: &mut impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        let occupied = self.position.occupied();
        for from in self.position.pieces(self.us, PieceType::Bishop) {
            self.piece(from, bishop_attacks(from, occupied) & wanted, visit)?;
        }
        for from in self.position.pieces(self.us, PieceType::Rook) {
            self.piece(from, rook_attacks(from, occupied) & wanted, visit)?;
        }
        for from in self.position.pieces(self.us, PieceType::Queen) {
            self.piece(from, queen_attacks(from, occupied) & wanted, visit)?;
        }
        Ok(())
    }

    /// The king's side comes first.
    fn castling<E>(&self, visit: &mut impl FnMut(Move) -> Result<(), E>) -> Result<(), E> {
        let king = self.position.king(self.us);
        let mut rooks = self.position.castling_rooks() & Bitboard::rank_for(self.us, 0);
        while rooks.any() {
            let rook = rooks.last();
            rooks ^= rook.into();
            self.ask(Move::castling(king, rook), visit)?;
        }
        Ok(())
    }

    #[inline]
    fn piece<E>(
        &self,
        from: Square,
        targets: Bitboard,
        visit: &mut impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        for to in targets {
            self.ask(Move::normal(from, to), visit)?;
        }
        Ok(())
    }

    /// Visits the move unless its piece is a suspect and the move illegal.
    #[inline]
    fn ask<E>(&self, m: Move, visit: &mut impl FnMut(Move) -> Result<(), E>) -> Result<(), E> {
        if self.suspects.contains(m.from()) && !self.position.is_legal(m) {
            return Ok(());
        }
        visit(m)
    }
}
