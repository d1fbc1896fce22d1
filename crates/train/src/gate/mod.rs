//! The gate: a new network plays against the old one and takes its place only if it wins.
//!
//! Both are copied into the gate's folder first, and the games are kept there, so that a gate that
//! was interrupted goes on with the same players. The old file is replaced in one step, after the
//! verdict; until then nothing outside the folder changes.

mod record;
mod settings;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tandem_games::book::Book;
use tandem_games::statistics::{Summary, Tally, Verdict};
use tandem_games::tournament::{GameRecord, MatchError, Report, Standing, Tournament};
use tandem_nnue::{Digest, LoadError, Network};
use thiserror::Error;

pub use record::{Contender, Decision, GateRecord};
pub use settings::GateSettings;
pub(crate) use settings::PlayerOptions;

use self::settings::Opponent;
use crate::TrainError;
use crate::files::write_whole;

/// Why a gate cannot be played.
#[derive(Debug, Error)]
pub enum GateError {
    /// Nobody said where a network that wins goes.
    #[error(
        "`gate.promote_to` names no file: say with --promote-to where a network that wins goes"
    )]
    NoPlace,
    /// A network cannot be used.
    #[error(transparent)]
    Network(#[from] LoadError),
    /// A file cannot be read.
    #[error("{}: cannot be read ({reason})", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] TrainError),
    /// The folder holds something else.
    #[error("{} holds a gate of another network, {found}: name another folder with --out", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// The network that is there.
        found: String,
    },
    /// The old network is not what it was.
    #[error(
        "{} has changed since the gate began, so its games say nothing about it: name another folder \
         with --out for a new gate", path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The games cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The games ended before their time, or the settings make none.
    #[error("the gate's games: {0}")]
    Games(String),
}

/// A new network, and where it stands for election.
pub struct Gate<'a> {
    /// How it is played.
    pub settings: &'a GateSettings,
    /// The file of the new network.
    pub candidate: &'a Path,
    /// The folder in which the gate keeps its files.
    pub folder: &'a Path,
}

/// The networks as they were when the gate began.
struct Field {
    new: Digest,
    old: Option<Digest>,
    /// Where the old network was found.
    source: Option<PathBuf>,
}

impl GateSettings {
    /// Whether a gate can be played with what is there now: who trains for hours wants to know before.
    ///
    /// # Errors
    /// There is no place for a network that wins, or the old network or the openings cannot be read.
    pub fn check_files(&self) -> Result<(), GateError> {
        let place = self.promote_to.as_deref().ok_or(GateError::NoPlace)?;
        if let Some(file) = self.source(place) {
            Network::load(file)?;
        }
        Book::open(&self.openings()).map_err(MatchError::from)?;
        Ok(())
    }

    /// Where the old network is; none for the evaluation without one.
    fn source<'a>(&'a self, place: &'a Path) -> Option<&'a Path> {
        match self.opponent() {
            Some(Opponent::Plain) => None,
            Some(Opponent::File(file)) => Some(file),
            None => place.exists().then_some(place),
        }
    }
}

