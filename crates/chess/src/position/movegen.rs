//! Strictly legal moves, as sets.
//!
//! Pins and checks become masks: a pinned piece keeps to its line, and in check everyone but the
//! king must take the checker or step between. What is left is legal without trying it.

use super::Position;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawns_attack, queen_attacks,
    rook_attacks,
};
use crate::{Bitboard, Color, Move, MoveKind, MoveList, MoveSet, Origin, PieceType, Square};

/// Which moves are wanted. The compiler makes one generator of each.
trait Wanted {
    const CAPTURES: bool;
    const QUIETS: bool;
}

struct Everything;
struct CapturesAndPromotions;
struct Quiets;

impl Wanted for Everything {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
}

impl Wanted for CapturesAndPromotions {
    const CAPTURES: bool = true;
    const QUIETS: bool = false;
}

impl Wanted for Quiets {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;
}

impl Position {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        self.collect::<Everything>()
    }

    /// The legal captures and all promotions, also those that take nothing.
    #[must_use]
    pub fn captures(&self) -> MoveList {
        self.collect::<CapturesAndPromotions>()
    }

    /// The legal moves that neither take nor promote; castling is among them.
    #[must_use]
    pub fn quiets(&self) -> MoveList {
        self.collect::<Quiets>()
    }

    /// The legal answers to a check; empty if there is no check.
    #[must_use]
    pub fn evasions(&self) -> MoveList {
        if self.in_check() { self.legal_moves() } else { MoveList::new() }
    }

    /// How many legal moves there are, without making a list.
    #[inline]
    #[must_use]
    pub fn count_legal(&self) -> u32 {
        let mut count = 0;
        self.visit_moves(|set| count += set.len());
        count
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() != 0
    }

    /// All legal moves: a set for each piece, and for pawns a set for each direction. Sets may be
    /// empty.
    #[inline]
    pub fn visit_moves(&self, visit: impl FnMut(MoveSet)) {
        self.generate::<Everything>(visit);
    }

    fn collect<W: Wanted>(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<W>(|set| set.for_each(|m| list.push(m)));
        list
    }

    #[inline]
    fn generate<W: Wanted>(&self, mut visit: impl FnMut(MoveSet)) {
        match self.side {
            Color::White => self.generate_for::<W, true>(&mut visit),
            Color::Black => self.generate_for::<W, false>(&mut visit),
        }
    }

    #[inline]
    fn generate_for<W: Wanted, const WHITE: bool>(&self, visit: &mut impl FnMut(MoveSet)) {
        let us = if WHITE { Color::White } else { Color::Black };
        let king = self.king(us);
        self.king_moves::<W>(us, king, visit);
        if self.checkers.many() {
            return;
        }
        let evasion = if self.checkers.is_empty() {
            Bitboard::FULL
        } else {
            between(king, self.checkers.first()) | self.checkers
        };
        let targets = self.wanted_squares::<W>(us) & evasion;
        self.knight_moves(us, targets, visit);
        self.slider_moves(us, king, targets, visit);
        self.pawn_moves::<W, WHITE>(king, evasion, visit);
        if W::QUIETS && self.checkers.is_empty() {
            self.castling_moves(us, king, visit);
        }
    }

    /// Where a piece of that side may go, as far as captures and quiet moves are wanted.
    #[inline]
    fn wanted_squares<W: Wanted>(&self, us: Color) -> Bitboard {
        match (W::CAPTURES, W::QUIETS) {
            (true, true) => !self.color(us),
            (true, false) => self.color(!us),
            _ => !self.occupied(),
        }
    }

    #[inline]
    fn king_moves<W: Wanted>(&self, us: Color, king: Square, visit: &mut impl FnMut(MoveSet)) {
        let mut targets = king_attacks(king) & self.wanted_squares::<W>(us);
        if targets.any() {
            let enemy_pawns = self.pieces(!us, PieceType::Pawn);
            targets = targets - pawns_attack(!us, enemy_pawns) - king_attacks(self.king(!us));
            for knight in self.pieces(!us, PieceType::Knight) {
                targets = targets - knight_attacks(knight);
            }
            // The king does not hide behind itself from a slider.
            let occupied = self.occupied() ^ king.into();
            for to in targets {
                if self.is_attacked_by_slider(to, !us, occupied) {
                    targets ^= to.into();
                }
            }
        }
        visit(from_square(king, targets));
    }

    #[inline]
    fn knight_moves(&self, us: Color, targets: Bitboard, visit: &mut impl FnMut(MoveSet)) {
        // A pinned knight can never stay on its line.
        for from in self.pieces(us, PieceType::Knight) - self.pinned {
            visit(from_square(from, knight_attacks(from) & targets));
        }
    }

    #[inline]
    fn slider_moves(
        &self,
        us: Color,
        king: Square,
        targets: Bitboard,
        visit: &mut impl FnMut(MoveSet),
    ) {
        let occupied = self.occupied();
        let mut each = |kind: PieceType, attacks: fn(Square, Bitboard) -> Bitboard| {
            for from in self.pieces(us, kind) {
                let mut to = attacks(from, occupied) & targets;
                if self.pinned.contains(from) {
                    to &= line(king, from);
                }
                visit(from_square(from, to));
            }
        };
        each(PieceType::Bishop, bishop_attacks);
        each(PieceType::Rook, rook_attacks);
        each(PieceType::Queen, queen_attacks);
    }

    #[inline]
    fn pawn_moves<W: Wanted, const WHITE: bool>(
        &self,
        king: Square,
        evasion: Bitboard,
        visit: &mut impl FnMut(MoveSet),
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let forward: i8 = if WHITE { 8 } else { -8 };
        let last_rank = Bitboard::rank_for(us, 7);
        let empty = !self.occupied();
        let pawns = self.pieces(us, PieceType::Pawn);
        let free = pawns - self.pinned;

        // A pawn pinned on the king's file may still push.
        let pushing = free | (pawns & Bitboard::file(king.file()));
        let single = pushing.shift(forward) & empty;
        if W::QUIETS {
            let double = (single & Bitboard::rank_for(us, 2)).shift(forward) & empty & evasion;
            visit(in_step(forward, (single & evasion) - last_rank, MoveKind::Normal));
            visit(in_step(2 * forward, double, MoveKind::Normal));
        }
        if !W::CAPTURES {
            return;
        }
        let promoting = single & evasion & last_rank;
        if promoting.any() {
            visit(in_step(forward, promoting, MoveKind::Promotion));
        }
        let enemies = self.color(!us) & evasion;
        for (side, edge) in [(-1, Bitboard::FILE_A), (1, Bitboard::FILE_H)] {
            let delta = forward + side;
            // A pawn pinned on a diagonal may take along it.
            let taking = free | (pawns & diagonal(king, delta));
            let to = (taking - edge).shift(delta) & enemies;
            visit(in_step(delta, to - last_rank, MoveKind::Normal));
            let promoting = to & last_rank;
            if promoting.any() {
                visit(in_step(delta, promoting, MoveKind::Promotion));
            }
        }
        if let Some(passed) = self.en_passant {
            for from in self.en_passant_takers(us, passed) {
                visit(MoveSet {
                    origin: Origin::Square(from),
                    targets: passed.into(),
                    kind: MoveKind::EnPassant,
                });
            }
        }
    }

    #[inline]
    fn castling_moves(&self, us: Color, king: Square, visit: &mut impl FnMut(MoveSet)) {
        let rooks = self.castling & Bitboard::rank_for(us, 0);
        let mut targets = Bitboard::EMPTY;
        for rook in rooks {
            if self.may_castle(us, king, rook) {
                targets |= rook.into();
            }
        }
        if targets.any() {
            visit(MoveSet { origin: Origin::Square(king), targets, kind: MoveKind::Castling });
        }
    }

    /// Whether the way is free and no square of the king's way is attacked. The king is not in
    /// check. A rook that is pinned on the back rank (Chess960) shields the king and must stay.
    pub(super) fn may_castle(&self, us: Color, king: Square, rook: Square) -> bool {
        let m = Move::castling(king, rook);
        let (king_to, rook_to) = (m.castled_king(), m.castled_rook());
        let king_way = between(king, king_to) | king_to.into();
        let rook_way = between(rook, rook_to) | rook_to.into();
        let others = self.occupied() - king.into() - rook.into();
        ((king_way | rook_way) & others).is_empty()
            && !self.pinned.contains(rook)
            && !king_way.into_iter().any(|square| self.is_attacked(square, !us, others))
    }
}

#[inline]
fn from_square(from: Square, targets: Bitboard) -> MoveSet {
    MoveSet { origin: Origin::Square(from), targets, kind: MoveKind::Normal }
}

#[inline]
fn in_step(delta: i8, targets: Bitboard, kind: MoveKind) -> MoveSet {
    MoveSet { origin: Origin::Behind(delta), targets, kind }
}

/// The diagonal through a square that runs in the direction of a pawn's capture.
#[inline]
fn diagonal(through: Square, delta: i8) -> Bitboard {
    static RISING: [Bitboard; 64] = diagonals(true);
    static FALLING: [Bitboard; 64] = diagonals(false);
    if delta % 9 == 0 { RISING[through.index()] } else { FALLING[through.index()] }
}

const fn diagonals(rising: bool) -> [Bitboard; 64] {
    use crate::attacks::raycast::ray;
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index);
        let (up, down) = if rising { ((1, 1), (-1, -1)) } else { ((-1, 1), (1, -1)) };
        let both = ray(from, Bitboard::EMPTY, up).0 | ray(from, Bitboard::EMPTY, down).0;
        table[index as usize] = Bitboard(both);
        index += 1;
    }
    table
}
