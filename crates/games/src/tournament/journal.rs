//! The memory of a match on disk: settings in the first line, then a game a line. A game is there
//! wholly or not at all, so a match that was interrupted goes on where it stood.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Settings;
use super::record::GameRecord;
use crate::player::Identity;

/// Why a match cannot be kept or gone on with.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is something else.
    #[error("{0}: no journal of a match (line {1}: {2}); choose another name with --out")]
    Foreign(PathBuf, usize, String),
    /// Another match is in the file.
    #[error(
        "{0}: holds a match with other {1}; go on with those or choose another name with --out"
    )]
    Differs(PathBuf, &'static str),
    /// A file or an engine of the same name is not what it was.
    #[error(
        "{0}: {1} changed since the match began; choose another name with --out for a new match"
    )]
    Changed(PathBuf, String),
    /// Another run has the file open.
    #[error("{0}: another match is being kept in it just now; choose another name with --out")]
    Busy(PathBuf),
    /// The games that are there come from no journal.
    #[error(
        "{0}: holds games that are not this match's and would be lost; choose another name with --out"
    )]
    OtherGames(PathBuf),
}

/// How every journal begins.
const BEGINNING: &[u8] = b"{\"tandem_match\":";

#[derive(Serialize, Deserialize)]
struct Head {
    tandem_match: Settings,
    /// Journals of old do not have them.
    #[serde(default)]
    parts: Option<Parts>,
}

/// What a match was played with, which the names of files do not tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// Who the players turned out to be.
    pub engines: Vec<Identity>,
    /// The hash of the book.
    pub book: Option<String>,
}

impl Parts {
    /// What is not the same in others.
    fn change(&self, now: &Self, settings: &Settings) -> Option<String> {
        let mut engines = self.engines.iter().zip(&now.engines).zip(&settings.players);
        let changed = engines.find(|((before, now), _)| before != now);
        let engine = changed.map(|(_, player)| format!("the engine of '{}' has", player.name));
        engine.or_else(|| (self.book != now.book).then(|| "the openings have".to_owned()))
    }
}

/// Files in which a match is kept: `NAME.jsonl`, and its games as `NAME.pgn`.
pub struct Journal {
    file: File,
    path: PathBuf,
    pgn: File,
    pgn_path: PathBuf,
}

/// What a journal held already.
#[derive(Default)]
pub struct Memory {
    /// The games.
    pub games: Vec<GameRecord>,
    /// Whether the last line had been cut off; its game is played again.
    pub torn: bool,
}

impl Journal {
    /// Opens the files of that name, new or from an interrupted match with the same settings.
    ///
    /// # Errors
    /// The files cannot be used or hold another match.
    pub fn open(
        name: &Path,
        settings: &Settings,
        parts: &Parts,
    ) -> Result<(Self, Memory), JournalError> {
        let (path, pgn_path) = (with_suffix(name, ".jsonl"), with_suffix(name, ".pgn"));
        let fail = |path: &Path, error| JournalError::File(path.to_owned(), error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
        }
        let is_new = !path.exists();
        let file = OpenOptions::new().read(true).create(true).append(true).open(&path);
        let mut file = file.map_err(|error| fail(&path, error))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Busy(path.clone()),
            TryLockError::Error(error) => fail(&path, error),
        })?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|error| fail(&path, error))?;
        let (memory, sound) = recall(&path, &text, settings, parts)?;
        if sound == 0 && fs::metadata(&pgn_path).is_ok_and(|data| data.len() > 0) {
            if is_new {
                // Nothing was kept, so nothing is to be seen of the attempt.
                let _ = fs::remove_file(&path);
            }
            return Err(JournalError::OtherGames(pgn_path));
        }
        file.set_len(sound as u64).map_err(|error| fail(&path, error))?;
        // The games are written anew from the journal, so that both always agree.
        let mut pgn = File::create(&pgn_path).map_err(|error| fail(&pgn_path, error))?;
        for game in &memory.games {
            pgn.write_all(game.pgn.as_bytes()).map_err(|error| fail(&pgn_path, error))?;
        }
        let mut journal = Self { file, path, pgn, pgn_path };
        if sound == 0 {
            let head = Head { tandem_match: settings.clone(), parts: Some(parts.clone()) };
            journal.append(&head)?;
        }
        Ok((journal, memory))
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn keep(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append(game)?;
        let written = self.pgn.write_all(game.pgn.as_bytes());
        written.map_err(|error| JournalError::File(self.pgn_path.clone(), error))
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_string(line).expect("records have only plain fields");
        text.push('\n');
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| JournalError::File(self.path.clone(), error))
    }
}

fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Reads a journal; also how many of its bytes are sound.
fn recall(
    path: &Path,
    text: &[u8],
    settings: &Settings,
    parts: &Parts,
) -> Result<(Memory, usize), JournalError> {
    let foreign = |line: usize, reason: &dyn ToString| {
        JournalError::Foreign(path.to_owned(), line, reason.to_string())
    };
    let mut memory = Memory::default();
    let mut sound = 0;
    for (i, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            let is_ours = i > 0 || line.starts_with(BEGINNING) || BEGINNING.starts_with(line);
            if !is_ours {
                return Err(foreign(1, &"it begins in another way"));
            }
            memory.torn = i > 0;
            break;
        }
        if i == 0 {
            let head: Head = serde_json::from_slice(line).map_err(|error| foreign(1, &error))?;
            if let Some(what) = head.tandem_match.difference(settings) {
                return Err(JournalError::Differs(path.to_owned(), what));
            }
            let change = head.parts.and_then(|before| before.change(parts, settings));
            if let Some(what) = change {
                return Err(JournalError::Changed(path.to_owned(), what));
            }
        } else {
            let game = serde_json::from_slice(line).map_err(|error| foreign(i + 1, &error))?;
            memory.games.push(game);
        }
        sound += line.len();
    }
    Ok((memory, sound))
}
