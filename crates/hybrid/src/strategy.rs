//! Who gets how much of the work, and when alpha-beta overrules Monte Carlo tree search.

use std::fmt;
use std::time::Duration;

use crate::classifier::{Classification, PositionType};

/// A part of a whole, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u16);

impl Share {
    /// All of it.
    pub const WHOLE: Self = Self(1000);

    /// So many hundredths, at most a hundred.
    #[must_use]
    pub const fn percent(percent: u16) -> Self {
        Self(if percent < 100 { percent * 10 } else { 1000 })
    }

    /// What remains of the whole.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(1000 - self.0)
    }

    /// That part of this part.
    #[must_use]
    pub const fn part(self, of: Self) -> Self {
        Self((self.0 as u32 * of.0 as u32 / 1000) as u16)
    }

    /// The share as a number from 0 to 1.
    #[must_use]
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// That part of a time.
    #[must_use]
    pub fn of(self, whole: Duration) -> Duration {
        whole.mul_f64(self.fraction())
    }
}

/// `40 %`, or `25.6 %` where tenths matter.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 / 10)?;
        if !self.0.is_multiple_of(10) {
            write!(f, ".{}", self.0 % 10)?;
        }
        f.write_str(" %")
    }
}

/// How the searches work together on one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What Monte Carlo tree search gets of the time or the threads; alpha-beta gets the rest.
    pub mcts: Share,
    /// How deep alpha-beta verifies, in half-moves.
    pub verification_depth: u32,
    /// By how many centipawns alpha-beta's move must be better to be played instead.
    pub override_centipawns: i32,
}

impl Strategy {
    /// What alpha-beta gets.
    #[must_use]
    pub const fn alphabeta(&self) -> Share {
        self.mcts.rest()
    }

    const fn new(mcts_percent: u16, verification_depth: u32, override_centipawns: i32) -> Self {
        Self { mcts: Share::percent(mcts_percent), verification_depth, override_centipawns }
    }
}

/// What endgames take of the share of Monte Carlo tree search: they are calculated rather than judged.
const ENDGAME: Share = Share::percent(80);

/// The tables from which strategies come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StrategyTable {
    /// The hybrid paper's Table 2, with thresholds of .1 to .5 pawn.
    #[default]
    Paper,
    /// Our own numbers.
    Tuned,
}

impl StrategyTable {
    /// Both tables.
    pub const ALL: [Self; 2] = [Self::Paper, Self::Tuned];

    /// The table's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "Paper",
            Self::Tuned => "Tuned",
        }
    }

    /// What the table says of a type, before an endgame takes its part.
    #[must_use]
    pub const fn row(self, kind: PositionType) -> Strategy {
        self.rows()[kind.index()]
    }

    /// The strategy for a position.
    #[must_use]
    pub const fn strategy(self, position: &Classification) -> Strategy {
        let mut strategy = self.row(position.kind);
        if position.features.endgame() {
            strategy.mcts = strategy.mcts.part(ENDGAME);
        }
        strategy
    }

    /// From highly tactical to highly strategic: percent for Monte Carlo tree search, depth of
    /// verification, centipawns to override.
    const fn rows(self) -> [Strategy; 5] {
        match self {
            Self::Paper => [
                Strategy::new(15, 10, 10),
                Strategy::new(25, 8, 20),
                Strategy::new(25, 6, 30),
                Strategy::new(32, 4, 40),
                Strategy::new(40, 4, 50),
            ],
            Self::Tuned => [
                Strategy::new(15, 12, 10),
                Strategy::new(20, 11, 15),
                Strategy::new(25, 10, 20),
                Strategy::new(30, 9, 25),
                Strategy::new(35, 8, 30),
            ],
        }
    }
}

impl fmt::Display for StrategyTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PositionType::Balanced;

    #[test]
    fn the_papers_table_2_and_its_thresholds() {
        let rows = PositionType::ALL.map(|kind| StrategyTable::Paper.row(kind));
        let mcts = rows.map(|row| row.mcts.to_string());
        assert_eq!(mcts, ["15 %", "25 %", "25 %", "32 %", "40 %"]);
        let alphabeta = rows.map(|row| row.alphabeta().to_string());
        assert_eq!(alphabeta, ["85 %", "75 %", "75 %", "68 %", "60 %"]);
        assert_eq!(rows.map(|row| row.verification_depth), [10, 8, 6, 4, 4]);
        assert_eq!(rows.map(|row| row.override_centipawns), [10, 20, 30, 40, 50]);
    }

    #[test]
    fn an_endgame_takes_four_fifths_of_the_share() {
        let rook = Classification::of(&"8/8/8/3k4/8/3K4/8/3R4 w - - 0 1".parse().unwrap());
        assert_eq!(rook.kind, Balanced);
        let strategy = StrategyTable::Paper.strategy(&rook);
        assert_eq!(
            (strategy.mcts.to_string(), strategy.alphabeta().to_string()),
            ("20 %".into(), "80 %".into())
        );
        assert_eq!(strategy.verification_depth, 6);
        let quiet =
            Classification::of(&"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse().unwrap());
        assert_eq!(StrategyTable::Paper.strategy(&quiet).mcts.to_string(), "25.6 %");
    }

    /// Otherwise it would not be a hybrid.
    #[test]
    fn monte_carlo_tree_search_always_gets_a_tenth() {
        for table in StrategyTable::ALL {
            for kind in PositionType::ALL {
                let strategy = table.row(kind);
                assert!(strategy.mcts.part(ENDGAME) >= Share::percent(10), "{table}: {kind}");
                assert!(strategy.verification_depth > 0 && strategy.override_centipawns > 0);
            }
        }
    }

    #[test]
    fn a_share_divides_time_without_a_rest() {
        let (whole, share) = (Duration::from_secs(2), Share::percent(40).part(Share::percent(80)));
        assert_eq!((share.fraction(), share.of(whole)), (0.32, Duration::from_millis(640)));
        assert_eq!(share.of(whole) + share.rest().of(whole), whole);
        assert_eq!(Share::WHOLE.of(whole), whole);
        assert_eq!(Share::percent(120), Share::WHOLE);
    }
}
