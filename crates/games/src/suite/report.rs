//! The result of a run, with everything that one must know to believe it.

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};
use tandem_engine::Score;

use super::Suite;
use super::attempt::{Attempt, Moment};
use super::collection::Unusable;
use crate::conduct::{Conduct, Effort, FaultKind};
use crate::hardware;
use crate::player::Identity;
use crate::spec::PlayerSpec;

/// What was found and how it was looked for.
pub struct Report {
    /// What was to be done.
    pub suite: Suite,
    /// Who the players turned out to be.
    pub identities: Vec<Identity>,
    /// What was done, in the order of the positions.
    pub attempts: Vec<Attempt>,
    /// Attempts that were begun and not finished, and so do not count.
    pub unfinished: usize,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

/// One player's part.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport<'a> {
    /// Who was asked.
    #[serde(flatten)]
    pub spec: &'a PlayerSpec,
    /// Who answered.
    #[serde(flatten)]
    pub identity: &'a Identity,
    /// Positions that it was given.
    pub attempted: usize,
    /// Positions that it solved.
    pub solved: usize,
    /// The part that it solved.
    pub solved_rate: Option<f64>,
    /// Seconds to the solution, on average over what it solved.
    pub mean_seconds_to_solution: Option<f64>,
    /// Positions visited until the solution, on average.
    pub mean_nodes_to_solution: Option<f64>,
    /// Depth at the solution, on average.
    pub mean_depth_at_solution: Option<f64>,
    /// Points, where the suite gives them.
    pub points: Option<u64>,
    /// What the best moves would have brought.
    pub points_possible: Option<u64>,
    /// What it did.
    #[serde(flatten)]
    pub conduct: Conduct,
    /// Positions a second.
    pub nps: Option<f64>,
}

/// Two players on the positions that both were given, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison<'a> {
    /// One of them.
    pub first: &'a str,
    /// The other.
    pub second: &'a str,
    /// What both solved.
    pub both: Vec<&'a str>,
    /// What only the first solved.
    pub only_first: Vec<&'a str>,
    /// What only the second solved.
    pub only_second: Vec<&'a str>,
    /// What neither solved.
    pub neither: Vec<&'a str>,
}

impl Report {
    /// Each player's part.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerReport<'_>> {
        let specs = self.suite.players.iter().zip(&self.identities).enumerate();
        specs.map(|(place, (spec, identity))| self.player(place, spec, identity)).collect()
    }

    fn player<'a>(
        &'a self,
        place: usize,
        spec: &'a PlayerSpec,
        identity: &'a Identity,
    ) -> PlayerReport<'a> {
        let own: Vec<&Attempt> = self.attempts.iter().filter(|a| a.player == place).collect();
        let solutions: Vec<Moment> = own.iter().filter_map(|attempt| attempt.solution()).collect();
        let conduct = conduct(&own);
        let goal = |attempt: &Attempt| &self.suite.collection.problems[attempt.problem].goal;
        let points = own.iter().filter_map(|attempt| attempt.points(goal(attempt)));
        let possible = own.iter().filter_map(|attempt| goal(attempt).points.most());
        PlayerReport {
            spec,
            identity,
            attempted: own.len(),
            solved: solutions.len(),
            solved_rate: mean(own.iter().map(|attempt| f64::from(attempt.is_solved()))),
            mean_seconds_to_solution: mean(solutions.iter().map(|m| m.time.as_secs_f64())),
            mean_nodes_to_solution: mean(solutions.iter().map(|m| m.nodes as f64)),
            mean_depth_at_solution: mean(solutions.iter().map(|m| f64::from(m.depth))),
            points: sum(points),
            points_possible: sum(possible),
            nps: conduct.effort.nps(),
            conduct,
        }
    }

    /// Every two players side by side.
    #[must_use]
    pub fn comparisons(&self) -> Vec<Comparison<'_>> {
        let count = self.suite.players.len();
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        pairs.map(|(one, other)| self.compare(one, other)).collect()
    }

    fn compare(&self, one: usize, other: usize) -> Comparison<'_> {
        let names = |place: usize| self.suite.players[place].name.as_str();
        let mut comparison = Comparison {
            first: names(one),
            second: names(other),
            both: Vec::new(),
            only_first: Vec::new(),
            only_second: Vec::new(),
            neither: Vec::new(),
        };
        for attempts in self.by_problem() {
            let solved = |place| {
                let attempt = attempts.iter().find(|attempt| attempt.player == place);
                attempt.map(Attempt::is_solved)
            };
            let list = match (solved(one), solved(other)) {
                (Some(true), Some(true)) => &mut comparison.both,
                (Some(true), Some(false)) => &mut comparison.only_first,
                (Some(false), Some(true)) => &mut comparison.only_second,
                (Some(false), Some(false)) => &mut comparison.neither,
                (None, _) | (_, None) => continue,
            };
            list.push(self.suite.collection.problems[attempts[0].problem].name.as_str());
        }
        comparison
    }

    /// The attempts at each position that was attempted.
    pub(super) fn by_problem(&self) -> impl Iterator<Item = &[Attempt]> {
        self.attempts.chunk_by(|one, other| one.problem == other.problem)
    }
}

