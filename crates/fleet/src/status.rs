//! How far a plan has come.

use std::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tandem_games::hardware;
use tandem_train::data::{Format, open};

use crate::manifest::{Counts, now};
use crate::{FleetError, Manifest, Note, Place, Plan, State, Task};

/// A shard on another machine that has written nothing for so long is taken for lost.
const SILENCE: Duration = Duration::from_mins(15);

/// Failed tasks that are named, of any number, where people read.
const NAMED: usize = 20;

/// How a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It is complete.
    Done,
    /// A process is at work.
    Running,
    /// It began, and nobody is at work: it goes on when it is run again.
    Interrupted,
    /// It cannot go on, for a reason.
    Failed,
    /// It has not begun.
    Waiting,
}

/// A task that is neither complete nor waiting.
#[derive(Clone, Debug, Serialize)]
pub struct TaskStatus {
    /// Its number.
    pub task: u64,
    /// The stage.
    pub stage: String,
    /// Its part of the stage.
    pub shard: String,
    /// How it stands.
    pub standing: Standing,
    /// On which machine.
    pub host: String,
    /// Why it failed.
    pub sentence: Option<String>,
    /// How much of it is done.
    pub counts: Counts,
}

/// A stage of a plan, in numbers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StageStatus {
    /// What it is called.
    pub name: String,
    /// Tasks.
    pub tasks: u64,
    /// Those that are complete.
    pub done: u64,
    /// Those that are being done.
    pub running: u64,
    /// Those that began, and nobody is at work.
    pub interrupted: u64,
    /// Those that cannot go on.
    pub failed: u64,
    /// Those that have not begun.
    pub waiting: u64,
}

/// How far a plan has come.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// What the plan is called.
    pub name: String,
    /// Its stages.
    pub stages: Vec<StageStatus>,
    /// Tasks that are neither complete nor waiting.
    pub tasks: Vec<TaskStatus>,
    /// How much is done, in complete shards and others.
    pub counts: Counts,
    /// Games of all shards; none if that is not known.
    pub games: Option<u64>,
    /// Seconds from the first shard's beginning to now, or to the end of the last one where none is running.
    pub seconds: u64,
    /// Games a second in that time.
    pub rate: Option<f64>,
    /// Seconds until all is done, if it goes on like that.
    pub left: Option<u64>,
}

/// Looks how far a plan has come.
///
/// # Errors
/// A manifest cannot be understood.
pub fn status(plan: &Plan) -> Result<Status, FleetError> {
    let mut found = Status {
        name: plan.name.clone(),
        stages: Vec::new(),
        tasks: Vec::new(),
        counts: Counts::default(),
        games: None,
        seconds: 0,
        rate: None,
        left: None,
    };
    let mut clock = Clock::default();
    for task in plan.tasks() {
        if task.shard.index() == 0 {
            let (name, tasks) = (task.stage.name.clone(), task.stage.tasks);
            found.stages.push(StageStatus { name, tasks, ..StageStatus::default() });
        }
        let standing = look(plan, &task, &mut found, &mut clock)?;
        let stage = found.stages.last_mut().expect("the first task of a stage made it");
        *match standing {
            Standing::Done => &mut stage.done,
            Standing::Running => &mut stage.running,
            Standing::Interrupted => &mut stage.interrupted,
            Standing::Failed => &mut stage.failed,
            Standing::Waiting => &mut stage.waiting,
        } += 1;
    }
    let games: u64 = plan.stages.iter().map(|stage| stage.games).sum();
    found.games = (games > 0).then_some(games);
    let is_running = found.stages.iter().any(|stage| stage.running > 0);
    found.seconds = clock.span(is_running);
    let has_rate = found.counts.games > 0 && found.seconds > 0;
    found.rate = has_rate.then(|| found.counts.games as f64 / found.seconds as f64);
    found.left = found.games.zip(found.rate).map(|(games, rate)| {
        (games.saturating_sub(found.counts.games) as f64 / rate).round() as u64
    });
    Ok(found)
}

/// When work was done.
#[derive(Default)]
struct Clock {
    begin: Option<u64>,
    end: u64,
}

impl Clock {
    fn note(&mut self, begin: u64, end: u64) {
        self.begin = Some(self.begin.map_or(begin, |known| known.min(begin)));
        self.end = self.end.max(end);
    }

    fn span(&self, is_running: bool) -> u64 {
        let end = if is_running { now() } else { self.end };
        self.begin.map_or(0, |begin| end.saturating_sub(begin))
    }
}

