//! What a gate decided, and on what grounds.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use tandem_games::statistics::{SprtReport, Summary};
use tandem_games::tournament::{interval, verdict};
use tandem_nnue::Digest;

use super::GateSettings;

/// What becomes of the new network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// It has won, and stands in its place.
    Promoted,
    /// It has not won; everything is as it was.
    NotPromoted,
    /// The games did not suffice; everything is as it was.
    Undecided,
}

/// A network in a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contender {
    /// Its customary name.
    pub name: String,
    /// The hash of its file.
    pub sha256: String,
    /// Where it was found.
    pub file: PathBuf,
}

impl Contender {
    pub(super) fn new(digest: &Digest, file: PathBuf) -> Self {
        Self { name: digest.network_name(), sha256: digest.to_string(), file }
    }
}

/// The record of a gate.
#[derive(Clone, Debug, Serialize)]
pub struct GateRecord {
    /// What was decided.
    pub decision: Decision,
    /// Why, in a sentence.
    pub reason: String,
    /// The network that was tested.
    pub new: Contender,
    /// The network that it met; none for the evaluation without a network.
    pub old: Option<Contender>,
    /// The results of the new network.
    pub results: Summary,
    /// The test.
    pub sprt: Option<SprtReport>,
    /// The openings.
    pub openings: String,
    /// How it was played.
    pub settings: GateSettings,
    /// The program that played.
    pub program: String,
}

impl fmt::Display for GateRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contender { name, file, .. } = &self.new;
        writeln!(f, "new    {name} ({})", file.display())?;
        if let Some(Contender { name, file, .. }) = &self.old {
            writeln!(f, "old    {name} ({})", file.display())?;
        } else {
            writeln!(f, "old    the evaluation without a network")?;
        }
        let (tally, elo) = (&self.results.tally, interval(self.results.elo));
        writeln!(
            f,
            "games  {} with {}: {} wins, {} draws, {} losses, Elo {elo}",
            self.results.games,
            self.settings.pace(),
            tally.wins(),
            tally.draws(),
            tally.losses()
        )?;
        if let Some(sprt) = &self.sprt {
            writeln!(f, "test   {}", verdict(sprt))?;
        }
        let decision = match self.decision {
            Decision::Promoted => "promoted",
            Decision::NotPromoted => "not promoted",
            Decision::Undecided => "undecided",
        };
        write!(f, "{decision}: {}", self.reason)
    }
}
