//! Several parts of the same games, counted together.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use super::counts::Counts;
use super::record::{Finished, GameRecord};
use super::settings::{Head, Settings};
use crate::conduct::Effort;
use crate::phrases;
use crate::player::Identity;
use crate::union::{MergeError, Union};

/// Missing games that are named, of any number.
const NAMED: usize = 20;

/// Games of self-play of several parts.
pub type Games = Union<Head, GameRecord>;

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
    Ok(Merged::of(Games::read(files)?))
}

impl Merged {
    /// Counts those games.
    #[must_use]
    pub fn of(union: Games) -> Self {
        let files = union.files().to_vec();
        let Head { tandem_selfplay: settings, parts } = union.head;
        let missing = settings.numbers().filter(|number| !union.games.contains_key(number));
        let missing = missing.take(NAMED).collect();
        let mut efforts = [Effort::default(); 2];
        for record in union.games.values() {
            for (sum, &effort) in efforts.iter_mut().zip(&record.efforts) {
                *sum += effort;
            }
        }
        let courses: Vec<Finished> = union.games.into_values().map(|record| record.game).collect();
        Self {
            games: courses.len() as u64,
            scheduled: settings.games,
            missing,
            files,
            counts: Counts::of(&courses),
            settings,
            sides: parts.engines,
            efforts,
        }
    }
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
