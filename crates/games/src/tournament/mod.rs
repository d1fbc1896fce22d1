//! Matches: many games between two or more players, side by side, that survive interruption.

mod head;
mod merge;
mod record;
mod report;
mod schedule;
mod seats;
mod settings;
mod standing;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use thiserror::Error;

pub use head::Head;
pub use merge::{Games, Merged};
pub use record::GameRecord;
pub use report::{PlayerReport, Report, interval, verdict};
pub use schedule::{Fixture, Format, Schedule};
pub use settings::{Settings, SettingsError};
pub use standing::Standing;

use crate::book::{Book, OpeningError};
use crate::conduct::FaultKind;
use crate::crew::{self, Close};
use crate::digest;
pub use crate::journal::JournalError;
use crate::journal::{Journal, Memory, Parts};
use crate::play::Rules;
use crate::player::{self, StartError};
use crate::statistics::Verdict;
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
        let book_name = book.describe(schedule.all() / 2 / schedule.pairings().len() as u64);
        let mut standing = Standing::new(&schedule, settings.players.len());
        let (mut journal, memory) = match &self.out {
            Some(name) => {
                let book = settings.book.file.as_ref().and_then(digest::of_file);
                let parts = Parts { engines: identities.clone(), book };
                let head = Head { tandem_match: settings.clone(), parts: Some(parts) };
                let (journal, memory) = Journal::<GameRecord>::open(name, &head)?;
                (Some(journal), memory)
            }
            None => (None, Memory::default()),
        };
        let mut is_played = vec![false; schedule.all() as usize];
        for game in &memory.games {
            // More games may have been kept than are asked for now.
            if schedule.holds(game.number) {
                is_played[game.number as usize] = true;
                standing.add(game);
            }
        }
        observer(&standing, None);
        let resumed = standing.games();
        let is_open = |&number: &u64| !is_played[number as usize];
        let open = if settings.is_decided(&standing) {
            Vec::new()
        } else {
            schedule.numbers().filter(is_open).collect()
        };
        let hall =
            Hall { settings, schedule: &schedule, rules: &rules, book: &Mutex::new(book), stop };
        let close = crew::play(
            open,
            self.concurrency,
            stop,
            || hall.worker(),
            |(record, gone)| {
                if let Some(journal) = &mut journal {
                    journal.keep(&record)?;
                }
                standing.add(&record);
                observer(&standing, Some(&record));
                gone.map_or_else(|| Ok(!settings.is_decided(&standing)), Err)
            },
        );
        let Close { unfinished, trouble } = close;
        let sprt = settings.sprt.map(|sprt| sprt.judge(&standing.pairings()[0].tally));
        Ok(Report {
            standing,
            sprt,
            identities,
            settings: settings.clone(),
            book: book_name,
            concurrency: self.concurrency.max(1),
            resumed,
            unfinished: unfinished + u64::from(memory.torn),
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
    /// The user wants to leave.
    stop: &'a AtomicBool,
}

/// A game, and what keeps the match from going on after it.
type Finished = (GameRecord, Option<MatchError>);

impl<'a> Hall<'a> {
    /// Someone with players of its own, who plays one game after another.
    fn worker(&'a self) -> impl FnMut(u64) -> Result<Option<Finished>, MatchError> + 'a {
        let mut seats = Seats::new(self.settings);
        let mut absences = 0;
        let mut lost: Option<String> = None;
        move |number| {
            // Nobody begins a game without a player while the news of its absence is on the way.
            if let Some(name) = &lost {
                return Err(MatchError::Gone(name.clone()));
            }
            let fixture = self.schedule.fixture(number);
            let Some(record) = seats.play(&fixture, self.book, self.rules, self.stop)? else {
                return Ok(None);
            };
            let absent = match record.fault {
                Some((player, FaultKind::NoStart)) => Some(player),
                _ => None,
            };
            absences = if absent.is_some() { absences + 1 } else { 0 };
            let gone = absent.filter(|_| absences >= ABSENCES);
            lost = gone.map(|player| self.settings.players[player].name.clone());
            Ok(Some((record, lost.clone().map(MatchError::Gone))))
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
