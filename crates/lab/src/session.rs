//! An experiment while it is being played.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tandem_chess::Position;
use tandem_games::Shard;
use tandem_games::journal::{Parts, with_suffix};
use tandem_games::player::{self, Identity};
use tandem_games::selfplay::{Results, SelfPlay, Settings};
use tandem_train::learning::{Listener, LoopError, News};

use crate::folder::Folder;
use crate::probes::{self, Look};
use crate::{LabError, Plan, Point, Setup};

/// How far an experiment has come.
pub struct Progress<'a> {
    /// Games that are finished, of all points.
    pub games: u64,
    /// Games that there are at the most.
    pub total: u64,
    /// Whether this is what an earlier run did.
    pub is_first: bool,
    /// What is being played.
    pub title: &'a str,
}

/// What hears of each finished game.
pub type Observer<'a> = &'a mut dyn FnMut(&Progress<'_>);

/// An experiment while it is being played.
pub struct Session<'a> {
    /// How much is played, from which seed and with what.
    pub setup: &'a Setup,
    folder: &'a Folder,
    stop: &'a AtomicBool,
    observer: Observer<'a>,
    /// Games that are finished, of earlier points.
    games: u64,
    total: u64,
    /// What was played so far.
    points: Vec<Point>,
    /// Which part of the games is ours; all of them if there is none.
    part: Option<Part>,
}

/// A part of an experiment's games.
#[derive(Clone, Debug)]
pub struct Part {
    /// Which games are ours.
    pub shard: Shard,
    /// The folder of an experiment with games of all parts that are known already.
    pub known: Option<PathBuf>,
}

/// What a part came to.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// Results for White.
    pub results: Results,
    /// Half-moves of all games.
    pub plies: u64,
    /// Who played.
    pub engines: Vec<Identity>,
}

impl<'a> Session<'a> {
    /// Before the first game of so many at the most.
    pub fn new(
        setup: &'a Setup,
        folder: &'a Folder,
        stop: &'a AtomicBool,
        observer: Observer<'a>,
        total: u64,
    ) -> Self {
        Self { setup, folder, stop, observer, games: 0, total, points: Vec::new(), part: None }
    }

    /// Only a part of the games that are not known yet is played.
    pub fn divide(&mut self, part: Part) {
        self.part = Some(part);
    }

    /// What our part of the games came to. Copies of known games are removed, so that only our own are left.
    ///
    /// # Errors
    /// They cannot be removed.
    pub fn share(&mut self) -> Result<Shared, LabError> {
        let mut shared = Shared::default();
        for Point { plan, report } in &self.points {
            if report.settings.shard.is_whole()
                && self.part.as_ref().is_some_and(|p| !p.shard.is_whole())
            {
                for ending in [".jsonl", ".pgn", ".visits"] {
                    let file = with_suffix(&self.folder.games(&plan.name), ending);
                    if file.exists() {
                        fs::remove_file(&file).map_err(|error| LabError::File(file, error))?;
                    }
                }
                continue;
            }
            shared.results += report.counts.white;
            shared.plies += report.games.iter().map(|game| game.plies as u64).sum::<u64>();
            for engine in &report.identities {
                if !shared.engines.contains(engine) {
                    shared.engines.push(engine.clone());
                }
            }
        }
        Ok(shared)
    }

    /// All points so far.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Plays the games of all these plans.
    ///
    /// # Errors
    /// They cannot be played, or were interrupted.
    pub fn play_all(&mut self, plans: Vec<Plan>) -> Result<Vec<Point>, LabError> {
        if self.part.is_some() {
            // Our part of all that is open, before anything that depends on one of them.
            let mut is_known = true;
            for plan in &plans {
                is_known &= self.play_part(plan)?;
            }
            if !is_known {
                return Err(LabError::Part);
            }
        }
        plans.into_iter().map(|plan| self.play(plan)).collect()
    }

