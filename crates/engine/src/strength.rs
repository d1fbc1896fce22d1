//! Playing weaker on purpose, in a way that looks human.
//!
//! A weaker player sees less and judges less surely. So the search gets fewer positions, and the
//! move is drawn from the best lines: the more a move gives away the less likely it is, and the
//! rating says how much giving away looks like. What every player can do it still does: a bare king
//! is mated by the book.

use std::time::Duration;

use tandem_chess::{Color, Game, PieceType, Position, Random};
use tandem_search::{Bound, Choice, Control, Limits, Progress, Score, Search, Settings};

/// Ratings and the inner levels that play at them, from games between levels and against engines of
/// known rating (`docs/strength.md`). In between, a straight line.
const CALIBRATION: [(f64, f64); 8] = [
    (900.0, 240.0),
    (1160.0, 600.0),
    (1660.0, 1000.0),
    (1910.0, 1400.0),
    (2120.0, 1800.0),
    (2260.0, 2200.0),
    (2710.0, 2600.0),
    (2900.0, 2840.0),
];

/// The lowest and highest rating that can be asked for.
pub const RATINGS: std::ops::RangeInclusive<i64> =
    CALIBRATION[0].0 as i64..=CALIBRATION[CALIBRATION.len() - 1].0 as i64;

/// Lines among which the move is drawn.
const LINES: usize = 8;

/// A search that plays at a rating.
pub struct Limited {
    inner: Box<dyn Search>,
    settings: Settings,
    /// How much it sees and how surely it judges; about a rating, but not on the scale of others.
    level: f64,
    random: Random,
}

impl Limited {
    /// The search at that rating; the seed decides the draws.
    pub fn new(inner: Box<dyn Search>, settings: &Settings, rating: i64, seed: u64) -> Self {
        let mut limited = Self {
            inner,
            settings: settings.clone(),
            level: level(rating as f64),
            random: Random::new(seed),
        };
        limited.configure(settings);
        limited
    }

    /// How many positions a player of that level looks at.
    fn nodes(&self) -> u64 {
        // Fewer would not do to give each of the lines a score.
        libm::exp2((self.level - 500.0) / 150.0).max(800.0) as u64
    }

    /// By how many centipawns moves may differ before the player notices, roughly.
    fn blur(&self) -> f64 {
        140.0 * libm::exp((800.0 - self.level) / 500.0)
    }

    fn draw(&mut self, lines: &[Progress]) -> Option<usize> {
        let best = worth(lines.first()?.score);
        let blur = self.blur();
        let weights: Vec<f64> =
            lines.iter().map(|line| libm::exp((worth(line.score) - best) / blur)).collect();
        self.random.weighted(&weights)
    }
}

impl Search for Limited {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        let technique = is_technique(game.position());
        let nodes = if technique { 20_000 } else { self.nodes() };
        let limits =
            Limits { nodes: Some(limits.nodes.map_or(nodes, |n| n.min(nodes))), ..limits.clone() };
        let mut lines: Vec<Progress> = Vec::new();
        let (mut visited, mut time) = (0, Duration::ZERO);
        let choice = self.inner.search(game, &limits, control, &mut |progress| {
            if progress.bound == Bound::Exact && !progress.pv.is_empty() {
                // What is known best about a move is what was said last.
                lines.retain(|line| line.pv[0] != progress.pv[0]);
                lines.push(Progress { notices: Vec::new(), ..progress.clone() });
            }
            (visited, time) = (progress.nodes, progress.time);
            if progress.line <= self.settings.multi_pv {
                observer(progress);
            }
        });
        lines.sort_by(|a, b| worth(b.score).total_cmp(&worth(a.score)));
        let drawn = if technique { None } else { self.draw(&lines) };
        match drawn.map(|i| &lines[i]) {
            Some(line) if Some(line.pv[0]) != choice.best => {
                observer(&Progress { line: 1, nodes: visited, time, ..line.clone() });
                Choice { best: line.pv.first().copied(), ponder: line.pv.get(1).copied() }
            }
            _ => choice,
        }
    }

    fn get_ready(&mut self) {
        self.inner.get_ready();
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn configure(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        let multi_pv = settings.multi_pv.max(LINES);
        self.inner.configure(&Settings { multi_pv, threads: 1, ..settings.clone() });
    }
}

/// The level that plays at a rating.
fn level(rating: f64) -> f64 {
    let (first, last) = (CALIBRATION[0], CALIBRATION[CALIBRATION.len() - 1]);
    let rating = rating.clamp(first.0, last.0);
    let above = CALIBRATION.iter().position(|&(known, _)| known >= rating).unwrap_or(0).max(1);
    let ((low, from), (high, to)) = (CALIBRATION[above - 1], CALIBRATION[above]);
    from + (to - from) * (rating - low) / (high - low)
}

/// A score in centipawns, with mates far outside.
fn worth(score: Score) -> f64 {
    match score {
        // A tablebase's win is shown far beyond evaluations, but a mate is still better.
        Score::Centipawns(value) => f64::from(value.clamp(-4000, 4000)),
        Score::Mate(plies) if plies > 0 => 5000.0 - f64::from(plies),
        Score::Mate(plies) => -5000.0 - f64::from(plies),
    }
}

/// Whether one side has only its king left and the other can mate it.
fn is_technique(position: &Position) -> bool {
    Color::ALL.into_iter().any(|side| {
        position.color(side).count() == 1
            && [PieceType::Queen, PieceType::Rook].into_iter().any(|kind| position.kind(kind).any())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_rating_is_a_higher_level() {
        assert!(CALIBRATION.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        for &(rating, expected) in &CALIBRATION {
            assert!((level(rating) - expected).abs() < 1e-9);
        }
        let (lowest, highest) = (*RATINGS.start(), *RATINGS.end());
        let levels: Vec<f64> = (lowest..=highest).map(|rating| level(rating as f64)).collect();
        assert!(levels.is_sorted_by(|a, b| a < b));
        assert!((level(0.0) - levels[0]).abs() < 1e-9 && level(9999.0) >= levels[levels.len() - 1]);
    }
}
