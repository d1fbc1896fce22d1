//! Many moves in one value: a set of targets that share an origin or a direction.

use crate::{Bitboard, Move, MoveKind, PieceType, Square};

/// Where the moves of a set come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// All moves start on this square.
    Square(Square),
    /// Each move starts that many squares before its target: pawns go in step, so all pawns that
    /// move in one direction make one set.
    Behind(i8),
}

/// Moves that share an origin (or direction) and a kind. Counting them is one population count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSet {
    /// Where the moves come from.
    pub origin: Origin,
    /// Where they go.
    pub targets: Bitboard,
    /// What they are; in a set of promotions each target stands for four moves.
    pub kind: MoveKind,
}

impl MoveSet {
    /// How many moves the set holds.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u32 {
        match self.kind {
            MoveKind::Promotion => 4 * self.targets.count(),
            _ => self.targets.count(),
        }
    }

    /// Whether the set holds no move.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Calls `visit` for each move. Unlike the iterator it leaves no state between moves, which
    /// the innermost loops notice.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(Move)) {
        for to in self.targets {
            let from = self.origin_of(to);
            match self.kind {
                MoveKind::Normal => visit(Move::normal(from, to)),
                MoveKind::EnPassant => visit(Move::en_passant(from, to)),
                MoveKind::Castling => visit(Move::castling(from, to)),
                MoveKind::Promotion => {
                    for kind in PieceType::PROMOTIONS {
                        visit(Move::promotion(from, to, kind));
                    }
                }
            }
        }
    }

    #[inline]
    const fn origin_of(&self, to: Square) -> Square {
        match self.origin {
            Origin::Square(from) => from,
            Origin::Behind(delta) => to.offset(-delta),
        }
    }
}

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = Moves;

    #[inline]
    fn into_iter(self) -> Moves {
        Moves { set: self, promotion: 0 }
    }
}

/// The moves of a [`MoveSet`], one after another.
#[derive(Clone, Debug)]
pub struct Moves {
    set: MoveSet,
    promotion: usize,
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.set.targets.is_empty() {
            return None;
        }
        let to = self.set.targets.first();
        let from = self.set.origin_of(to);
        let m = match self.set.kind {
            MoveKind::Normal => Move::normal(from, to),
            MoveKind::EnPassant => Move::en_passant(from, to),
            MoveKind::Castling => Move::castling(from, to),
            MoveKind::Promotion => Move::promotion(from, to, PieceType::PROMOTIONS[self.promotion]),
        };
        self.promotion = (self.promotion + 1) % 4;
        if self.set.kind != MoveKind::Promotion || self.promotion == 0 {
            self.promotion = 0;
            self.set.targets ^= Bitboard::of(to);
        }
        Some(m)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.set.len() as usize - self.promotion;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Moves {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_through_a_set_agree_with_its_length() {
        let targets = [Square::A8, Square::C8].into_iter().collect();
        for kind in [MoveKind::Normal, MoveKind::Promotion] {
            let set = MoveSet { origin: Origin::Behind(8), targets, kind };
            let mut visited = Vec::new();
            set.for_each(|m| visited.push(m));
            assert_eq!(set.into_iter().collect::<Vec<_>>(), visited);
            assert_eq!(set.len() as usize, visited.len());
            assert_eq!(set.into_iter().len(), visited.len());
            assert!(visited.iter().all(|m| m.from().rank() == 6));
        }
    }
}
