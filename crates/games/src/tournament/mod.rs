//! Matches: many games between two or more players, side by side, that survive interruption.

mod journal;
mod record;
mod report;
mod schedule;
mod seats;
mod settings;
mod standing;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Instant;

use thiserror::Error;

pub use journal::JournalError;
pub use record::GameRecord;
pub use report::{PlayerReport, Report, interval, verdict};
pub use schedule::{Fixture, Format, Schedule};
pub use settings::{Settings, SettingsError};
pub use standing::Standing;

use crate::book::{Book, OpeningError};
use crate::conduct::FaultKind;
use crate::digest;
use crate::play::Rules;
use crate::player::{self, StartError};
use crate::statistics::Verdict;
use journal::{Journal, Parts};
use seats::Seats;

/// After so many games in a row that a player could not be started for, the match ends.
const ABSENCES: u32 = 3;

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The settings make no match.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A player cannot take part.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The match cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A player has gone for good.
    #[error("{0} could not be started {ABSENCES} times in a row")]
    Gone(String),
}

/// A match that can be played.
pub struct Tournament {
    /// What is played.
    pub settings: Settings,
    /// Games side by side.
    pub concurrency: usize,
    /// The name of the files in which it is kept, without ending; none to keep nothing.
    pub out: Option<PathBuf>,
}

/// What a worker says.
enum News {
    Game(Box<GameRecord>),
    /// A game was not finished.
    Unfinished,
    /// The match cannot go on.
    Trouble(MatchError),
}

/// How the match goes, as one thread hears of it.
struct Course<'a> {
    settings: &'a Settings,
    standing: Standing,
    journal: Option<Journal>,
    unfinished: u64,
    trouble: Option<MatchError>,
    /// Set when no more games are wanted.
    halt: &'a AtomicBool,
}

impl Course<'_> {
    /// Takes note of what a worker says. Answers with the game that counts from now on.
    fn hear(&mut self, news: News) -> Option<Box<GameRecord>> {
        match news {
            News::Game(record) => {
                if let Err(error) = self.journal.as_mut().map_or(Ok(()), |it| it.keep(&record)) {
                    self.end(error.into());
                    return None;
                }
                self.standing.add(&record);
                if self.settings.is_decided(&self.standing) {
                    self.halt.store(true, Ordering::Relaxed);
                }
                return Some(record);
            }
            News::Unfinished => self.unfinished += 1,
            News::Trouble(error) => self.end(error),
        }
        None
    }

    fn end(&mut self, trouble: MatchError) {
        self.trouble.get_or_insert(trouble);
        self.halt.store(true, Ordering::Relaxed);
    }
}

impl Tournament {
    /// Plays the match to its end, to the verdict of its SPRT, or until `stop`. The observer hears of
    /// each finished game.
    ///
    /// # Errors
    /// The match cannot begin. What keeps it from going on later is part of the report.
    pub fn run(
        &self,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Standing, Option<&GameRecord>),
    ) -> Result<Report, MatchError> {
        let start = Instant::now();
        let settings = &self.settings;
        settings.check()?;
        let rules = settings.rules()?;
        let identities = player::introduce(&settings.players, settings.chess960)?;
        let mut book = Book::open(&settings.book)?;
        settings.try_odds(&mut book)?;
        let schedule = settings.schedule();
        let book_name = book.describe(schedule.total() / 2 / schedule.pairings().len() as u64);
        let mut standing = Standing::new(&schedule, settings.players.len());
        let (journal, memory) = match &self.out {
            Some(name) => {
                let book = settings.book.file.as_ref().and_then(digest::of_file);
                let parts = Parts { engines: identities.clone(), book };
                let (journal, memory) = Journal::open(name, settings, &parts)?;
                (Some(journal), memory)
            }
            None => (None, journal::Memory::default()),
        };
        let mut is_played = vec![false; schedule.total() as usize];
        for game in &memory.games {
            // More games may have been kept than are asked for now.
            if let Some(played) = is_played.get_mut(game.number as usize) {
                *played = true;
                standing.add(game);
            }
        }
        observer(&standing, None);
        let resumed = standing.games();
        let open: Vec<u64> =
            (0..schedule.total()).filter(|&number| !is_played[number as usize]).collect();

        let halt = AtomicBool::new(settings.is_decided(&standing));
        let hall = Hall {
            settings,
            schedule: &schedule,
            rules: &rules,
            book: &Mutex::new(book),
            open: &Mutex::new(open.into_iter()),
            halt: &halt,
            stop,
        };
        let unfinished = u64::from(memory.torn);
        let mut course =
            Course { settings, standing, journal, unfinished, trouble: None, halt: &halt };
        std::thread::scope(|scope| {
            let (sender, news) = mpsc::channel();
            for _ in 0..self.concurrency.max(1) {
                let (sender, hall) = (sender.clone(), &hall);
                scope.spawn(move || hall.work(&sender));
            }
            drop(sender);
            for item in news {
                if let Some(record) = course.hear(item) {
                    observer(&course.standing, Some(&record));
                }
            }
        });
        let Course { standing, unfinished, trouble, .. } = course;
        let sprt = settings.sprt.map(|sprt| sprt.judge(&standing.pairings()[0].tally));
        Ok(Report {
            standing,
            sprt,
            identities,
            settings: settings.clone(),
            book: book_name,
            concurrency: self.concurrency.max(1),
            resumed,
            unfinished,
            trouble: trouble.map(|error| error.to_string()),
            interrupted: stop.load(Ordering::Relaxed),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// What all workers share.
struct Hall<'a> {
    settings: &'a Settings,
    schedule: &'a Schedule,
    rules: &'a Rules,
    book: &'a Mutex<Book>,
    open: &'a Mutex<std::vec::IntoIter<u64>>,
    /// No more games are wanted.
    halt: &'a AtomicBool,
    /// The user wants to leave.
    stop: &'a AtomicBool,
}

impl Hall<'_> {
    /// Plays one game after another.
    fn work(&self, news: &mpsc::Sender<News>) {
        let mut seats = Seats::new(self.settings);
        let mut absences = 0;
        while !self.halt.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
            let next = self.open.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(number) = next else { return };
            let fixture = self.schedule.fixture(number);
            let report = match seats.play(&fixture, self.book, self.rules, self.stop) {
                Ok(Some(record)) => {
                    let is_absent = matches!(record.fault, Some((_, FaultKind::NoStart)));
                    absences = if is_absent { absences + 1 } else { 0 };
                    let absent = record.fault.map(|(player, _)| player);
                    let _ = news.send(News::Game(Box::new(record)));
                    match absent {
                        Some(player) if absences >= ABSENCES => {
                            let name = self.settings.players[player].name.clone();
                            News::Trouble(MatchError::Gone(name))
                        }
                        _ => continue,
                    }
                }
                Ok(None) => News::Unfinished,
                Err(error) => News::Trouble(error.into()),
            };
            let _ = news.send(report);
            return;
        }
    }
}

impl Settings {
    /// Whether the SPRT has come to its verdict.
    fn is_decided(&self, standing: &Standing) -> bool {
        self.sprt.is_some_and(|sprt| {
            sprt.judge(&standing.pairings()[0].tally).verdict != Verdict::Continue
        })
    }
}