/// What the player of these attempts spent and did wrong.
fn conduct(attempts: &[&Attempt]) -> Conduct {
    let mut conduct = Conduct::default();
    for attempt in attempts {
        match &attempt.outcome {
            Ok(answer) => {
                conduct.effort += Effort {
                    moves: 1,
                    nodes: answer.thought.nodes,
                    depth: answer.thought.depth.into(),
                    time: answer.elapsed,
                };
                if answer.is_late {
                    conduct.count(FaultKind::TimeLoss);
                }
            }
            Err(fault) => conduct.count(fault.into()),
        }
    }
    conduct
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = values.len();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

/// The sum, if there is anything to add up.
fn sum(values: impl Iterator<Item = u32>) -> Option<u64> {
    values.fold(None, |sum, value| Some(sum.unwrap_or(0) + u64::from(value)))
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Moment", 3)?;
        out.serialize_field("seconds", &self.time.as_secs_f64())?;
        out.serialize_field("nodes", &self.nodes)?;
        out.serialize_field("depth", &self.depth)?;
        out.end()
    }
}

impl Serialize for Unusable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Unusable", 4)?;
        out.serialize_field("file", &self.file)?;
        out.serialize_field("line", &self.line)?;
        out.serialize_field("kind", self.defect.kind())?;
        out.serialize_field("why", &self.defect.to_string())?;
        out.end()
    }
}

/// An attempt with the names of what it is about.
struct Named<'a>(&'a Suite, &'a Attempt);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(suite, attempt) = self;
        let problem = &suite.collection.problems[attempt.problem];
        let answer = attempt.outcome.as_ref().ok();
        let (cp, mate) = match answer.and_then(|answer| answer.thought.score) {
            Some(Score::Centipawns(value)) => (Some(value), None),
            Some(Score::Mate(plies)) => (None, Some(Score::mate_in_moves(plies))),
            None => (None, None),
        };
        let mut out = serializer.serialize_struct("Attempt", 16)?;
        out.serialize_field("position", &problem.name)?;
        out.serialize_field("file", &suite.collection.sources[problem.source].file)?;
        out.serialize_field("line", &problem.line)?;
        out.serialize_field("fen", &problem.position.to_string())?;
        out.serialize_field("wanted", &problem.goal.describe(&problem.position))?;
        out.serialize_field("player", &suite.players[attempt.player].name)?;
        out.serialize_field("solved", &attempt.is_solved())?;
        out.serialize_field("move", &answer.map(|answer| problem.position.san(answer.m)))?;
        out.serialize_field("cp", &cp)?;
        out.serialize_field("mate", &mate)?;
        out.serialize_field("seconds", &answer.map(|answer| answer.elapsed.as_secs_f64()))?;
        out.serialize_field("nodes", &answer.map(|answer| answer.thought.nodes))?;
        out.serialize_field("depth", &answer.map(|answer| answer.thought.depth))?;
        out.serialize_field("solution", &attempt.solution())?;
        out.serialize_field("points", &attempt.points(&problem.goal))?;
        let fault = attempt.outcome.as_ref().err().map(ToString::to_string);
        out.serialize_field("fault", &fault)?;
        out.end()
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let collection = &self.suite.collection;
        let attempts: Vec<Named<'_>> =
            self.attempts.iter().map(|attempt| Named(&self.suite, attempt)).collect();
        let mut out = serializer.serialize_struct("Report", 13)?;
        out.serialize_field("files", &collection.sources)?;
        out.serialize_field("positions", &collection.problems.len())?;
        out.serialize_field("unusable", &collection.unusable)?;
        out.serialize_field("unusable_why", &collection.defects())?;
        out.serialize_field("players", &self.players())?;
        out.serialize_field("comparisons", &self.comparisons())?;
        out.serialize_field("attempts", &attempts)?;
        out.serialize_field("unfinished", &self.unfinished)?;
        out.serialize_field("interrupted", &self.interrupted)?;
        out.serialize_field("patience", &self.suite.patience.as_secs_f64())?;
        out.serialize_field("hardware", &hardware::describe())?;
        out.serialize_field("concurrency", &self.suite.concurrency.max(1))?;
        out.serialize_field("seconds", &self.seconds)?;
        out.end()
    }
}
