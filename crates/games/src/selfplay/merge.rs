//! Several parts of the same games, counted together.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::counts::Counts;
use super::record::{Finished, GameRecord};
use super::settings::{Head, Settings};
use crate::conduct::Effort;
use crate::journal::{self, Head as _, JournalError, Memory, Obstacle};
use crate::phrases;
use crate::player::Identity;

/// Missing games that are named, of any number.
const NAMED: usize = 20;

/// Why parts cannot be counted together.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is nothing to count.
    #[error("no files to count together")]
    NoFiles,
    /// The games are not parts of the same.
    #[error("{0}: its games have other {2} than those of {1}")]
    Differs(PathBuf, PathBuf, &'static str),
    /// Something of the same name was another in one of the parts.
    #[error("{0}: {2} changed since {1} was played")]
    Changed(PathBuf, PathBuf, String),
    /// Two files hold the same game.
    #[error("{1} and {2} both hold game {0}: name each part once")]
    Twice(u64, PathBuf, PathBuf),
    /// A file holds a game that its part has none of.
    #[error("{1}: game {0} belongs to no part of these games")]
    Stray(u64, PathBuf),
}

/// What several parts hold together.
#[derive(Debug, Serialize)]
pub struct Merged {
    /// Games that the parts hold.
    pub games: u64,
    /// Games of the whole work.
    pub scheduled: u64,
    /// The numbers of missing games, the first of them.
    pub missing: Vec<u64>,
    /// The files.
    pub files: Vec<PathBuf>,
    /// The results.
    pub counts: Counts,
    /// What was played.
    pub settings: Settings,
    /// Who the sides turned out to be.
    pub sides: Vec<Identity>,
    /// What White and Black spent.
    pub efforts: [Effort; 2],
}

/// Counts the games of several parts together. Their settings must be the same but for the part.
///
/// # Errors
/// A file is no journal of self-play, holds other games, or holds some that another has.
pub fn merge(files: &[PathBuf]) -> Result<Merged, MergeError> {
    let first = files.first().ok_or(MergeError::NoFiles)?;
    let mut whole: Option<Head> = None;
    let mut games: BTreeMap<u64, (GameRecord, &Path)> = BTreeMap::new();
    for file in files {
        let (mut head, memory): (Head, Memory<GameRecord>) = journal::read(file)?;
        let shard = std::mem::take(&mut head.tandem_selfplay.shard);
        match &mut whole {
            None => whole = Some(head),
            Some(whole) => {
                match whole.obstacle(&head) {
                    None => {}
                    Some(Obstacle::Settings(what)) => {
                        return Err(MergeError::Differs(file.clone(), first.clone(), what));
                    }
                    Some(Obstacle::Parts(what)) => {
                        return Err(MergeError::Changed(file.clone(), first.clone(), what));
                    }
                }
                let games = &mut whole.tandem_selfplay.games;
                *games = head.tandem_selfplay.games.max(*games);
            }
        }
        for game in memory.games {
            let number = game.number;
            if !shard.holds(number) {
                return Err(MergeError::Stray(number, file.clone()));
            }
            if let Some((_, other)) = games.insert(number, (game, file)) {
                return Err(MergeError::Twice(number, other.to_owned(), file.clone()));
            }
        }
    }
    let Head { tandem_selfplay: settings, parts } = whole.ok_or(MergeError::NoFiles)?;
    let missing = settings.numbers().filter(|number| !games.contains_key(number));
    let missing = missing.take(NAMED).collect();
    let mut efforts = [Effort::default(); 2];
    for (record, _) in games.values() {
        for (sum, &effort) in efforts.iter_mut().zip(&record.efforts) {
            *sum += effort;
        }
    }
    let courses: Vec<Finished> = games.into_values().map(|(record, _)| record.game).collect();
    Ok(Merged {
        games: courses.len() as u64,
        scheduled: settings.games,
        missing,
        files: files.to_vec(),
        counts: Counts::of(&courses),
        settings,
        sides: parts.engines,
        efforts,
    })
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "results\n{}sides\n", self.counts)?;
        for (spec, identity) in self.settings.players.iter().zip(&self.sides) {
            f.write_str(&phrases::player(spec, identity))?;
        }
        writeln!(f, "conditions")?;
        let Settings { seed, adjudication, .. } = &self.settings;
        writeln!(
            f,
            "  {} files, {} games of {}, seed {seed}",
            self.files.len(),
            self.games,
            self.scheduled
        )?;
        writeln!(f, "  adjudication: {adjudication}")?;
        let missing: Vec<String> = self.missing.iter().map(u64::to_string).collect();
        let more =
            if self.scheduled - self.games > missing.len() as u64 { " and more" } else { "" };
        match missing.len() {
            0 => write!(f, "  missing: none"),
            _ => write!(
                f,
                "  missing: {} games: {}{more}",
                self.scheduled - self.games,
                missing.join(", ")
            ),
        }
    }
}
