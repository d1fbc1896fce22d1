//! Games in words.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::Record;

/// Which games, counted from 1: `7`, `3..5`, `3..` or `..5`, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range(RangeInclusive<u64>);

/// A text that is no range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no range: expected numbers from 1, as in 7, 3..5, 3.. or ..5")]
pub struct RangeError(String);

impl Range {
    /// Whether that number is in the range.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.0.contains(&number)
    }

    /// Whether no number from that one on is in the range.
    #[must_use]
    pub fn is_over(&self, number: u64) -> bool {
        number > *self.0.end()
    }
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let wrong = || RangeError(text.to_owned());
        let number = |part: &str, open: u64| match part {
            "" => Ok(open),
            part => part.parse().map_err(|_| wrong()),
        };
        let (first, last) = match text.split_once("..") {
            Some(("", "")) => return Err(wrong()),
            Some((first, last)) => (number(first, 1)?, number(last, u64::MAX)?),
            None => {
                let only = text.parse().map_err(|_| wrong())?;
                (only, only)
            }
        };
        if first == 0 || last < first { Err(wrong()) } else { Ok(Self(first..=last)) }
    }
}

/// A game in lines: one about it, and one for each position with its FEN, the move played, the score
/// for the side to move and the result for White, separated by tabs. What is missing is a dash.
#[must_use]
pub fn view(number: u64, record: &Record) -> String {
    let mut text = format!(
        "# game {number}: {}, {} moves, {} positions off the line\n",
        record.result().pgn(),
        record.plies().len(),
        record.branches().len()
    );
    record.visit(|sample| {
        let m = sample.m.map_or_else(|| "-".to_owned(), |m| sample.position.san(m));
        let score = sample.score().map_or_else(|| "-".to_owned(), |score| score.to_string());
        let result = sample.result.pgn();
        writeln!(text, "{}\t{m}\t{score}\t{result}", sample.position).expect("a string takes all");
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::record;
    use crate::data::{GameResult, Label};

    #[test]
    fn every_position_is_a_line() {
        let mut record = record("e2e4 (d7d5) e7e5", GameResult::WhiteWins);
        record.relabel(|sample| {
            (sample.ply == 1).then(|| Label::new(tandem_chess::Color::White, 25))
        });
        assert_eq!(
            view(4, &record),
            "# game 4: 1-0, 2 moves, 1 positions off the line\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te4\t-\t1-0\n\
             rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\t-\t-\t1-0\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\te5\t-25\t1-0\n"
        );
    }

    #[test]
    fn ranges_are_read_and_nonsense_is_named() {
        for (text, inside, outside) in [("7", 7, 8), ("3..5", 5, 6), ("3..", 3, 2), ("..5", 1, 6)] {
            let range: Range = text.parse().unwrap();
            assert!(range.contains(inside) && !range.contains(outside), "{text}");
        }
        for text in ["", "..", "0", "5..3", "a..b", "-1", "1..2..3"] {
            let error = text.parse::<Range>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is no range")), "{error}");
        }
    }
}
