//! What a complete shard says about itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tandem_games::Shard;
use tandem_games::player::Identity;

use crate::digest::{self, FileNote};
use crate::{FleetError, Note};

/// The version of the form.
const VERSION: u32 = 1;
const FILE: &str = "manifest.json";

/// Which work a shard is a part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The command that does it.
    pub job: String,
    /// Which part.
    pub shard: Shard,
    /// Where chance begins.
    pub seed: u64,
    /// Everything else that decides what comes of it.
    pub settings: Value,
}

impl Work {
    /// What differs between two works that should be the same.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let same = |same: bool, what: &str| (!same).then(|| what.to_owned());
        same(self.job == other.job, "command")
            .or_else(|| same(self.shard == other.shard, "part"))
            .or_else(|| same(self.seed == other.seed, "seed"))
            .or_else(|| match (&self.settings, &other.settings) {
                (Value::Object(one), Value::Object(two)) => {
                    let keys = one.keys().chain(two.keys());
                    keys.into_iter().find(|key| one.get(*key) != two.get(*key)).cloned()
                }
                (one, two) => same(one == two, "settings"),
            })
    }
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games, or what else is done one by one.
    pub games: u64,
    /// Positions of them.
    pub positions: u64,
    /// Games that White won, drawn ones, games that Black won.
    pub results: [u64; 3],
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.positions += other.positions;
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum += more;
        }
    }
}

/// What came of a shard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yield {
    /// How much was done.
    pub counts: Counts,
    /// Who did it, with which networks.
    pub engines: Vec<Identity>,
    /// Hashes of other files that mattered.
    pub inputs: BTreeMap<String, String>,
}

/// What a complete shard says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this form.
    pub tandem_shard: u32,
    /// What was done.
    #[serde(flatten)]
    pub work: Work,
    /// By which program.
    pub program: String,
    /// Who played, with which networks.
    pub engines: Vec<Identity>,
    /// Hashes of other files that mattered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// How much was done.
    #[serde(flatten)]
    pub counts: Counts,
    /// On which machine.
    pub host: String,
    /// When its last run began, in seconds since 1970.
    pub started: u64,
    /// When it was complete.
    pub finished: u64,
    /// Its files.
    pub files: Vec<FileNote>,
}

impl Manifest {
    /// Looks at the files in a folder and says what they are.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn of(folder: &Path, work: &Work, note: &Note, done: Yield) -> Result<Self, FleetError> {
        let mut files = Vec::new();
        collect(folder, Path::new(""), &mut files)?;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self {
            tandem_shard: VERSION,
            work: work.clone(),
            program: concat!("tandem ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines: done.engines,
            inputs: done.inputs,
            counts: done.counts,
            host: note.host.clone(),
            started: note.started,
            finished: now(),
            files,
        })
    }

    /// Writes it into a folder, whole or not at all.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn write(&self, folder: &Path) -> Result<(), FleetError> {
        let text = serde_json::to_string_pretty(self).expect("only plain fields") + "\n";
        write_whole(&folder.join(FILE), &text)
    }

    /// The manifest in a folder.
    ///
    /// # Errors
    /// There is none that can be understood.
    pub fn read(folder: &Path) -> Result<Self, FleetError> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).map_err(FleetError::file(&path))?;
        serde_json::from_str(&text)
            .map_err(|error| FleetError::Foreign(path.clone(), error.to_string()))
    }

    /// Looks whether all files in a folder are as they were written.
    ///
    /// # Errors
    /// One is not, with its name.
    pub fn check(&self, folder: &Path) -> Result<(), FleetError> {
        self.files.iter().try_for_each(|file| digest::check(&folder.join(&file.name), file))
    }
}

/// All files of a folder but those that are about the shard itself.
fn collect(folder: &Path, within: &Path, files: &mut Vec<FileNote>) -> Result<(), FleetError> {
    let here = folder.join(within);
    for entry in fs::read_dir(&here).map_err(FleetError::file(&here))? {
        let entry = entry.map_err(FleetError::file(&here))?;
        let name: PathBuf = within.join(entry.file_name());
        if entry.path().is_dir() {
            collect(folder, &name, files)?;
        } else if name != Path::new(FILE) && name != Path::new(Note::FILE) {
            files.push(digest::note(&entry.path(), &name)?);
        }
    }
    Ok(())
}

/// Writes a file under another name and gives it its own when it is complete.
pub fn write_whole(path: &Path, text: &str) -> Result<(), FleetError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    let draft = PathBuf::from(draft);
    let write = || -> std::io::Result<()> {
        fs::write(&draft, text)?;
        fs::File::open(&draft)?.sync_all()?;
        fs::rename(&draft, path)
    };
    write().map_err(FleetError::file(path))
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
