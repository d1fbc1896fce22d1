//! Files of moves: games in any format that keeps them, games with visits, or lines of text.

use std::path::{Path, PathBuf};

use tandem_chess::Position;
use tandem_games::statistics::GameScore;
use tandem_games::visits::{Step, VisitedGame, VisitsReader};

use super::{Movers, PolicyData, PolicySample};
use crate::data::{self, Filter, GameResult};
use crate::source::{self, Samples, Source, SourceError, games, text};

/// Files, each a shard. Games are filtered; the lines of a text are taken as they are.
#[derive(Clone, Debug)]
pub struct PolicyFiles {
    files: Vec<PathBuf>,
    choice: Choice,
}

/// Which positions are learnt from, and what.
#[derive(Clone, Debug)]
struct Choice {
    filter: Filter,
    movers: Movers,
    /// Visits to that power are what a move deserves.
    power: f64,
    least_visits: u64,
}

impl PolicyFiles {
    /// The files that a list names, in the list's order. A folder stands for the files of moves in it,
    /// in the order of their names.
    ///
    /// # Errors
    /// Where a folder cannot be read, or a file does not exist or is of a kind that has no moves.
    pub fn find(list: &[PathBuf], data: &PolicyData) -> Result<Self, SourceError> {
        let choice = Choice {
            filter: data.filter.parse().map_err(|error| SourceError {
                path: "data.filter".into(),
                place: None,
                reason: format!("{error}"),
            })?,
            movers: data.movers,
            power: 1.0 / data.visits_temperature,
            least_visits: data.least_visits,
        };
        Ok(Self { files: source::find(list, check)?, choice })
    }
}

fn is_visits(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "visits")
}

/// Whether a file's name says that it has moves.
fn check(path: &Path) -> Result<(), SourceError> {
    if is_visits(path) || source::is_text(path) {
        return Ok(());
    }
    let format = games::format(path)?;
    if format.has_moves() {
        return Ok(());
    }
    let reason = format!("has no moves to learn: {format} keeps positions without them");
    Err(SourceError { path: path.to_owned(), place: None, reason })
}

impl Source<PolicySample> for PolicyFiles {
    fn shards(&self) -> usize {
        self.files.len()
    }

    fn open(&self, shard: usize, skip: u64) -> Result<Samples<'_, PolicySample>, SourceError> {
        let path = &self.files[shard];
        let choice = &self.choice;
        let mut samples = if source::is_text(path) {
            text::lines(path, line)?
        } else if is_visits(path) {
            let reader = VisitsReader::open(path);
            let mut reader = reader.map_err(|error| games::failure(path, &error))?;
            games::samples(path, move || reader.next_game(), |game| choice.of_visits(&game))
        } else {
            let reader = data::open(path, games::format(path)?);
            let mut reader = reader.map_err(|error| games::failure(path, &error))?;
            games::samples(path, move || reader.next_game(), |record| choice.of_record(&record))
        };
        for _ in 0..skip {
            samples.next().transpose()?;
        }
        Ok(samples)
    }
}

/// The sample of a line `FEN | move`.
fn line(line: &str) -> Result<Option<PolicySample>, String> {
    let (fen, m) = line.split_once('|').ok_or("expected 'FEN | move'")?;
    let position: Position = fen.trim().parse().map_err(|error| format!("bad FEN: {error}"))?;
    let m = position.parse_uci(m.trim()).map_err(|error| error.to_string())?;
    Ok(PolicySample::played(&position, m))
}

impl Choice {
    /// What can be learnt from a game: the moves that were played. Off its line no move was played.
    fn of_record(&self, record: &data::Record) -> Vec<PolicySample> {
        let mut samples = Vec::with_capacity(record.plies().len());
        record.visit(|sample| {
            if let Some(m) = sample.m
                && self.passes(sample)
            {
                samples.extend(PolicySample::played(sample.position, m));
            }
        });
        samples
    }

    /// What can be learnt from a game with visits. Moves of the opening, of which nothing was known, are
    /// left out; where a search does not count visits, the move that it played is learnt.
    fn of_visits(&self, game: &VisitedGame) -> Vec<PolicySample> {
        let result = match game.white {
            GameScore::Win => GameResult::WhiteWins,
            GameScore::Draw => GameResult::Draw,
            GameScore::Loss => GameResult::BlackWins,
        };
        let mut samples = Vec::with_capacity(game.steps.len());
        let mut position = game.start;
        for (ply, step) in game.steps.iter().enumerate() {
            let before = position;
            position = position.after(step.m);
            let known = data::Sample {
                position: &before,
                m: Some(step.m),
                label: None,
                result,
                ply,
                is_off_line: false,
            };
            if self.passes(&known) {
                samples.extend(self.of_step(&before, step));
            }
        }
        samples
    }

    fn of_step(&self, position: &Position, step: &Step) -> Option<PolicySample> {
        if step.visits.is_empty() {
            step.value?;
            return PolicySample::played(position, step.m);
        }
        let total: u64 = step.visits.iter().map(|&(_, visits)| visits).sum();
        if total < self.least_visits {
            return None;
        }
        let share = |&(m, visits): &(_, u64)| (m, (visits as f64 / total as f64).powf(self.power));
        PolicySample::shared(position, &step.visits.iter().map(share).collect::<Vec<_>>())
    }

    fn passes(&self, sample: &data::Sample<'_>) -> bool {
        let half_points = sample.half_points();
        let is_wanted = match self.movers {
            Movers::All => true,
            Movers::Undefeated => half_points > 0,
            Movers::Winners => half_points == 2,
        };
        is_wanted && self.filter.judge(sample).is_empty()
    }
}
