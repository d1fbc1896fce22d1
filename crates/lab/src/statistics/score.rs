//! Points for each game.

use tandem_games::statistics::{Estimate, Tally, score_of_elo};

/// Points for each game against one opponent, with the interval from which Elo's comes; none without games.
#[must_use]
pub fn score(tally: &Tally) -> Option<Estimate> {
    let (value, elo) = (tally.score_rate()?, tally.elo()?);
    Some(Estimate { value, lower: score_of_elo(elo.lower), upper: score_of_elo(elo.upper) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_points_a_game_with_the_error_of_their_spread() {
        let tally = Tally::new(50, 0, 50, [0; 5]).unwrap();
        let half = score(&tally).unwrap();
        assert!((half.value - 0.5).abs() < 1e-12 && (half.upper - 0.598).abs() < 1e-3, "{half:?}");
        let all = score(&Tally::new(20, 0, 0, [0; 5]).unwrap()).unwrap();
        assert!(all.value >= 1.0 && all.upper >= 1.0 && all.lower < 0.95, "{all:?}");
        assert_eq!(score(&Tally::default()), None);
    }
}
