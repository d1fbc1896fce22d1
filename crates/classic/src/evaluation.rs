//! What a position is worth without looking ahead.
//!
//! The numbers are those of the HPC paper's program: 100, 300, 300, 500 and 900 for the pieces, and
//! tables for pawns and knights. (Both tables go back to Tomasz Michniewski's simplified evaluation
//! function.)

use tandem_chess::{Color, Move, MoveKind, Observer, Piece, PieceType, Position, Square};

use crate::Value;

/// Which of its two evaluations the paper's program is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The pieces alone.
    Material,
    /// The pieces, and where pawns and knights stand.
    #[default]
    Positional,
}

impl Evaluation {
    /// Evaluates a position from the side to move.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> Value {
        Tally::new(self, position).value(position.side_to_move())
    }

    fn worths(self) -> &'static Worths {
        static MATERIAL: Worths = worths(false);
        static POSITIONAL: Worths = worths(true);
        match self {
            Self::Material => &MATERIAL,
            Self::Positional => &POSITIONAL,
        }
    }
}

/// A worth of every piece on every square, from White's side.
type Worths = [[i16; 64]; Piece::SLOTS];

const MATERIAL: [i16; 6] = [100, 300, 300, 500, 900, 0];

/// From White's side, the first rank first.
#[rustfmt::skip]
const PAWNS: [i16; 64] = [
      0,   0,   0,   0,   0,   0,   0,   0,
      5,  10,  10, -20, -20,  10,  10,   5,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      0,   0,   0,  20,  20,   0,   0,   0,
      5,   5,  10,  25,  25,  10,   5,   5,
     10,  10,  20,  30,  30,  20,  10,  10,
     50,  50,  50,  50,  50,  50,  50,  50,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const KNIGHTS: [i16; 64] = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -50, -40, -30, -30, -30, -30, -40, -50,
];

const fn worths(positional: bool) -> Worths {
    let mut worths = [[0; 64]; Piece::SLOTS];
    let mut index = 0;
    while index < 6 * 64 {
        let kind = PieceType::from_index((index / 64) as u8);
        let square = Square::from_index((index % 64) as u8);
        let placed = match kind {
            PieceType::Pawn if positional => PAWNS[square.index()],
            PieceType::Knight if positional => KNIGHTS[square.index()],
            _ => 0,
        };
        let worth = MATERIAL[kind.index()] + placed;
        worths[Piece::new(Color::White, kind).slot()][square.index()] = worth;
        worths[Piece::new(Color::Black, kind).slot()][square.flip_rank().index()] = -worth;
        index += 1;
    }
    worths
}

/// The evaluation of a position, kept in step with its moves as an [`Observer`].
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    worths: &'static Worths,
    white: i32,
}

impl Tally {
    /// Adds up a whole position.
    #[must_use]
    pub fn new(evaluation: Evaluation, position: &Position) -> Self {
        let mut tally = Self { worths: evaluation.worths(), white: 0 };
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                tally.put(piece, square);
            }
        }
        tally
    }

    /// The evaluation from that side.
    #[inline]
    #[must_use]
    pub fn value(&self, side: Color) -> Value {
        match side {
            Color::White => Value(self.white),
            Color::Black => Value(-self.white),
        }
    }

    /// The evaluation after a legal move, from the side that makes it. The move is not made: a leaf
    /// of the tree needs no board.
    #[inline]
    #[must_use]
    pub fn value_after(mut self, position: &Position, m: Move) -> Value {
        let (from, to) = (m.from(), m.to());
        if m.kind() == MoveKind::Normal {
            let (moving, captured) = (position.piece_on(from), position.piece_on(to));
            self.white += self.worth(moving, to) - self.worth(moving, from);
            self.white -= self.worth(captured, to);
        } else {
            self.watch(position, m);
        }
        self.value(position.side_to_move())
    }

    /// Promotions, castling and en passant are rare enough to be made in earnest.
    #[cold]
    fn watch(&mut self, position: &Position, m: Move) {
        let mut next = *position;
        next.make(m, self);
    }

    /// An empty square is worth nothing; asking the table for that spares a branch.
    #[inline]
    fn worth(&self, piece: Option<Piece>, square: Square) -> i32 {
        i32::from(self.worths[piece.map_or(0, Piece::slot)][square.index()])
    }
}

impl Observer for Tally {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.white += self.worth(Some(piece), square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.white -= self.worth(Some(piece), square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{busy_positions, random_positions};

    const BOTH: [Evaluation; 2] = [Evaluation::Material, Evaluation::Positional];

    fn positions() -> Vec<Position> {
        [random_positions(100, 1), busy_positions()].concat()
    }

    /// The same position with colours and ranks exchanged.
    fn mirrored(position: &Position) -> Position {
        let fen = position.to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        let flip = |text: &str| -> String {
            let swap = |c: char| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            };
            text.chars().map(swap).collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(flip).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let fen = format!("{} {side} - - 0 1", ranks.join("/"));
        fen.parse().expect("a mirrored position is legal")
    }

    #[test]
    fn both_sides_are_measured_alike() {
        for position in positions() {
            for evaluation in BOTH {
                let other = mirrored(&position);
                assert_eq!(
                    evaluation.evaluate(&position),
                    evaluation.evaluate(&other),
                    "{position}"
                );
            }
        }
    }

    #[test]
    fn the_start_is_even_and_a_knight_is_worth_three_pawns() {
        for evaluation in BOTH {
            assert_eq!(evaluation.evaluate(&Position::startpos()), Value::DRAW);
        }
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        assert_eq!(Evaluation::Material.evaluate(&position), Value(-300));
        assert_eq!(Evaluation::Positional.evaluate(&position), Value(-260));
    }

    #[test]
    fn the_tally_of_a_move_equals_the_sum_after_it() {
        for position in positions() {
            for evaluation in BOTH {
                let tally = Tally::new(evaluation, &position);
                for m in position.legal_moves() {
                    let (mut next, mut followed) = (position, tally);
                    next.make(m, &mut followed);
                    let summed = evaluation.evaluate(&next);
                    assert_eq!(followed.value(next.side_to_move()), summed);
                    assert_eq!(tally.value_after(&position, m), -summed, "{m} in {position}");
                }
            }
        }
    }
}