impl Gate<'_> {
    /// Plays until the test has decided, the games are over, or `stop`. A network that wins is put in
    /// its place. The observer hears of each game.
    ///
    /// # Errors
    /// A network cannot be used, the games cannot be played, or a file cannot be written. The old
    /// network then is as it was.
    pub fn run(
        &self,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Standing, Option<&GameRecord>),
    ) -> Result<GateRecord, GateError> {
        let place = self.settings.promote_to.as_deref().ok_or(GateError::NoPlace)?;
        let field = self.set_up(place)?;
        if field.old == Some(field.new) {
            let reason = "it is the old network".to_owned();
            return self.conclude(&field, None, Decision::NotPromoted, reason);
        }
        let report = self.play(field.old.is_some(), stop, observer)?;
        if let Some(trouble) = &report.trouble {
            return Err(GateError::Games(trouble.clone()));
        }
        let (decision, reason) = match report.sprt.map(|sprt| sprt.verdict) {
            Some(Verdict::AcceptH1) => {
                self.promote(place, &field)?;
                let name = field.new.network_name();
                (Decision::Promoted, format!("{} is {name} now", place.display()))
            }
            Some(Verdict::AcceptH0) => {
                let gain = self.settings.elo1;
                (Decision::NotPromoted, format!("it does not gain {gain} Elo"))
            }
            _ if report.interrupted => {
                (Decision::Undecided, "stopped; the same command goes on".to_owned())
            }
            _ => {
                let games = report.standing.games();
                (Decision::Undecided, format!("{games} games did not decide the test"))
            }
        };
        self.conclude(&field, Some(&report), decision, reason)
    }

    fn new_file(&self) -> PathBuf {
        self.folder.join("new.nnue")
    }

    fn old_file(&self) -> PathBuf {
        self.folder.join("old.nnue")
    }

    /// Copies the networks into the folder, or finds them there from before.
    fn set_up(&self, place: &Path) -> Result<Field, GateError> {
        // A file that is no network is refused before anything is written.
        Network::load(self.candidate)?;
        let candidate = read(self.candidate)?;
        let new = Digest::of(&candidate);
        let source = self.settings.source(place);
        let current = source.map(read).transpose()?;
        let kept = self.new_file().exists().then(|| read(&self.new_file())).transpose()?;
        if let Some(kept) = kept {
            let kept = Digest::of(&kept);
            if kept != new {
                let (path, found) = (self.folder.to_owned(), kept.network_name());
                return Err(GateError::Occupied { path, found });
            }
            let old = self.old_file().exists().then(|| read(&self.old_file())).transpose()?;
            let old = old.as_deref().map(Digest::of);
            let now = current.as_deref().map(Digest::of);
            // Where the new network stands already, only the record may be missing.
            if now != old && now != Some(new) {
                return Err(GateError::Changed { path: source.unwrap_or(place).to_owned() });
            }
            return Ok(Field { new, old, source: source.map(Path::to_owned) });
        }
        if let Some(source) = source {
            Network::load(source)?;
        }
        make_folder(self.folder)?;
        if let Some(bytes) = &current {
            write_whole(&self.old_file(), |out| out.write_all(bytes))?;
        } else if self.old_file().exists() {
            // Left by a gate that ended before it had begun.
            fs::remove_file(self.old_file())
                .map_err(|reason| TrainError::Write { path: self.old_file(), reason })?;
        }
        write_whole(&self.new_file(), |out| out.write_all(&candidate))?;
        let old = current.as_deref().map(Digest::of);
        Ok(Field { new, old, source: source.map(Path::to_owned) })
    }

    fn play(
        &self,
        has_old: bool,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Standing, Option<&GameRecord>),
    ) -> Result<Report, GateError> {
        let name = |file: PathBuf| {
            let file = std::path::absolute(&file).unwrap_or(file);
            file.display().to_string()
        };
        let plain = tandem_engine::networks::NONE.to_owned();
        let old = if has_old { name(self.old_file()) } else { plain };
        let option = |file: String| vec![("EvalFile".to_owned(), file)];
        let players = [("new", option(name(self.new_file()))), ("old", option(old))];
        let settings = self.settings.games(players).map_err(GateError::Games)?;
        let tournament = Tournament {
            settings,
            concurrency: self.settings.concurrency(),
            out: Some(self.folder.join("games")),
        };
        Ok(tournament.run(stop, observer)?)
    }

    /// Puts the new network in its place, unless somebody else has put another there meanwhile.
    fn promote(&self, place: &Path, field: &Field) -> Result<(), GateError> {
        let now = place.exists().then(|| read(place)).transpose()?;
        let now = now.as_deref().map(Digest::of);
        if now == Some(field.new) {
            return Ok(());
        }
        let is_opponent = self.settings.against.as_deref().is_none_or(|file| file == place);
        if is_opponent && now != field.old {
            return Err(GateError::Changed { path: place.to_owned() });
        }
        let bytes = read(&self.new_file())?;
        if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_folder(folder)?;
        }
        Ok(write_whole(place, |out| out.write_all(&bytes))?)
    }

    /// Writes down what was decided, beside the games and beside a network that was promoted.
    fn conclude(
        &self,
        field: &Field,
        report: Option<&Report>,
        decision: Decision,
        reason: String,
    ) -> Result<GateRecord, GateError> {
        let tally =
            report.map_or_else(Tally::default, |report| report.standing.pairings()[0].tally);
        let old = field.old.as_ref().map(|digest| {
            Contender::new(digest, field.source.clone().unwrap_or_else(|| self.old_file()))
        });
        let record = GateRecord {
            decision,
            reason,
            new: Contender::new(&field.new, self.candidate.to_owned()),
            old,
            results: Summary::from(tally),
            sprt: report.and_then(|report| report.sprt),
            openings: report.map(|report| report.book.clone()).unwrap_or_default(),
            settings: self.settings.clone(),
            program: concat!("tandem ", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        let beside = self.settings.promote_to.as_ref().map(|place| place.with_extension("json"));
        let beside = beside.filter(|_| decision == Decision::Promoted);
        for file in [Some(self.folder.join("gate.json")), beside].into_iter().flatten() {
            write_whole(&file, |out| {
                serde_json::to_writer_pretty(&mut *out, &record)?;
                out.write_all(b"\n")
            })?;
        }
        Ok(record)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, GateError> {
    fs::read(path).map_err(|reason| GateError::Read { path: path.to_owned(), reason })
}

fn make_folder(path: &Path) -> Result<(), TrainError> {
    fs::create_dir_all(path).map_err(|reason| TrainError::Write { path: path.to_owned(), reason })
}
