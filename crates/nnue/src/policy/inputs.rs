//! The inputs of the network: every piece on its square, and whether it is attacked and defended.

use arrayvec::ArrayVec;
use tandem_chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawns_attack, rook_attacks,
};
use tandem_chess::{Bitboard, Color, PieceType, Position, Square};

/// How many inputs there are.
pub const ROWS: usize = 4 * PIECES;
/// Inputs of one state: two sides, six kinds, 64 squares.
const PIECES: usize = 2 * 6 * 64;

/// The inputs of a position: one for each piece.
pub type Rows = ArrayVec<u16, 32>;

/// How the side to move sees the board: from its own edge, mirrored so that its king stands on the files
/// a to d, and with everything that either side attacks.
#[derive(Clone, Copy, Debug)]
pub struct View {
    side: Color,
    /// What turns a square into the side's own.
    flip: u8,
    /// What White and what Black attack, on the real board.
    attacks: [Bitboard; 2],
}

impl View {
    /// How the side to move sees the position.
    #[inline]
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let side = position.side_to_move();
        let mirror = if position.king(side).file() >= 4 { 7 } else { 0 };
        Self {
            side,
            flip: (56 * side.index() as u8) ^ mirror,
            attacks: Color::ALL.map(|color| attacks(position, color)),
        }
    }

    /// The place of a square in the oriented board, 0 to 63.
    #[inline]
    #[must_use]
    pub const fn square(&self, square: Square) -> usize {
        square.index() ^ self.flip as usize
    }

    /// The file of a square in the oriented board.
    #[inline]
    #[must_use]
    pub const fn file(&self, square: Square) -> usize {
        self.square(square) & 7
    }

    /// The squares of the real board that a side attacks with all its pieces, whatever stands there and
    /// whether they are pinned or not.
    #[inline]
    #[must_use]
    pub const fn attacks(&self, side: Color) -> Bitboard {
        self.attacks[side.index()]
    }

    /// The squares of the real board that the side not to move attacks.
    #[inline]
    #[must_use]
    pub fn threatened(&self) -> Bitboard {
        self.attacks(!self.side)
    }

    /// Lists the inputs of the position that this is a view of.
    #[inline]
    pub fn rows(&self, position: &Position, rows: &mut Rows) {
        rows.clear();
        let mut plane = 0;
        for side in [self.side, !self.side] {
            let (attacked, defended) = (self.attacks(!side), self.attacks(side));
            for kind in PieceType::ALL {
                for square in position.pieces(side, kind) {
                    let state = usize::from(attacked.contains(square))
                        + 2 * usize::from(defended.contains(square));
                    rows.push((state * PIECES + plane + self.square(square)) as u16);
                }
                plane += 64;
            }
        }
    }
}

/// Lists the inputs of a position.
pub fn rows(position: &Position, rows: &mut Rows) {
    View::of(position).rows(position, rows);
}

/// Everything that a side attacks.
#[inline]
fn attacks(position: &Position, side: Color) -> Bitboard {
    let occupied = position.occupied();
    let mut set = pawns_attack(side, position.pieces(side, PieceType::Pawn))
        | king_attacks(position.king(side));
    for from in position.pieces(side, PieceType::Knight) {
        set |= knight_attacks(from);
    }
    for from in position.diagonal_sliders(side) {
        set |= bishop_attacks(from, occupied);
    }
    for from in position.straight_sliders(side) {
        set |= rook_attacks(from, occupied);
    }
    set
}
