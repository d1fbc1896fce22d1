//! Positions a few random moves off the lines of games.

use tandem_chess::{Move, Position, Random};

use crate::data::{Branch, Record, Recorder};

/// How positions off the line are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excursions {
    /// How many a position of the game gets on average, from 0 to 1.
    pub rate: f64,
    /// The most random moves, from 1.
    pub longest: usize,
    /// Where chance begins; with the number of the game it decides everything.
    pub seed: u64,
}

impl Excursions {
    /// The same game with positions off its line. Ends of the game by the rules are not among them.
    #[must_use]
    pub fn add(&self, record: &Record, number: u64) -> Record {
        let mut random = Random::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut recorder = Recorder::new(*record.start());
        for ply in record.plies() {
            if random.unit() < self.rate
                && let Some(moves) = self.wander(recorder.position(), &mut random)
            {
                // The moves are legal; a game with more positions than a file holds keeps the first.
                let _ = recorder.branch(&moves, None);
            }
            let played = recorder.play(ply.m, ply.label);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        recorder.finish(record.result())
    }

    fn wander(&self, from: &Position, random: &mut Random) -> Option<Vec<Move>> {
        let count = 1 + random.below(self.longest.clamp(1, Branch::MAX_MOVES));
        let mut position = *from;
        let mut moves = Vec::with_capacity(count);
        for _ in 0..count {
            let legal = position.legal_moves();
            if legal.is_empty() {
                return None;
            }
            let m = legal[random.below(legal.len())];
            position = position.after(m);
            moves.push(m);
        }
        position.has_legal_move().then_some(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::random_record;

    #[test]
    fn seed_and_number_decide_and_the_game_stays_the_same() {
        let record = random_record(&mut Random::new(3), false);
        let excursions = Excursions { rate: 0.5, longest: 3, seed: 7 };
        let first = excursions.add(&record, 1);
        assert_eq!(excursions.add(&record, 1), first);
        assert_ne!(excursions.add(&record, 2), first);
        assert_ne!(Excursions { seed: 8, ..excursions }.add(&record, 1), first);
        assert_eq!(first.plies(), record.plies());
        let (branches, plies) = (first.branches().len(), record.plies().len());
        assert!(branches > plies / 4 && branches < 3 * plies / 4 + 2, "{branches} of {plies}");
        assert!(first.branches().iter().all(|branch| (1..=3).contains(&branch.moves.len())));
    }
}
