//! Where a shard is done.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tandem_games::{Shard, hardware};

use crate::manifest::now;
use crate::{FleetError, Manifest, Work, Yield};

/// What a shard's folder is called until it is complete.
const UNFINISHED: &str = ".part";

/// How long to wait for a process that does the same shard: a scheduler that lost a worker starts the shard
/// elsewhere while the lost one is still tidying up.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(50);

/// A note has this size from the beginning, so that there is room for the last words on a full disk.
const ROOM: usize = 4096;

/// Where one shard of a work is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    folder: PathBuf,
    shard: Shard,
}

/// How a shard's last run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is going on, or ended without a word.
    Running,
    /// It was asked to stop; it will go on when it is run again.
    Stopped,
    /// It cannot go on.
    Failed,
    /// It is complete.
    Complete,
}

/// What a run says about itself while it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// How it goes.
    pub state: State,
    /// Why it cannot go on.
    pub sentence: Option<String>,
    /// The machine.
    pub host: String,
    /// The process.
    pub pid: u32,
    /// When the run began, in seconds since 1970.
    pub started: u64,
    /// When it ended.
    pub ended: Option<u64>,
}

impl Note {
    /// What the file is called.
    pub const FILE: &'static str = "run.json";

    fn begin() -> Self {
        let (host, pid) = (hardware::host(), std::process::id());
        Self { state: State::Running, sentence: None, host, pid, started: now(), ended: None }
    }

    fn end(&mut self, state: State, sentence: Option<&str>) {
        self.state = state;
        // A character takes six bytes at most in JSON.
        self.sentence = sentence.map(|text| text.chars().take(ROOM / 8).collect());
        self.ended = Some(now());
    }

    /// The note of the last run in a folder.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join(Self::FILE)).ok()?;
        serde_json::from_str(text.trim_end()).ok()
    }

    fn write(&self, file: &mut File) -> std::io::Result<()> {
        let text = serde_json::to_string(self).expect("only plain fields");
        file.seek(SeekFrom::Start(0))?;
        file.write_all(format!("{text:width$}\n", width = ROOM - 1).as_bytes())
    }
}

/// What is found where a shard is to be done.
#[allow(clippy::large_enum_variant, reason = "there is one for a shard")]
pub enum Begun {
    /// It is done.
    Complete(Box<Manifest>),
    /// It is ours to do.
    Open(Workplace),
    /// We are to stop, and have waited in vain.
    Stopped,
}

impl Place {
    /// The place of that shard in a folder of shards.
    #[must_use]
    pub fn new(folder: &Path, shard: Shard) -> Self {
        Self { folder: folder.to_owned(), shard }
    }

    /// Which shard it is.
    #[must_use]
    pub const fn shard(&self) -> Shard {
        self.shard
    }

    /// The folder of the complete shard.
    #[must_use]
    pub fn complete(&self) -> PathBuf {
        let (number, count) = (self.shard.index() + 1, self.shard.count());
        let width = count.to_string().len().max(4);
        self.folder.join(format!("{number:0width$}-of-{count:0width$}"))
    }

    /// The folder of the shard until it is complete.
    #[must_use]
    pub fn unfinished(&self) -> PathBuf {
        let mut name = self.complete().into_os_string();
        name.push(UNFINISHED);
        PathBuf::from(name)
    }

    /// Begins the shard, or goes on with it, or finds it complete. If another process is doing it, waits
    /// for its end for a while.
    ///
    /// # Errors
    /// The folder cannot be used, holds another work, or another process is doing the shard.
    pub fn begin(&self, work: &Work, stop: &AtomicBool) -> Result<Begun, FleetError> {
        let folder = self.unfinished();
        let path = folder.join(Note::FILE);
        let patience = Instant::now();
        loop {
            if let Some(manifest) = self.manifest(work)? {
                return Ok(Begun::Complete(Box::new(manifest)));
            }
            fs::create_dir_all(&folder).map_err(FleetError::file(&folder))?;
            let open =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = match open {
                Ok(file) => file,
                // Who did the shard has just completed it.
                Err(_) if self.complete().exists() => continue,
                Err(error) => return Err(FleetError::File(path, error)),
            };
            match file.try_lock() {
                Ok(()) if self.complete().exists() => {
                    // Completed by another while we were looking; what we made is empty.
                    drop(file);
                    let _ = fs::remove_file(&path);
                    let _ = fs::remove_dir(&folder);
                }
                Ok(()) => {
                    let note = Note::begin();
                    note.write(&mut file).map_err(FleetError::file(&path))?;
                    let (place, work) = (self.clone(), work.clone());
                    return Ok(Begun::Open(Workplace { place, folder, work, note, file }));
                }
                Err(TryLockError::WouldBlock) => {
                    if stop.load(Ordering::Relaxed) {
                        return Ok(Begun::Stopped);
                    }
                    if patience.elapsed() > PATIENCE {
                        let who = Note::read(&folder).map_or("unknown".to_owned(), |note| {
                            format!("{} on {}", note.pid, note.host)
                        });
                        return Err(FleetError::Busy(folder, who));
                    }
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::Error(error)) => return Err(FleetError::File(path, error)),
            }
        }
    }

    /// Says of a shard that cannot even begin why that is so.
    pub fn refuse(&self, sentence: &str) {
        let folder = self.unfinished();
        if self.complete().exists() || fs::create_dir_all(&folder).is_err() {
            return;
        }
        let path = folder.join(Note::FILE);
        let open = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        if let Ok(mut file) = open
            && file.try_lock().is_ok()
        {
            let mut note = Note::begin();
            note.end(State::Failed, Some(sentence));
            let _ = note.write(&mut file);
        }
    }

