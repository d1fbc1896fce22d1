//! What a user writes about a work.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::FleetError;

/// More shards than this are no plan but a slip of the hand.
const MOST_SHARDS: u64 = 1 << 20;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Job {
    /// `tandem selfplay`.
    SelfPlay,
    /// `tandem datagen selfplay`.
    Datagen,
    /// `tandem datagen pgn`.
    Labels,
    /// `tandem match`.
    Match,
    /// `tandem lab`.
    Lab,
    /// `tandem analyze`.
    Analyze,
    /// `tandem train loop`.
    Loop,
}

impl Job {
    /// The command.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::SelfPlay => &["selfplay"],
            Self::Datagen => &["datagen", "selfplay"],
            Self::Labels => &["datagen", "pgn"],
            Self::Match => &["match"],
            Self::Lab => &["lab"],
            Self::Analyze => &["analyze"],
            Self::Loop => &["train", "loop"],
        }
    }

    /// How many games a shard has unless the user says otherwise: enough that its beginning and end do
    /// not matter, few enough that little is lost with a machine. None where the work is as large as its
    /// files.
    #[must_use]
    pub const fn usual_shard(self) -> Option<u64> {
        match self {
            Self::SelfPlay | Self::Match | Self::Loop => Some(100),
            Self::Datagen => Some(500),
            Self::Lab => Some(10),
            Self::Labels | Self::Analyze => None,
        }
    }

    /// The option that says how many games or positions are worked on side by side, and whether each shard
    /// is given the games of its own or all of them.
    const fn side_by_side(self) -> Option<&'static str> {
        match self {
            Self::SelfPlay | Self::Match | Self::Lab => Some("--concurrency"),
            Self::Datagen | Self::Labels | Self::Analyze => Some("--threads"),
            Self::Loop => None,
        }
    }
}

/// What a shard needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resources {
    /// Processor cores; as many games are played side by side.
    pub cores: u32,
    /// MiB of memory; 0 to say nothing about it.
    pub memory: u64,
    /// Graphics cards.
    pub gpus: u32,
    /// What HyperQueue calls these.
    pub gpu_kind: String,
    /// How long a shard may take, such as `2h`; the schedulers need not know.
    pub time: Option<String>,
}

impl Default for Resources {
    fn default() -> Self {
        Self { cores: 1, memory: 0, gpus: 0, gpu_kind: "gpus/nvidia".to_owned(), time: None }
    }
}

impl Resources {
    /// How long a shard may take.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time.as_deref().and_then(|text| humantime::parse_duration(text).ok())
    }

    fn check(&self) -> Result<(), FleetError> {
        if !(1..=4096).contains(&self.cores) {
            let reason = format!("{} cores; expected 1 to 4096", self.cores);
            return Err(FleetError::key("resources.cores", reason));
        }
        let is_name = self.gpu_kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '/')
            && self.gpu_kind.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_name {
            let reason = format!("'{}' is no resource of HyperQueue", self.gpu_kind);
            return Err(FleetError::key("resources.gpu_kind", reason));
        }
        if let Some(text) = &self.time {
            let time = humantime::parse_duration(text);
            let time =
                time.map_err(|error| FleetError::key("resources.time", error.to_string()))?;
            if time < Duration::from_mins(1) {
                let reason = format!("{text} is less than a minute, the least that Slurm counts");
                return Err(FleetError::key("resources.time", reason));
            }
        }
        Ok(())
    }
}

/// A file that the work needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Where it is.
    pub file: PathBuf,
    /// The SHA-256 that it must have.
    pub sha256: Option<String>,
}

/// A work, as a user describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// What is done.
    pub job: Job,
    /// What the schedulers call it.
    #[serde(default)]
    pub name: Option<String>,
    /// Games of all shards together.
    #[serde(default)]
    pub size: Option<u64>,
    /// Games of a shard.
    #[serde(default)]
    pub shard_size: Option<u64>,
    /// How many shards there are, where the size is not told.
    #[serde(default)]
    pub shards: Option<u64>,
    /// Where chance begins.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// The words of the command but for those that the plan adds.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The settings of a learning loop.
    #[serde(default)]
    pub config: Option<PathBuf>,
    /// The program on the machines of the fleet; this one if it is not said.
    #[serde(default)]
    pub program: Option<PathBuf>,
    /// What a shard needs.
    #[serde(default)]
    pub resources: Resources,
    /// Networks by name, which are copied; `{NAME}` in the arguments stands for the copy.
    #[serde(default)]
    pub networks: BTreeMap<String, Input>,
    /// Other files by name, which stay where they are: books, collections of games.
    #[serde(default)]
    pub files: BTreeMap<String, Input>,
}

