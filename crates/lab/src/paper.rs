//! The figures of the search-contempt paper: 100 games a row, 1,000 positions a move.

/// What the paper's games of self-play with one setting were like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// White won.
    pub wins: u64,
    /// Nobody won.
    pub draws: u64,
    /// Black won.
    pub losses: u64,
    /// Half-moves of a game on average.
    pub plies: f64,
    /// The share of games that repeat an earlier one up to move 10.
    pub repeats: f64,
}

const fn row(wins: u64, draws: u64, losses: u64, plies: f64, repeats: f64) -> Published {
    Published { wins, draws, losses, plies, repeats }
}

/// Plain PUCT with little temperature.
pub const TAU1: Published = row(4, 94, 2, 192.0, 0.08);
/// Plain PUCT with much temperature.
pub const TAU2: Published = row(32, 42, 26, 192.0, 0.0);

/// Search-contempt with that limit and little temperature.
#[must_use]
pub const fn with_limit(limit: u64) -> Option<Published> {
    Some(match limit {
        5 => row(33, 42, 25, 147.0, 0.09),
        10 => row(19, 56, 25, 162.0, 0.06),
        32 => row(14, 76, 10, 176.0, 0.08),
        1_000_000 => row(3, 92, 5, 165.0, 0.11),
        _ => return None,
    })
}

impl Published {
    /// All games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Games that somebody won.
    #[must_use]
    pub const fn decisive(&self) -> u64 {
        self.wins + self.losses
    }

    /// Games that somebody won for each draw.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.decisive() as f64 / self.draws as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_a_hundred_games_and_give_the_printed_ratios() {
        let rows = [5, 10, 32, 1_000_000].map(|limit| with_limit(limit).unwrap());
        for (row, printed) in
            rows.into_iter().chain([TAU1, TAU2]).zip([1.381, 0.786, 0.316, 0.087, 0.064, 1.381])
        {
            assert_eq!(row.games(), 100);
            assert!((row.ratio() - printed).abs() < 6e-4, "{row:?}");
        }
    }
}
