//! Samples as the network computes with them.

use std::ops::Range;

use tandem_nnue::policy::inputs::{ROWS, Rows, View};
use tandem_nnue::policy::slots::{SLOTS, slot};

use super::PolicySample;
use crate::stream::Pack;

/// Positions of a block: in one panel, their neurons fit a second-level cache.
pub const BLOCK: usize = 1024;

/// A batch, ready to be computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Positions that are computed together, in their order.
    pub(super) blocks: Vec<Block>,
}

impl Batch {
    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(Block::len).sum()
    }
}

/// Some positions with their legal moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// For each position the inputs.
    pub rows: Lists,
    /// For each position the slots of its legal moves.
    pub slots: Lists,
    /// What each of these moves deserves.
    pub targets: Vec<f32>,
    /// For each input that occurs the positions that have it.
    pub by_row: Users,
    /// For each slot that occurs the positions that have such a move, and the place of the move.
    pub by_slot: Users,
}

impl Block {
    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// Lists of small numbers, one behind the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists {
    /// Where each list begins, and the end of the last.
    starts: Vec<u32>,
    numbers: Vec<u16>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { starts: vec![0], numbers: Vec::new() }
    }
}

impl Lists {
    fn add(&mut self, list: impl IntoIterator<Item = u16>) {
        self.numbers.extend(list);
        self.starts.push(self.numbers.len() as u32);
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where a list lies among all numbers.
    pub fn range(&self, list: usize) -> Range<usize> {
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    /// A list.
    pub fn get(&self, list: usize) -> &[u16] {
        &self.numbers[self.range(list)]
    }

    /// The numbers of all lists.
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }
}

/// Lists turned round: who has a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Users {
    /// The numbers that occur, ascending.
    pub keys: Vec<u16>,
    /// For each of them the lists that it stands in, ascending.
    pub lists: Lists,
    /// The places where it stands among all numbers.
    pub places: Vec<u32>,
}

impl Users {
    /// Turns lists round that hold numbers below `bound`.
    fn of(lists: &Lists, bound: usize) -> Self {
        let mut next = vec![0_u32; bound + 1];
        for &number in &lists.numbers {
            next[usize::from(number) + 1] += 1;
        }
        let mut users = Self::default();
        for number in 0..bound {
            next[number + 1] += next[number];
            if next[number + 1] > next[number] {
                users.keys.push(number as u16);
                users.lists.starts.push(next[number + 1]);
            }
        }
        users.lists.numbers = vec![0; lists.numbers.len()];
        users.places = vec![0; lists.numbers.len()];
        for list in 0..lists.len() {
            for place in lists.range(list) {
                let end = &mut next[usize::from(lists.numbers[place])];
                users.lists.numbers[*end as usize] = list as u16;
                users.places[*end as usize] = place as u32;
                *end += 1;
            }
        }
        users
    }
}

/// Makes batches of samples.
#[derive(Default)]
pub struct Builder {
    rows: Rows,
}

impl Pack for Builder {
    type Sample = PolicySample;
    type Batch = Batch;

    fn build(&mut self, samples: &[PolicySample]) -> Batch {
        Batch { blocks: samples.chunks(BLOCK).map(|samples| self.block(samples)).collect() }
    }
}

impl Builder {
    fn block(&mut self, samples: &[PolicySample]) -> Block {
        let mut block = Block::default();
        for sample in samples {
            let position = sample.position();
            let view = View::of(&position);
            view.rows(&position, &mut self.rows);
            block.rows.add(self.rows.iter().copied());
            let moves = position.legal_moves();
            block.slots.add(moves.iter().map(|&m| slot(&view, &position, m)));
            sample.targets(&moves, &mut block.targets);
        }
        block.by_row = Users::of(&block.rows, ROWS);
        block.by_slot = Users::of(&block.slots, SLOTS);
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::tests::samples;

    #[test]
    fn whoever_has_a_number_is_found_by_it() {
        let samples = samples(61, BLOCK + 300);
        let batch = Builder::default().build(&samples);
        assert_eq!((batch.len(), batch.blocks.len()), (samples.len(), 2));
        for block in &batch.blocks {
            for (lists, users) in [(&block.rows, &block.by_row), (&block.slots, &block.by_slot)] {
                let mut found = 0;
                for (at, &key) in users.keys.iter().enumerate() {
                    for place in users.lists.range(at) {
                        let list = usize::from(users.lists.numbers()[place]);
                        let number = users.places[place] as usize;
                        assert!(lists.range(list).contains(&number));
                        assert_eq!(lists.numbers()[number], key);
                        found += 1;
                    }
                }
                assert_eq!(found, lists.numbers().len());
                assert!(users.keys.is_sorted() && users.keys.len() == users.lists.len());
            }
            for position in 0..block.len() {
                let sum: f32 = block.targets[block.slots.range(position)].iter().sum();
                assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            }
        }
    }
}
