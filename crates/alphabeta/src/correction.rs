//! How far the static evaluation was off in positions that share a feature with this one.
//!
//! After a node is searched, the difference between what the search found and what the evaluation
//! said is remembered under the keys of the pawns, the minor pieces, each side's other pieces and
//! the last moves. The next evaluation with the same keys is corrected by it.

use tandem_chess::{Color, Position};

use crate::history::ContinuationKey;
use crate::value::{self, Value};

const SIZE: usize = 1 << 14;
const LIMIT: i32 = 1024;
/// A full correction entry moves the evaluation by about this many units.
const SCALE: i32 = 96;

type ByKey = Box<[[i16; SIZE]; 2]>;

/// One thread's memory of evaluation errors.
pub struct Corrections {
    pawns: ByKey,
    minors: ByKey,
    non_pawns: [ByKey; 2],
    continuation: Box<[[i16; 1024]]>,
}

fn zeros() -> ByKey {
    vec![[0; SIZE]; 2].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("two"))
}

impl Corrections {
    /// No errors known.
    pub fn new() -> Self {
        Self {
            pawns: zeros(),
            minors: zeros(),
            non_pawns: [zeros(), zeros()],
            continuation: vec![[0; 1024]; 1024].into_boxed_slice(),
        }
    }

    /// What to add to the static evaluation. `last` and `earlier` are the opponent's last move and
    /// our own before it.
    pub fn get(
        &self,
        position: &Position,
        last: ContinuationKey,
        earlier: ContinuationKey,
    ) -> Value {
        let side = position.side_to_move().index();
        let sum = i32::from(self.pawns[side][slot(position.pawn_key())]) * 10
            + i32::from(self.minors[side][slot(position.minor_key())]) * 8
            + (i32::from(self.non_pawns[0][side][slot(position.non_pawn_key(Color::White))])
                + i32::from(self.non_pawns[1][side][slot(position.non_pawn_key(Color::Black))]))
                * 10
            + i32::from(self.continuation[last.index()][earlier.index()]) * 8;
        sum * SCALE / (LIMIT * 16)
    }

    /// Remembers that the evaluation was off by `error` in a search of that depth.
    pub fn update(
        &mut self,
        position: &Position,
        last: ContinuationKey,
        earlier: ContinuationKey,
        error: Value,
        depth: i32,
    ) {
        let side = position.side_to_move().index();
        let bonus = (error * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        pull(&mut self.pawns[side][slot(position.pawn_key())], bonus);
        pull(&mut self.minors[side][slot(position.minor_key())], bonus);
        for color in Color::ALL {
            let key = slot(position.non_pawn_key(color));
            pull(&mut self.non_pawns[color.index()][side][key], bonus);
        }
        if last != ContinuationKey::NONE && earlier != ContinuationKey::NONE {
            pull(&mut self.continuation[last.index()][earlier.index()], bonus);
        }
    }
}

#[inline]
const fn slot(key: u64) -> usize {
    key as usize % SIZE
}

/// Moves a remembered error towards a new one, within the limits.
fn pull(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// The evaluation with its correction, kept clear of proven results.
pub fn corrected(eval: Value, correction: Value) -> Value {
    (eval + correction).clamp(-value::WIN_BOUND + 1, value::WIN_BOUND - 1)
}
