//! Several players on one scale.

use serde::Serialize;
use thiserror::Error;

use super::Tally;
use super::elo::{TWO_SIDED_95, score_of_elo};

/// Draws against an average player that everyone is credited with. So few move nobody who has
/// played by more than a trifle, and yet keep the rating of a player who won everything finite.
const CREDIT: f64 = 0.25;

/// How fast the logarithm of the odds grows with Elo.
const LOG_ODDS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// The games of two players, who are known by their place in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pairing {
    /// The player whose results the tally holds.
    pub player: usize,
    /// Who played against them.
    pub opponent: usize,
    /// The results.
    pub tally: Tally,
}

/// Results that no tournament could have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// A place beyond the end of the list.
    #[error("results name player number {player}, but there are only {players} players")]
    UnknownPlayer {
        /// The place.
        player: usize,
        /// How long the list is.
        players: usize,
    },
    /// A player has met themselves.
    #[error("results say that player number {player} played against themselves")]
    SelfPlay {
        /// The place.
        player: usize,
    },
}

/// How strong a player is compared with the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The player's place in the list.
    pub player: usize,
    /// Elo above the average of the player's group.
    pub elo: f64,
    /// Half the width of the interval of 95 %. None for a player without games.
    pub margin: Option<f64>,
    /// How many games the player has played.
    pub games: u64,
    /// Points per game.
    pub score_rate: Option<f64>,
    /// Players with the same number are linked by games, directly or through others. Ratings of
    /// different groups cannot be compared.
    pub group: usize,
}

/// The likeliest ratings of all players, in the order of the list, given who scored how much
/// against whom. This is the Bradley–Terry model with a draw as half a win, and a trace of draws
/// against an average player so that there always is an answer.
///
/// The margins come from the curvature of the likelihood, corrected for how much less (or more) the
/// results vary than wins and losses by chance would: that is what draws and paired openings do.
///
/// # Errors
/// A pairing names a player that does not exist, or the same one twice.
pub fn ratings(players: usize, pairings: &[Pairing]) -> Result<Vec<Rating>, RatingError> {
    for pairing in pairings {
        for player in [pairing.player, pairing.opponent] {
            if player >= players {
                return Err(RatingError::UnknownPlayer { player, players });
            }
        }
        if pairing.player == pairing.opponent {
            return Err(RatingError::SelfPlay { player: pairing.player });
        }
    }
    let groups = groups(players, pairings);
    let mut totals = vec![Tally::default(); players];
    for pairing in pairings {
        totals[pairing.player].merge(&pairing.tally);
        totals[pairing.opponent].merge(&pairing.tally.swapped());
    }
    let mut ratings: Vec<Rating> = (0..players)
        .map(|player| Rating {
            player,
            elo: 0.0,
            margin: None,
            games: totals[player].games(),
            score_rate: totals[player].score_rate(),
            group: groups[player],
        })
        .collect();
    for group in 0..groups.iter().max().map_or(0, |last| last + 1) {
        let members: Vec<usize> = (0..players).filter(|&player| groups[player] == group).collect();
        if members.len() > 1 {
            let place = |player| members.binary_search(&player).ok();
            let games = pairings.iter().filter_map(|pairing| {
                place(pairing.player)
                    .zip(place(pairing.opponent))
                    .map(|(player, opponent)| Pairing { player, opponent, tally: pairing.tally })
            });
            let fit = Fit::new(members.len(), games.collect());
            for (&member, (elo, margin)) in members.iter().zip(fit.elo_and_margin()) {
                ratings[member].elo = elo;
                ratings[member].margin = Some(margin);
            }
        }
    }
    Ok(ratings)
}

/// A number for each player, the same for players linked by games; numbers in order of first
/// appearance.
fn groups(players: usize, pairings: &[Pairing]) -> Vec<usize> {
    let mut label: Vec<usize> = (0..players).collect();
    for pairing in pairings.iter().filter(|pairing| pairing.tally.games() > 0) {
        let (a, b) = (label[pairing.player], label[pairing.opponent]);
        for other in &mut label {
            if *other == a.max(b) {
                *other = a.min(b);
            }
        }
    }
    let mut firsts = label.clone();
    firsts.sort_unstable();
    firsts.dedup();
    label.iter().map(|first| firsts.partition_point(|other| other < first)).collect()
}

/// The ratings of one group of linked players.
struct Fit {
    pairings: Vec<Pairing>,
    elo: Vec<f64>,
}

