//! How fast evaluation is on real games.

use std::hint::black_box;
use std::time::Instant;

use tandem_chess::Position;

use crate::{Evaluator, Kernel, Networks, Outputs, Work};

/// Games that Stockfish 15.1 played against itself at 20,000 nodes a move from varied openings, one
/// a line, as UCI moves from the start position.
const GAMES: &str = include_str!("../data/games.txt");

/// Positions along games, in the order they were played.
pub struct Lines(Vec<Vec<Position>>);

impl Lines {
    /// The games that come with the program.
    #[must_use]
    pub fn bundled() -> Self {
        let follow = |game: &str| {
            let mut line = vec![Position::startpos()];
            for text in game.split_whitespace() {
                let last = &line[line.len() - 1];
                let m = last.parse_uci(text).expect("the bundled games are legal");
                line.push(last.after(m));
            }
            line
        };
        Self(GAMES.lines().map(follow).collect())
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The positions in an order in which neighbours have nothing in common, the same every time.
    #[must_use]
    pub fn shuffled(&self) -> Vec<Position> {
        let mut positions = self.0.concat();
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        for i in (1..positions.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            positions.swap(i, (state % (i as u64 + 1)) as usize);
        }
        positions
    }
}

/// How the positions are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Along the games, every position added up from nothing.
    Refresh,
    /// Along the games, every position updated from the one before.
    Incremental,
    /// In random order, every position updated from the refresh cache.
    Shuffled,
}

impl Order {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Refresh, Self::Incremental, Self::Shuffled];
}

impl std::fmt::Display for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Refresh => "refresh",
            Self::Incremental => "incremental",
            Self::Shuffled => "shuffled",
        })
    }
}

/// What was measured: the best of several rounds.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The kernel that ran.
    pub kernel: Kernel,
    /// How the positions were gone through.
    pub order: Order,
    /// How many positions a round evaluated.
    pub evaluations: usize,
    /// How long the fastest round took.
    pub seconds: f64,
    /// What one round had to do.
    pub work: Work,
    /// Bytes of weights and accumulators that an evaluation read and wrote, on average.
    pub bytes: f64,
    /// A number that depends on every output: equal work gives equal sums.
    pub checksum: u64,
}

impl Measurement {
    /// Evaluations a second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.evaluations as f64 / self.seconds
    }

    /// Microseconds for one evaluation.
    #[must_use]
    pub fn microseconds(&self) -> f64 {
        self.seconds * 1e6 / self.evaluations as f64
    }
}

/// Evaluates all positions in that order as often as asked, and keeps the fastest round. Both
/// sides' accumulators and the layers are computed for each; the moves are not part of the time.
#[must_use]
pub fn measure(networks: &Networks, lines: &Lines, order: Order, rounds: usize) -> Measurement {
    let mut evaluator = Evaluator::new(networks, &Position::startpos());
    let shuffled = lines.shuffled();
    let mut best = Measurement {
        kernel: networks.kernel(),
        order,
        evaluations: lines.positions(),
        seconds: f64::INFINITY,
        work: Work::default(),
        bytes: 0.0,
        checksum: 0,
    };
    for _ in 0..rounds.max(1) {
        let before = evaluator.work();
        let start = Instant::now();
        best.checksum = match order {
            Order::Shuffled => shuffled.iter().fold(0, |sum, position| {
                evaluator.reset(position);
                mix(sum, evaluator.outputs())
            }),
            _ => lines.0.iter().fold(0, |sum, line| follow(&mut evaluator, line, order, sum)),
        };
        best.seconds = best.seconds.min(start.elapsed().as_secs_f64());
        best.work = evaluator.work() - before;
    }
    let bytes = best.work.bytes(networks.large().architecture());
    best.bytes = bytes as f64 / best.evaluations as f64;
    best
}

fn follow(evaluator: &mut Evaluator, line: &[Position], order: Order, mut sum: u64) -> u64 {
    evaluator.reset(&line[0]);
    for (i, position) in line.iter().enumerate() {
        if i > 0 {
            evaluator.push(position);
        }
        let outputs = match order {
            Order::Refresh => evaluator.outputs_from_scratch(),
            _ => evaluator.outputs(),
        };
        sum = mix(sum, black_box(outputs));
    }
    sum
}

fn mix(sum: u64, outputs: Outputs) -> u64 {
    let value = u64::from(outputs.psqt as u32) << 32 | u64::from(outputs.positional as u32);
    (sum ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_games_are_legal_and_long_enough() {
        let lines = Lines::bundled();
        assert!(lines.positions() > 2000, "{}", lines.positions());
        assert_eq!(lines.shuffled().len(), lines.positions());
    }
}
