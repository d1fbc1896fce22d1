//! What an import has counted.

use serde::Serialize;

use crate::data::Tally;

/// Everything that an import counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Games in the file.
    pub games: u64,
    /// Of these, games that could not be used.
    pub broken: u64,
    /// Of these, games without a result.
    pub unfinished: u64,
    /// Of these, games that were there before.
    pub repeated_games: u64,
    /// Games written.
    pub written: u64,
    /// Positions in the games written, those off the line included.
    pub positions: u64,
    /// Of these, positions off the line.
    pub off_line: u64,
    /// What the filter let through to be labelled.
    pub filter: Tally,
    /// Of these, positions that were there before.
    pub repeated_positions: u64,
    /// Positions with a score.
    pub labelled: u64,
    /// Positions for which the teacher was asked in vain.
    pub unanswered: u64,
    /// Keys that the search for repetitions had to forget; zero means that it was exact.
    pub forgotten: u64,
}

impl ImportReport {
    /// Adds what a part has counted.
    pub fn add(&mut self, part: &Self) {
        self.games += part.games;
        self.broken += part.broken;
        self.unfinished += part.unfinished;
        self.repeated_games += part.repeated_games;
        self.written += part.written;
        self.positions += part.positions;
        self.off_line += part.off_line;
        self.filter.add(&part.filter);
        self.repeated_positions += part.repeated_positions;
        self.labelled += part.labelled;
        self.unanswered += part.unanswered;
        self.forgotten += part.forgotten;
    }
}
