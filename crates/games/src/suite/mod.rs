//! Suites of test positions: what players find, and how soon.

mod attempt;
mod collection;
mod goal;
mod points;
mod report;
mod text;
mod texts;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use thiserror::Error;

pub use attempt::{Answer, Attempt, Moment};
pub use collection::{Collection, Problem, Source, Unusable};
pub use goal::{Defect, Goal};
pub use points::Points;
pub use report::{Comparison, PlayerReport, Report};

use crate::player::{self, Fault, Pool, StartError};
use crate::spec::{PlayerSpec, Side};

/// After so many positions in a row for which a player could not be started it is given up.
const ABSENCES: u32 = 3;

/// Why a suite cannot be run.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// There is nothing to solve.
    #[error("none of the {0} positions can be used")]
    Nothing(usize),
    /// A player would think for ever.
    #[error("{0} has no limit: give it movetime, nodes or depth, or give one for all players")]
    NoLimit(String),
    /// A setting that only games have.
    #[error("{0}: {1} means nothing here, where every position stands alone")]
    OnlyGames(String, &'static str),
    /// A player cannot take part.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Positions and who is to solve them.
pub struct Suite {
    /// The positions.
    pub collection: Collection,
    /// Who solves them.
    pub players: Vec<PlayerSpec>,
    /// Positions side by side.
    pub concurrency: usize,
    /// How long an engine may be silent after its time is over.
    pub patience: Duration,
    /// Whether castling is told as in Chess960.
    pub chess960: bool,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Attempts made.
    pub done: usize,
    /// Attempts to make.
    pub total: usize,
    /// What each player solved.
    pub solved: Vec<usize>,
}

impl Suite {
    /// Puts every position before every player, until all are done or until `stop`. The observer hears
    /// of each attempt.
    ///
    /// # Errors
    /// The run cannot begin.
    pub fn run(
        self,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Self, &Progress, &Attempt),
    ) -> Result<Report, SuiteError> {
        let start = Instant::now();
        self.check()?;
        let identities = player::introduce(&self.players, self.chess960)?;
        let total = self.collection.problems.len() * self.players.len();
        let mut progress = Progress { done: 0, total, solved: vec![0; self.players.len()] };
        let mut attempts = Vec::with_capacity(total);
        let mut unfinished = 0;
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, news) = mpsc::channel();
            for _ in 0..self.concurrency.max(1) {
                let (sender, suite, next) = (sender.clone(), &self, &next);
                scope.spawn(move || suite.work(next, stop, &sender));
            }
            drop(sender);
            for attempt in news {
                let Some(attempt) = attempt else {
                    unfinished += 1;
                    continue;
                };
                progress.done += 1;
                progress.solved[attempt.player] += usize::from(attempt.is_solved());
                observer(&self, &progress, &attempt);
                attempts.push(attempt);
            }
        });
        attempts.sort_by_key(|attempt| (attempt.problem, attempt.player));
        Ok(Report {
            suite: self,
            identities,
            attempts,
            unfinished,
            interrupted: stop.load(Ordering::Relaxed),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    fn check(&self) -> Result<(), SuiteError> {
        if self.collection.problems.is_empty() {
            return Err(SuiteError::Nothing(self.collection.unusable.len()));
        }
        for player in &self.players {
            let name = || player.name.clone();
            let alien = [
                (player.pace.tc.is_some(), "a clock (tc)"),
                (!player.odds.is_empty(), "odds"),
                (player.side != Side::Both, "a side"),
            ];
            if let Some((_, what)) = alien.into_iter().find(|(is_set, _)| *is_set) {
                return Err(SuiteError::OnlyGames(name(), what));
            }
            if player.pace.is_open_ended() {
                return Err(SuiteError::NoLimit(name()));
            }
        }
        Ok(())
    }

    /// Makes one attempt after another. Each position goes through all players before the next one, so
    /// that a run that is stopped can still be compared.
    fn work(&self, next: &AtomicUsize, stop: &AtomicBool, news: &mpsc::Sender<Option<Attempt>>) {
        let mut pool = Pool::new(&self.players, self.chess960);
        let mut absences = vec![0; self.players.len()];
        let count = self.players.len();
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (problem, player) = (number / count, number % count);
            let Some(task) = self.collection.problems.get(problem) else { return };
            let outcome = if absences[player] < ABSENCES {
                self.ask(&mut pool, player, task, stop)
            } else {
                let text = format!("given up after {ABSENCES} failed starts in a row");
                Some(Err(Fault::Absent(text)))
            };
            let is_absent = matches!(outcome, Some(Err(Fault::Absent(_))));
            absences[player] = if is_absent { absences[player] + 1 } else { 0 };
            let attempt = outcome.map(|outcome| Attempt { problem, player, outcome });
            if news.send(attempt).is_err() {
                return;
            }
        }
    }

    /// Asks a player, which comes back unless something went wrong with it.
    fn ask(
        &self,
        pool: &mut Pool<'_>,
        place: usize,
        problem: &Problem,
        stop: &AtomicBool,
    ) -> Option<Result<Answer, Fault>> {
        let mut player = match pool.take(place) {
            Ok(player) => player,
            Err(fault) => return Some(Err(fault)),
        };
        let pace = self.players[place].pace;
        let outcome = attempt::ask(&mut *player, problem, pace, self.patience, stop);
        if matches!(outcome, Some(Ok(_))) {
            pool.give_back(place, player);
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(lines: &str, players: &[&str], concurrency: usize) -> Suite {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.epd");
        std::fs::write(&path, lines).unwrap();
        Suite {
            collection: Collection::read(&[path]).unwrap(),
            players: players.iter().map(|line| line.parse().unwrap()).collect(),
            concurrency,
            patience: Duration::from_secs(10),
            chess960: false,
        }
    }

    const LINES: &str = "7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7#; dm 1; id \"mate\";
7k/8/5K2/8/8/8/8/6Q1 w - - bm Qa1; id \"wrong\";
6k1/8/5K2/8/8/8/8/Q7 b - - am Kf8; id \"forced\";
7k/8/5K2/8/8/8/8/6Q1 w - - bm Qg7; c0 \"Qg7=10, Qh2+=4\"; id \"points\";";

    #[test]
    fn positions_are_solved_or_not_by_each_player() {
        let players = ["name=one nodes=2000", "name=two depth=3"];
        let mut heard = Vec::new();
        let mut observer = |_: &Suite, progress: &Progress, attempt: &Attempt| {
            heard.push((progress.done, attempt.problem, attempt.player));
        };
        let report = suite(LINES, &players, 1).run(&AtomicBool::new(false), &mut observer).unwrap();
        let pairs = (0..8).map(|i| (i + 1, i / 2, i % 2));
        assert!(heard.into_iter().eq(pairs), "in the order of the positions");
        let solved: Vec<bool> = report.attempts.iter().map(Attempt::is_solved).collect();
        assert_eq!(solved, [true, true, false, false, true, true, true, true]);
        let one = &report.players()[0];
        assert_eq!((one.attempted, one.solved), (4, 3));
        assert_eq!((one.points, one.points_possible), (Some(10), Some(10)));
        let [comparison] = &report.comparisons()[..] else { panic!("one pair") };
        assert_eq!(comparison.both, ["mate", "forced", "points"]);
        assert_eq!(comparison.neither, ["wrong"]);
        assert!(comparison.only_first.is_empty() && comparison.only_second.is_empty());
    }

    #[test]
    fn as_many_attempts_are_made_side_by_side() {
        let players = ["name=one nodes=500", "name=two nodes=500"];
        let mut count = 0;
        let report = suite(LINES, &players, 3)
            .run(&AtomicBool::new(false), &mut |_, _, _| count += 1)
            .unwrap();
        let pairs = report.attempts.iter().map(|attempt| (attempt.problem, attempt.player));
        assert!(pairs.eq((0..8).map(|i| (i / 2, i % 2))));
        assert_eq!((count, report.unfinished, report.interrupted), (8, 0, false));
    }

    #[test]
    fn a_long_search_is_cut_short() {
        let stop = AtomicBool::new(false);
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"long\";";
        let report = suite(line, &["nodes=100", "name=slow movetime=3600"], 1)
            .run(&stop, &mut |_, _, _| stop.store(true, Ordering::Relaxed))
            .unwrap();
        let [attempt] = &report.attempts[..] else { panic!("{:?}", report.attempts) };
        assert_eq!(attempt.player, 0);
        let text = report.to_string();
        assert!(text.contains("1 of 2 made") && text.contains("the run was interrupted"), "{text}");
    }

    #[test]
    fn settings_that_only_games_have_are_refused() {
        for (player, word) in [
            ("name=x", "no limit"),
            ("name=x tc=1+1", "clock"),
            ("name=x nodes=9 odds=b1", "odds"),
            ("name=x nodes=9 side=white", "side"),
            ("name=x nodes=9 option.Nonsense=1", "Nonsense"),
        ] {
            let error = suite(LINES, &[player], 1).run(&AtomicBool::new(false), &mut |_, _, _| {});
            let error = error.err().expect("refused").to_string();
            assert!(error.starts_with('x') && error.contains(word), "{error}");
        }
        let nothing = suite("7k/8/5K2/8/8/8/8/6Q1 w - - draw", &["nodes=9"], 1);
        let error = nothing.run(&AtomicBool::new(false), &mut |_, _, _| {});
        assert!(error.err().expect("refused").to_string().contains("none of the 1 positions"));
    }
}