    /// Plays our part of a plan's games, unless they are all known; says whether they are.
    fn play_part(&mut self, plan: &Plan) -> Result<bool, LabError> {
        let Some(Part { shard, known }) = self.part.clone() else { return Ok(true) };
        if known.is_some_and(|known| self.copy_known(&known, plan).is_some()) {
            return Ok(true);
        }
        if shard.count_below(plan.settings.games) > 0 {
            let mut own = plan.clone();
            own.settings.shard = shard;
            let point = self.games_of(own)?;
            self.note(point);
        }
        Ok(false)
    }

    /// Takes over a plan's games from a folder in which they all are.
    fn copy_known(&self, known: &Path, plan: &Plan) -> Option<()> {
        let (from, to) = (known.join("games").join(&plan.name), self.folder.games(&plan.name));
        let journal = fs::read_to_string(with_suffix(&from, ".jsonl")).ok()?;
        let head = Head::read(&with_suffix(&from, ".jsonl"))?;
        let games = journal.lines().count() as u64 - 1;
        let settings = Settings { games: plan.settings.games, ..head.tandem_selfplay };
        if settings != plan.settings || games < plan.settings.games {
            return None;
        }
        for ending in [".visits", ".jsonl"] {
            fs::copy(with_suffix(&from, ending), with_suffix(&to, ending)).ok()?;
        }
        Some(())
    }

    /// Plays the games of a plan, as far as they have not been played before.
    ///
    /// # Errors
    /// They cannot be played, or were interrupted.
    pub fn play(&mut self, plan: Plan) -> Result<Point, LabError> {
        if !self.play_part(&plan)? {
            return Err(LabError::Part);
        }
        let point = self.games_of(plan)?;
        Ok(self.note(point))
    }

    /// Plays games by a plan until they have so many half-moves together, however many that takes.
    ///
    /// # Errors
    /// They cannot be played, or were interrupted.
    pub fn play_until(&mut self, mut plan: Plan, plies: u64) -> Result<Point, LabError> {
        plan.settings.games = plan.settings.games.div_ceil(2);
        loop {
            if !self.play_part(&plan)? {
                return Err(LabError::Part);
            }
            let point = self.games_of(plan)?;
            let played = point.positions();
            let Some(missing) = plies.checked_sub(played).filter(|missing| *missing > 0) else {
                return Ok(self.note(point));
            };
            // Less than the average game says, so that the last one that is needed is not overshot.
            let games = point.results().games();
            let more = 0.9 * missing as f64 * games as f64 / played.max(1) as f64;
            plan = point.plan;
            plan.settings.games = games + (more as u64).max(1);
        }
    }

    /// Counts a point among those that were played.
    fn note(&mut self, point: Point) -> Point {
        self.games += point.results().games();
        self.points.push(point.clone());
        point
    }

    /// Does something that is no game, once: what came of it is kept under that name.
    ///
    /// # Errors
    /// It cannot be done, or was interrupted.
    pub fn once<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        title: &str,
        work: impl FnOnce(&AtomicBool, Listener<'_>) -> Result<Option<T>, LoopError>,
    ) -> Result<T, LabError> {
        let file = format!("{name}.json");
        if let Some(known) = self.folder.recall(&file)? {
            return Ok(known);
        }
        let (games, total) = (self.games, self.total);
        let observer = &mut self.observer;
        let done = work(self.stop, &mut |news| {
            if let News::Learning(step) = news {
                let title = format!("{title}: step {} of {}", step.step, step.steps);
                observer(&Progress { games, total, is_first: true, title: &title });
            }
        });
        let done = done.map_err(|error| LabError::Learning(title.to_owned(), Box::new(error)))?;
        let done = done.ok_or(LabError::Interrupted(games, total))?;
        self.folder.keep(&file, &done)?;
        Ok(done)
    }

