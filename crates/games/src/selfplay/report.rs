//! What the games show, with everything that one must know to play them again.

use std::fmt;

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

use super::counts::Counts;
use super::record::Finished;
use super::settings::Settings;
use crate::conduct::Effort;
use crate::hardware;
use crate::phrases;
use crate::player::Identity;

/// How the games ended and how they were played.
#[derive(Clone, Debug)]
pub struct Report {
    /// The results.
    pub counts: Counts,
    /// The games themselves, in the order in which they ended.
    pub games: Vec<Finished>,
    /// What White and Black spent.
    pub efforts: [Effort; 2],
    /// What was played.
    pub settings: Settings,
    /// Who the sides turned out to be.
    pub identities: Vec<Identity>,
    /// Where the games began.
    pub openings: String,
    /// Games that were to be played.
    pub total: u64,
    /// Games side by side.
    pub concurrency: usize,
    /// Games that an earlier run had already played.
    pub resumed: u64,
    /// Games that were begun and not finished, and so do not count.
    pub unfinished: u64,
    /// What ended it before its time.
    pub trouble: Option<String>,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// How long this run took.
    pub seconds: f64,
}

impl Report {
    /// Games that are missing, and why.
    fn missing(&self) -> String {
        let missing = self.total - self.counts.white.games();
        let why = match (&self.trouble, self.interrupted) {
            _ if missing == 0 => return "missing: none".to_owned(),
            (Some(trouble), _) => trouble,
            (None, true) => "interrupted",
            (None, false) => "it ended before",
        };
        format!("missing: {missing} ({} begun and not finished): {why}", self.unfinished)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.settings;
        write!(f, "results\n{}", self.counts)?;
        writeln!(f, "sides")?;
        for ((spec, identity), effort) in
            settings.players.iter().zip(&self.identities).zip(&self.efforts)
        {
            f.write_str(&phrases::player(spec, identity))?;
            let speed = effort.nps().map_or("unknown".to_owned(), |nps| format!("{nps:.0}"));
            writeln!(f, "    {} moves, {} nodes, {speed} a second", effort.moves, effort.nodes)?;
        }
        writeln!(f, "conditions")?;
        writeln!(
            f,
            "  games: {} of {} ({} of them from an earlier run), part {} of {}, seed {}",
            self.counts.white.games(),
            self.total,
            self.resumed,
            settings.shard,
            settings.games,
            settings.seed
        )?;
        writeln!(f, "  {}", self.missing())?;
        writeln!(f, "  begin: {}", self.openings)?;
        writeln!(f, "  adjudication: {}", settings.adjudication)?;
        writeln!(f, "  hardware: {}, {} games at a time", hardware::describe(), self.concurrency)?;
        write!(f, "  {}", phrases::time(self.seconds))
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Report", 15)?;
        out.serialize_field("games", &self.counts.white.games())?;
        out.serialize_field("scheduled", &self.total)?;
        out.serialize_field("resumed", &self.resumed)?;
        out.serialize_field("unfinished", &self.unfinished)?;
        out.serialize_field("trouble", &self.trouble)?;
        out.serialize_field("interrupted", &self.interrupted)?;
        out.serialize_field("counts", &self.counts)?;
        out.serialize_field("settings", &self.settings)?;
        out.serialize_field("sides", &self.identities)?;
        out.serialize_field("efforts", &self.efforts)?;
        out.serialize_field("openings", &self.openings)?;
        out.serialize_field("hardware", &hardware::describe())?;
        out.serialize_field("concurrency", &self.concurrency)?;
        out.serialize_field("seconds", &self.seconds)?;
        let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
        out.serialize_field("date", &now.to_string())?;
        out.end()
    }
}
