//! The games of several parts of the same work as one, in the order of their numbers.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Shard;
use crate::journal::{self, Entry, Head, JournalError, Obstacle, with_suffix};
use crate::visits::{self, VisitsError};

/// Files that are open at a time while games are copied.
const OPEN: usize = 128;

/// Why parts cannot be put together.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What was thought cannot be read or written.
    #[error(transparent)]
    Visits(#[from] VisitsError),
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
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
    /// What was thought in a game is not there.
    #[error("{1}: what was thought in game {0} is missing")]
    Thoughtless(u64, PathBuf),
}

/// The first line of a journal that may hold only a part of the games.
pub trait Divided: Head {
    /// Says which part it is, and that from now on it is all of them.
    fn take_shard(&mut self) -> Shard;

    /// How many games there are, in whatever part.
    fn games(&mut self) -> &mut u64;

    /// Whether a game of that number belongs to that part.
    fn holds(shard: Shard, number: u64) -> bool;
}

/// A game with a number among all games.
pub trait Numbered: Entry {
    /// Its number.
    fn number(&self) -> u64;

    /// Forgets the text for other programs, which takes most of the room.
    fn shed(&mut self);
}

/// Where a game stands.
struct Place {
    file: usize,
    offset: u64,
    length: usize,
}

/// The games of several journals as one.
pub struct Union<H, E> {
    /// What the whole is, as a journal of all games begins.
    pub head: H,
    /// The games by number, without their text for other programs.
    pub games: BTreeMap<u64, E>,
    files: Vec<PathBuf>,
    places: Vec<Place>,
}

impl<H: Divided, E: Numbered> Union<H, E> {
    /// Reads the journals of several parts. Their settings must be the same but for the part.
    ///
    /// # Errors
    /// A file is no such journal, holds other games, or holds some that another has.
    pub fn read(files: &[PathBuf]) -> Result<Self, MergeError> {
        let mut whole: Option<H> = None;
        let mut found: BTreeMap<u64, (E, Place)> = BTreeMap::new();
        for (index, file) in files.iter().enumerate() {
            let mut shard = Shard::default();
            let on_head = |mut head: H| {
                shard = head.take_shard();
                match &mut whole {
                    None => whole = Some(head),
                    Some(whole) => {
                        agree(whole, &head, file, &files[0])?;
                        *whole.games() = (*head.games()).max(*whole.games());
                    }
                }
                Ok(())
            };
            let mut own = Vec::new();
            journal::walk(file, on_head, |mut game: E, offset, length| {
                game.shed();
                own.push((game, Place { file: index, offset, length }));
                Ok::<_, MergeError>(())
            })?;
            for (game, place) in own {
                let number = game.number();
                if !H::holds(shard, number) {
                    return Err(MergeError::Stray(number, file.clone()));
                }
                if let Some((_, other)) = found.insert(number, (game, place)) {
                    return Err(MergeError::Twice(number, files[other.file].clone(), file.clone()));
                }
            }
        }
        let head = whole.ok_or(MergeError::NoFiles)?;
        let mut games = BTreeMap::new();
        let mut places = Vec::with_capacity(found.len());
        for (number, (game, place)) in found {
            games.insert(number, game);
            places.push(place);
        }
        Ok(Self { head, games, files: files.to_vec(), places })
    }

