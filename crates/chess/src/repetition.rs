//! Keys of earlier positions, and what repeats or is about to repeat.

use std::sync::LazyLock;

use crate::attacks::{attacks, between};
use crate::position::zobrist;
use crate::{Bitboard, Color, Move, Piece, PieceType, Position, Square};

/// The keys of a line of positions, oldest first: the moves of a game, then of the line that a
/// search is looking at. The position in question itself is not in it.
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl KeyHistory {
    /// No earlier positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a position that is about to be left.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Takes the last note back.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// How many positions are noted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether nothing is noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How many plies ago each earlier occurrence of the position lies, nearest first. Only as far
    /// back as the last capture or pawn move, and only positions with the same side to move.
    pub fn occurrences(&self, position: &Position) -> impl Iterator<Item = usize> {
        let key = position.key();
        let reversible = usize::from(position.halfmove_clock()).min(self.keys.len());
        (4..=reversible).step_by(2).filter(move |&ago| self.keys[self.keys.len() - ago] == key)
    }

    /// Whether the side to move can repeat an earlier position with its next move: that position
    /// lies an odd number of plies ago and differs by one reversible move with a free path.
    ///
    /// `ply` is the number of plies since the root of the search. A repetition of a position from
    /// before the root counts only if that position had itself been repeated already, as the
    /// opponent may avoid the first. (The idea and the cuckoo table are Marcel van Kervinck's.)
    #[must_use]
    pub fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let reversible = usize::from(position.halfmove_clock()).min(self.keys.len());
        let earlier = |ago: usize| self.keys[self.keys.len() - ago];
        (3..=reversible).step_by(2).any(|ago| {
            let Some(m) = REVERSIBLE.find(position.key() ^ earlier(ago)) else {
                return false;
            };
            let (from, to) = (m.from(), m.to());
            if (between(from, to) & position.occupied()).any() {
                return false;
            }
            // The move must be ours to make; its other end is empty.
            let mover = position.piece_on(from).or(position.piece_on(to));
            if mover.is_none_or(|piece| piece.color() != position.side_to_move()) {
                return false;
            }
            ago < ply
                || (ago + 4..=reversible).step_by(2).any(|older| earlier(older) == earlier(ago))
        })
    }
}

/// All reversible moves by the change of the key they make, in a two-way hash table.
struct ReversibleMoves {
    slots: Vec<(u64, Option<Move>)>,
}

static REVERSIBLE: LazyLock<ReversibleMoves> = LazyLock::new(ReversibleMoves::new);

impl ReversibleMoves {
    const SLOTS: usize = 8192;

    fn places(change: u64) -> [usize; 2] {
        [change as usize % Self::SLOTS, (change >> 16) as usize % Self::SLOTS]
    }

    fn new() -> Self {
        let mut table = Self { slots: vec![(0, None); Self::SLOTS] };
        for color in Color::ALL {
            for kind in PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::Pawn) {
                let piece = Piece::new(color, kind);
                for from in Square::all() {
                    let targets = attacks(kind, color, from, Bitboard::EMPTY);
                    for to in targets.into_iter().filter(|&to| to > from) {
                        let change = zobrist::piece(piece, from)
                            ^ zobrist::piece(piece, to)
                            ^ zobrist::side();
                        table.insert(change, Move::normal(from, to));
                    }
                }
            }
        }
        table
    }

    /// Puts an entry into one of its two places; who stood there moves to its other place.
    fn insert(&mut self, change: u64, m: Move) {
        let mut homeless = (change, Some(m));
        let mut place = Self::places(change)[0];
        while homeless.1.is_some() {
            std::mem::swap(&mut self.slots[place], &mut homeless);
            let [first, second] = Self::places(homeless.0);
            place = if place == first { second } else { first };
        }
    }

    #[inline]
    fn find(&self, change: u64) -> Option<Move> {
        Self::places(change)
            .into_iter()
            .find(|&place| self.slots[place].0 == change)
            .and_then(|place| self.slots[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_every_reversible_move() {
        let filled = REVERSIBLE.slots.iter().filter(|slot| slot.1.is_some()).count();
        assert_eq!(filled, 3668);
    }

    /// Plays UCI moves and returns the last position with the keys before it.
    fn play(fen: &str, moves: &str) -> (Position, KeyHistory) {
        let mut position: Position = fen.parse().unwrap();
        let mut history = KeyHistory::new();
        for text in moves.split_whitespace() {
            history.push(position.key());
            position = position.after(position.parse_uci(text).unwrap());
        }
        (position, history)
    }

    #[test]
    fn a_move_back_is_seen_before_it_is_made() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let (position, history) = play(fen, "a1a2 e8e7 a2a1");
        assert!(history.can_repeat(&position, 4));
        // Black's king can go back to where it was before the root, but that was the first time.
        assert!(!history.can_repeat(&position, 2));
        let (position, history) = play(fen, "a1a2 e8e7 a2a1 e7e8");
        assert_eq!(history.occurrences(&position).collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn a_blocked_way_back_is_no_repetition() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let (position, history) = play(fen, "a1a3 e8e7");
        assert!(!history.can_repeat(&position, 4));
    }
}
