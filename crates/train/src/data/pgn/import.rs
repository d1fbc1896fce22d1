//! An import: reading on one thread, work on several, writing in order.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

use tandem_games::Shard;
use thiserror::Error;

use super::worker::{Bundle, Done, work};
use super::{BrokenGame, ImportReport, ImportSettings, PgnReader};
use crate::data::{DataError, Deduplicator, LabelError, Labeller, Writer};
use crate::turnstile::Turnstile;

/// How many games go through a thread at once.
const BUNDLE: usize = 64;

/// Why an import ended early.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The teacher is gone.
    #[error(transparent)]
    Label(#[from] LabelError),
}

/// What goes from a worker to the writer.
type Outcome = Result<(u64, Option<Done>), ImportError>;

/// Turns a PGN collection into records with scores. The same settings and file give the same records
/// on any number of threads.
pub struct Import<'a> {
    /// How games become records.
    pub settings: &'a ImportSettings,
    /// Notices repeated games and positions, also over several runs; without, all are kept.
    pub seen: Option<Deduplicator>,
    /// Makes a teacher for each thread; none means that positions get no score.
    pub teacher: Option<&'a (dyn Fn() -> Box<dyn Labeller> + Sync)>,
    /// Is told of each game that could not be used.
    pub on_broken: &'a mut dyn FnMut(&BrokenGame),
    /// Is told from time to time what was counted and how far in the file the work is.
    pub on_progress: &'a mut dyn FnMut(&ImportReport, u64),
}

