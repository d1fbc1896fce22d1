//! What many games have in common and where they differ.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::record::Finished;
use crate::end::End;
use crate::phrases::percent;
use crate::statistics::GameScore;

/// The moves up to which games are compared with each other.
pub const COMPARED: [usize; 9] = [1, 2, 3, 5, 10, 15, 20, 30, 40];

/// Results for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// White won.
    pub wins: u64,
    /// Nobody won.
    pub draws: u64,
    /// Black won.
    pub losses: u64,
}

impl Results {
    /// Counts a game.
    pub const fn add(&mut self, white: GameScore) {
        *match white {
            GameScore::Win => &mut self.wins,
            GameScore::Draw => &mut self.draws,
            GameScore::Loss => &mut self.losses,
        } += 1;
    }

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
}

impl std::ops::AddAssign for Results {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Games that repeat an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Repeats {
    /// Up to this move.
    pub moves: usize,
    /// So many games differ.
    pub distinct: u64,
    /// The share of the other games; none without games.
    pub share: Option<f64>,
}

impl Repeats {
    /// Compares those games up to that move: games that begin alike are one.
    #[must_use]
    pub fn up_to(games: &[Finished], moves: usize) -> Self {
        let beginnings = games.iter().map(|game| (game.start.as_str(), game.first(2 * moves)));
        let distinct = beginnings.collect::<HashSet<_>>().len() as u64;
        let all = games.len() as u64;
        Self { moves, distinct, share: share(all - distinct, all) }
    }
}

/// Games with the same kind of ending.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Kind {
    /// The kind.
    pub end: End,
    /// How many.
    pub games: u64,
    /// Their share; none without games.
    pub share: Option<f64>,
}

/// What can be counted over games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counts {
    /// Who won.
    pub white: Results,
    /// The share of games that somebody won.
    pub decisive: Option<f64>,
    /// Games that somebody won for each draw; none without draws.
    pub decisive_per_draw: Option<f64>,
    /// Half-moves of a game on average, its opening's included.
    pub mean_plies: Option<f64>,
    /// How alike the games are.
    pub repeats: Vec<Repeats>,
    /// How they ended, each kind in the order of [`End::ALL`].
    pub ends: Vec<Kind>,
}

impl Counts {
    /// Counts those games, whose order does not matter.
    #[must_use]
    pub fn of(games: &[Finished]) -> Self {
        let all = games.len() as u64;
        let mut white = Results::default();
        for game in games {
            white.add(game.white);
        }
        let plies: usize = games.iter().map(|game| game.plies).sum();
        Self {
            white,
            decisive: share(white.decisive(), all),
            decisive_per_draw: share(white.decisive(), white.draws),
            mean_plies: share(plies as u64, all),
            repeats: COMPARED.map(|moves| Repeats::up_to(games, moves)).to_vec(),
            ends: End::ALL.map(|end| kind(games, end)).to_vec(),
        }
    }
}

fn kind(games: &[Finished], end: End) -> Kind {
    let count = games.iter().filter(|game| game.end == end).count() as u64;
    Kind { end, games: count, share: share(count, games.len() as u64) }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results { wins, draws, losses } = self.white;
        let number = |value: Option<f64>, digits| {
            value.map_or("unknown".to_owned(), |value| format!("{value:.digits$}"))
        };
        writeln!(
            f,
            "  {} games: White won {wins}, {draws} drawn, Black won {losses}",
            self.white.games()
        )?;
        writeln!(
            f,
            "  decisive {}, (w+l)/d {}, {} half-moves on average",
            percent(self.decisive),
            number(self.decisive_per_draw, 3),
            number(self.mean_plies, 1)
        )?;
        let repeats: Vec<String> =
            self.repeats.iter().map(|r| format!("{}: {}", r.moves, percent(r.share))).collect();
        writeln!(f, "  repeat an earlier game up to move {}", repeats.join(", "))?;
        let ends = self.ends.iter().filter(|kind| kind.games > 0);
        let ends: Vec<String> = ends
            .map(|kind| format!("{} {} ({})", kind.end.name(), kind.games, percent(kind.share)))
            .collect();
        writeln!(
            f,
            "  ended by: {}",
            if ends.is_empty() { "-".to_owned() } else { ends.join(", ") }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: &str, moves: &str, white: GameScore, end: End) -> Finished {
        let plies = moves.split_whitespace().count();
        Finished { start: start.to_owned(), moves: moves.to_owned(), plies, white, end }
    }

    fn close(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn results_lengths_and_endings_are_counted() {
        let games = [
            game("s", "a1a2 a3a4 a5a6", GameScore::Win, End::Mate),
            game("s", "a1a2 b3b4", GameScore::Loss, End::Resignation),
            game("s", "a1a2 b3b4 c1c2 d1d2", GameScore::Draw, End::Stalemate),
            game("s", "", GameScore::Win, End::Mate),
        ];
        let counts = Counts::of(&games);
        assert_eq!(counts.white, Results { wins: 2, draws: 1, losses: 1 });
        close(counts.decisive, 0.75);
        close(counts.decisive_per_draw, 3.0);
        close(counts.mean_plies, 2.25);
        let ends: Vec<u64> = counts.ends.iter().map(|kind| kind.games).collect();
        assert_eq!(ends, [2, 1, 0, 0, 0, 0, 0, 1, 0]);
        close(counts.ends[0].share, 0.5);
    }

    #[test]
    fn games_that_begin_alike_repeat_each_other() {
        let draw = |start, moves| game(start, moves, GameScore::Draw, End::Repetition);
        let games = [
            draw("s", "e2e4 e7e5 g1f3 b8c6 f1b5"),
            draw("s", "e2e4 e7e5 g1f3 g8f6"),
            draw("s", "e2e4 e7e5"),
            draw("s", "d2d4 d7d5"),
            draw("other", "d2d4 d7d5"),
            draw("s", "e2e4 e7e5 g1f3 b8c6 f1b5"),
        ];
        let counts = Counts::of(&games);
        let distinct: Vec<u64> = counts.repeats.iter().map(|repeats| repeats.distinct).collect();
        // Up to move 1 four games are the same; from move 2 on only the two that are wholly so.
        assert_eq!(distinct, [3, 5, 5, 5, 5, 5, 5, 5, 5]);
        close(counts.repeats[0].share, 0.5);
        close(counts.repeats[1].share, 1.0 / 6.0);
        assert!(counts.repeats.iter().map(|repeats| repeats.moves).eq(COMPARED));
    }

    #[test]
    fn the_beginning_of_a_game_is_cut_between_moves() {
        let game = game("s", "e2e4 e7e8q g1f3", GameScore::Draw, End::Length);
        assert_eq!((game.first(1), game.first(2)), ("e2e4", "e2e4 e7e8q"));
        assert_eq!((game.first(3), game.first(9)), (game.moves.as_str(), game.moves.as_str()));
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        let counts = Counts::of(&[]);
        assert_eq!(
            (counts.decisive, counts.mean_plies, counts.repeats[0].share),
            (None, None, None)
        );
        let won = [game("s", "e2e4", GameScore::Win, End::Tablebase)];
        assert_eq!(Counts::of(&won).decisive_per_draw, None);
        assert!(Counts::of(&won).to_string().contains("(w+l)/d unknown"));
    }
}
