//! Shards put together.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tandem_games::selfplay::{self, Merged as MergedGames};
use tandem_games::statistics::Sprt;
use tandem_games::tournament::{self, Merged as MergedMatch};
use tandem_games::union::Union;

use crate::description::Job;
use crate::manifest::Counts;
use crate::plan::Stage;
use crate::{FleetError, Manifest, Plan};

/// Where what was put together stands in a plan's folder.
pub const MERGED: &str = "merged";

/// The shards of a stage, as far as they are sound.
pub struct Shards {
    /// The folders and manifests of complete and undamaged shards, in their order.
    pub sound: Vec<(PathBuf, Manifest)>,
    /// What is wrong with the others, each with its name.
    pub problems: Vec<String>,
}

impl Shards {
    /// The folders of the sound ones.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.sound.iter().map(|(folder, _)| folder.as_path())
    }
}

/// Looks at every shard of a stage, and at every byte of it.
#[must_use]
pub fn sound(plan: &Plan, stage: &Stage) -> Shards {
    let mut shards = Shards { sound: Vec::new(), problems: Vec::new() };
    for task in plan.tasks().filter(|task| std::ptr::eq(task.stage, stage)) {
        let place = plan.place(&task);
        let folder = place.complete();
        let name = format!("task {}, shard {}", task.number, task.shard);
        if !folder.exists() {
            let note = crate::Note::read(&place.unfinished());
            let why =
                note.and_then(|note| note.sentence).map_or(String::new(), |s| format!(": {s}"));
            let state = if place.unfinished().exists() { "is not complete" } else { "is missing" };
            shards.problems.push(format!("{name} {state}{why}"));
            continue;
        }
        match Manifest::read(&folder).and_then(|manifest| {
            manifest.check(&folder)?;
            Ok(manifest)
        }) {
            Ok(manifest) if manifest.work.shard == task.shard => {
                shards.sound.push((folder, manifest));
            }
            Ok(manifest) => {
                let sentence = format!("{name} is damaged: it holds shard {}", manifest.work.shard);
                shards.problems.push(sentence);
            }
            Err(error) => shards.problems.push(format!("{name} is damaged: {error}")),
        }
    }
    shards
}

/// What shards are together.
pub struct Report {
    /// What is missing or damaged.
    pub problems: Vec<String>,
    /// Shards that are sound.
    pub sound: u64,
    /// Shards that there should be.
    pub shards: u64,
    /// How much they hold.
    pub counts: Counts,
    /// The files that were written; none if something is missing.
    pub files: Vec<PathBuf>,
    /// What the games say.
    pub results: Results,
}

/// What the games say.
pub enum Results {
    /// Nothing beyond their number.
    None,
    /// Of self-play.
    Games(Box<MergedGames>),
    /// Of a match.
    Match(Box<MergedMatch>),
    /// Of an experiment: what is to be done next, in a sentence.
    Words(String),
}

/// Checks all shards of a plan, and puts them together where none is missing, or where what there is will do.
/// A match is judged by the test, if there is one.
///
/// # Errors
/// Sound shards do not fit together, or what they are together cannot be written.
pub fn merge(plan: &Plan, partial: bool, sprt: Option<Sprt>) -> Result<Report, FleetError> {
    let mut report = Report {
        problems: Vec::new(),
        sound: 0,
        shards: plan.task_count(),
        counts: Counts::default(),
        files: Vec::new(),
        results: Results::None,
    };
    let mut sound_ones = Vec::new();
    for stage in &plan.stages {
        let shards = self::sound(plan, stage);
        report.problems.extend(shards.problems);
        sound_ones.extend(shards.sound);
    }
    report.sound = sound_ones.len() as u64;
    for (_, manifest) in &sound_ones {
        report.counts += manifest.counts;
    }
    if sound_ones.is_empty() {
        return Ok(report);
    }
    let folders: Vec<PathBuf> = sound_ones.into_iter().map(|(folder, _)| folder).collect();
    let may_write = report.problems.is_empty() || partial;
    let out = may_write.then(|| plan.folder.join(MERGED));
    put_together(plan, &folders, out.as_deref(), sprt, &mut report)?;
    Ok(report)
}

fn put_together(
    plan: &Plan,
    folders: &[PathBuf],
    out: Option<&Path>,
    sprt: Option<Sprt>,
    report: &mut Report,
) -> Result<(), FleetError> {
    if let Some(out) = out {
        fs::create_dir_all(out).map_err(FleetError::file(out))?;
    }
    let journals = || folders.iter().map(|folder| folder.join("games.jsonl")).collect::<Vec<_>>();
    match plan.description.job {
        Job::SelfPlay => {
            let union = selfplay::Games::read(&journals())?;
            write(&union, out, "games", report)?;
            report.results = Results::Games(Box::new(MergedGames::of(union)));
        }
        Job::Match => {
            let union = tournament::Games::read(&journals())?;
            write(&union, out, "games", report)?;
            report.results = Results::Match(Box::new(MergedMatch::of(&union, sprt)));
        }
        Job::Lab => {
            experiment(folders, out, report)?;
            if let Some(out) = out {
                copy_known(plan, out)?;
            }
        }
        Job::Datagen | Job::Labels => join(folders, "games.games", out, report)?,
        Job::Analyze => {
            join(folders, "analysis.jsonl", out, report)?;
            join(folders, "annotated.pgn", out, report)?;
        }
        Job::Loop => {
            let folder = crate::course::folder(&plan.folder);
            let sentence = format!("the loop stands in {}", folder.display());
            report.results = Results::Words(sentence);
        }
    }
    Ok(())
}

