//! Who meets whom, in which order.

use serde::{Deserialize, Serialize};

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

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: u64,
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
        Self { pairings, games }
    }

    /// The pairings.
    #[must_use]
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// How many games there are altogether.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.games * self.pairings.len() as u64
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
    fn in_a_gauntlet_the_first_meets_the_others() {
        let schedule = Schedule::new(Format::Gauntlet, 3, 4);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2]]);
        let fixture = schedule.fixture(7);
        assert_eq!((fixture.pair, fixture.leg, fixture.round), (3, 1, 1));
        assert_eq!(fixture.players, [0, 2]);
    }
}
