//! Who meets whom, in which order.

use serde::{Deserialize, Serialize};

use crate::Shard;

/// Which players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each meets each.
    #[default]
    RoundRobin,
    /// The first meets each of the others.
    Gauntlet,
}

/// A game to be played. Its number says everything: games can be played in any order, on any day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule.
    pub number: u64,
    /// The pair of games that it belongs to.
    pub pair: u64,
    /// Which of the two it is, 0 or 1.
    pub leg: u64,
    /// The round: each pairing plays one pair in it, all with the same opening.
    pub round: u64,
    /// The two players; the first has White on the first leg.
    pub players: [usize; 2],
}

/// All games of a match, and which of them are ours.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: u64,
    shard: Shard,
}

impl Schedule {
    /// That many games for each pairing of the players, an even number.
    #[must_use]
    pub fn new(format: Format, players: usize, games: u64) -> Self {
        let pairings = match format {
            Format::Gauntlet => (1..players).map(|other| [0, other]).collect(),
            Format::RoundRobin => {
                (0..players).flat_map(|one| (one + 1..players).map(move |two| [one, two])).collect()
            }
        };
        Self { pairings, games, shard: Shard::default() }
    }

    /// Only that part of it. Both games of a pair belong to the same part.
    #[must_use]
    pub fn part(self, shard: Shard) -> Self {
        Self { shard, ..self }
    }

    /// The pairings.
    #[must_use]
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// How many games there are altogether, in whatever part.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.games * self.pairings.len() as u64
    }

    /// How many games are ours.
    #[must_use]
    pub fn total(&self) -> u64 {
        2 * self.shard.count_below(self.all() / 2)
    }

    /// Whether the game of that number is ours.
    #[must_use]
    pub fn holds(&self, number: u64) -> bool {
        number < self.all() && self.shard.holds(number / 2)
    }

    /// The numbers of our games.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let shard = self.shard;
        (0..self.all()).filter(move |number| shard.holds(number / 2))
    }

    /// The game of that number.
    #[must_use]
    pub fn fixture(&self, number: u64) -> Fixture {
        let pair = number / 2;
        let count = self.pairings.len() as u64;
        Fixture {
            number,
            pair,
            leg: number % 2,
            round: pair / count,
            players: self.pairings[(pair % count) as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_meets_everyone_equally_often() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 6);
        assert_eq!(schedule.total(), 36);
        let mut met = [[0; 4]; 4];
        for number in 0..schedule.total() {
            let [one, two] = schedule.fixture(number).players;
            met[one][two] += 1;
        }
        for (one, row) in met.iter().enumerate() {
            for (two, &games) in row.iter().enumerate() {
                assert_eq!(games, if one < two { 6 } else { 0 });
            }
        }
    }

    #[test]
    fn parts_share_the_pairs_of_games_among_them() {
        let whole = Schedule::new(Format::RoundRobin, 3, 6);
        let mut all = Vec::new();
        for shard in ["1/4", "2/4", "3/4", "4/4"] {
            let part = whole.clone().part(shard.parse().unwrap());
            let numbers: Vec<u64> = part.numbers().collect();
            assert_eq!(part.total(), numbers.len() as u64);
            assert!(numbers.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1));
            assert!(numbers.iter().all(|&number| part.holds(number)));
            all.extend(numbers);
        }
        all.sort_unstable();
        assert!(all.into_iter().eq(0..whole.all()));
        assert!(!whole.holds(whole.all()));
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let schedule = Schedule::new(Format::Gauntlet, 3, 4);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2]]);
        let fixture = schedule.fixture(7);
        assert_eq!((fixture.pair, fixture.leg, fixture.round), (3, 1, 1));
        assert_eq!(fixture.players, [0, 2]);
    }
}