    /// The files that were read.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Writes all games as `NAME.jsonl`, and as `NAME.pgn` and `NAME.visits` where the journals have those
    /// beside them: the files that one run without parts leaves, in the order of the games.
    ///
    /// # Errors
    /// A file cannot be read or written, or what was thought in a game is missing.
    pub fn write(&self, name: &Path) -> Result<(), MergeError> {
        let fail = |path: &Path, error| MergeError::File(path.to_owned(), error);
        if let Some(folder) = name.parent() {
            fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
        }
        let head = serde_json::to_string(&self.head).expect("settings have only plain fields");
        let has = |suffix: &str| H::COMPANIONS.contains(&suffix);
        let mut drafts = Vec::new();
        let mut draft = |suffix: &str| -> Result<(PathBuf, BufWriter<File>), MergeError> {
            let path = with_suffix(name, &format!("{suffix}.new"));
            let file = File::create(&path).map_err(|error| fail(&path, error))?;
            // The journal says what counts, so it takes its place last.
            drafts.push((path.clone(), with_suffix(name, suffix)));
            Ok((path, BufWriter::new(file)))
        };
        if has(".visits") {
            let (path, mut out) = draft(".visits")?;
            self.copy_visits(&head, &mut out, &path)?;
            out.flush().map_err(|error| fail(&path, error))?;
        }
        let mut pgn = has(".pgn").then(|| draft(".pgn")).transpose()?;
        let (path, mut out) = draft(".jsonl")?;
        writeln!(out, "{head}").map_err(|error| fail(&path, error))?;
        let mut shelf = Shelf::new(&self.files);
        for place in &self.places {
            let line = shelf.read(place)?;
            out.write_all(&line).map_err(|error| fail(&path, error))?;
            if let Some((path, out)) = &mut pgn {
                let game: E = serde_json::from_slice(&line)
                    .map_err(|error| fail(&self.files[place.file], error.into()))?;
                out.write_all(game.pgn().as_bytes()).map_err(|error| fail(path, error))?;
            }
        }
        out.flush().map_err(|error| fail(&path, error))?;
        if let Some((path, mut out)) = pgn {
            out.flush().map_err(|error| fail(&path, error))?;
        }
        for (draft, path) in drafts {
            fs::rename(&draft, &path).map_err(|error| fail(&path, error))?;
        }
        Ok(())
    }

    /// What was thought in the games, in their order.
    fn copy_visits(
        &self,
        note: &str,
        out: &mut impl io::Write,
        path: &Path,
    ) -> Result<(), MergeError> {
        let fail = |path: &Path, error| MergeError::File(path.to_owned(), error);
        let beside: Vec<PathBuf> =
            self.files.iter().map(|file| file.with_extension("visits")).collect();
        let mut places = BTreeMap::new();
        for (index, file) in beside.iter().enumerate() {
            visits::places(file, |number, offset, length| {
                places.insert(number, Place { file: index, offset, length });
            })?;
        }
        out.write_all(&visits::note(note)).map_err(|error| fail(path, error))?;
        let mut shelf = Shelf::new(&beside);
        for (number, place) in self.games.keys().zip(&self.places) {
            let found = places.get(number).filter(|found| found.file == place.file);
            let missing = || MergeError::Thoughtless(*number, beside[place.file].clone());
            let frame = shelf.read(found.ok_or_else(missing)?)?;
            out.write_all(&frame).map_err(|error| fail(path, error))?;
        }
        Ok(())
    }
}

fn agree<H: Head>(whole: &H, part: &H, file: &Path, first: &Path) -> Result<(), MergeError> {
    let (file, first) = (file.to_owned(), first.to_owned());
    match whole.obstacle(part) {
        None => Ok(()),
        Some(Obstacle::Settings(what)) => Err(MergeError::Differs(file, first, what)),
        Some(Obstacle::Parts(what)) => Err(MergeError::Changed(file, first, what)),
    }
}

/// Files from which pieces are read, some of them open.
struct Shelf<'a> {
    files: &'a [PathBuf],
    open: BTreeMap<usize, File>,
}

impl<'a> Shelf<'a> {
    const fn new(files: &'a [PathBuf]) -> Self {
        Self { files, open: BTreeMap::new() }
    }

    fn read(&mut self, place: &Place) -> Result<Vec<u8>, MergeError> {
        let fail = |error| MergeError::File(self.files[place.file].clone(), error);
        if self.open.len() >= OPEN && !self.open.contains_key(&place.file) {
            self.open.clear();
        }
        let file = match self.open.entry(place.file) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(File::open(&self.files[place.file]).map_err(fail)?)
            }
        };
        let mut bytes = vec![0; place.length];
        file.seek(SeekFrom::Start(place.offset)).map_err(fail)?;
        file.read_exact(&mut bytes).map_err(fail)?;
        Ok(bytes)
    }
}
