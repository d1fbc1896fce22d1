//! How fast the moves of real games are judged.

use std::hint::black_box;
use std::time::Instant;

use tandem_chess::{MoveList, Position};

use super::PolicyEvaluator;
use crate::bench::Lines;

/// Positions with their legal moves, in an order in which neighbours have nothing in common.
pub struct Judged(Vec<(Position, MoveList)>);

impl Judged {
    /// The positions of those games that have legal moves.
    #[must_use]
    pub fn of(lines: &Lines) -> Self {
        let with_moves = |position: Position| (position, position.legal_moves());
        let positions = lines.shuffled().into_iter().map(with_moves);
        Self(positions.filter(|(_, moves)| !moves.is_empty()).collect())
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.0.len()
    }

    /// How many legal moves they have together.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.0.iter().map(|(_, moves)| moves.len()).sum()
    }
}

/// What was measured: the best of several rounds.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// How many positions had all their legal moves judged, all rounds together.
    pub judgements: usize,
    /// How long a position took in the fastest round.
    pub microseconds: f64,
    /// A number that depends on every output: equal work gives equal sums.
    pub checksum: u64,
}

/// Judges the legal moves of all positions as often as asked, and keeps the fastest round. Finding the
/// moves is not part of the time; everything else is.
#[must_use]
pub fn measure(evaluator: &mut PolicyEvaluator, judged: &Judged, rounds: usize) -> Measurement {
    let (rounds, mut seconds, mut checksum) = (rounds.max(1), f64::INFINITY, 0);
    let mut outputs = [0; 256];
    for _ in 0..rounds {
        checksum = 0;
        let start = Instant::now();
        for (position, moves) in &judged.0 {
            let outputs = &mut outputs[..moves.len()];
            evaluator.outputs(position, moves, black_box(outputs));
            checksum = mix(checksum, outputs);
        }
        seconds = start.elapsed().as_secs_f64().min(seconds);
    }
    let positions = judged.positions();
    Measurement {
        judgements: rounds * positions,
        microseconds: seconds * 1e6 / positions.max(1) as f64,
        checksum,
    }
}

fn mix(sum: u64, outputs: &[i32]) -> u64 {
    let add = |sum: u64, &output: &i32| sum.rotate_left(7) ^ u64::from(output as u32);
    outputs.iter().fold(sum, add).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