/// How a task stands; what is known of it goes into the whole.
fn look(
    plan: &Plan,
    task: &Task<'_>,
    found: &mut Status,
    clock: &mut Clock,
) -> Result<Standing, FleetError> {
    let place = plan.place(task);
    let (complete, unfinished) = (place.complete(), place.unfinished());
    if complete.exists() {
        let manifest = Manifest::read(&complete)?;
        found.counts += manifest.counts;
        clock.note(manifest.started, manifest.finished);
        return Ok(Standing::Done);
    }
    let Some(note) = Note::read(&unfinished) else { return Ok(Standing::Waiting) };
    let standing = standing(&place, &note);
    let counts = counts(&unfinished);
    found.counts += counts;
    clock.note(note.started, note.ended.unwrap_or(note.started));
    found.tasks.push(TaskStatus {
        task: task.number,
        stage: task.stage.name.clone(),
        shard: task.shard.to_string(),
        standing,
        host: note.host,
        sentence: note.sentence,
        counts,
    });
    Ok(standing)
}

fn standing(place: &Place, note: &Note) -> Standing {
    match note.state {
        State::Failed => Standing::Failed,
        State::Stopped => Standing::Interrupted,
        State::Running | State::Complete => {
            let is_here = note.host == hardware::host();
            let is_silent = || {
                let age = newest(&place.unfinished()).and_then(|time| time.elapsed().ok());
                age.is_none_or(|age| age > SILENCE)
            };
            // Locks may not reach across machines.
            if place.is_held() || (!is_here && !is_silent()) {
                Standing::Running
            } else {
                Standing::Interrupted
            }
        }
    }
}

/// When the newest file of a folder changed.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            if metadata.is_dir() { newest(&entry.path()) } else { metadata.modified().ok() }
        })
        .max()
}

/// What a line of any journal of games says.
#[derive(Deserialize)]
struct Line {
    plies: Option<u64>,
}

/// How much is done in a shard that is not complete, as far as its files tell.
fn counts(folder: &Path) -> Counts {
    let mut sum = Counts::default();
    let Ok(entries) = fs::read_dir(folder) else { return sum };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sum += counts(&path);
            continue;
        }
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => {
                let Ok(file) = fs::File::open(&path) else { continue };
                let lines = BufReader::new(file).lines().map_while(Result::ok);
                for line in lines.filter_map(|line| serde_json::from_str::<Line>(&line).ok()) {
                    // The first line tells the settings.
                    if let Some(plies) = line.plies {
                        sum.games += 1;
                        sum.positions += plies;
                    }
                }
            }
            Some("games") => {
                let Ok(mut games) = open(&path, Format::Games) else { continue };
                while let Ok(Some(record)) = games.next_game() {
                    sum.games += 1;
                    sum.positions += record.positions() as u64;
                }
            }
            _ => {}
        }
    }
    sum
}

impl Status {
    /// Tasks that stand so.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &TaskStatus> {
        self.tasks.iter().filter(move |task| task.standing == standing)
    }

    /// Whether all tasks are complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.stages.iter().all(|stage| stage.done == stage.tasks)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.stages.iter().map(|stage| stage.name.chars().count()).max().unwrap_or(0);
        for stage in &self.stages {
            let StageStatus { name, tasks, done, running, interrupted, failed, waiting } = stage;
            writeln!(
                f,
                "{name:width$}  {done} of {tasks} done, {running} running, {interrupted} interrupted, {failed} failed, {waiting} waiting"
            )?;
        }
        let Counts { games, positions, .. } = self.counts;
        let of = self.games.map_or(String::new(), |all| format!(" of {all}"));
        let span = |seconds: u64| humantime::format_duration(Duration::from_secs(seconds));
        write!(f, "{games}{of} games, {positions} positions in {}", span(self.seconds))?;
        if let Some(rate) = self.rate {
            let positions = positions as f64 / self.seconds.max(1) as f64;
            write!(f, "; {rate:.2} games and {positions:.0} positions a second")?;
        }
        if let Some(left) = self.left.filter(|_| !self.is_done()) {
            write!(f, "; {} left", span(left))?;
        }
        writeln!(f)?;
        for task in self.standing(Standing::Failed).take(NAMED) {
            let sentence = task.sentence.as_deref().unwrap_or("without a word");
            writeln!(
                f,
                "task {} (shard {}) failed on {}: {sentence}",
                task.task, task.shard, task.host
            )?;
        }
        let more = self.standing(Standing::Failed).count().saturating_sub(NAMED);
        if more > 0 {
            writeln!(f, "and {more} more that failed")?;
        }
        Ok(())
    }
}
