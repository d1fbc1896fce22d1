//! The learning loop on a fleet: games by everybody, steps by one.
//!
//! A generation is a chain of stages: shards of the games to learn from and to measure with; the step that
//! learns; shards of the matches of the new networks; the step that elects. The loop itself is the one of
//! `tandem train loop` in a folder of its own: before a step the games of all shards are put where the loop
//! keeps its games, and so it finds them played.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tandem_games::{selfplay, tournament};
use tandem_train::learning::{Goal, LearningLoop, Listener, LoopConfig, Part};
use tandem_train::{Finish, Settings as _};

use crate::manifest::Counts;
use crate::plan::{Kind, Stage};
use crate::{Description, FleetError, Place, Plan, Work, Yield, merge};

/// Where the loop itself stands in a plan's folder.
const LOOP: &str = "loop";

/// The loop's folder in that of a plan.
#[must_use]
pub fn folder(plan: &Path) -> PathBuf {
    plan.join(LOOP)
}

/// Plans a loop with the settings in that file, and begins it.
///
/// # Errors
/// The settings make no loop, or it cannot be begun.
pub fn plan(
    description: &Description,
    config: &Path,
    plan: &Path,
) -> Result<Vec<Stage>, FleetError> {
    let config =
        LoopConfig::load(config).map_err(|error| FleetError::key("config", error.to_string()))?;
    let stages =
        Planner { config: &config, shard: description.games_of_shard(), stages: Vec::new() };
    let stages = stages.plan();
    LearningLoop::open(&folder(plan), config)?;
    Ok(stages)
}

struct Planner<'a> {
    config: &'a LoopConfig,
    /// Games of a shard.
    shard: u64,
    stages: Vec<Stage>,
}

impl Planner<'_> {
    fn plan(mut self) -> Vec<Stage> {
        let config = self.config;
        let is_steered = config.selfplay.limit > 0 && config.selfplay.target > 0.0;
        let portions = config.selfplay.portions as usize;
        // The last step of each generation that is planned.
        let mut elections: Vec<usize> = Vec::new();
        for number in 1..=config.course.generations {
            let before = elections.len();
            let known =
                if config.course.ahead { before.checked_sub(2) } else { before.checked_sub(1) };
            let mut after: Vec<usize> = known.map(|place| elections[place]).into_iter().collect();
            let mut played = Vec::new();
            for place in 0..portions {
                let games = config.selfplay.games_of(place);
                played.push(self.games(number, Part::Portion(place), games, &after));
                if is_steered {
                    // The limit of the next portion follows from this one.
                    after = vec![self.step(number, Goal::Portions(place + 1), vec![played[place]])];
                }
            }
            let games = config.selfplay.validation_games;
            played.push(self.games(number, Part::Validation, games, &after));
            // One learns after the other.
            played.extend(elections.last());
            let learnt = self.step(number, Goal::Networks, played);
            let mut matches = vec![learnt];
            for (part, games) in [
                (Part::Gate, config.gate.games),
                (Part::First, config.measure.games),
                (Part::Previous, config.measure.games),
            ] {
                // The first networks are those of the generation before the first one.
                if part != Part::Previous || number > 1 {
                    matches.push(self.games(number, part, games, &[learnt]));
                }
            }
            elections.push(self.step(number, Goal::Finished, matches));
        }
        self.stages
    }

    fn games(&mut self, generation: u32, part: Part, games: u64, after: &[usize]) -> usize {
        let least = if part.is_selfplay() { 1 } else { 2 };
        let tasks = games.div_ceil(self.shard).min(games / least).max(1);
        let name = format!("generation {generation}: {}", described(part));
        let kind = Kind::Games { generation, part };
        self.add(Stage { name, kind, tasks, games, after: after.to_vec() })
    }

    fn step(&mut self, generation: u32, goal: Goal, mut after: Vec<usize>) -> usize {
        after.sort_unstable();
        after.dedup();
        let name = format!("generation {generation}: {}", goal.name());
        self.add(Stage { name, kind: Kind::Step { generation, goal }, tasks: 1, games: 0, after })
    }

    fn add(&mut self, stage: Stage) -> usize {
        self.stages.push(stage);
        self.stages.len() - 1
    }
}

fn described(part: Part) -> String {
    match part {
        Part::Portion(place) => format!("games, portion {}", place + 1),
        Part::Validation => "games to measure with".to_owned(),
        Part::Gate => "gate".to_owned(),
        Part::First => "match against the first networks".to_owned(),
        Part::Previous => "match against the generation before".to_owned(),
    }
}

/// What decides a task of a loop.
#[must_use]
pub fn work(plan: &Plan, kind: &Kind, place: &Place) -> Work {
    let settings = serde_json::to_value(kind).expect("only plain fields");
    let (job, shard) = ("train loop".to_owned(), place.shard());
    Work { job, shard, seed: plan.description.seed, settings }
}

