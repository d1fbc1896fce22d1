//! An experiment from the first game to the report.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use tandem_games::player;

use crate::folder::{Folder, Head};
use crate::report::{Context, json, markdown};
use crate::session::Observer;
use crate::setup::{Common, Setup};
use crate::{Experiment as _, LabError, Name, Part, Plan, Session, Shared};

/// Where a report stands unless the user says otherwise.
const SHELF: &str = "lab";

/// An experiment that can be done.
pub struct Laboratory {
    setup: Setup,
    plans: Vec<Plan>,
    out: PathBuf,
}

/// An experiment that was done.
pub struct Completed {
    /// Where the report stands.
    pub folder: PathBuf,
    /// The report for people.
    pub text: String,
    /// The report for programs.
    pub json: Value,
}

impl Laboratory {
    /// Prepares an experiment and looks whether it can be done.
    ///
    /// # Errors
    /// Its settings make no games.
    pub fn new(name: &Name, common: &Common) -> Result<Self, LabError> {
        let setup = Setup::new(name, common)?;
        let plans = name.plans(&setup)?;
        for plan in &plans {
            player::introduce(&plan.settings.players, false)?;
        }
        let out = common.out.clone().unwrap_or_else(|| Path::new(SHELF).join(name.name()));
        Ok(Self { setup, plans, out })
    }

    /// The command that gives these games, wherever they are kept.
    #[must_use]
    pub fn command(&self) -> String {
        self.setup.command()
    }

    /// Plays a part of all games that are known to be needed, as far as they have not been played before, into
    /// a folder of its own. Nothing comes of it if it is stopped.
    ///
    /// # Errors
    /// The games cannot be played or kept.
    pub fn share(
        self,
        out: &Path,
        part: Part,
        stop: &AtomicBool,
        observer: Observer<'_>,
    ) -> Result<Option<Shared>, LabError> {
        let Self { setup, plans, .. } = self;
        let folder = Folder::open(out, &Head::of(&setup))?;
        let total = part.shard.count_below(setup.name.most_games(&setup, &plans));
        let mut session = Session::new(&setup, &folder, stop, observer, total);
        session.divide(part);
        match setup.name.run(&mut session, plans) {
            Err(LabError::Part) | Ok(_) => session.share().map(Some),
            Err(LabError::Interrupted(..)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Plays all games, as far as they have not been played before, and writes the report.
    ///
    /// # Errors
    /// The games cannot be played or kept, or were interrupted.
    pub fn run(self, stop: &AtomicBool, observer: Observer<'_>) -> Result<Completed, LabError> {
        let Self { setup, plans, out } = self;
        let head = Head::of(&setup);
        let folder = Folder::open(&out, &head)?;
        let total = setup.name.most_games(&setup, &plans);
        let mut session = Session::new(&setup, &folder, stop, observer, total);
        let content = setup.name.run(&mut session, plans)?;
        let context = Context { setup: &setup, settings: &head, points: session.points() };
        let (text, json) = (markdown(&context, &content), json(&context, &content));
        for picture in &content.pictures {
            folder.publish(picture.file, &picture.svg)?;
        }
        folder.publish("report.md", &text)?;
        let lines = serde_json::to_string_pretty(&json).expect("a value can be written") + "\n";
        folder.publish("report.json", &lines)?;
        Ok(Completed { folder: out, text, json })
    }
}
