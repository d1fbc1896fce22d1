//! The steps of a generation.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tandem_games::Shard;
use tandem_games::book::Book;
use tandem_games::statistics::Verdict as Test;
use tandem_games::tournament::interval;

use super::duel::Duel;
use super::news::{Listener, News};
use super::parts::{Part, Shared};
use super::portion::{self, Assignment};
use super::state::{Election, Portion, Score, State, Step, Verdict};
use super::study::{Amount, Study};
use super::{LearningLoop, LoopConfig, LoopError, Pair, generation_folder, steer, window};
use crate::GateSettings;

/// Parts of a generation with a chance of their own, beyond the portions' numbers.
const VALIDATION: u64 = 1 << 16;
const WINDOW: u64 = VALIDATION + 1;
const GATE: u64 = VALIDATION + 2;
const FIRST: u64 = VALIDATION + 3;
const PREVIOUS: u64 = VALIDATION + 4;
const LEARNING: u64 = VALIDATION + 5;

impl LearningLoop {
    /// Does a step of the generation of that number; false if it was stopped before its end.
    pub(super) fn step(
        &mut self,
        number: u32,
        step: Step,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<bool, LoopError> {
        match step {
            Step::Portion(place) => self.portion(number, Some(place), stop, listener),
            Step::Validation => self.portion(number, None, stop, listener),
            Step::Value | Step::Policy => self.learn(number, step, stop, listener),
            Step::Networks => self.name(number),
            Step::Gate => self.elect(number, stop, listener),
            Step::First | Step::Previous => self.measure(number, step, stop, listener),
        }
    }

    /// Has the best pair play a portion of the games, or those to measure with.
    fn portion(
        &mut self,
        number: u32,
        place: Option<usize>,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<bool, LoopError> {
        let part = place.map_or(Part::Validation, Part::Portion);
        let assignment = self.desk().assignment(
            number,
            part,
            Shard::default(),
            (part.files(&self.folder, number), self.state.config.concurrency()),
        );
        let (limit, parts) = (assignment.limit, self.state.config.selfplay.portions);
        let name = place.map_or("validation".to_owned(), |place| (place + 1).to_string());
        let by = limit.map_or("plain PUCT".to_owned(), |limit| format!("limit {limit}"));
        listener(News::Begin(&match place {
            Some(_) => format!("generation {number}: games, portion {name} of {parts}, {by}"),
            None => format!("generation {number}: games to measure with, {by}"),
        }));
        let players = self.pair(self.state.players());
        let Some(played) = assignment.play(&players, stop, listener)? else { return Ok(false) };
        listener(News::Done(&describe(&played)));
        match place {
            Some(_) => self.generation().portions.push(played),
            None => self.generation().validation = Some(played),
        }
        Ok(true)
    }

    /// Trains one of the networks.
    fn learn(
        &mut self,
        number: u32,
        step: Step,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<bool, LoopError> {
        let config = &self.state.config;
        let (what, passes, others) = match step {
            Step::Value => ("value", config.passes.value, &config.window.other_value),
            _ => ("policy", config.passes.policy, &config.window.other_policy),
        };
        let seed = |part| portion::seed(config.course.seed, number, part);
        let chosen = window::choose(&self.state.generations, &config.window, seed(WINDOW));
        let visits = |number, name: &str| self.games(number, name).with_extension("visits");
        let train: Vec<PathBuf> = chosen
            .into_iter()
            .map(|(number, place)| visits(number, &(place + 1).to_string()))
            .collect();
        let folder = generation_folder(&self.folder, number);
        let study = Study {
            from: &self.pair(self.state.best()),
            train: &train,
            validation: &[visits(number, "validation")],
            others,
            share: config.window.other,
            amount: Amount::Passes(passes),
            description: &format!("Tandem, learning loop, generation {number}"),
            folder: &folder.join(what),
        };
        listener(News::Begin(&format!("generation {number}: {what} network")));
        let learnt = if step == Step::Value {
            let mut settings = config.value.clone();
            settings.data.seed ^= seed(LEARNING);
            study.value(&settings, stop, listener)?
        } else {
            let mut settings = config.policy.clone();
            settings.data.seed ^= seed(LEARNING);
            study.policy(&settings, stop, listener)?
        };
        let Some(learnt) = learnt else { return Ok(false) };
        let (new, lesson) = (self.pair(number), learnt.lesson);
        let generation = self.generation();
        if step == Step::Value {
            Pair::write_one(&new.value, &learnt.file)?;
            generation.value = Some(lesson);
        } else {
            Pair::write_one(&new.policy, &learnt.file)?;
            generation.policy = Some(lesson);
        }
        listener(News::Done(&super::report::lesson(&lesson)));
        Ok(true)
    }

    /// Says what the new networks are called. What it takes to go on with their trainings is not needed
    /// any more.
    fn name(&mut self, number: u32) -> Result<bool, LoopError> {
        let folder = generation_folder(&self.folder, number);
        let names = self.pair(number).names()?;
        for training in ["value", "policy"] {
            Study::forget(&folder.join(training))?;
        }
        self.generation().networks = Some(names);
        Ok(true)
    }

    /// Has the new pair play against the best one.
    fn elect(
        &mut self,
        number: u32,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<bool, LoopError> {
        let (opponent, rules) = self.desk().rules(number, Part::Gate);
        let Some((tally, test)) =
            self.duel(number, opponent, Part::Gate, &rules, stop, listener)?
        else {
            return Ok(false);
        };
        let verdict = match test.map(|test| test.verdict) {
            Some(Test::AcceptH1) => Verdict::Promoted,
            Some(Test::AcceptH0) => Verdict::Rejected,
            _ => Verdict::Undecided,
        };
        let llr = test.map_or(0.0, |test| test.llr);
        self.generation().gate = Some(Election { verdict, opponent, tally, llr });
        listener(News::Done(&format!("{}: Elo {}", verdict.word(), interval(tally.elo()))));
        Ok(true)
    }

    /// Has the new pair play against the first one, or that of the generation before.
    fn measure(
        &mut self,
        number: u32,
        step: Step,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<bool, LoopError> {
        let part = if step == Step::First { Part::First } else { Part::Previous };
        let (opponent, rules) = self.desk().rules(number, part);
        if step == Step::Previous && opponent == 0 {
            // The first networks are those of the generation before, and that match is played.
            let generation = self.generation();
            generation.against_previous = generation.against_first;
            return Ok(true);
        }
        let played = self.duel(number, opponent, part, &rules, stop, listener)?;
        let Some((tally, _)) = played else { return Ok(false) };
        listener(News::Done(&format!("Elo {}", interval(tally.elo()))));
        let score = Some(Score { tally });
        let generation = self.generation();
        if step == Step::First {
            generation.against_first = score;
        } else {
            generation.against_previous = score;
        }
        Ok(true)
    }

    fn duel(
        &self,
        number: u32,
        opponent: u32,
        part: Part,
        rules: &GateSettings,
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<super::duel::Outcome>, LoopError> {
        let names = [number, opponent].map(|number| format!("generation {number}"));
        let what = if part == Part::Gate { "gate" } else { "match" };
        listener(News::Begin(&format!("{}: {what} against {}", names[0], names[1])));
        let (new, old) = (self.pair(number), self.pair(opponent));
        let duel = Duel {
            players: [(&names[0], &new), (&names[1], &old)],
            rules,
            is_test: part == Part::Gate,
            shard: Shard::default(),
            concurrency: self.state.config.concurrency(),
            out: part.files(&self.folder, number),
        };
        duel.play(stop, listener)
    }

    fn desk(&self) -> Desk<'_> {
        Desk { folder: &self.folder, state: &self.state }
    }

    /// The generation that is being worked on.
    fn generation(&mut self) -> &mut super::Generation {
        self.state.generations.last_mut().expect("a step belongs to a generation")
    }

    fn games(&self, number: u32, name: &str) -> PathBuf {
        generation_folder(&self.folder, number).join("games").join(name)
    }
}

/// Where one sees from the state of a loop which games are to be played.
pub(super) struct Desk<'a> {
    /// The folder of the loop.
    pub folder: &'a Path,
    /// How far it has come.
    pub state: &'a State,
}

impl<'a> Desk<'a> {
    /// Games of a generation by one pair, of which some are ours.
    fn assignment(
        &self,
        number: u32,
        part: Part,
        shard: Shard,
        (out, concurrency): (PathBuf, usize),
    ) -> Assignment<'a> {
        let settings = &self.state.config.selfplay;
        let place = if let Part::Portion(place) = part { Some(place) } else { None };
        let games = place.map_or(settings.validation_games, |place| settings.games_of(place));
        let last = self.state.generations.last().and_then(|generation| generation.portions.last());
        let limit = match (place, last) {
            (None, Some(last)) => last.limit,
            _ => steer::limit(settings, self.state),
        };
        let part = place.map_or(VALIDATION, |place| place as u64);
        let seed = portion::seed(self.state.config.course.seed, number, part);
        Assignment { settings, limit, games, seed, shard, concurrency, out }
    }

    /// Whom the new pair of a generation meets in a match, and by which rules.
    fn rules(&self, number: u32, part: Part) -> (u32, GateSettings) {
        let config = &self.state.config;
        let (opponent, chance) = match part {
            Part::First => (0, FIRST),
            Part::Previous => (number - 1, PREVIOUS),
            _ => (self.state.best(), GATE),
        };
        let seed = portion::seed(config.course.seed ^ config.gate.seed, number, chance);
        let rules = GateSettings { seed, ..config.gate.clone() };
        if part == Part::Gate {
            return (opponent, rules);
        }
        (
            opponent,
            GateSettings { nodes: config.measure.nodes, games: config.measure.games, ..rules },
        )
    }

    /// Plays a shard of games by one pair.
    pub fn shard_of_games(
        &self,
        number: u32,
        part: Part,
        shard: Shard,
        (out, concurrency): (&Path, usize),
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Shared>, LoopError> {
        let assignment = self.assignment(number, part, shard, (out.to_owned(), concurrency));
        let pair = self.pair(self.state.players())?;
        let shared = assignment.share(&pair, stop, listener)?;
        Ok(shared.map(|(Portion { results, plies, .. }, engines)| {
            let results = [results.wins, results.draws, results.losses];
            Shared { games: results.iter().sum(), plies, results, engines }
        }))
    }

    /// Plays a shard of a match of the new pair.
    pub fn shard_of_match(
        &self,
        number: u32,
        part: Part,
        shard: Shard,
        (out, concurrency): (&Path, usize),
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Option<Shared>, LoopError> {
        let (opponent, rules) = self.rules(number, part);
        let names = [number, opponent].map(|number| format!("generation {number}"));
        let (new, old) = (self.pair(number)?, self.pair(opponent)?);
        let players = [(names[0].as_str(), &new), (names[1].as_str(), &old)];
        // Only all games together are a test.
        let (rules, out) = (&rules, out.to_owned());
        let duel = Duel { players, rules, is_test: false, shard, concurrency, out };
        Ok(duel.share(stop, listener)?.map(|report| {
            let (white, games) = (report.standing.white(), report.standing.games());
            let plies = report.standing.mean_plies().unwrap_or_default() * games as f64;
            Shared {
                games,
                plies: plies.round() as u64,
                results: [white.wins(), white.draws(), white.losses()],
                engines: report.identities,
            }
        }))
    }

    /// The networks of a generation, which must be those that the state names.
    fn pair(&self, generation: u32) -> Result<Pair, LoopError> {
        let pair = Pair::in_folder(&generation_folder(self.folder, generation));
        let early = || LoopError::TooEarly(generation);
        let expected = match generation.checked_sub(1) {
            None => &self.state.first,
            Some(place) => {
                let known = self.state.generations.get(place as usize);
                known.and_then(|known| known.networks.as_ref()).ok_or_else(early)?
            }
        };
        let found = pair.names()?;
        if found == *expected {
            Ok(pair)
        } else {
            let (found, expected) = (Box::new(found), Box::new(expected.clone()));
            Err(LoopError::Networks { generation, found, expected })
        }
    }
}

/// Looks whether games can be played with those settings, before anything is kept that they decided.
pub(super) fn try_out(config: &LoopConfig, pair: &Pair) -> Result<(), LoopError> {
    let settings = &config.selfplay;
    let limit = (settings.limit > 0).then_some(settings.limit);
    let (out, concurrency) = (PathBuf::new(), config.concurrency());
    let shard = Shard::default();
    Assignment { settings, limit, games: 1, seed: 0, shard, concurrency, out }.try_out(pair)?;
    let openings = Book::open(&config.gate.openings());
    openings.map_err(|error| LoopError::Match("gate".to_owned(), error.into()))?;
    Ok(())
}

fn describe(played: &Portion) -> String {
    let results = played.results;
    let ratio = results.decisive() as f64 / results.draws as f64;
    let (wins, draws, losses) = (results.wins, results.draws, results.losses);
    format!("+{wins} ={draws} -{losses}, (w+l)/d {ratio:.2}, {} positions", played.plies)
}
