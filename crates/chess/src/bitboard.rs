//! Sets of squares in one machine word.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub,
};

use crate::{Color, Square};

/// A set of squares: bit `n` stands for the square with index `n`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The a-file.
    pub const FILE_A: Self = Self(0x0101010101010101);
    /// The h-file.
    pub const FILE_H: Self = Self(0x8080808080808080);
    /// The dark squares, a1 among them.
    pub const DARK: Self = Self(0xAA55AA55AA55AA55);

    /// The set of that one square.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The eight squares of a file, counted from 0.
    #[inline]
    #[must_use]
    pub const fn file(file: u8) -> Self {
        Self(Self::FILE_A.0 << (file & 7))
    }

    /// The eight squares of a rank, counted from 0.
    #[inline]
    #[must_use]
    pub const fn rank(rank: u8) -> Self {
        Self(0xFF << ((rank & 7) * 8))
    }

    /// A rank as that side counts it: 0 is its own back rank.
    #[inline]
    #[must_use]
    pub const fn rank_for(side: Color, rank: u8) -> Self {
        Self::rank(rank ^ (side as u8 * 7))
    }

    /// Whether no square is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether at least one square is in the set.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether two or more squares are in the set.
    #[inline]
    #[must_use]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// How many squares are in the set.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest index. The set must not be empty.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::from_index(self.0.trailing_zeros() as u8)
    }

    /// The square with the highest index. The set must not be empty.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::from_index(63 ^ self.0.leading_zeros() as u8)
    }

    /// The set moved by that many squares in index space: 8 is one rank up, -1 one file left.
    /// Nothing wraps from top to bottom, but the caller masks what would wrap around a file.
    #[inline]
    #[must_use]
    pub const fn shift(self, delta: i8) -> Self {
        if delta >= 0 { Self(self.0 << delta) } else { Self(self.0 >> -delta) }
    }

    /// The set seen from the other side of the board.
    #[inline]
    #[must_use]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

macro_rules! bit_operators {
    ($($operator:ident :: $function:ident, $assign:ident :: $assign_function:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(self.0.$function(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                self.0.$assign_function(other.0);
            }
        }
    )*};
}

bit_operators! {
    BitAnd::bitand, BitAndAssign::bitand_assign;
    BitOr::bitor, BitOrAssign::bitor_assign;
    BitXor::bitxor, BitXorAssign::bitxor_assign;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Self;

    #[inline]
    fn shl(self, by: u32) -> Self {
        Self(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Self;

    #[inline]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

/// The squares of a [`Bitboard`], from a1 towards h8.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for Squares {
    #[inline]
    fn len(&self) -> usize {
        self.0.count_ones() as usize
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// A grid of `X` and `.`, the eighth rank on top.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let row: String = (0..8)
                .map(|file| if self.contains(Square::new(file, rank)) { 'X' } else { '.' })
                .collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_squares_in_order() {
        let squares = [Square::B1, Square::E4, Square::H8];
        let set: Bitboard = squares.into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!(set.count(), 3);
        assert_eq!((set.first(), set.last()), (Square::B1, Square::H8));
        assert!(set.many() && set.contains(Square::E4) && !set.contains(Square::A1));
    }

    #[test]
    fn ranks_are_counted_from_each_side() {
        assert_eq!(Bitboard::rank_for(Color::Black, 0), Bitboard::rank(7));
        assert_eq!(Bitboard::rank(1).shift(8), Bitboard::rank(2));
        assert_eq!(Bitboard::rank(0).flip_ranks(), Bitboard::rank(7));
    }
}
