//! Files in which games are kept: the journal, and beside it what was thought.

use std::path::Path;

use super::SelfPlayError;
use super::record::GameRecord;
use super::settings::{Head, Settings};
use crate::journal::{Journal, Memory, Parts, with_suffix};
use crate::visits::{VisitedGame, VisitsWriter};

/// `NAME.jsonl`, `NAME.pgn` and `NAME.visits`.
pub struct Store {
    journal: Journal<GameRecord>,
    visits: VisitsWriter,
}

impl Store {
    /// Opens the files of that name, new or from an interrupted run with the same settings.
    pub fn open(
        name: &Path,
        settings: &Settings,
        parts: Parts,
    ) -> Result<(Self, Memory<GameRecord>), SelfPlayError> {
        let head = Head { tandem_selfplay: settings.clone(), parts };
        let (journal, memory) = Journal::<GameRecord>::open(name, &head)?;
        let kept: Vec<u64> = memory.games.iter().map(|game| game.number).collect();
        let note = serde_json::to_string(&head).expect("settings have only plain fields");
        let visits = VisitsWriter::resume(&with_suffix(name, ".visits"), &note, &kept)?;
        Ok((Self { journal, visits }, memory))
    }

    /// Keeps a game. Only one that the journal knows counts, so that comes last.
    pub fn keep(&mut self, record: &GameRecord, game: &VisitedGame) -> Result<(), SelfPlayError> {
        self.visits.write(game)?;
        Ok(self.journal.keep(record)?)
    }
}
