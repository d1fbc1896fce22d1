//! Playing weaker on purpose, in a way that looks human.
//!
//! A weaker player sees less and judges less surely. So the search gets fewer positions, and the
//! move is drawn from the best lines: the more a move gives away the less likely it is, and the
//! rating says how much giving away looks like. What every player can do it still does: a bare king
//! is mated by the book.

use std::time::Duration;

use tandem_chess::{Color, Game, PieceType, Position, Random};
use tandem_search::{Bound, Choice, Control, Limits, Progress, Score, Search, Settings};

/// The lowest and highest rating that can be asked for.
pub const RATINGS: std::ops::RangeInclusive<i64> = 800..=3000;

/// Lines among which the move is drawn.
const LINES: usize = 8;

/// A search that plays at a rating.
pub struct Limited {
    inner: Box<dyn Search>,
    settings: Settings,
    rating: f64,
    random: Random,
}

impl Limited {
    /// The search at that rating; the seed decides the draws.
    pub fn new(inner: Box<dyn Search>, settings: &Settings, rating: i64, seed: u64) -> Self {
        let mut limited = Self {
            inner,
            settings: settings.clone(),
            rating: rating.clamp(*RATINGS.start(), *RATINGS.end()) as f64,
            random: Random::new(seed),
        };
        limited.configure(settings);
        limited
    }

    /// How many positions a player of that rating looks at.
    fn nodes(&self) -> u64 {
        // Fewer would not do to give each of the lines a score.
        ((self.rating - 500.0) / 150.0).exp2().max(800.0) as u64
    }

    /// By how many centipawns moves may differ before the rating notices, roughly.
    fn blur(&self) -> f64 {
        140.0 * ((800.0 - self.rating) / 500.0).exp()
    }

    fn draw(&mut self, lines: &[Progress]) -> Option<usize> {
        let best = worth(lines.first()?.score);
        let blur = self.blur();
        let weights: Vec<f64> =
            lines.iter().map(|line| ((worth(line.score) - best) / blur).exp()).collect();
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
                lines.push(progress.clone());
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