    /// Whether a process of this machine is doing the shard just now.
    #[must_use]
    pub fn is_held(&self) -> bool {
        let file = File::open(self.unfinished().join(Note::FILE));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The manifest, if the shard is complete; it must be of that work.
    fn manifest(&self, work: &Work) -> Result<Option<Manifest>, FleetError> {
        let folder = self.complete();
        if !folder.exists() {
            return Ok(None);
        }
        let manifest = Manifest::read(&folder)?;
        match manifest.work.difference(work) {
            Some(what) => Err(FleetError::Differs(folder, self.shard, what)),
            None => Ok(Some(manifest)),
        }
    }
}

/// A shard that is being done, kept from others while this lives.
pub struct Workplace {
    place: Place,
    folder: PathBuf,
    work: Work,
    note: Note,
    /// Locked.
    file: File,
}

impl Workplace {
    /// Where its files belong.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Everything is done: writes the manifest and gives the folder its name.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn complete(mut self, done: Yield) -> Result<Manifest, FleetError> {
        match self.finish(done) {
            Ok(manifest) => Ok(manifest),
            Err(error) => {
                self.fail(&error.to_string());
                Err(error)
            }
        }
    }

    fn finish(&mut self, done: Yield) -> Result<Manifest, FleetError> {
        let manifest = Manifest::of(&self.folder, &self.work, &self.note, done)?;
        manifest.write(&self.folder)?;
        self.note.end(State::Complete, None);
        let _ = self.note.write(&mut self.file);
        let complete = self.place.complete();
        fs::rename(&self.folder, &complete).map_err(FleetError::file(&complete))?;
        Ok(manifest)
    }

    /// It was asked to stop.
    pub fn stop(mut self) {
        self.note.end(State::Stopped, None);
        let _ = self.note.write(&mut self.file);
    }

    /// It cannot go on.
    pub fn fail(mut self, sentence: &str) {
        self.note.end(State::Failed, Some(sentence));
        let _ = self.note.write(&mut self.file);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn work(seed: u64) -> Work {
        let shard = "2/40".parse().unwrap();
        Work { job: "selfplay".to_owned(), shard, seed, settings: json!({ "nodes": 5 }) }
    }

    fn open(place: &Place, seed: u64) -> Workplace {
        match place.begin(&work(seed), &AtomicBool::new(false)).unwrap() {
            Begun::Open(workplace) => workplace,
            _ => panic!("not ours to do"),
        }
    }

    #[test]
    fn a_shard_has_its_name_only_when_it_is_complete_and_is_done_once() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), "2/40".parse().unwrap());
        assert!(place.complete().ends_with("0002-of-0040"));
        let workplace = open(&place, 1);
        fs::create_dir(workplace.folder().join("games")).unwrap();
        fs::write(workplace.folder().join("games/a"), "abc").unwrap();
        assert!(place.is_held() && !place.complete().exists());
        workplace.stop();
        assert_eq!(Note::read(&place.unfinished()).unwrap().state, State::Stopped);
        let counts = Counts { games: 3, ..Counts::default() };
        let done = Yield { counts, ..Yield::default() };
        let manifest = open(&place, 1).complete(done).unwrap();
        assert!(!place.unfinished().exists() && !place.is_held());
        assert_eq!(manifest.files.len(), 1);
        assert_eq!(Manifest::read(&place.complete()).unwrap(), manifest);
        manifest.check(&place.complete()).unwrap();
        let stop = AtomicBool::new(false);
        match place.begin(&work(1), &stop).unwrap() {
            Begun::Complete(found) => assert_eq!(found.counts.games, 3),
            _ => panic!("it is complete"),
        }
        let error = place.begin(&work(2), &stop).err().unwrap().to_string();
        assert!(error.contains("part 2/40 of another work (other seed)"), "{error}");
        fs::write(place.complete().join("games/a"), "abd").unwrap();
        let error = manifest.check(&place.complete()).unwrap_err().to_string();
        assert!(error.contains("games/a: is damaged"), "{error}");
    }

    #[test]
    fn whoever_comes_second_waits_and_finds_what_the_first_did() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), "2/40".parse().unwrap());
        let first = open(&place, 1);
        thread::scope(|scope| {
            let second = scope.spawn(|| {
                matches!(
                    place.begin(&work(1), &AtomicBool::new(false)).unwrap(),
                    Begun::Complete(_)
                )
            });
            thread::sleep(3 * PAUSE);
            first.complete(Yield::default()).unwrap();
            assert!(second.join().unwrap());
        });
        assert!(!place.unfinished().exists());
        let other = Place::new(folder.path(), "3/40".parse().unwrap());
        let held = open(&other, 1);
        let begun = other.begin(&work(1), &AtomicBool::new(true)).unwrap();
        assert!(matches!(begun, Begun::Stopped));
        drop(held);
    }

    #[test]
    fn a_failure_leaves_its_sentence_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), "2/40".parse().unwrap());
        for sentence in ["no space left".to_owned(), "\u{1}".repeat(5000)] {
            open(&place, 1).fail(&sentence);
            let note = Note::read(&place.unfinished()).unwrap();
            assert_eq!(note.state, State::Failed);
            assert!(sentence.starts_with(&note.sentence.unwrap()));
            let length = fs::metadata(place.unfinished().join(Note::FILE)).unwrap().len();
            assert_eq!(length as usize, ROOM);
        }
        place.refuse("no network");
        let note = Note::read(&place.unfinished()).unwrap();
        assert_eq!(note.sentence.as_deref(), Some("no network"));
    }

    use crate::Counts;
}
