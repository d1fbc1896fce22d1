//! The memory of many games on disk: what is played in the first line, then a game a line. A game is
//! there wholly or not at all, so work that was interrupted goes on where it stood.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::player::Identity;

/// Why games cannot be kept or gone on with. What they belong to is named as [`Head::KIND`] says.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is something else.
    #[error("{0}: no journal of a {1} (line {2}: {3}); choose another name with --out")]
    Foreign(PathBuf, &'static str, usize, String),
    /// Other games are in the file.
    #[error("{0}: holds a {1} with other {2}; go on with those or choose another name with --out")]
    Differs(PathBuf, &'static str, &'static str),
    /// A file or an engine of the same name is not what it was.
    #[error("{0}: {2} changed since the {1} began; choose another name with --out for a new {1}")]
    Changed(PathBuf, &'static str, String),
    /// Another run has the file open.
    #[error("{0}: another {1} is being kept in it just now; choose another name with --out")]
    Busy(PathBuf, &'static str),
    /// The games that are there come from no journal.
    #[error(
        "{0}: holds games that are not this {1}'s and would be lost; choose another name with --out"
    )]
    OtherGames(PathBuf, &'static str),
}

/// The first line of a journal: everything that decides which games are played.
pub trait Head: Serialize + DeserializeOwned {
    /// What the games belong to.
    const KIND: &'static str;
    /// How every such line begins.
    const BEGINNING: &'static [u8];
    /// The endings of the files that are kept beside the journal.
    const COMPANIONS: &'static [&'static str];

    /// What keeps games that began so from going on as `now` says.
    fn obstacle(&self, now: &Self) -> Option<Obstacle>;
}

/// What is not as it was.
pub enum Obstacle {
    /// Other settings, by name.
    Settings(&'static str),
    /// Something that is called the same and has changed: a subject and "has" or "have".
    Parts(String),
}

/// A game as a journal keeps it, or what else is done one by one.
pub trait Entry: Serialize + DeserializeOwned {
    /// The game for other programs; nothing unless the head names a file for it.
    #[allow(clippy::unnecessary_literal_bound, reason = "games lend their own text")]
    fn pgn(&self) -> &str {
        ""
    }
}

/// What games were played with, which the names of files do not tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// Who the players turned out to be.
    pub engines: Vec<Identity>,
    /// The hash of the book.
    pub book: Option<String>,
}

impl Parts {
    /// What is not the same now, for players of those names.
    pub fn change<'a>(
        &self,
        now: &Self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Option<String> {
        let mut engines = self.engines.iter().zip(&now.engines).zip(names);
        let changed = engines.find(|((before, now), _)| before != now);
        let engine = changed.map(|(_, name)| format!("the engine of '{name}' has"));
        engine.or_else(|| (self.book != now.book).then(|| "the openings have".to_owned()))
    }
}

/// The ending of the file with the games for other programs.
const PGN: &str = ".pgn";

/// Files in which games are kept: `NAME.jsonl`, and where the head names that file, the games as `NAME.pgn`.
pub struct Journal<E> {
    file: File,
    path: PathBuf,
    /// How many bytes of the file are whole lines.
    length: u64,
    pgn: Option<File>,
    pgn_path: PathBuf,
    entries: PhantomData<E>,
}

/// What a journal held already.
pub struct Memory<E> {
    /// The games.
    pub games: Vec<E>,
    /// Whether the last line had been cut off; its game is played again.
    pub torn: bool,
}

impl<E> Default for Memory<E> {
    fn default() -> Self {
        Self { games: Vec::new(), torn: false }
    }
}

