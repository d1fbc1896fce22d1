//! Where an experiment lives: its report, and its games in a folder of their own within.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::setup::Setup;
use crate::{Experiment as _, LabError};

/// The files that the report consists of stand in the folder itself, all others in this one within it.
const GAMES: &str = "games";
const SETTINGS: &str = "settings.json";
const REPORT: &str = "report.json";

/// Everything that decides how an experiment goes; only the number of games may change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The experiment's name.
    pub experiment: String,
    /// Positions for each move.
    pub nodes: Vec<u64>,
    /// Where chance begins.
    pub seed: u64,
    /// UCI options of all sides.
    pub both: String,
    /// The experiment's own options.
    pub own: Vec<String>,
}

impl Head {
    /// Of an experiment as it is set up.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        Self {
            experiment: setup.name.name().to_owned(),
            nodes: setup.nodes.clone(),
            seed: setup.seed,
            both: setup.both.to_string(),
            own: setup.name.words(),
        }
    }

    /// What keeps an experiment that began so from going on as `now` says.
    fn difference(&self, now: &Self) -> Option<&'static str> {
        let Self { experiment, nodes, seed, both, own } = self;
        [
            (*experiment == now.experiment, "questions"),
            (*nodes == now.nodes, "numbers of positions"),
            (*seed == now.seed, "seeds"),
            (*both == now.both, "options of the engine"),
            (*own == now.own, "options of its own"),
        ]
        .into_iter()
        .find_map(|(same, what)| (!same).then_some(what))
    }
}

/// What another run needs to see in a report.
#[derive(Deserialize)]
struct Published {
    settings: Head,
}

/// A folder with an experiment, kept from others while it is open.
pub struct Folder {
    path: PathBuf,
    /// Locked for as long as this lives.
    _settings: File,
}

impl Folder {
    /// Opens a folder for that experiment, new or from an interrupted run.
    ///
    /// # Errors
    /// It cannot be used or holds something else.
    pub fn open(path: &Path, head: &Head) -> Result<Self, LabError> {
        let games = path.join(GAMES);
        let fail = |path: &Path, error| LabError::File(path.to_owned(), error);
        let published = path.join(REPORT);
        let file = games.join(SETTINGS);
        if !file.exists() && published.exists() {
            // Whoever publishes reports need not keep the games; but a report is not lost for another.
            let kept: Published = read(&published, "no report of an experiment")?;
            compare(&published, &kept.settings, head)?;
        }
        fs::create_dir_all(&games).map_err(|error| fail(&games, error))?;
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&file);
        let mut settings = open.map_err(|error| fail(&file, error))?;
        settings.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LabError::Busy(path.to_owned()),
            TryLockError::Error(error) => fail(&file, error),
        })?;
        let mut text = String::new();
        settings.read_to_string(&mut text).map_err(|error| fail(&file, error))?;
        if text.ends_with('\n') {
            let kept = parse(&file, &text, "no settings of an experiment")?;
            compare(&file, &kept, head)?;
        } else {
            // New, or cut off as they were being written, before the first game.
            let begun = fs::read_dir(&games).map_err(|error| fail(&games, error))?.count() > 1;
            if begun {
                let reason = "the settings of the games beside it are damaged".to_owned();
                return Err(LabError::Foreign(file, reason));
            }
            let mut text = serde_json::to_string_pretty(head).expect("only plain fields");
            text.push('\n');
            let write = settings
                .seek(SeekFrom::Start(0))
                .and_then(|_| settings.set_len(0))
                .and_then(|()| settings.write_all(text.as_bytes()));
            write.map_err(|error| fail(&file, error))?;
        }
        Ok(Self { path: path.to_owned(), _settings: settings })
    }

    /// Where files of games of that name are kept, without their ending.
    #[must_use]
    pub fn games(&self, name: &str) -> PathBuf {
        self.path.join(GAMES).join(name)
    }

    /// The same in the folder of another experiment beside this one.
    #[must_use]
    pub fn games_beside(&self, sibling: &str, name: &str) -> Option<PathBuf> {
        let beside = self.path.parent()?.join(sibling);
        (beside != self.path).then(|| beside.join(GAMES).join(name))
    }

    /// Writes a file of the report: wholly or not at all.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn publish(&self, name: &str, text: &str) -> Result<(), LabError> {
        self.write(self.path.join(name), name, text)
    }

    /// Keeps what came of something beside the games.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn keep(&self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        let text = serde_json::to_string_pretty(value).expect("only plain fields") + "\n";
        self.write(self.games(name), name, &text)
    }

    /// What was kept under that name, if anything was.
    ///
    /// # Errors
    /// It cannot be read or understood.
    pub fn recall<T: for<'de> Deserialize<'de>>(&self, name: &str) -> Result<Option<T>, LabError> {
        let path = self.games(name);
        path.exists().then(|| read(&path, "not what an experiment keeps")).transpose()
    }

    fn write(&self, path: PathBuf, name: &str, text: &str) -> Result<(), LabError> {
        let draft = self.games(&format!("{name}.new"));
        let write = fs::write(&draft, text).and_then(|()| fs::rename(&draft, &path));
        write.map_err(|error| LabError::File(path, error))
    }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path, reason: &str) -> Result<T, LabError> {
    let text = fs::read_to_string(path);
    parse(path, &text.map_err(|error| LabError::File(path.to_owned(), error))?, reason)
}

