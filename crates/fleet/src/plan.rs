//! A work in tasks that any machine can do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_games::Shard;
use tandem_train::learning::{Goal, Part};

use crate::description::{Input, Job};
use crate::digest::{self, FileNote};
use crate::manifest::{now, write_whole};
use crate::{Description, FleetError, Place, course, schedulers};

/// The version of the form.
const VERSION: u32 = 1;
const FILE: &str = "plan.json";
const NETWORKS: &str = "networks";
const SHARDS: &str = "shards";
const STEPS: &str = "steps";
const LOGS: &str = "logs";

/// A work in tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this form.
    pub tandem_plan: u32,
    /// What the schedulers call it.
    pub name: String,
    /// The program on the machines of the fleet.
    pub program: PathBuf,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// What the user asked for.
    pub description: Description,
    /// The copies of the networks, by their names in the description.
    pub networks: BTreeMap<String, FileNote>,
    /// The other files.
    pub files: BTreeMap<String, FileNote>,
    /// The tasks.
    pub stages: Vec<Stage>,
    /// Where it stands.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Tasks that are alike and do not wait for each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// What people call it.
    pub name: String,
    /// What is done.
    pub kind: Kind,
    /// How many tasks there are.
    pub tasks: u64,
    /// How many games they play together; 0 if that is not known.
    pub games: u64,
    /// The stages that must be complete before.
    pub after: Vec<usize>,
}

/// What the tasks of a stage do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Shards of the described command.
    Shards,
    /// Shards of games of the learning loop.
    Games {
        /// The generation.
        generation: u32,
        /// Which games of it.
        part: Part,
    },
    /// The loop goes on with the games that were played.
    Step {
        /// The generation.
        generation: u32,
        /// How far.
        goal: Goal,
    },
}

/// One task of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Task<'a> {
    /// Its number among all tasks, from 1.
    pub number: u64,
    /// The stage that it belongs to.
    pub stage: &'a Stage,
    /// Which part of the stage it is.
    pub shard: Shard,
}