fn write<H, E>(
    union: &Union<H, E>,
    out: Option<&Path>,
    name: &str,
    report: &mut Report,
) -> Result<(), FleetError>
where
    H: tandem_games::union::Divided,
    E: tandem_games::union::Numbered,
{
    let Some(out) = out else { return Ok(()) };
    let name = out.join(name);
    union.write(&name)?;
    let companions = H::COMPANIONS.iter().copied();
    let endings = std::iter::once(".jsonl").chain(companions);
    let files = endings.map(|ending| tandem_games::journal::with_suffix(&name, ending));
    report.files.extend(files);
    Ok(())
}

/// The games of every point of an experiment, in a folder in which the experiment goes on.
fn experiment(
    folders: &[PathBuf],
    out: Option<&Path>,
    report: &mut Report,
) -> Result<(), FleetError> {
    let mut names: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in folders {
        // A shard has no file of a point with fewer games than there are shards.
        let list = folder.join("games");
        for entry in fs::read_dir(&list).map_err(FleetError::file(&list))? {
            let name = PathBuf::from(entry.map_err(FleetError::file(&list))?.file_name());
            if name.extension().is_some_and(|ending| ending == "jsonl") {
                names.insert(name);
            }
        }
    }
    for name in names {
        let files: Vec<PathBuf> =
            folders.iter().map(|folder| folder.join("games").join(&name)).collect();
        let files: Vec<PathBuf> = files.into_iter().filter(|file| file.exists()).collect();
        let union = selfplay::Games::read(&files)?;
        let within = out.map(|out| out.join("games"));
        write(&union, within.as_deref(), &name.with_extension("").to_string_lossy(), report)?;
    }
    if let Some(out) = out {
        let settings = Path::new("games").join("settings.json");
        let target = out.join(&settings);
        fs::copy(folders[0].join(&settings), &target).map_err(FleetError::file(&target))?;
        let sentence = format!(
            "the experiment goes on with these games, and writes its report: the same tandem lab command with --out {}",
            out.display()
        );
        report.results = Results::Words(sentence);
    }
    Ok(())
}

/// The games that were known before belong to the experiment too.
fn copy_known(plan: &Plan, out: &Path) -> Result<(), FleetError> {
    let arguments = &plan.description.arguments;
    let place = arguments.iter().position(|word| word == "--known");
    let Some(known) = place.and_then(|place| arguments.get(place + 1)) else { return Ok(()) };
    let (from, to) = (Path::new(known).join("games"), out.join("games"));
    for entry in fs::read_dir(&from).map_err(FleetError::file(&from))? {
        let entry = entry.map_err(FleetError::file(&from))?;
        let target = to.join(entry.file_name());
        if !target.exists() {
            fs::copy(entry.path(), &target).map_err(FleetError::file(&target))?;
        }
    }
    Ok(())
}

/// Files of which several are one, behind each other.
fn join(
    folders: &[PathBuf],
    name: &str,
    out: Option<&Path>,
    report: &mut Report,
) -> Result<(), FleetError> {
    let Some(out) = out else { return Ok(()) };
    let path = out.join(name);
    let draft = tandem_games::journal::with_suffix(&path, ".new");
    let mut whole = fs::File::create(&draft).map_err(FleetError::file(&draft))?;
    for folder in folders {
        let part = folder.join(name);
        let mut input = fs::File::open(&part).map_err(FleetError::file(&part))?;
        std::io::copy(&mut input, &mut whole).map_err(FleetError::file(&draft))?;
    }
    fs::rename(&draft, &path).map_err(FleetError::file(&path))?;
    report.files.push(path);
    Ok(())
}

impl Report {
    /// Everything, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let results = match &self.results {
            Results::None => Value::Null,
            Results::Games(merged) => serde_json::to_value(merged).expect("only plain fields"),
            Results::Match(merged) => merged.json(),
            Results::Words(words) => json!(words),
        };
        json!({
            "problems": self.problems, "sound": self.sound, "shards": self.shards,
            "counts": self.counts, "files": self.files, "results": results,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.results {
            Results::None => {}
            Results::Games(merged) => writeln!(f, "{merged}")?,
            Results::Match(merged) => writeln!(f, "{merged}")?,
            Results::Words(words) => writeln!(f, "{words}")?,
        }
        let Counts { games, positions, .. } = self.counts;
        writeln!(
            f,
            "shards\n  {} of {} sound: {games} games, {positions} positions",
            self.sound, self.shards
        )?;
        for problem in &self.problems {
            writeln!(f, "  {problem}")?;
        }
        for file in &self.files {
            writeln!(f, "  {}", file.display())?;
        }
        if self.files.is_empty() && !self.problems.is_empty() {
            writeln!(f, "  nothing was written; --partial writes what there is")?;
        }
        Ok(())
    }
}
