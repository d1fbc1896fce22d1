//! Which part of the work is ours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One of several parts of the same work, counted from 1: `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u64,
    count: u64,
}

/// A part that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no part of the work: expected i/n, such as 2/8")]
pub struct ShardError(String);

impl Shard {
    /// Whether the game with that number in the whole work belongs to this part.
    #[must_use]
    pub const fn holds(self, number: u64) -> bool {
        number % self.count == self.index
    }

    /// How many of the numbers below that one belong to this part.
    #[must_use]
    pub const fn count_below(self, number: u64) -> u64 {
        number / self.count + (number % self.count > self.index) as u64
    }

    /// Which part it is, counted from 0.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// How many parts there are.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Whether it is all of the work.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.count == 1
    }

    /// The number in the whole work of the game with that number in this part.
    #[must_use]
    pub const fn number(self, own: u64) -> u64 {
        own * self.count + self.index
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parts =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) && count <= 1 << 20 => {
                Ok(Self { index: index - 1, count })
            }
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_together_are_the_whole() {
        let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse::<Shard>().unwrap());
        let mut numbers: Vec<u64> =
            shards.iter().flat_map(|shard| (0..4).map(|own| shard.number(own))).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..12));
        for number in 0..12 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(number)).count(), 1);
        }
        for below in 0..8 {
            let counts = shards.map(|shard| shard.count_below(below));
            assert_eq!(counts.iter().sum::<u64>(), below);
            assert_eq!(
                counts[1],
                (0..below).filter(|&number| shards[1].holds(number)).count() as u64
            );
        }
        assert!(shards[1].holds(shards[1].number(3)));
        assert_eq!(shards[1].to_string(), "2/3");
    }

    #[test]
    fn parts_that_do_not_exist_are_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