impl<E: Entry> Journal<E> {
    /// Opens the files of that name, new or from an interrupted run with the same settings.
    ///
    /// # Errors
    /// The files cannot be used or hold other games.
    pub fn open<H: Head>(name: &Path, head: &H) -> Result<(Self, Memory<E>), JournalError> {
        let (path, pgn_path) = (with_suffix(name, ".jsonl"), with_suffix(name, PGN));
        let fail = |path: &Path, error| JournalError::File(path.to_owned(), error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
        }
        let is_new = !path.exists();
        let file = OpenOptions::new().read(true).create(true).append(true).open(&path);
        let mut file = file.map_err(|error| fail(&path, error))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Busy(path.clone(), H::KIND),
            TryLockError::Error(error) => fail(&path, error),
        })?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|error| fail(&path, error))?;
        let (memory, sound): (Memory<E>, _) =
            recall(&path, &text, |began: H| agree(&path, &began, head))?;
        let mut companions = H::COMPANIONS.iter().map(|suffix| with_suffix(name, suffix));
        let is_filled = |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.len() > 0);
        if sound == 0
            && let Some(others) = companions.find(is_filled)
        {
            if is_new {
                // Nothing was kept, so nothing is to be seen of the attempt.
                let _ = fs::remove_file(&path);
            }
            return Err(JournalError::OtherGames(others, H::KIND));
        }
        file.set_len(sound as u64).map_err(|error| fail(&path, error))?;
        // The games are written anew from the journal, so that both always agree.
        let pgn = H::COMPANIONS.contains(&PGN).then(|| File::create(&pgn_path)).transpose();
        let mut pgn = pgn.map_err(|error| fail(&pgn_path, error))?;
        if let Some(pgn) = &mut pgn {
            for game in &memory.games {
                pgn.write_all(game.pgn().as_bytes()).map_err(|error| fail(&pgn_path, error))?;
            }
        }
        let length = sound as u64;
        let mut journal = Self { file, path, length, pgn, pgn_path, entries: PhantomData };
        if sound == 0 {
            journal.append(head)?;
        }
        Ok((journal, memory))
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn keep(&mut self, game: &E) -> Result<(), JournalError> {
        self.append(game)?;
        let Some(pgn) = &mut self.pgn else { return Ok(()) };
        let written = pgn.write_all(game.pgn().as_bytes());
        written.map_err(|error| JournalError::File(self.pgn_path.clone(), error))
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_string(line).expect("records have only plain fields");
        text.push('\n');
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // Half a line would stand before the next whole one.
            let _ = self.file.set_len(self.length);
            return Err(JournalError::File(self.path.clone(), error));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

/// A file beside others of that name.
#[must_use]
pub fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Shows a journal's first line and then its games, one after another, each with the place of its line: the
/// byte where it begins, and its length. A last line that was cut off is not shown.
///
/// # Errors
/// The file cannot be read or is something else, or who is shown it refuses.
pub fn walk<H: Head, E: Entry, X: From<JournalError>>(
    path: &Path,
    on_head: impl FnOnce(H) -> Result<(), X>,
    mut on_game: impl FnMut(E, u64, usize) -> Result<(), X>,
) -> Result<(), X> {
    let fail = |error| X::from(JournalError::File(path.to_owned(), error));
    let foreign = |line: usize, reason: &dyn ToString| {
        X::from(JournalError::Foreign(path.to_owned(), H::KIND, line, reason.to_string()))
    };
    let mut input = BufReader::new(File::open(path).map_err(fail)?);
    let (mut on_head, mut offset, mut line) = (Some(on_head), 0, Vec::new());
    for number in 1.. {
        line.clear();
        let length = input.read_until(b'\n', &mut line).map_err(fail)?;
        if !line.ends_with(b"\n") {
            break;
        }
        let refuse = |error: serde_json::Error| foreign(number, &error);
        match on_head.take() {
            Some(on_head) => on_head(serde_json::from_slice(&line).map_err(refuse)?)?,
            None => on_game(serde_json::from_slice(&line).map_err(refuse)?, offset, length)?,
        }
        offset += length as u64;
    }
    if on_head.is_some() { Err(foreign(1, &"it is empty")) } else { Ok(()) }
}

/// Whether games that began with one line can go on with another.
fn agree<H: Head>(path: &Path, began: &H, now: &H) -> Result<(), JournalError> {
    match began.obstacle(now) {
        None => Ok(()),
        Some(Obstacle::Settings(what)) => {
            Err(JournalError::Differs(path.to_owned(), H::KIND, what))
        }
        Some(Obstacle::Parts(what)) => Err(JournalError::Changed(path.to_owned(), H::KIND, what)),
    }
}

/// Reads a journal whose first line is accepted; also how many of its bytes are sound.
fn recall<H: Head, E: Entry>(
    path: &Path,
    text: &[u8],
    accept: impl FnOnce(H) -> Result<(), JournalError>,
) -> Result<(Memory<E>, usize), JournalError> {
    let foreign = |line: usize, reason: &dyn ToString| {
        JournalError::Foreign(path.to_owned(), H::KIND, line, reason.to_string())
    };
    let mut accept = Some(accept);
    let mut memory = Memory::default();
    let mut sound = 0;
    for (i, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            let is_ours = i > 0 || line.starts_with(H::BEGINNING) || H::BEGINNING.starts_with(line);
            if !is_ours {
                return Err(foreign(1, &"it begins in another way"));
            }
            memory.torn = i > 0;
            break;
        }
        if let Some(accept) = accept.take() {
            accept(serde_json::from_slice(line).map_err(|error| foreign(1, &error))?)?;
        } else {
            let game = serde_json::from_slice(line).map_err(|error| foreign(i + 1, &error))?;
            memory.games.push(game);
        }
        sound += line.len();
    }
    Ok((memory, sound))
}
