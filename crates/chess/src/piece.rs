//! Kinds of pieces, and pieces with their colour.

use std::fmt;
use std::num::NonZeroU8;

use crate::Color;

/// What a piece is, whichever side owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the six names of chess say what they are")]
pub enum PieceType {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceType {
    /// All six kinds, from pawn to king.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// What a pawn may become, the queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for a pawn to 5 for a king: the place of this kind in per-kind tables.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with that [`index`](Self::index); 5 and above give the king.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        match index {
            0 => Self::Pawn,
            1 => Self::Knight,
            2 => Self::Bishop,
            3 => Self::Rook,
            4 => Self::Queen,
            _ => Self::King,
        }
    }

    /// The English letter in lower case, as UCI promotions and Black's men in FEN use it.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind that a letter of either case stands for.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }

    /// The English name in lower case, for sentences.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

/// A piece of one side. `Option<Piece>` takes one byte, so a board of 64 fits a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// How many places a table needs that is indexed by [`slot`](Self::slot).
    pub const SLOTS: usize = 16;

    /// The piece of that colour and kind.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, kind: PieceType) -> Self {
        let code = (kind as u8 + 1) << 1 | color as u8;
        Self(NonZeroU8::new(code).expect("a kind is at least 1 here"))
    }

    /// Which side owns the piece.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        Color::from_bit(self.0.get())
    }

    /// What the piece is.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> PieceType {
        PieceType::from_index((self.0.get() >> 1).wrapping_sub(1))
    }

    /// 0 to 11: white pawn, black pawn, white knight, … black king.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 2
    }

    /// A number below [`SLOTS`](Self::SLOTS) that needs no arithmetic and no bounds check.
    #[inline]
    #[must_use]
    pub const fn slot(self) -> usize {
        self.0.get() as usize & (Self::SLOTS - 1)
    }

    /// The FEN letter: upper case for White, lower case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    /// The piece that a FEN letter stands for.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        PieceType::from_letter(letter).map(|kind| Self::new(color, kind))
    }

    /// The figurine of Unicode's chess block.
    #[must_use]
    pub const fn figurine(self) -> char {
        const FIGURINES: [char; 12] = ['♙', '♟', '♘', '♞', '♗', '♝', '♖', '♜', '♕', '♛', '♔', '♚'];
        FIGURINES[self.index()]
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color(), self.kind().name())
    }
}
