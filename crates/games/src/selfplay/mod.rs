//! Our engine against itself: many games that survive interruption, with what was thought in them.

mod counts;
mod merge;
mod record;
mod report;
pub mod seed;
mod settings;
mod side;
mod standing;
mod store;
mod table;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use thiserror::Error;

pub use counts::{COMPARED, Counts, Kind, Repeats, Results};
pub use merge::{Games, Merged, merge};
pub use record::{Finished, GameRecord};
pub use report::Report;
pub use settings::{Head, MOST_GAMES, Settings, SettingsError, Start};
pub use side::{SideError, SideOptions, player};
pub use standing::Standing;

use crate::book::OpeningError;
use crate::crew::{self, Close};
use crate::journal::{JournalError, Memory, Parts};
use crate::player::{self as players, StartError};
use crate::visits::VisitsError;
use store::Store;
use table::{Hall, Table};

/// Why games cannot be played.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// The settings make no games.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A side's options do not fit.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no opening.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The games cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What was thought cannot be kept.
    #[error(transparent)]
    Visits(#[from] VisitsError),
    /// The engine failed.
    #[error("game {0}: {1}")]
    Fault(u64, String),
}

/// Games that can be played.
pub struct SelfPlay {
    /// What is played.
    pub settings: Settings,
    /// Games side by side.
    pub concurrency: usize,
    /// The name of the files in which they are kept, without ending; none to keep nothing.
    pub out: Option<PathBuf>,
}

impl SelfPlay {
    /// Plays all games of our part, or until `stop`. The observer hears of each finished game.
    ///
    /// # Errors
    /// The games cannot begin. What keeps them from going on later is part of the report.
    pub fn run(
        &self,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Standing, Option<&GameRecord>),
    ) -> Result<Report, SelfPlayError> {
        let start = Instant::now();
        let settings = &self.settings;
        settings.check()?;
        let openings = settings.start.open()?;
        let adjudication = settings.adjudication.prepare().map_err(SettingsError::from)?;
        let identities = players::introduce(&settings.players, false)?;
        let openings_name = openings.describe(settings.games);
        let parts = Parts { engines: identities.clone(), book: settings.book_digest() };
        let (mut store, memory) = match &self.out {
            Some(name) => {
                let (store, memory) = Store::open(name, settings, parts)?;
                (Some(store), memory)
            }
            None => (None, Memory::default()),
        };
        let mut is_open = vec![true; settings.games as usize];
        let mut standing = Standing::new(settings.numbers().count() as u64);
        // More games may have been kept than are asked for now.
        for game in memory.games.iter().filter(|game| settings.wants(game.number)) {
            is_open[game.number as usize] = false;
            standing.add(game);
        }
        let (torn, resumed) = (memory.torn, standing.results().games());
        drop(memory);
        observer(&standing, None);
        let open = settings.numbers().filter(|&number| is_open[number as usize]).collect();
        let hall = Hall::new(settings, openings, adjudication, stop);
        let Close { unfinished, trouble } = crew::play(
            open,
            self.concurrency,
            stop,
            || {
                let mut table = Table::new(&hall);
                move |number| table.play(number)
            },
            |(record, visited)| -> Result<bool, SelfPlayError> {
                if let Some(store) = &mut store {
                    store.keep(&record, &visited)?;
                }
                standing.add(&record);
                observer(&standing, Some(&record));
                Ok(true)
            },
        );
        Ok(Report {
            counts: standing.counts(),
            efforts: standing.efforts(),
            settings: settings.clone(),
            identities,
            openings: openings_name,
            total: standing.total(),
            games: standing.into_games(),
            concurrency: self.concurrency.max(1),
            resumed,
            unfinished: unfinished + u64::from(torn),
            trouble: trouble.map(|error| error.to_string()),
            interrupted: stop.load(Ordering::Relaxed),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}