const fn first_seed() -> u64 {
    1
}

impl Description {
    /// Reads a description; files in it are beside it.
    ///
    /// # Errors
    /// It cannot be read or makes no work; the key is named.
    pub fn load(path: &Path) -> Result<Self, FleetError> {
        let text = fs::read_to_string(path).map_err(FleetError::file(path))?;
        let mut found = Self::parse(&text).map_err(|error| match error {
            FleetError::Description { key, reason } => {
                FleetError::key(format!("{}: {key}", path.display()), reason)
            }
            other => other,
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for input in found.networks.values_mut().chain(found.files.values_mut()) {
            input.file = folder.join(&input.file);
        }
        found.config = found.config.map(|config| folder.join(config));
        Ok(found)
    }

    /// Understands a description.
    ///
    /// # Errors
    /// It makes no work; the key is named.
    pub fn parse(text: &str) -> Result<Self, FleetError> {
        let found: Self = toml::from_str(text).map_err(|error| {
            // The message names the key, and the line where it stands.
            FleetError::key("description", error.to_string().trim_end().replace('\n', "\n  "))
        })?;
        found.check()?;
        Ok(found)
    }

    fn check(&self) -> Result<(), FleetError> {
        self.resources.check()?;
        self.check_size()?;
        if let Some(name) = &self.name {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.len() > 100 || !name.chars().all(is_plain) {
                let reason = format!("'{name}': expected letters, digits, '-', '_' and '.'");
                return Err(FleetError::key("name", reason));
            }
        }
        if let Some(twice) = self.networks.keys().find(|name| self.files.contains_key(*name)) {
            return Err(FleetError::key(format!("files.{twice}"), "a network has the same name"));
        }
        let own = ["--seed", "--shard", "--out", "--games", "--merge", "--json", "--resume"];
        let is = |word: &str, own: &str| word == own || word.starts_with(&format!("{own}="));
        for word in &self.arguments {
            if own.iter().any(|own| is(word, own)) {
                let reason = format!("{word} is what the plan says; leave it out");
                return Err(FleetError::key("arguments", reason));
            }
        }
        match (self.job, &self.config) {
            (Job::Loop, None) => Err(FleetError::key(
                "config",
                "a loop needs a file of settings (tandem train loop --example-config)",
            )),
            (Job::Loop, Some(_)) if !self.arguments.is_empty() => {
                Err(FleetError::key("arguments", "a loop is described by its file of settings"))
            }
            (Job::Loop, Some(_)) | (_, None) => Ok(()),
            (_, Some(_)) => Err(FleetError::key("config", "only a loop has a file of settings")),
        }
    }

    fn check_size(&self) -> Result<(), FleetError> {
        let zero = |key: &str, value: Option<u64>| match value {
            Some(0) => Err(FleetError::key(key, "0; expected a number above 0")),
            _ => Ok(()),
        };
        zero("size", self.size)?;
        zero("shard_size", self.shard_size)?;
        zero("shards", self.shards)?;
        let is_in_files = matches!(self.job, Job::Labels | Job::Analyze);
        match self.size {
            Some(_) if is_in_files => {
                return Err(FleetError::key("size", "follows from the files; say shards"));
            }
            Some(_) if self.job == Job::Loop => {
                return Err(FleetError::key("size", "follows from the settings of the loop"));
            }
            None if is_in_files && self.shards.is_none() => {
                return Err(FleetError::key("shards", "expected how many shards the files make"));
            }
            None if !is_in_files && self.job != Job::Loop => {
                return Err(FleetError::key("size", "expected the number of all games"));
            }
            _ => {}
        }
        if self.shards.is_some() && self.job == Job::Loop {
            return Err(FleetError::key("shards", "each step has its own; say shard_size"));
        }
        if self.shards.is_some() && self.shard_size.is_some() {
            return Err(FleetError::key("shards", "shard_size says it already"));
        }
        if self.shard_size.is_some() && self.job.usual_shard().is_none() {
            return Err(FleetError::key("shard_size", "the size is not known; say shards"));
        }
        if self.job == Job::Match {
            for (key, value) in [("size", self.size), ("shard_size", self.shard_size)] {
                if value.is_some_and(|value| value % 2 == 1) {
                    let reason =
                        "expected an even number: each opening is played with both colours";
                    return Err(FleetError::key(key, reason));
                }
            }
        }
        let shards = self.shard_count();
        if shards > MOST_SHARDS {
            let reason = format!("{shards} shards; at most {MOST_SHARDS} are planned");
            return Err(FleetError::key("shard_size", reason));
        }
        if let (Some(shards), Some(size)) = (self.shards, self.size) {
            let most = if self.job == Job::Match { size / 2 } else { size };
            if shards > most {
                return Err(FleetError::key("shards", format!("{shards} shards for {size} games")));
            }
        }
        Ok(())
    }

    /// Games of a shard.
    #[must_use]
    pub fn games_of_shard(&self) -> u64 {
        self.shard_size.or(self.job.usual_shard()).unwrap_or(1)
    }

    /// How many shards there are; of a loop none, because each step has its own.
    #[must_use]
    pub fn shard_count(&self) -> u64 {
        match (self.shards, self.size) {
            (Some(shards), _) => shards,
            (None, Some(size)) => size.div_ceil(self.games_of_shard()),
            (None, None) => 0,
        }
    }

    /// The words that every shard's command has, without its own; names of files are not put in yet.
    pub(crate) fn command(&self) -> Vec<String> {
        let mut words: Vec<String> = self.job.words().iter().map(ToString::to_string).collect();
        words.extend(self.arguments.iter().cloned());
        if let Some(option) = self.job.side_by_side()
            && !self.arguments.iter().any(|word| word.split('=').next() == Some(option))
        {
            words.extend([option.to_owned(), self.resources.cores.to_string()]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_makes_shards_of_the_size_that_is_asked_for() {
        let text = "job = 'selfplay'\nsize = 950\nshard_size = 100\narguments = ['--nodes', '50']\n\
            [resources]\ncores = 2\n[networks]\nvalue = { file = 'a.nnue' }";
        let found = Description::parse(text).unwrap();
        assert_eq!((found.shard_count(), found.seed), (10, 1));
        assert_eq!(found.command(), ["selfplay", "--nodes", "50", "--concurrency", "2"]);
        let labels = "job = 'labels'\nshards = 7\narguments = ['--threads=3']";
        let labels = Description::parse(labels).unwrap();
        assert_eq!(labels.shard_count(), 7);
        assert_eq!(labels.command(), ["datagen", "pgn", "--threads=3"]);
    }

    #[test]
    fn what_makes_no_work_is_refused_with_the_name_of_the_key() {
        for (text, said) in [
            ("job = 'chess'\nsize = 5", "unknown variant `chess`"),
            ("job = 'selfplay'", "size: expected the number"),
            ("job = 'selfplay'\nsize = 0", "size: 0"),
            ("job = 'selfplay'\nsize = -1", "size"),
            ("job = 'selfplay'\nsize = 5\nshard_size = 0", "shard_size: 0"),
            ("job = 'selfplay'\nsize = 10000000\nshard_size = 1", "shard_size: 10000000 shards"),
            ("job = 'selfplay'\nsize = 5\nshards = 6", "shards: 6 shards for 5 games"),
            ("job = 'selfplay'\nsize = 5\nshards = 2\nshard_size = 2", "shards: shard_size says"),
            ("job = 'match'\nsize = 5", "size: expected an even number"),
            ("job = 'match'\nsize = 50\nshard_size = 5", "shard_size: expected an even"),
            ("job = 'selfplay'\nsize = 5\ncolour = 3", "unknown field `colour`"),
            ("job = 'selfplay'\nsize = 5\nname = 'a b'", "name: 'a b'"),
            ("job = 'selfplay'\nsize = 5\n[resources]\ncores = 0", "resources.cores: 0"),
            ("job = 'selfplay'\nsize = 5\n[resources]\ntime = 'soon'", "resources.time: "),
            ("job = 'selfplay'\nsize = 5\n[resources]\ntime = '5s'", "less than a minute"),
            ("job = 'selfplay'\nsize = 5\n[resources]\ngpu_kind = '7'", "resources.gpu_kind"),
            ("job = 'selfplay'\nsize = 5\narguments = ['--seed', '3']", "arguments: --seed"),
            ("job = 'selfplay'\nsize = 5\narguments = ['--out=x']", "arguments: --out=x"),
            ("job = 'selfplay'\nsize = 5\nconfig = 'x'", "config: only a loop"),
            ("job = 'labels'\nsize = 5", "size: follows from the files"),
            ("job = 'labels'", "shards: expected"),
            ("job = 'analyze'\nshards = 2\nshard_size = 3", "shards: shard_size"),
            ("job = 'loop'", "config: a loop needs"),
            ("job = 'loop'\nconfig = 'x'\nsize = 3", "size: follows from"),
            (
                "job = 'selfplay'\nsize = 5\n[networks]\na = { file = 'x' }\n[files]\na = { file = 'y' }",
                "files.a: a network has the same name",
            ),
        ] {
            let error = Description::parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
