//! Counting the games of a player.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How one game ended for the player whose results are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameScore {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl GameScore {
    /// The same game seen by the opponent.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The points in halves, which is also the place of a pair's score in [`Tally::pairs`] when
    /// those of its two games are added.
    const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// Counts that no set of games could give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TallyError {
    /// The pairs hold games that the other counts do not.
    #[error(
        "the pairs {pairs:?} do not fit {wins} wins, {draws} draws and {losses} losses: \
         each pair is two of these games"
    )]
    PairsDoNotFit {
        /// Games won.
        wins: u64,
        /// Games drawn.
        draws: u64,
        /// Games lost.
        losses: u64,
        /// The pairs by score.
        pairs: [u64; 5],
    },
    /// More games than this program counts.
    #[error("more games than can be counted")]
    TooMany,
}

/// The results of one player against an opponent, or against the field.
///
/// Every game is counted as won, drawn or lost. Two games from the same opening with colours
/// exchanged are also counted as a pair; a game whose partner is missing is in no pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Counts")]
pub struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
}

/// A tally as it is read from a file, before anyone has looked whether it makes sense.
#[derive(Deserialize)]
struct Counts {
    wins: u64,
    draws: u64,
    losses: u64,
    #[serde(default)]
    pairs: [u64; 5],
}

impl TryFrom<Counts> for Tally {
    type Error = TallyError;

    fn try_from(counts: Counts) -> Result<Self, TallyError> {
        Self::new(counts.wins, counts.draws, counts.losses, counts.pairs)
    }
}

impl Tally {
    /// Counts taken from elsewhere. The pairs are those that scored 0, ½, 1, 1½ and 2, and their
    /// games are among the wins, draws and losses too.
    ///
    /// # Errors
    /// The pairs need games that are not there.
    pub fn new(wins: u64, draws: u64, losses: u64, pairs: [u64; 5]) -> Result<Self, TallyError> {
        const MOST: u64 = u64::MAX / 16;
        if [wins, draws, losses].iter().chain(&pairs).any(|&count| count > MOST) {
            return Err(TallyError::TooMany);
        }
        let [lost, half, level, more, won] = pairs;
        let left = |games: u64, used: u64| games.checked_sub(used);
        let fits = left(wins, 2 * won + more)
            .zip(left(losses, 2 * lost + half))
            .zip(left(draws, half + more))
            // A level pair is a win and a loss, or two draws.
            .is_some_and(|((wins, losses), draws)| level <= wins.min(losses) + draws / 2);
        if fits {
            Ok(Self { wins, draws, losses, pairs })
        } else {
            Err(TallyError::PairsDoNotFit { wins, draws, losses, pairs })
        }
    }

    /// Counts a game that has no partner, or none yet.
    pub const fn add_game(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }

    /// Counts two games from the same opening with colours exchanged, in either order.
    pub const fn add_pair(&mut self, one: GameScore, other: GameScore) {
        self.add_game(one);
        self.add_partner(one, other);
    }

    /// Counts the partner of a game that [`Tally::add_game`] has counted before, and the pair that
    /// the two now form.
    pub const fn add_partner(&mut self, counted: GameScore, partner: GameScore) {
        self.add_game(partner);
        self.pairs[counted.half_points() + partner.half_points()] += 1;
    }

    /// Counts all games of another tally as well.
    pub fn merge(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (mine, theirs) in self.pairs.iter_mut().zip(other.pairs) {
            *mine += theirs;
        }
    }

    /// The same games seen by the opponent.
    #[must_use]
    pub const fn swapped(&self) -> Self {
        let [lost, half, level, more, won] = self.pairs;
        let pairs = [won, more, level, half, lost];
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Games won.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.wins
    }

    /// Games drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// Games lost.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.losses
    }

    /// The pairs that scored 0, ½, 1, 1½ and 2.
    #[must_use]
    pub const fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// Games, with or without a partner.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Pairs of games.
    #[must_use]
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The points won, a draw being half of one.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, from 0 to 1. None without games.
    #[must_use]
    pub fn score_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The share of games that were drawn. None without games.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::GameScore::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn a_pair_counts_the_same_in_either_order() {
        for one in [Loss, Draw, Win] {
            for other in [Loss, Draw, Win] {
                let (mut a, mut b, mut c) = (Tally::default(), Tally::default(), Tally::default());
                a.add_pair(one, other);
                b.add_pair(other, one);
                c.add_game(other);
                c.add_partner(other, one);
                assert_eq!(a, b);
                assert_eq!(a, c);
                assert_eq!((a.games(), a.pair_count()), (2, 1));
            }
        }
    }

    #[test]
    fn each_pair_score_has_its_place() {
        let mut tally = Tally::default();
        tally.add_pair(Loss, Loss);
        tally.add_pair(Draw, Loss);
        tally.add_pair(Draw, Draw);
        tally.add_pair(Win, Loss);
        tally.add_pair(Win, Draw);
        tally.add_pair(Win, Win);
        assert_eq!(tally.pairs(), [1, 1, 2, 1, 1]);
        assert_eq!((tally.wins(), tally.draws(), tally.losses()), (4, 4, 4));
    }

    #[test]
    fn a_game_without_partner_is_in_no_pair() {
        let mut tally = Tally::default();
        tally.add_game(Win);
        tally.add_game(Draw);
        assert_eq!((tally.games(), tally.pair_count()), (2, 0));
        assert_eq!(tally.score_rate(), Some(0.75));
        assert_eq!(tally.draw_rate(), Some(0.5));
    }

    #[test]
    fn rates_need_games() {
        assert_eq!(Tally::default().score_rate(), None);
        assert_eq!(Tally::default().draw_rate(), None);
    }

    #[test]
    fn the_opponent_has_the_mirror_image() {
        let tally = Tally::new(10, 6, 4, [1, 1, 2, 3, 2]).unwrap();
        assert_eq!(tally.swapped(), Tally::new(4, 6, 10, [2, 3, 2, 1, 1]).unwrap());
        assert_eq!(tally.swapped().swapped(), tally);
        let mut both = tally;
        both.merge(&tally.swapped());
        assert_eq!(both.score_rate(), Some(0.5));
        assert_eq!(both.games(), 40);
        assert_eq!(both.pairs(), [3, 4, 4, 4, 3]);
    }

    #[test]
    fn counts_that_cannot_be_are_refused() {
        assert!(Tally::new(2, 0, 0, [0, 0, 0, 0, 1]).is_ok());
        assert!(Tally::new(1, 0, 0, [0, 0, 0, 0, 1]).is_err());
        assert!(Tally::new(1, 0, 1, [0, 0, 1, 0, 0]).is_ok());
        assert!(Tally::new(0, 2, 0, [0, 0, 1, 0, 0]).is_ok());
        assert!(Tally::new(1, 1, 0, [0, 0, 1, 0, 0]).is_err());
        assert!(Tally::new(u64::MAX, 0, 0, [0; 5]).is_err());
        let sentence = Tally::new(1, 0, 0, [0, 0, 0, 0, 1]).unwrap_err().to_string();
        assert!(sentence.contains("[0, 0, 0, 0, 1]"), "{sentence}");
    }

    #[test]
    fn a_tally_survives_a_file_and_a_spoilt_file_does_not_pass() {
        let tally = Tally::new(10, 6, 4, [1, 1, 2, 3, 2]).unwrap();
        let text = serde_json::to_string(&tally).unwrap();
        assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), tally);
        let spoilt = text.replace("\"wins\":10", "\"wins\":1");
        assert!(serde_json::from_str::<Tally>(&spoilt).is_err());
    }
}