impl Fit {
    /// Newton's method. The likelihood has a single summit, and a step that does not lead upwards is
    /// shortened until it does.
    fn new(players: usize, pairings: Vec<Pairing>) -> Self {
        let mut fit = Self { pairings, elo: vec![0.0; players] };
        let mut height = fit.log_likelihood(&fit.elo);
        for _ in 0..100 {
            let step = solve(fit.information(), &fit.slope());
            let mut length = 1.0;
            let (elo, reached) = loop {
                let elo: Vec<f64> =
                    fit.elo.iter().zip(&step).map(|(elo, step)| elo + length * step).collect();
                let reached = fit.log_likelihood(&elo);
                if reached >= height || length < 1e-9 {
                    break (elo, reached);
                }
                length /= 2.0;
            };
            if reached.is_nan() || reached < height {
                break;
            }
            let change = step.iter().fold(0.0, |most: f64, step| most.max((length * step).abs()));
            fit.elo = elo;
            height = reached;
            if change < 1e-9 {
                break;
            }
        }
        fit
    }

    fn log_likelihood(&self, elo: &[f64]) -> f64 {
        // The logarithm of the expected score, without underflow for large differences.
        let log_score = |difference: f64| {
            let x = -difference * LOG_ODDS_PER_ELO;
            if x > 0.0 { -x - (-x).exp().ln_1p() } else { -x.exp().ln_1p() }
        };
        let games: f64 = self
            .pairings
            .iter()
            .map(|Pairing { player, opponent, tally }| {
                let difference = elo[*player] - elo[*opponent];
                tally.points() * log_score(difference)
                    + tally.swapped().points() * log_score(-difference)
            })
            .sum();
        let credit: f64 =
            elo.iter().map(|&elo| CREDIT / 2.0 * (log_score(elo) + log_score(-elo))).sum();
        games + credit
    }

    /// How the log-likelihood grows with each rating.
    fn slope(&self) -> Vec<f64> {
        let mut slope: Vec<f64> = self
            .elo
            .iter()
            .map(|&elo| LOG_ODDS_PER_ELO * CREDIT * (0.5 - score_of_elo(elo)))
            .collect();
        for Pairing { player, opponent, tally } in &self.pairings {
            let expected = score_of_elo(self.elo[*player] - self.elo[*opponent]);
            let surplus = tally.points() - tally.games() as f64 * expected;
            slope[*player] += LOG_ODDS_PER_ELO * surplus;
            slope[*opponent] -= LOG_ODDS_PER_ELO * surplus;
        }
        slope
    }

    /// The variance of a pairing's points if its games were only won or lost.
    fn chance_variance(&self, pairing: &Pairing) -> f64 {
        let expected = score_of_elo(self.elo[pairing.player] - self.elo[pairing.opponent]);
        pairing.tally.games() as f64 * expected * (1.0 - expected)
    }

    /// The curvature of the log-likelihood: the Fisher information.
    fn information(&self) -> Vec<Vec<f64>> {
        let players = self.elo.len();
        let unit = LOG_ODDS_PER_ELO * LOG_ODDS_PER_ELO;
        let mut matrix = vec![vec![0.0; players]; players];
        for (player, &elo) in self.elo.iter().enumerate() {
            let expected = score_of_elo(elo);
            matrix[player][player] = unit * CREDIT * expected * (1.0 - expected);
        }
        for pairing in &self.pairings {
            let weight = unit * self.chance_variance(pairing);
            let (a, b) = (pairing.player, pairing.opponent);
            matrix[a][a] += weight;
            matrix[b][b] += weight;
            matrix[a][b] -= weight;
            matrix[b][a] -= weight;
        }
        matrix
    }

    /// How much the results vary, compared with chance between win and loss. A few games do not
    /// tell, so the ratio starts at 1 with the weight of four games.
    fn dispersion(&self) -> f64 {
        let seen: f64 = self.pairings.iter().map(|pairing| pairing.tally.points_variance()).sum();
        let chance: f64 = self.pairings.iter().map(|pairing| self.chance_variance(pairing)).sum();
        (seen + 1.0) / (chance + 1.0)
    }

    /// Elo above the average of the group, and the margin of 95 % of that.
    fn elo_and_margin(&self) -> Vec<(f64, f64)> {
        let players = self.elo.len();
        let average = self.elo.iter().sum::<f64>() / players as f64;
        let dispersion = self.dispersion();
        let information = self.information();
        (0..players)
            .map(|player| {
                let contrast: Vec<f64> = (0..players)
                    .map(|other| f64::from(u8::from(other == player)) - 1.0 / players as f64)
                    .collect();
                let solved = solve(information.clone(), &contrast);
                let variance: f64 = contrast.iter().zip(&solved).map(|(a, b)| a * b).sum();
                let margin = TWO_SIDED_95 * (dispersion * variance.max(0.0)).sqrt();
                (self.elo[player] - average, margin)
            })
            .collect()
    }
}