fn parse<T: for<'de> Deserialize<'de>>(
    path: &Path,
    text: &str,
    reason: &str,
) -> Result<T, LabError> {
    serde_json::from_str(text)
        .map_err(|error| LabError::Foreign(path.to_owned(), format!("{reason} ({error})")))
}

fn compare(path: &Path, kept: &Head, now: &Head) -> Result<(), LabError> {
    match kept.difference(now) {
        Some(what) => Err(LabError::Differs(path.to_owned(), what)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            experiment: "odds-nodes".to_owned(),
            nodes: vec![100, 200],
            seed: 1,
            both: String::new(),
            own: vec!["--odds".to_owned(), "queen".to_owned()],
        }
    }

    #[test]
    fn a_folder_is_for_one_experiment_and_one_run_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("deep/odds");
        let folder = Folder::open(&path, &head()).unwrap();
        assert!(matches!(Folder::open(&path, &head()), Err(LabError::Busy(_))));
        drop(folder);
        assert!(Folder::open(&path, &head()).is_ok());
        for (other, said) in [
            (Head { experiment: "schedule".to_owned(), ..head() }, "other questions"),
            (Head { nodes: vec![100], ..head() }, "other numbers of positions"),
            (Head { seed: 2, ..head() }, "other seeds"),
            (Head { both: "option.Hash=1".to_owned(), ..head() }, "other options of the engine"),
            (Head { own: Vec::new(), ..head() }, "other options of its own"),
        ] {
            let error = Folder::open(&path, &other).err().unwrap().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn damaged_settings_and_foreign_reports_are_refused() {
        let place = tempfile::tempdir().unwrap();
        drop(Folder::open(place.path(), &head()).unwrap());
        let settings = place.path().join("games/settings.json");
        fs::write(&settings, "{\"experiment\": 3}\n").unwrap();
        let error = Folder::open(place.path(), &head()).err().unwrap().to_string();
        assert!(error.contains("no settings of an experiment"), "{error}");
        fs::write(&settings, "{\"exper").unwrap();
        assert!(Folder::open(place.path(), &head()).is_ok(), "nothing was played yet");
        fs::write(&settings, "").unwrap();
        fs::write(place.path().join("games/x.jsonl"), "").unwrap();
        let error = Folder::open(place.path(), &head()).err().unwrap().to_string();
        assert!(error.contains("are damaged"), "{error}");

        fs::remove_dir_all(place.path().join("games")).unwrap();
        let report = place.path().join(REPORT);
        fs::write(&report, "no JSON").unwrap();
        let error = Folder::open(place.path(), &head()).err().unwrap().to_string();
        assert!(error.contains("no report of an experiment"), "{error}");
        fs::write(&report, serde_json::json!({ "settings": head() }).to_string()).unwrap();
        let other = Head { seed: 2, ..head() };
        assert!(matches!(Folder::open(place.path(), &other), Err(LabError::Differs(..))));
        assert!(!place.path().join("games").exists(), "nothing is left of an attempt");
        assert!(Folder::open(place.path(), &head()).is_ok());
    }
}
