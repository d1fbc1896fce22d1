//! What the loop has done, and what is next.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tandem_games::selfplay::Results;
use tandem_games::statistics::{Summary, Tally};

use super::pair::Names;
use super::{LoopConfig, LoopError};
use crate::TrainError;
use crate::files::write_whole;

/// Everything that has been done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The settings with which the loop began, but for those that may change.
    pub config: LoopConfig,
    /// The networks that played first.
    pub first: Names,
    /// The generations, the last of them perhaps unfinished.
    pub generations: Vec<Generation>,
}

/// A generation, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// The generation whose networks play its games; 0 for those that played first.
    pub players: u32,
    /// The games to learn from.
    pub portions: Vec<Portion>,
    /// The games to measure with.
    pub validation: Option<Portion>,
    /// How the network of values learnt.
    pub value: Option<Lesson>,
    /// How the network of policies learnt.
    pub policy: Option<Lesson>,
    /// The new networks.
    pub networks: Option<Names>,
    /// The election.
    pub gate: Option<Election>,
    /// Its games against the first networks.
    pub against_first: Option<Score>,
    /// Its games against those of the generation before.
    pub against_previous: Option<Score>,
}

/// Games of self-play with the same settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Portion {
    /// The limit of search-contempt; none for plain PUCT.
    pub limit: Option<u64>,
    /// Their results for White.
    pub results: Results,
    /// Half-moves of all games.
    pub plies: u64,
}

/// What a training came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Samples of the window.
    pub samples: u64,
    /// Samples of others beside them.
    pub others: u64,
    /// Steps taken.
    pub steps: u64,
    /// The loss of the last superbatch.
    pub loss: f64,
    /// The loss on the games that were not learnt from.
    pub validation: Option<f64>,
    /// How often the best move of these was foreseen, where moves are learnt.
    pub top1: Option<f64>,
}

/// What became of a new pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It won, and is the best pair now.
    Promoted,
    /// The test said that it gains nothing.
    Rejected,
    /// The games did not suffice, so it is not the best pair.
    Undecided,
}

impl Verdict {
    /// As people say it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Rejected => "rejected",
            Self::Undecided => "undecided, not promoted",
        }
    }
}

/// A match against the best pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Election {
    /// What became of it.
    pub verdict: Verdict,
    /// The generation that it met; 0 for the networks that played first.
    pub opponent: u32,
    /// Its results.
    pub tally: Tally,
    /// The logarithm of how much better a gain explains them than none.
    pub llr: f64,
}

/// A match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The results of the new pair.
    pub tally: Tally,
}

impl Score {
    /// With everything that follows from it.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.tally.into()
    }
}

/// The next thing to do in a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Play a portion of games, counted from 0.
    Portion(usize),
    /// Play the games to measure with.
    Validation,
    /// Learn values.
    Value,
    /// Learn policies.
    Policy,
    /// Name the new networks.
    Networks,
    /// Play against the best pair.
    Gate,
    /// Play against the first networks.
    First,
    /// Play against those of the generation before.
    Previous,
}

impl Generation {
    /// What is left to do in it; nothing if it is finished.
    #[must_use]
    pub fn next(&self, config: &LoopConfig) -> Option<Step> {
        let portions = self.portions.len();
        let open = |is_open: bool, step| is_open.then_some(step);
        open((portions as u64) < config.selfplay.portions, Step::Portion(portions))
            .or_else(|| open(self.validation.is_none(), Step::Validation))
            .or_else(|| open(self.value.is_none(), Step::Value))
            .or_else(|| open(self.policy.is_none(), Step::Policy))
            .or_else(|| open(self.networks.is_none(), Step::Networks))
            .or_else(|| open(self.gate.is_none(), Step::Gate))
            .or_else(|| open(self.against_first.is_none(), Step::First))
            .or_else(|| open(self.against_previous.is_none(), Step::Previous))
    }

    /// Results of the games to learn from.
    #[must_use]
    pub fn results(&self) -> Results {
        let mut sum = Results::default();
        for Portion { results, .. } in &self.portions {
            sum += *results;
        }
        sum
    }

    /// Whether its networks became the best pair.
    #[must_use]
    pub fn is_promoted(&self) -> bool {
        self.gate.is_some_and(|gate| gate.verdict == Verdict::Promoted)
    }
}

impl State {
    /// The generation whose networks are the best pair; 0 for those that played first.
    #[must_use]
    pub fn best(&self) -> u32 {
        let promoted = self.generations.iter().rev().find(|generation| generation.is_promoted());
        promoted.map_or(0, |generation| generation.number)
    }

    /// The generation whose networks play the games of the generation of that number, the next one.
    #[must_use]
    pub fn players_of(&self, number: u32) -> u32 {
        let last = number.saturating_sub(if self.config.course.ahead { 2 } else { 1 });
        let known = self.generations.iter().rev().filter(|generation| generation.number <= last);
        let promoted = known.into_iter().find(|generation| generation.is_promoted());
        promoted.map_or(0, |generation| generation.number)
    }

    /// The generation whose networks play the games of the last one.
    #[must_use]
    pub fn players(&self) -> u32 {
        self.generations.last().map_or(0, |generation| generation.players)
    }