/// Plays a shard of games of the loop. Nothing comes of it if it is stopped.
///
/// # Errors
/// The loop has not come so far, or the games cannot be played.
pub fn play(
    plan: &Plan,
    (generation, part): (u32, Part),
    (place, within): (&Place, &Path),
    stop: &AtomicBool,
    listener: Listener<'_>,
) -> Result<Option<Yield>, FleetError> {
    let concurrency = plan.description.resources.cores as usize;
    let shared = LearningLoop::play_shard(
        &folder(&plan.folder),
        (generation, part),
        place.shard(),
        (&within.join("games"), concurrency),
        stop,
        listener,
    )?;
    Ok(shared.map(|shared| Yield {
        counts: Counts { games: shared.games, positions: shared.plies, results: shared.results },
        engines: shared.engines,
        ..Yield::default()
    }))
}

/// Puts the games of all shards where the loop keeps its own, and has it go on. Nothing comes of it if it is
/// stopped.
///
/// # Errors
/// A shard is missing or damaged, or a step cannot be done.
pub fn advance(
    plan: &Plan,
    (generation, goal): (u32, Goal),
    stop: &AtomicBool,
    listener: Listener<'_>,
) -> Result<Option<Yield>, FleetError> {
    let here = plan.stages.iter().find(|stage| stage.kind == Kind::Step { generation, goal });
    let before = here.map(|stage| stage.after.clone()).unwrap_or_default();
    for stage in before.into_iter().map(|place| &plan.stages[place]) {
        if let Kind::Games { generation, part } = stage.kind {
            gather(plan, stage, generation, part)?;
        }
    }
    let folder = folder(&plan.folder);
    let config = LearningLoop::settings(&folder)?;
    let mut learning = LearningLoop::open(&folder, config)?;
    match learning.advance((generation, goal), stop, listener)? {
        Finish::Interrupted => Ok(None),
        Finish::Complete => Ok(Some(Yield::default())),
    }
}

/// Puts the games of all shards of a stage where the loop keeps such games.
fn gather(plan: &Plan, stage: &Stage, generation: u32, part: Part) -> Result<(), FleetError> {
    let name = part.files(&folder(&plan.folder), generation);
    if tandem_games::journal::with_suffix(&name, ".jsonl").exists() {
        return Ok(());
    }
    let shards = merge::sound(plan, stage);
    if let Some(problem) = shards.problems.first() {
        let sentence = format!("{}: {problem}", stage.name);
        return Err(FleetError::TooEarly(sentence));
    }
    let files: Vec<PathBuf> = shards.folders().map(|folder| folder.join("games.jsonl")).collect();
    if part.is_selfplay() {
        selfplay::Games::read(&files)?.write(&name)?;
    } else {
        tournament::Games::read(&files)?.write(&name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(change: impl FnOnce(&mut LoopConfig)) -> Vec<Stage> {
        let mut config = LoopConfig::default();
        config.course.generations = 3;
        config.selfplay.portions = 2;
        config.selfplay.target = 0.0;
        change(&mut config);
        Planner { config: &config, shard: 100, stages: Vec::new() }.plan()
    }

    fn find(stages: &[Stage], kind: Kind) -> usize {
        stages.iter().position(|stage| stage.kind == kind).unwrap()
    }

    fn step(stages: &[Stage], generation: u32, goal: Goal) -> usize {
        find(stages, Kind::Step { generation, goal })
    }

    fn games(stages: &[Stage], generation: u32, part: Part) -> &Stage {
        &stages[find(stages, Kind::Games { generation, part })]
    }

    #[test]
    fn one_learns_when_all_games_are_played_and_the_next_games_wait_for_the_election() {
        let stages = stages(|_| ());
        let portion = games(&stages, 1, Part::Portion(1));
        assert_eq!((portion.tasks, portion.games, portion.after.len()), (10, 1000, 0));
        let learn = &stages[step(&stages, 1, Goal::Networks)];
        assert_eq!(learn.after.len(), 3);
        let elect = step(&stages, 1, Goal::Finished);
        assert_eq!(games(&stages, 2, Part::Portion(0)).after, [elect]);
        assert!(
            !stages
                .iter()
                .any(|stage| { stage.kind == Kind::Games { generation: 1, part: Part::Previous } })
        );
        let before = |(place, stage): (usize, &Stage)| stage.after.iter().all(|&b| b < place);
        assert!(stages.iter().enumerate().all(before));
    }

    #[test]
    fn games_that_are_played_ahead_wait_for_the_election_before() {
        let stages = stages(|config| config.course.ahead = true);
        assert_eq!(games(&stages, 2, Part::Portion(0)).after, [0_usize; 0]);
        let elect = step(&stages, 1, Goal::Finished);
        assert_eq!(games(&stages, 3, Part::Validation).after, [elect]);
        // But nothing is learnt before what comes before it.
        assert!(stages[step(&stages, 2, Goal::Networks)].after.contains(&elect));
    }

    #[test]
    fn where_the_limit_follows_the_games_every_portion_waits_for_the_one_before() {
        let stages = stages(|config| config.selfplay.target = 1.0);
        let first = step(&stages, 1, Goal::Portions(1));
        assert_eq!(games(&stages, 1, Part::Portion(1)).after, [first]);
        let second = step(&stages, 1, Goal::Portions(2));
        assert_eq!(games(&stages, 1, Part::Validation).after, [second]);
    }
}
