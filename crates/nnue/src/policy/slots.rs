//! The outputs of the network: a slot for every way from square to square and every promotion, once for
//! moves that lose nothing by themselves and once for those that do.

use tandem_chess::{Move, MoveKind, PieceType, Position};

use super::inputs::View;

/// Pairs of squares between which a queen or a knight can move.
const PAIRS: usize = 1792;
/// Ways of a pawn to the last rank, as pairs of files.
const PROMOTIONS: usize = 22;
/// Slots by geometry alone.
pub const GEOMETRIC: usize = PAIRS + 4 * PROMOTIONS;
/// How many slots there are.
pub const SLOTS: usize = 2 * GEOMETRIC;

/// The number of each pair, from and then to ascending. Pairs that no piece can move have the number 0,
/// so that whatever is looked up is a slot.
static PAIR_NUMBERS: [[u16; 64]; 64] = pair_numbers();

const fn pair_numbers() -> [[u16; 64]; 64] {
    let mut numbers = [[0; 64]; 64];
    let mut next = 0;
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if is_way(from, to) {
                numbers[from][to] = next;
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next as usize == PAIRS);
    numbers
}

/// Whether a queen or a knight on an empty board can move like that.
const fn is_way(from: usize, to: usize) -> bool {
    let files = (from & 7).abs_diff(to & 7);
    let ranks = (from >> 3).abs_diff(to >> 3);
    let is_line = files == 0 || ranks == 0 || files == ranks;
    from != to && (is_line || files * ranks == 2)
}

/// The slot of a legal move by its geometry alone, below [`GEOMETRIC`]. Castling is the king's way to its
/// rook.
#[inline]
#[must_use]
pub fn geometric(view: &View, m: Move) -> u16 {
    match m.becomes() {
        None => PAIR_NUMBERS[view.square(m.from())][view.square(m.to())],
        Some(piece) => {
            let pair = 2 * view.file(m.from()) + view.file(m.to());
            let piece = piece.index() - PieceType::Knight.index();
            (PAIRS + 4 * pair + piece) as u16
        }
    }
}

/// The slot of a legal move of the position that the view is of, below [`SLOTS`].
#[inline]
#[must_use]
pub fn slot(view: &View, position: &Position, m: Move) -> u16 {
    let bad = if is_bad(view, position, m) { GEOMETRIC as u16 } else { 0 };
    geometric(view, m) + bad
}

/// Whether a move goes to a square that the opponent attacks, and loses what is exchanged there.
#[inline]
#[must_use]
pub fn is_bad(view: &View, position: &Position, m: Move) -> bool {
    m.kind() != MoveKind::Castling
        && view.threatened().contains(m.to())
        && !position.see_at_least(m, 0)
}