    /// Where other files than games are kept.
    #[must_use]
    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.games(name)
    }

    /// The games of a plan, as far as they have not been played before.
    fn games_of(&mut self, plan: Plan) -> Result<Point, LabError> {
        let out = self.folder.games(&plan.name);
        self.borrow(&plan, &out)?;
        let work = SelfPlay {
            settings: plan.settings.clone(),
            concurrency: self.setup.concurrency,
            out: Some(out),
        };
        let (before, total, title) = (self.games, self.total, plan.title.as_str());
        let observer = &mut self.observer;
        let report = work.run(self.stop, &mut |standing, game| {
            let games = before + standing.results().games();
            observer(&Progress { games, total, is_first: game.is_none(), title });
        });
        let report = report.map_err(|error| LabError::Games(plan.title.clone(), error))?;
        let games = report.counts.white.games();
        if let Some(trouble) = report.trouble {
            return Err(LabError::Trouble(plan.title, trouble));
        }
        if games < report.total {
            return Err(LabError::Interrupted(before + games, total));
        }
        Ok(Point { plan, report })
    }

    /// Looks at so many positions of games that were played, as far as that has not been done before.
    ///
    /// # Errors
    /// It cannot be done, or was interrupted.
    pub fn probe<L: Look>(
        &mut self,
        point: &Point,
        gauge: &L,
        count: usize,
    ) -> Result<Vec<L::Seen>, LabError> {
        let (games, total) = (self.games, self.total);
        let observer = &mut self.observer;
        let mut is_first = true;
        let seen = probes::probe(
            &self.folder.games(&point.plan.name),
            gauge,
            count,
            point.plan.settings.games,
            self.setup.concurrency,
            self.stop,
            &mut |seen, of| {
                let title = format!("{}: {seen} of {of} positions", point.plan.title);
                // All games have been played, so there is nothing to note but this.
                observer(&Progress { games, total, is_first, title: &title });
                is_first = false;
            },
        );
        match seen.map_err(|error| LabError::Probe(point.plan.title.clone(), error))? {
            (probes, true) => Ok(probes),
            (_, false) => Err(LabError::Interrupted(self.games, self.total)),
        }
    }

    /// Keeps a file beside the report.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn publish(&self, name: &str, text: &str) -> Result<(), LabError> {
        self.folder.publish(name, text)
    }

    /// The positions of games that were played.
    ///
    /// # Errors
    /// The games cannot be read.
    pub fn positions(&self, point: &Point) -> Result<Vec<Position>, LabError> {
        probes::positions(&self.folder.games(&point.plan.name), point.plan.settings.games)
            .map_err(|error| LabError::Probe(point.plan.title.clone(), error))
    }

    /// Takes over games that another experiment beside this one has already played with the same settings.
    fn borrow(&self, plan: &Plan, out: &Path) -> Result<(), LabError> {
        if with_suffix(out, ".jsonl").exists() {
            return Ok(());
        }
        let draft = with_suffix(out, ".borrowed");
        let fail = |error| LabError::File(draft.clone(), error);
        if draft.exists() {
            // An earlier run came to its end while it took over games.
            let _ = fs::remove_file(with_suffix(out, ".visits"));
            fs::remove_file(&draft).map_err(fail)?;
        }
        let beside = |sibling: &&str| self.folder.games_beside(sibling, &plan.name);
        for lender in plan.siblings.iter().filter_map(beside) {
            let Some(head) = Head::read(&with_suffix(&lender, ".jsonl")) else { continue };
            let now =
                Parts { engines: player::introduce(&plan.settings.players, false)?, book: None };
            let settings = Settings { games: plan.settings.games, ..head.tandem_selfplay };
            if settings != plan.settings || head.parts != now {
                continue;
            }
            // The journal says which games count, so nothing may be missing of what it knows: it is copied
            // before the file of visits, and takes its place last.
            let copy = fs::copy(with_suffix(&lender, ".jsonl"), &draft)
                .and_then(|_| {
                    fs::copy(with_suffix(&lender, ".visits"), with_suffix(out, ".visits"))
                })
                .and_then(|_| fs::rename(&draft, with_suffix(out, ".jsonl")));
            return copy.map_err(fail);
        }
        Ok(())
    }
}

/// The first line of a journal of self-play, as far as it tells which games it holds.
#[derive(Deserialize)]
struct Head {
    tandem_selfplay: Settings,
    parts: Parts,
}

impl Head {
    /// The head of a file; none if there is none that can be read.
    fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        serde_json::from_str(text.lines().next()?).ok()
    }
}
