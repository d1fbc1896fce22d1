//! Files of moves: games in any format that keeps them, games with visits, or lines of text.

use std::path::{Path, PathBuf};

use tandem_chess::Position;
use tandem_games::visits::{Step, VisitedGame, VisitsReader};

use super::{Movers, PolicyData, PolicySample};
use crate::data::{self, Filter, GameResult};
use crate::source::{self, Samples, Source, SourceError, games, is_visits, text};

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
        let result = GameResult::from(game.white);
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

#[cfg(test)]
mod tests {
    use std::fs;

    use tandem_chess::{Move, Random};
    use tandem_games::end::End;
    use tandem_games::statistics::GameScore;
    use tandem_games::visits::{Value, VisitsWriter};

    use super::*;
    use crate::data::Format;
    use crate::data::testing::random_record;

    fn data(change: impl FnOnce(&mut PolicyData)) -> PolicyData {
        let mut data = PolicyData::default();
        change(&mut data);
        data
    }

    fn read(path: &Path, data: &PolicyData) -> Result<Vec<PolicySample>, SourceError> {
        PolicyFiles::find(&[path.to_owned()], data)?.open(0, 0)?.collect()
    }

    #[test]
    fn every_move_that_was_chosen_on_the_line_becomes_a_sample() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(5);
        let records: Vec<_> = (0..20).map(|_| random_record(&mut random, true)).collect();
        let expected = |passes: &dyn Fn(&data::Sample<'_>) -> bool| {
            let mut samples = Vec::new();
            for record in &records {
                record.visit(|sample| {
                    if let Some(m) = sample.m
                        && passes(sample)
                        && sample.position.count_legal() > 1
                    {
                        samples.push(PolicySample::played(sample.position, m).unwrap());
                    }
                });
            }
            samples
        };
        for format in [Format::Games, Format::Viri] {
            let file = folder.path().join(format!("some.{format}"));
            let mut writer = data::create(&file, format).unwrap();
            for record in &records {
                writer.write(record).unwrap();
            }
            writer.finish().unwrap();
            let all = read(&file, &PolicyData::default()).unwrap();
            assert!(all.len() > 300);
            assert_eq!(all, expected(&|_| true), "{format}");
            let winners = data(|data| data.movers = Movers::Winners);
            let found = read(&file, &winners).unwrap();
            assert_eq!(found, expected(&|sample| sample.half_points() == 2));
            let undefeated = data(|data| {
                data.movers = Movers::Undefeated;
                data.filter = "capture,ply=9".into();
            });
            let found = read(&file, &undefeated).unwrap();
            let filter: Filter = "capture,ply=9".parse().unwrap();
            let passes = |sample: &data::Sample<'_>| {
                sample.half_points() > 0 && filter.judge(sample).is_empty()
            };
            assert!(!found.is_empty() && found == expected(&passes));
        }
        let both = PolicyFiles::find(&[folder.path().to_owned()], &PolicyData::default()).unwrap();
        assert_eq!(both.shards(), 2);
        let all = expected(&|_| true);
        assert_eq!(both.open(0, 7).unwrap().count(), all.len() - 7);

        let file = folder.path().join("some.games");
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(&file, bytes).unwrap();
        let error = read(&file, &PolicyData::default()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: damaged at byte ", file.display())), "{error}");
    }

    #[test]
    fn visits_are_shares_and_what_was_not_searched_is_left_out() {
        let start = Position::startpos();
        let m = |position: &Position, text: &str| position.parse_uci(text).unwrap();
        let value = Some(Value { q: 100, draw: 5000 });
        let mut position = start;
        let mut steps = Vec::new();
        let mut play = |text: &str, value, visits: &[(&str, u64)]| {
            let visits = visits.iter().map(|&(text, count)| (m(&position, text), count));
            let step = Step { m: m(&position, text), value, visits: visits.collect() };
            position = position.after(step.m);
            steps.push(step);
        };
        play("e2e4", None, &[]);
        play("e7e5", value, &[("e7e5", 30), ("e7e6", 10)]);
        play("g1f3", value, &[]);
        play("b8c6", value, &[("b8c6", 3)]);
        let (white, end) = (GameScore::Win, End::Resignation);
        let game = VisitedGame { number: 0, start, steps, white, end };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.visits");
        VisitsWriter::resume(&file, "made for a test", &[]).unwrap().write(&game).unwrap();

        let samples = read(&file, &PolicyData::default()).unwrap();
        assert_eq!(samples.len(), 3);
        let deserves = |sample: &PolicySample, wanted: &str| {
            let position = sample.position();
            let moves = position.legal_moves();
            let (wanted, mut targets): (Move, _) = (m(&position, wanted), Vec::new());
            sample.targets(&moves, &mut targets);
            targets[moves.iter().position(|&m| m == wanted).unwrap()]
        };
        assert!((deserves(&samples[0], "e7e5") - 0.75).abs() < 1e-4);
        assert!((deserves(&samples[0], "e7e6") - 0.25).abs() < 1e-4);
        assert!((deserves(&samples[1], "g1f3") - 1.0).abs() < 1e-6);
        let sharp = read(&file, &data(|data| data.visits_temperature = 0.5)).unwrap();
        assert!((deserves(&sharp[0], "e7e5") - 0.9).abs() < 1e-4);
        assert_eq!(read(&file, &data(|data| data.least_visits = 10)).unwrap().len(), 2);
        assert_eq!(read(&file, &data(|data| data.movers = Movers::Winners)).unwrap().len(), 1);

        let mut bytes = fs::read(&file).unwrap();
        bytes.pop();
        fs::write(&file, bytes).unwrap();
        let error = read(&file, &PolicyData::default()).unwrap_err().to_string();
        assert!(error.contains("a.visits: damaged at byte "), "{error}");
    }

    #[test]
    fn lines_are_read_and_bad_ones_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.txt");
        let good = format!("{} | e2e4\n\n", Position::startpos());
        // A forced move teaches nothing.
        let forced = "7k/8/6K1/8/8/8/8/R7 b - - 0 1 | h8g8\n";
        fs::write(&file, format!("{good}{forced}")).unwrap();
        let samples = read(&file, &PolicyData::default()).unwrap();
        let e4 = Position::startpos().parse_uci("e2e4").unwrap();
        assert_eq!(samples, [PolicySample::played(&Position::startpos(), e4).unwrap()]);
        for (line, reason) in [
            ("nonsense", "FEN | move"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 | e2e4", "bad FEN"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e5", "e2e5"),
        ] {
            fs::write(&file, format!("{good}{line}\n")).unwrap();
            let error = read(&file, &PolicyData::default()).unwrap_err().to_string();
            assert!(error.contains("line 3") && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn files_without_moves_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, reason) in [("a.bullet", "has no moves"), ("a.doc", "format")] {
            let file = folder.path().join(name);
            fs::write(&file, "").unwrap();
            let error = PolicyFiles::find(&[file], &PolicyData::default()).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(reason), "{error}");
        }
        let gone = folder.path().join("gone.games");
        let error = PolicyFiles::find(&[gone], &PolicyData::default()).unwrap_err().to_string();
        assert!(error.contains("gone.games"), "{error}");
    }
}