impl Import<'_> {
    /// Imports what a stream holds. Each bundle of games is followed by a mark, behind which an
    /// interrupted import can be resumed.
    ///
    /// # Errors
    /// A file cannot be read or written, or the teacher is gone. What was written stays.
    pub fn run(
        &mut self,
        reader: PgnReader<impl Read + Send>,
        writer: &mut dyn Writer,
    ) -> Result<ImportReport, ImportError> {
        let (settings, teacher) = (self.settings, self.teacher);
        let threads = settings.threads.max(1);
        let seen = Turnstile::new(self.seen.take());
        let (give, bundles) = mpsc::sync_channel(2 * threads);
        let bundles = Mutex::new(bundles);
        let (answer, answers) = mpsc::sync_channel(4 * threads);
        let result = std::thread::scope(|scope| {
            let (seen, bundles) = (&seen, &bundles);
            let failed = answer.clone();
            scope.spawn(move || {
                if let Err(error) = read(reader, settings.shard, &give) {
                    let _ = failed.send(Err(error.into()));
                }
            });
            for _ in 0..threads {
                let answer = answer.clone();
                scope.spawn(move || {
                    let mut labeller = teacher.map(|make| make());
                    while let Some(bundle) = next(bundles) {
                        let number = bundle.number;
                        let labeller =
                            labeller.as_mut().map(|labeller| &mut **labeller as &mut dyn Labeller);
                        let done = work(bundle, settings, seen, labeller);
                        let outcome = done.map(|done| (number, done)).map_err(ImportError::from);
                        if answer.send(outcome).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(answer);
            let result = self.collect(&answers, writer);
            // Whoever still waits, for a turn or for room, goes home.
            seen.close();
            drop(answers);
            drop(std::mem::replace(
                &mut *bundles.lock().unwrap_or_else(PoisonError::into_inner),
                mpsc::sync_channel(0).1,
            ));
            result
        });
        self.seen = seen.into_inner();
        result
    }

    /// Writes what the workers send, in the order of the file.
    fn collect(
        &mut self,
        answers: &Receiver<Outcome>,
        writer: &mut dyn Writer,
    ) -> Result<ImportReport, ImportError> {
        let mut report = ImportReport::default();
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for answer in answers {
            let (number, done) = answer?;
            waiting.insert(number, done);
            while let Some(done) = waiting.remove(&next) {
                next += 1;
                let Some(done) = done else { continue };
                done.broken.iter().for_each(&mut *self.on_broken);
                for record in &done.records {
                    writer.write(record)?;
                }
                report.add(&done.report);
                writer.mark(&done.end)?;
                (self.on_progress)(&report, done.end.offset);
            }
        }
        Ok(report)
    }
}

/// Reads the games of that part.
fn read(
    mut reader: PgnReader<impl Read>,
    shard: Shard,
    give: &SyncSender<Bundle>,
) -> Result<(), DataError> {
    for number in 0.. {
        let mut games = Vec::with_capacity(BUNDLE);
        while games.len() < BUNDLE {
            match reader.next_game()? {
                Some(game) => {
                    let number = game.as_ref().map_or_else(|broken| broken.number, |g| g.number);
                    if shard.holds(number - 1) {
                        games.push(game);
                    }
                }
                None => break,
            }
        }
        let is_last = games.len() < BUNDLE;
        if give.send(Bundle { number, games, end: reader.mark() }).is_err() || is_last {
            break;
        }
    }
    Ok(())
}

fn next(bundles: &Mutex<Receiver<Bundle>>) -> Option<Bundle> {
    bundles.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tandem_chess::{Position, Random};

    use super::*;
    use crate::data::testing::{networks, random_record};
    use crate::data::{
        Excursions, Filter, Format, GamesReader, GamesWriter, NetworkLabeller, Reader as _, Record,
        create, resume,
    };

    fn pgn(count: usize, seed: u64) -> String {
        let mut random = Random::new(seed);
        let mut text = String::new();
        for number in 0..count {
            let record = random_record(&mut random, false);
            write!(text, "[Event \"{number}\"]\n[FEN \"{}\"]\n\n", record.start()).unwrap();
            record.visit(|sample| {
                text += &sample.position.san(sample.m.unwrap());
                text.push(if sample.ply % 10 == 9 { '\n' } else { ' ' });
            });
            text += if number % 50 == 7 { "oops\n\n" } else { record.result().pgn() };
            text += "\n\n";
        }
        text
    }

    fn settings(threads: usize) -> ImportSettings {
        let excursions = Some(Excursions { rate: 0.5, longest: 3, seed: 1 });
        let shard = Shard::default();
        ImportSettings { filter: Filter::default(), excursions, threads, shard }
    }

    fn import(text: &str, settings: &ImportSettings) -> (Vec<Record>, ImportReport, Vec<String>) {
        let networks = networks();
        let teacher = || Box::new(NetworkLabeller::new(&networks)) as Box<dyn Labeller>;
        let mut broken = Vec::new();
        let mut writer = GamesWriter::new(Vec::new(), "out");
        let report = Import {
            settings,
            seen: Some(Deduplicator::new(4)),
            teacher: Some(&teacher),
            on_broken: &mut |game| broken.push(game.to_string()),
            on_progress: &mut |_, _| (),
        }
        .run(PgnReader::new(text.as_bytes(), "in"), &mut writer)
        .unwrap();
        let bytes = writer.into_target();
        let mut reader = GamesReader::new(bytes.as_slice(), "out");
        let records = std::iter::from_fn(|| reader.next_game().unwrap()).collect();
        (records, report, broken)
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let text = pgn(400, 3);
        let text = format!("{text}{text}");
        let (records, report, broken) = import(&text, &settings(1));
        for threads in [2, 5] {
            assert_eq!(
                import(&text, &settings(threads)),
                (records.clone(), report.clone(), broken.clone())
            );
        }
        assert_eq!((report.games, report.broken), (800, 16));
        assert!(report.repeated_games >= 392, "{report:?}");
        assert_eq!(report.written, 784 - report.repeated_games);
        assert_eq!(broken.len(), 16);
        assert!(broken[0].starts_with("game 8 at byte "), "{}", broken[0]);
        assert_eq!(report.filter.kept - report.repeated_positions, report.labelled);
        assert_eq!(report.positions, report.filter.seen);
    }

    #[test]
    fn every_score_is_the_networks_own_and_only_wanted_positions_have_one() {
        let (records, report, _) = import(&pgn(60, 4), &settings(2));
        let networks = networks();
        let mut evaluator = tandem_nnue::Evaluator::new(&networks, &Position::startpos());
        let filter = Filter::default().without_scores();
        let mut labelled = 0;
        for record in &records {
            record.visit(|sample| {
                if let Some(score) = sample.score() {
                    evaluator.reset(sample.position);
                    assert_eq!(i32::from(score), evaluator.evaluate().value());
                    assert!(filter.judge(sample).is_empty());
                    labelled += 1;
                }
            });
        }
        assert_eq!(labelled, report.labelled);
        assert!(report.off_line > 0 && labelled > report.positions / 4, "{report:?}");
    }

    #[test]
    fn an_interrupted_import_ends_as_if_nothing_had_happened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.games");
        let text = pgn(300, 6).repeat(2);
        let (settings, networks) = (settings(2), networks());
        let teacher = || Box::new(NetworkLabeller::new(&networks)) as Box<dyn Labeller>;
        let import = |cut: Option<usize>| {
            let mut seen = Deduplicator::new(4);
            let mut reader = PgnReader::new(text.as_bytes(), "in");
            let mut writer = if let Some(length) = cut {
                std::fs::OpenOptions::new()
                    .write(true)
                    .open(&path)
                    .unwrap()
                    .set_len(length as u64)
                    .unwrap();
                let resumed =
                    resume(&path, &mut |record| settings.remember(record, &mut seen)).unwrap();
                if let [mark] = resumed.marks.as_slice() {
                    reader = PgnReader::resume(&text.as_bytes()[mark.offset as usize..], mark);
                }
                resumed.writer
            } else {
                create(&path, Format::Games).unwrap()
            };
            let (on_broken, on_progress) = (&mut |_: &BrokenGame| (), &mut |_: &_, _| ());
            let (seen, teacher): (_, &(dyn Fn() -> Box<dyn Labeller> + Sync)) =
                (Some(seen), &teacher);
            Import { settings: &settings, seen, teacher: Some(teacher), on_broken, on_progress }
                .run(reader, &mut *writer)
                .unwrap();
            writer.finish().unwrap();
            std::fs::read(&path).unwrap()
        };
        let whole = import(None);
        let mut random = Random::new(1);
        for _ in 0..8 {
            let length = random.below(whole.len());
            assert!(import(Some(length)) == whole, "cut at {length}");
        }
    }

    #[test]
    fn a_full_disk_and_a_lost_teacher_end_the_import_at_once() {
        struct Gone;
        impl Labeller for Gone {
            fn begin(&mut self, _: &Position) -> Result<(), LabelError> {
                Err(LabelError("it is gone".into()))
            }
            fn push(&mut self, _: tandem_chess::Move) {}
            fn pop(&mut self) {}
            fn score(&mut self) -> Result<Option<i32>, LabelError> {
                Ok(Some(0))
            }
        }
        let text = pgn(1500, 5);
        let settings = settings(3);
        let run = |teacher: Option<&(dyn Fn() -> Box<dyn Labeller> + Sync)>, out: &str| {
            let path = std::path::Path::new(out);
            let mut writer = create(path, Format::Games).unwrap();
            let (on_broken, on_progress) = (&mut |_: &BrokenGame| (), &mut |_: &_, _| ());
            Import { settings: &settings, seen: None, teacher, on_broken, on_progress }
                .run(PgnReader::new(text.as_bytes(), "in"), &mut *writer)
                .unwrap_err()
                .to_string()
        };
        assert!(run(None, "/dev/full").starts_with("/dev/full: cannot be written"));
        let gone = run(Some(&|| Box::new(Gone)), "/dev/null");
        assert_eq!(gone, "the teacher gives no score: it is gone");
    }
}
