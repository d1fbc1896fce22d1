//! What a file holds, in numbers.

mod histogram;
mod plot;

pub use histogram::Histogram;
pub use plot::plot;

use serde::Serialize;

use super::{Deduplicator, Filter, GameResult, Record, Tally};

/// Everything that is counted of a file.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// Games; in formats without games each position is one.
    pub games: u64,
    /// Of these, games that begin with the start position of standard chess.
    pub standard_starts: u64,
    /// Positions, those off the line of their game included.
    pub positions: u64,
    /// Of these, positions off the line.
    pub off_line: u64,
    /// Of these, positions with a score.
    pub scored: u64,
    /// Games that Black won, drawn games, games that White won.
    pub results: [u64; 3],
    /// Positions with White and with Black to move.
    pub side_to_move: [u64; 2],
    /// How many moves games have.
    pub lengths: Histogram,
    /// How many pieces stand on the board.
    pub pieces: Histogram,
    /// Scores for the side to move.
    pub scores: Histogram,
    /// For each part of the scores: how often the side to move lost, drew and won in the end.
    pub results_by_score: Vec<[u64; 3]>,
    /// The filter that was tried.
    pub filter: Filter,
    /// What it would keep and drop.
    pub filtered: Tally,
    /// Positions that were there before.
    pub repeated_positions: u64,
    /// Games that were there before.
    pub repeated_games: u64,
    /// Keys that the search for repetitions had to forget; zero means that it was exact.
    pub forgotten: u64,
}

/// Half the width of the scores that are shown in parts.
const MAX_SCORE: i32 = 2000;
/// The width of a part.
const SCORE_STEP: i32 = 100;