impl Plan {
    /// Plans a work in a folder of its own: copies the networks there and writes what the schedulers need.
    ///
    /// # Errors
    /// The description makes no work, a file is missing or another than was described, or the folder holds
    /// a plan already.
    pub fn make(
        description: &Description,
        folder: &Path,
        program: &Path,
    ) -> Result<Self, FleetError> {
        if folder.join(FILE).exists() {
            return Err(FleetError::Taken(folder.to_owned()));
        }
        let folder = std::path::absolute(folder).map_err(FleetError::file(folder))?;
        // Everything is looked at before anything is made.
        let mut seen = BTreeMap::new();
        for (name, input) in &description.networks {
            let key = format!("networks.{name}");
            seen.insert(name.clone(), noted(&key, &input.file, &input.file, input)?);
        }
        let mut files = BTreeMap::new();
        for (name, input) in &description.files {
            let path = std::path::absolute(&input.file).map_err(FleetError::file(&input.file))?;
            files.insert(name.clone(), noted(&format!("files.{name}"), &path, &path, input)?);
        }
        for name in [NETWORKS, LOGS] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(FleetError::file(&path))?;
        }
        let mut networks = BTreeMap::new();
        for (name, note) in seen {
            networks.insert(name, copy(&folder, note)?);
        }
        let draft = Self::draft(description);
        let stages = match &description.config {
            Some(config) => course::plan(description, config, &folder)?,
            None => draft.stages.clone(),
        };
        let last = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = description.name.clone().or(last).unwrap_or_else(|| "tandem".to_owned());
        let program = description.program.clone().unwrap_or_else(|| program.to_owned());
        let plan = Self { name, program, networks, files, stages, folder, ..draft };
        schedulers::write(&plan)?;
        let text = serde_json::to_string_pretty(&plan).expect("only plain fields") + "\n";
        write_whole(&plan.folder.join(FILE), &text)?;
        Ok(plan)
    }

    /// What a plan of that description would be like, without anything being looked at or written.
    #[must_use]
    pub fn draft(description: &Description) -> Self {
        let stage = Stage {
            name: description.job.words().join(" "),
            kind: Kind::Shards,
            tasks: description.shard_count(),
            games: description.size.unwrap_or(0),
            after: Vec::new(),
        };
        Self {
            tandem_plan: VERSION,
            name: description.name.clone().unwrap_or_default(),
            program: PathBuf::new(),
            made: now(),
            description: description.clone(),
            networks: BTreeMap::new(),
            files: BTreeMap::new(),
            stages: vec![stage],
            folder: PathBuf::new(),
        }
    }

    /// The plan in a folder.
    ///
    /// # Errors
    /// There is none that can be understood.
    pub fn load(folder: &Path) -> Result<Self, FleetError> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => FleetError::NoPlan(folder.to_owned()),
            _ => FleetError::File(path.clone(), error),
        })?;
        let mut plan: Self = serde_json::from_str(&text)
            .map_err(|error| FleetError::Foreign(path.clone(), error.to_string()))?;
        if plan.tandem_plan != VERSION {
            let reason = format!("a plan of form {}, not {VERSION}", plan.tandem_plan);
            return Err(FleetError::Foreign(path, reason));
        }
        plan.folder = std::path::absolute(folder).map_err(FleetError::file(folder))?;
        Ok(plan)
    }

    /// How many tasks there are.
    #[must_use]
    pub fn task_count(&self) -> u64 {
        self.stages.iter().map(|stage| stage.tasks).sum()
    }

    /// The task of that number, from 1.
    ///
    /// # Errors
    /// There is none.
    pub fn task(&self, number: u64) -> Result<Task<'_>, FleetError> {
        let mut before = 0;
        for stage in &self.stages {
            if number > before && number <= before + stage.tasks {
                let shard = shard(number - before, stage.tasks);
                return Ok(Task { number, stage, shard });
            }
            before += stage.tasks;
        }
        Err(FleetError::NoTask(number, before))
    }

    /// All tasks, in the order of their numbers.
    pub fn tasks(&self) -> impl Iterator<Item = Task<'_>> {
        let numbered = self.stages.iter().flat_map(|stage| {
            (1..=stage.tasks).map(move |place| (stage, shard(place, stage.tasks)))
        });
        numbered.zip(1..).map(|((stage, shard), number)| Task { number, stage, shard })
    }

    /// The numbers of the tasks of that stage: the first and the last one.
    #[must_use]
    pub fn numbers(&self, stage: usize) -> (u64, u64) {
        let before: u64 = self.stages[..stage].iter().map(|stage| stage.tasks).sum();
        (before + 1, before + self.stages[stage].tasks)
    }

    /// Where a task is done.
    #[must_use]
    pub fn place(&self, task: &Task<'_>) -> Place {
        Place::new(&self.shards(&task.stage.kind), task.shard)
    }

    /// Where the shards of such a stage stand.
    #[must_use]
    pub fn shards(&self, kind: &Kind) -> PathBuf {
        match kind {
            Kind::Shards => self.folder.join(SHARDS),
            Kind::Games { generation, part } => {
                let name = format!("generation-{generation}-{}", part.name());
                self.folder.join(SHARDS).join(name)
            }
            Kind::Step { generation, goal } => {
                self.folder.join(STEPS).join(format!("generation-{generation}-{}", goal.name()))
            }
        }
    }

    /// Where the schedulers put what tasks say.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.folder.join(LOGS)
    }

    /// The command of a shard, without the name of the program.
    #[must_use]
    pub fn command(&self, shard: Shard) -> Vec<String> {
        let description = &self.description;
        let mut words: Vec<String> =
            description.command().iter().map(|word| self.filled_in(word)).collect();
        let mut say = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(size) = description.size {
            let games = match description.job {
                // Such a file is told how many games are its own.
                Job::Datagen => shard.count_below(size),
                _ => size,
            };
            say("--games", games.to_string());
        }
        if description.job != Job::Analyze {
            say("--seed", description.seed.to_string());
        }
        say("--shard", shard.to_string());
        let mut out = self.folder.join(SHARDS).into_os_string();
        out.push(std::path::MAIN_SEPARATOR_STR);
        say("--out", out.to_string_lossy().into_owned());
        words
    }

    /// A word in which the names of files stand for the files.
    fn filled_in(&self, word: &str) -> String {
        let mut word = word.to_owned();
        for (name, note) in self.networks.iter().chain(&self.files) {
            let file = self.folder.join(&note.name);
            word = word.replace(&format!("{{{name}}}"), &file.to_string_lossy());
        }
        word
    }

    /// Looks whether all networks and files are what they were. Files that stay where they are may be very
    /// large: only their length is looked at.
    ///
    /// # Errors
    /// One is not, with its name.
    pub fn check_inputs(&self) -> Result<(), FleetError> {
        for (name, note) in &self.networks {
            let checked = digest::check(&self.folder.join(&note.name), note);
            checked.map_err(|error| FleetError::Damaged(format!("network '{name}': {error}")))?;
        }
        for (name, note) in &self.files {
            let length = fs::metadata(&note.name).map(|found| found.len());
            let path = note.name.display();
            let sentence = match length {
                Ok(length) if length == note.bytes => continue,
                Ok(length) => format!("has {length} bytes, and had {} before", note.bytes),
                Err(error) => error.to_string(),
            };
            return Err(FleetError::Damaged(format!("file '{name}': {path}: {sentence}")));
        }
        Ok(())
    }
}