    /// The generations that are finished.
    #[must_use]
    pub fn finished(&self) -> &[Generation] {
        let is_open = |last: &Generation| last.next(&self.config).is_some();
        match self.generations.split_last() {
            Some((last, before)) if is_open(last) => before,
            _ => &self.generations,
        }
    }

    /// Whether all generations that were begun are finished.
    #[must_use]
    pub fn is_between_generations(&self) -> bool {
        self.finished().len() == self.generations.len()
    }

    /// What is next, and in which generation: another is begun if the last one is finished. Nothing if there
    /// are to be no more.
    pub fn next(&mut self, generations: u32) -> Option<(u32, Step)> {
        if self.is_between_generations() {
            let number = self.generations.len() as u32 + 1;
            if number > generations {
                return None;
            }
            let players = self.players_of(number);
            self.generations.push(Generation { number, players, ..Generation::default() });
        }
        let last = self.generations.last()?;
        Some((last.number, last.next(&self.config)?))
    }

    /// Reads a state.
    ///
    /// # Errors
    /// It cannot be read or understood.
    pub fn load(path: &Path) -> Result<Self, LoopError> {
        let text = fs::read_to_string(path)
            .map_err(|reason| LoopError::Read { path: path.to_owned(), reason })?;
        serde_json::from_str(&text)
            .map_err(|error| LoopError::State { path: path.to_owned(), reason: error.to_string() })
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn save(&self, path: &Path) -> Result<(), TrainError> {
        write_whole(path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portion() -> Portion {
        let results = Results { wins: 2, draws: 1, losses: 0 };
        Portion { limit: Some(5), results, plies: 90 }
    }

    fn lesson() -> Lesson {
        Lesson { samples: 9, others: 0, steps: 1, loss: 0.1, validation: None, top1: None }
    }

    fn names() -> Names {
        Names { value: "nn-1".into(), policy: "pn-2".into() }
    }

    fn state() -> State {
        let mut config = LoopConfig::default();
        config.selfplay.portions = 2;
        State { config, first: names(), generations: Vec::new() }
    }

    /// Does what is next, and says what it was.
    fn go_on(state: &mut State, verdict: Verdict) -> Option<(u32, Step)> {
        let (number, step) = state.next(2)?;
        let best = state.best();
        let generation = state.generations.last_mut()?;
        let score = Some(Score { tally: Tally::default() });
        match step {
            Step::Portion(_) => generation.portions.push(portion()),
            Step::Validation => generation.validation = Some(portion()),
            Step::Value => generation.value = Some(lesson()),
            Step::Policy => generation.policy = Some(lesson()),
            Step::Networks => generation.networks = Some(names()),
            Step::Gate => {
                let tally = Tally::default();
                generation.gate = Some(Election { verdict, opponent: best, tally, llr: 0.0 });
            }
            Step::First => generation.against_first = score,
            Step::Previous => generation.against_previous = score,
        }
        Some((number, step))
    }

    #[test]
    fn a_state_that_was_saved_after_any_step_goes_on_with_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let (mut whole, mut parts) = (state(), state());
        let mut steps = Vec::new();
        while let Some(step) = go_on(&mut whole, Verdict::Promoted) {
            steps.push(step);
            parts.save(&path).unwrap();
            parts = State::load(&path).unwrap();
            assert_eq!(go_on(&mut parts, Verdict::Promoted), Some(step));
            assert_eq!(parts, whole);
        }
        assert_eq!(steps.len(), 18);
        assert_eq!(steps[8], (1, Step::Previous));
        assert_eq!(steps[9..11], [(2, Step::Portion(0)), (2, Step::Portion(1))]);
        assert_eq!(whole.finished().len(), 2);
    }

    #[test]
    fn only_pairs_that_won_play_the_next_games() {
        let mut state = state();
        for verdict in [Verdict::Rejected, Verdict::Undecided, Verdict::Promoted] {
            state.generations.clear();
            while go_on(&mut state, verdict).is_some() {}
            let players = state.generations.iter().map(|generation| generation.players);
            let expected = if verdict == Verdict::Promoted { [0, 1] } else { [0, 0] };
            assert!(players.eq(expected), "{verdict:?}");
        }
        state.generations[1].gate = None;
        assert_eq!((state.best(), state.finished().len()), (1, 1));
    }

    #[test]
    fn games_that_are_played_ahead_are_played_by_who_was_best_before_the_last_election() {
        let mut state = state();
        state.config.course.ahead = true;
        state.generations.clear();
        while let Some((number, step)) = state.next(4) {
            let _ = (number, step);
            let best = state.best();
            let verdict = Verdict::Promoted;
            let generation = state.generations.last_mut().unwrap();
            let score = Some(Score { tally: Tally::default() });
            generation.portions = vec![portion(); 2];
            generation.validation = Some(portion());
            (generation.value, generation.policy) = (Some(lesson()), Some(lesson()));
            generation.networks = Some(names());
            let tally = Tally::default();
            generation.gate = Some(Election { verdict, opponent: best, tally, llr: 0.0 });
            (generation.against_first, generation.against_previous) = (score, score);
        }
        let players = state.generations.iter().map(|generation| generation.players);
        assert!(players.eq([0, 0, 1, 2]));
    }

    #[test]
    fn what_is_no_state_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        fs::write(&path, "{\"first\": 3}").unwrap();
        let error = State::load(&path).unwrap_err().to_string();
        assert!(error.contains("state.json") && error.contains("no state"), "{error}");
    }
}
