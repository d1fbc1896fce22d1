//! Files, ranks and squares.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Color;
use crate::notation::quote;

/// One of the 64 squares: a1 is 0, b1 is 1, … h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// Text that names no square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no square: expected a file a-h and a rank 1-8, as in e4")]
pub struct SquareError(String);

#[allow(missing_docs, reason = "64 names that say what they are")]
#[rustfmt::skip]
impl Square {
    pub const A1: Self = Self(0); pub const B1: Self = Self(1); pub const C1: Self = Self(2);
    pub const D1: Self = Self(3); pub const E1: Self = Self(4); pub const F1: Self = Self(5);
    pub const G1: Self = Self(6); pub const H1: Self = Self(7);
    pub const E4: Self = Self(28);
    pub const A8: Self = Self(56); pub const B8: Self = Self(57); pub const C8: Self = Self(58);
    pub const D8: Self = Self(59); pub const E8: Self = Self(60); pub const F8: Self = Self(61);
    pub const G8: Self = Self(62); pub const H8: Self = Self(63);
}

impl Square {
    /// The square on that file and rank, both counted from 0; only the lowest three bits count.
    #[inline]
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self((rank & 7) << 3 | file & 7)
    }

    /// The square with that number; only the lowest six bits count.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// Every square, from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// 0 to 63: the place in per-square tables, and the compiler knows that it is below 64.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The rank as that side counts it: 0 is its own back rank.
    #[inline]
    #[must_use]
    pub const fn rank_for(self, side: Color) -> u8 {
        self.rank() ^ (side as u8 * 7)
    }

    /// The same file, the rank seen from the other side (e2 becomes e7).
    #[inline]
    #[must_use]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 0o70)
    }

    /// The same rank, the file mirrored (a2 becomes h2).
    #[inline]
    #[must_use]
    pub const fn flip_file(self) -> Self {
        Self(self.0 ^ 7)
    }

    /// The square that many steps away in index space, wrapped to the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, delta: i8) -> Self {
        Self(self.0.wrapping_add_signed(delta) & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::new(file - b'a', rank - b'1')),
            _ => Err(SquareError(quote(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!("e4".parse(), Ok(Square::E4));
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