impl Statistics {
    /// Nothing counted yet; the filter is to be tried.
    #[must_use]
    pub fn new(filter: Filter) -> Self {
        let scores = Histogram::new(-MAX_SCORE, SCORE_STEP, (2 * MAX_SCORE / SCORE_STEP) as usize);
        Self {
            games: 0,
            standard_starts: 0,
            positions: 0,
            off_line: 0,
            scored: 0,
            results: [0; 3],
            side_to_move: [0; 2],
            lengths: Histogram::new(0, 20, 20),
            pieces: Histogram::new(2, 1, 31),
            results_by_score: vec![[0; 3]; scores.counts.len()],
            scores,
            filter,
            filtered: Tally::default(),
            repeated_positions: 0,
            repeated_games: 0,
            forgotten: 0,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &Record, seen: &mut Deduplicator) {
        self.games += 1;
        self.standard_starts += u64::from(*record.start() == tandem_chess::Position::startpos());
        self.off_line += record.branches().len() as u64;
        self.results[record.result().index()] += 1;
        self.lengths.add(record.plies().len() as i32);
        if !record.plies().is_empty() {
            seen.is_new_game(record);
        }
        record.visit(|sample| {
            self.positions += 1;
            self.side_to_move[sample.position.side_to_move().index()] += 1;
            self.pieces.add(sample.position.occupied().count() as i32);
            self.filtered.count(self.filter.judge(sample));
            seen.is_new_position(sample.position.key());
            if let Some(score) = sample.score() {
                self.scored += 1;
                let part = self.scores.add(i32::from(score));
                self.results_by_score[part][usize::from(sample.half_points())] += 1;
            }
        });
        self.repeated_positions = seen.repeated_positions();
        self.repeated_games = seen.repeated_games();
        self.forgotten = seen.forgotten();
    }

    /// For each part of the scores with anything in it: its middle, how many there are, and the average
    /// result for the side to move, from 0 to 1.
    #[must_use]
    pub fn calibration(&self) -> Vec<(i32, u64, f64)> {
        let middle = |part| self.scores.start(part) + SCORE_STEP / 2;
        self.results_by_score
            .iter()
            .enumerate()
            .filter_map(|(part, &[losses, draws, wins])| {
                let count = losses + draws + wins;
                let points = wins as f64 + 0.5 * draws as f64;
                (count > 0).then(|| (middle(part), count, points / count as f64))
            })
            .collect()
    }

    /// The numbers for people.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let share = |count: u64, all: u64| 100.0 * count as f64 / all.max(1) as f64;
        let [black, draw, white] = self.results;
        let [to_white, to_black] = self.side_to_move;
        let exact = if self.forgotten == 0 {
            "exact".to_owned()
        } else {
            format!("at least: {} keys had to be forgotten", self.forgotten)
        };
        let mut lines = vec![
            format!(
                "games            {} ({} from the start position)",
                self.games, self.standard_starts
            ),
            format!(
                "positions        {} ({} off the line, {} with a score)",
                self.positions, self.off_line, self.scored
            ),
            format!(
                "results          {} {white} ({:.1} %), {} {draw} ({:.1} %), {} {black} ({:.1} %)",
                GameResult::WhiteWins.pgn(),
                share(white, self.games),
                GameResult::Draw.pgn(),
                share(draw, self.games),
                GameResult::BlackWins.pgn(),
                share(black, self.games)
            ),
            format!("to move          White {to_white}, Black {to_black}"),
            format!("moves a game     {:.1} on average", self.lengths.mean()),
            format!("pieces           {:.1} on average", self.pieces.mean()),
            format!(
                "scores           {:.1} on average, {:.1} away from it",
                self.scores.mean(),
                self.scores.deviation()
            ),
            format!(
                "repeated         {} positions ({:.1} %), {} games ({exact})",
                self.repeated_positions,
                share(self.repeated_positions, self.positions),
                self.repeated_games
            ),
            format!("filter           {}", self.filter),
        ];
        lines.extend(self.filtered.lines().into_iter().map(|line| format!("    {line}")));
        lines.push("score    positions  result for the side to move".into());
        for (middle, count, points) in self.calibration() {
            let bar = "#".repeat((40.0 * points).round() as usize);
            lines.push(format!("{middle:>6} {count:>11}  {points:.3} {bar}"));
        }
        lines.push("pieces   positions".into());
        for (part, &count) in self.pieces.counts.iter().enumerate().rev() {
            if count > 0 {
                let bar = "#".repeat(share(count, self.positions).round() as usize);
                lines.push(format!("{:>6} {count:>11}  {bar}", self.pieces.start(part)));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::data::testing::record;

    #[test]
    fn everything_is_counted_from_the_side_to_move() {
        let mut game = record("e2e4 e7e5 (g1f3) f1c4", GameResult::WhiteWins);
        game.relabel(|sample| {
            Some(Label::new(tandem_chess::Color::White, 150 + sample.ply as i32))
        });
        let mut seen = Deduplicator::new(1);
        let mut statistics = Statistics::new(Filter::default());
        statistics.add(&game, &mut seen);
        statistics.add(&game, &mut seen);
        assert_eq!((statistics.games, statistics.positions, statistics.off_line), (2, 8, 2));
        assert_eq!((statistics.results, statistics.side_to_move), ([0, 0, 2], [4, 4]));
        assert_eq!((statistics.repeated_games, statistics.repeated_positions), (1, 4));
        // White is better and wins: its positions in one part, Black's in the mirrored one.
        assert_eq!(statistics.calibration(), [(-150, 4, 0.0), (150, 4, 1.0)]);
        assert_eq!(statistics.filtered.kept, 8);
        let lines = statistics.lines().join("\n");
        assert!(lines.contains("games            2 (2 from the start position)"), "{lines}");
        assert!(lines.contains("1-0 2 (100.0 %)"), "{lines}");
    }

    #[test]
    fn plots_are_svg_with_four_panels() {
        let mut statistics = Statistics::new(Filter::NONE);
        let mut random = tandem_chess::Random::new(2);
        let mut seen = Deduplicator::new(1);
        assert!(plot(&statistics).unwrap().starts_with("<svg"), "an empty file has a plot, too");
        for _ in 0..50 {
            let game = crate::data::testing::random_record(&mut random, true);
            statistics.add(&game, &mut seen);
        }
        let svg = plot(&statistics).unwrap();
        assert!(svg.trim_end().ends_with("</svg>"));
        for title in ["Pieces", "Scores", "Moves a game", "Result by score"] {
            assert!(svg.contains(title), "{title}");
        }
    }
}