/// The solution of a system of linear equations with a symmetric matrix whose diagonal prevails, as
/// the information is: elimination needs no pivoting.
fn solve(mut matrix: Vec<Vec<f64>>, right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut solution = right.to_vec();
    for pivot in 0..size {
        let (done, below) = matrix.split_at_mut(pivot + 1);
        let row = &done[pivot];
        for (offset, other) in below.iter_mut().enumerate() {
            let factor = other[pivot] / row[pivot];
            for column in pivot..size {
                other[column] -= factor * row[column];
            }
            solution[pivot + 1 + offset] -= factor * solution[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (solution[row] - known) / matrix[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use tandem_chess::Random;

    use super::*;
    use crate::statistics::elo_of_score;

    fn pairing(player: usize, opponent: usize, wins: u64, draws: u64, losses: u64) -> Pairing {
        Pairing { player, opponent, tally: Tally::new(wins, draws, losses, [0; 5]).unwrap() }
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_match() {
        let found = ratings(2, &[pairing(0, 1, 412, 396, 254)]).unwrap();
        let elo = pairing(0, 1, 412, 396, 254).tally.elo().unwrap();
        assert!((found[0].elo - found[1].elo - elo.value).abs() < 0.1, "{found:?}");
        // Each is half the difference from the average, and as sure.
        assert!((2.0 * found[0].margin.unwrap() - elo.margin()).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn a_chain_of_players_is_put_on_one_scale() {
        let games = [pairing(0, 1, 7500, 0, 2500), pairing(2, 1, 2500, 0, 7500)];
        let found = ratings(3, &games).unwrap();
        let step = elo_of_score(0.75);
        assert!((found[0].elo - step).abs() < 0.1, "{found:?}");
        assert!(found[1].elo.abs() < 0.1, "{found:?}");
        assert!((found[2].elo + step).abs() < 0.1, "{found:?}");
        assert!(found.iter().all(|rating| rating.group == 0));
    }

    #[test]
    fn a_player_who_won_everything_gets_a_finite_rating_and_a_wide_margin() {
        let games = [pairing(0, 1, 100, 0, 0), pairing(1, 2, 50, 20, 30), pairing(0, 2, 100, 0, 0)];
        let found = ratings(3, &games).unwrap();
        assert!(found[0].elo > 500.0 && found[0].elo < 2000.0, "{found:?}");
        assert!(found[0].margin.unwrap() > 200.0, "{found:?}");
        assert!((found.iter().map(|rating| rating.elo).sum::<f64>()).abs() < 1e-6);
    }

    #[test]
    fn groups_that_never_met_are_rated_apart() {
        let games = [pairing(3, 1, 60, 0, 40), pairing(0, 4, 10, 80, 10), pairing(0, 1, 0, 0, 0)];
        let found = ratings(5, &games).unwrap();
        let groups: Vec<usize> = found.iter().map(|rating| rating.group).collect();
        assert_eq!(groups, [0, 1, 2, 1, 0]);
        assert!((found[3].elo + found[1].elo).abs() < 1e-6 && found[3].elo > 20.0);
        assert!(found[0].elo.abs() < 1e-6);
        assert_eq!((found[2].elo, found[2].margin, found[2].score_rate), (0.0, None, None));
    }

    #[test]
    fn the_order_of_player_and_opponent_does_not_matter() {
        let one = ratings(2, &[pairing(0, 1, 30, 5, 10), pairing(0, 1, 1, 1, 1)]).unwrap();
        let other = ratings(2, &[pairing(1, 0, 10, 5, 30), pairing(0, 1, 1, 1, 1)]).unwrap();
        assert!((one[0].elo - other[0].elo).abs() < 1e-6);
        assert_eq!((one[0].games, other[0].games), (48, 48));
    }

    #[test]
    fn no_results_give_anything_but_numbers() {
        let mut random = Random::new(11);
        for _ in 0..1000 {
            let players = 2 + random.below(5);
            let pairings: Vec<Pairing> = (0..random.below(12))
                .map(|_| {
                    let player = random.below(players);
                    let opponent = (player + 1 + random.below(players - 1)) % players;
                    let limit = [1, 2, 50, 1_000_000_000_000][random.below(4)];
                    let [wins, draws, losses] = [(); 3].map(|()| random.below(limit) as u64);
                    pairing(player, opponent, wins, draws, losses)
                })
                .collect();
            for rating in ratings(players, &pairings).unwrap() {
                assert!(rating.elo.is_finite(), "{pairings:?} {rating:?}");
                assert!(rating.margin.is_none_or(f64::is_finite), "{pairings:?} {rating:?}");
                assert_eq!(rating.margin.is_some(), rating.games > 0, "{pairings:?} {rating:?}");
            }
        }
    }

    #[test]
    fn impossible_results_are_refused() {
        let unknown = ratings(2, &[pairing(0, 2, 1, 0, 0)]);
        assert_eq!(unknown, Err(RatingError::UnknownPlayer { player: 2, players: 2 }));
        let same = ratings(2, &[pairing(1, 1, 1, 0, 0)]);
        assert_eq!(same, Err(RatingError::SelfPlay { player: 1 }));
        assert_eq!(ratings(0, &[]), Ok(vec![]));
    }
}