fn shard(place: u64, count: u64) -> Shard {
    format!("{place}/{count}").parse().expect("a stage has at least one task and not too many")
}

/// Copies a network under the name of its hash.
fn copy(folder: &Path, seen: FileNote) -> Result<FileNote, FleetError> {
    let ending = seen.name.extension();
    let ending = ending.map_or(String::new(), |ending| format!(".{}", ending.to_string_lossy()));
    let own = Path::new(NETWORKS).join(format!("{}{ending}", seen.sha256));
    let path = folder.join(&own);
    let draft = path.with_extension("new");
    let write = fs::copy(&seen.name, &draft).and_then(|_| fs::rename(&draft, &path));
    write.map_err(FleetError::file(&path))?;
    let note = FileNote { name: own, ..seen };
    digest::check(&path, &note)?;
    Ok(note)
}

/// Notes a file that a description names.
fn noted(key: &str, path: &Path, name: &Path, input: &Input) -> Result<FileNote, FleetError> {
    let refuse = |reason: String| FleetError::key(key, reason);
    let note = digest::note(path, name).map_err(|error| refuse(error.to_string()))?;
    match &input.sha256 {
        Some(wanted) if !wanted.eq_ignore_ascii_case(&note.sha256) => {
            let reason =
                format!("{}: has the SHA-256 {}, not {wanted}", path.display(), note.sha256);
            Err(refuse(reason))
        }
        _ => Ok(note),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str, folder: &Path) -> Result<Plan, FleetError> {
        Plan::make(&Description::parse(text)?, &folder.join("plan"), Path::new("/bin/tandem"))
    }

    #[test]
    fn networks_are_copied_by_hash_and_named_in_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let network = folder.path().join("a.nnue");
        fs::write(&network, "a network").unwrap();
        let text = format!(
            "job = 'selfplay'\nsize = 95\nshard_size = 10\nseed = 4\n\
             arguments = ['--both', 'option.EvalFile={{value}}']\n\
             [networks]\nvalue = {{ file = '{}' }}",
            network.display()
        );
        let made = plan(&text, folder.path()).unwrap();
        assert_eq!(Plan::load(&made.folder).unwrap(), made);
        assert_eq!(made.task_count(), 10);
        let note = &made.networks["value"];
        let copy = made.folder.join(&note.name);
        assert!(copy.ends_with(format!("networks/{}.nnue", note.sha256)));
        let command = made.command(made.task(3).unwrap().shard).join(" ");
        let expected = format!(
            "selfplay --both option.EvalFile={} --concurrency 1 --games 95 --seed 4 --shard 3/10 --out {}/shards/",
            copy.display(),
            made.folder.display()
        );
        assert_eq!(command, expected);
        made.check_inputs().unwrap();
        fs::write(&copy, "a netw0rk").unwrap();
        let error = made.check_inputs().unwrap_err().to_string();
        assert!(error.starts_with("network 'value': ") && error.contains("damaged"), "{error}");
        fs::remove_file(&copy).unwrap();
        assert!(made.check_inputs().unwrap_err().to_string().contains("is missing"));
        assert!(matches!(plan(&text, folder.path()), Err(FleetError::Taken(_))));
        let tasks: Vec<_> = made.tasks().collect();
        assert_eq!(tasks[2], made.task(3).unwrap());
        assert!(made.task(0).is_err() && made.task(11).is_err());
    }

    #[test]
    fn files_that_are_not_what_is_described_are_refused_by_their_key() {
        let folder = tempfile::tempdir().unwrap();
        let network = folder.path().join("a.nnue");
        let entry = |key: &str| {
            format!(
                "job = 'labels'\nshards = 2\n[{key}]\nx = {{ file = '{}', sha256 = 'ab' }}",
                network.display()
            )
        };
        let error = plan(&entry("networks"), folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("networks.x: "), "{error}");
        fs::write(&network, "a network").unwrap();
        let error = plan(&entry("files"), folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("files.x: ") && error.contains("not ab"), "{error}");
    }

    #[test]
    fn every_file_of_training_data_is_told_its_own_games() {
        let folder = tempfile::tempdir().unwrap();
        let made = plan("job = 'datagen'\nsize = 25\nshard_size = 10", folder.path()).unwrap();
        let games = made.tasks().map(|task| {
            let words = made.command(task.shard);
            let place = words.iter().position(|word| word == "--games").unwrap();
            words[place + 1].parse::<u64>().unwrap()
        });
        assert_eq!(games.collect::<Vec<_>>(), [9, 8, 8]);
    }
}
