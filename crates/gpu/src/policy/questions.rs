//! What is asked about positions: their rows, and the slots of their legal moves.

use std::ops::Range;

use tandem_chess::Position;
use tandem_nnue::policy::inputs::{Rows, View};
use tandem_nnue::policy::slots::{SLOTS, slot};

use crate::limits::MAX_BATCH;

/// Moves that are judged in one batch of the device: as many as it has room for with 64 to a position.
pub(crate) const MOST_MOVES: usize = 64 * MAX_BATCH;
/// Words of the rows of a position: how many there are, and then two to a word.
pub(crate) const INPUT_WORDS: usize = 1 + 32 / 2;
/// Bits of a slot, below the number of its position.
pub(crate) const SLOT_BITS: u32 = 12;

const _: () = assert!(SLOTS <= 1 << SLOT_BITS && MAX_BATCH <= 1 << (32 - SLOT_BITS));

/// The rows of one position as the kernels read them.
type Inputs = [u32; INPUT_WORDS];

/// What is asked about the positions of a caller's batch.
#[derive(Default)]
pub(crate) struct Questions {
    inputs: Vec<Inputs>,
    /// The slots of all legal moves, position by position.
    slots: Vec<u16>,
    /// Where those of each position end.
    ends: Vec<usize>,
}

impl Questions {
    pub fn of(positions: &[Position]) -> Self {
        let mut questions = Self::default();
        let mut rows = Rows::new();
        for position in positions {
            let view = View::of(position);
            view.rows(position, &mut rows);
            questions.inputs.push(packed(&rows));
            let moves = position.legal_moves();
            questions.slots.extend(moves.iter().map(|&m| slot(&view, position, m)));
            questions.ends.push(questions.slots.len());
        }
        questions
    }

    /// The places of a position's legal moves among all of them.
    pub fn moves(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[index]
    }

    /// How many of the positions, from the first on, have no more legal moves than that together.
    pub fn fitting(&self, moves: usize) -> usize {
        self.ends.partition_point(|&end| end <= moves)
    }

    /// How many legal moves all positions have together.
    pub fn all_moves(&self) -> usize {
        self.slots.len()
    }
}

fn packed(rows: &Rows) -> Inputs {
    let mut words = [0; INPUT_WORDS];
    words[0] = rows.len() as u32;
    for (i, &row) in rows.iter().enumerate() {
        words[1 + i / 2] |= u32::from(row) << (16 * (i % 2));
    }
    words
}

/// What is asked of the device in one batch.
#[derive(Default)]
pub(crate) struct Asked {
    inputs: Vec<Inputs>,
    /// For each move its slot, and above it the number of its position.
    moves: Vec<u32>,
}

impl Asked {
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.moves.clear();
    }

    /// Asks about one of the positions.
    pub fn push(&mut self, questions: &Questions, index: usize) {
        let position = (self.inputs.len() as u32) << SLOT_BITS;
        let slots = &questions.slots[questions.moves(index)];
        self.moves.extend(slots.iter().map(|&slot| position | u32::from(slot)));
        self.inputs.push(questions.inputs[index]);
    }

    /// The rows of each position.
    pub fn inputs(&self) -> &[Inputs] {
        &self.inputs
    }

    /// The moves as the kernels read them.
    pub fn entries(&self) -> &[u32] {
        &self.moves
    }

    /// How many moves are asked for.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_asks_for_every_move_of_its_positions_in_order() {
        let fens = ["4k3/8/8/8/8/8/8/RK6 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"];
        let positions = fens.map(|fen| fen.parse::<Position>().unwrap());
        let questions = Questions::of(&[positions[1], positions[0], Position::startpos()]);
        let count = positions[0].legal_moves().len();
        assert_eq!(questions.moves(0), 0..0, "stalemate");
        assert_eq!((questions.moves(1), questions.moves(2)), (0..count, count..count + 20));
        assert_eq!(questions.all_moves(), count + 20);
        let mut asked = Asked::default();
        for index in [2, 0, 1] {
            asked.push(&questions, index);
        }
        assert_eq!(asked.moves(), count + 20);
        assert_eq!(asked.inputs().iter().map(|inputs| inputs[0]).collect::<Vec<_>>(), [32, 3, 3]);
        let places: Vec<u32> = asked.entries().iter().map(|entry| entry >> SLOT_BITS).collect();
        assert!(places[..20].iter().all(|&place| place == 0));
        assert!(places[20..].iter().all(|&place| place == 2));
        let slots = asked.entries().iter().map(|&entry| (entry & ((1 << SLOT_BITS) - 1)) as u16);
        let expected = [&questions.slots[count..], &questions.slots[..count]].concat();
        assert!(slots.eq(expected));
    }
}
