//! Several parts of the same match, counted together.

use std::fmt;

use serde_json::{Value, json};

use super::head::Head;
use super::record::GameRecord;
use super::report::{results, table, verdict};
use super::settings::Settings;
use super::standing::Standing;
use crate::phrases;
use crate::player::Identity;
use crate::statistics::{Sprt, SprtReport, Summary, ratings};
use crate::union::Union;

/// Missing games that are named, of any number.
const NAMED: usize = 20;

/// Games of a match of several parts.
pub type Games = Union<Head, GameRecord>;

/// What several parts of a match hold together.
pub struct Merged {
    /// The results.
    pub standing: Standing,
    /// What was played.
    pub settings: Settings,
    /// Who the players turned out to be.
    pub identities: Vec<Identity>,
    /// The numbers of missing games, the first of them.
    pub missing: Vec<u64>,
    /// The verdict of the test, if there is one.
    pub sprt: Option<SprtReport>,
}

impl Merged {
    /// Counts those games, and judges them if there is a test.
    #[must_use]
    pub fn of(union: &Games, sprt: Option<Sprt>) -> Self {
        let settings = union.head.tandem_match.clone();
        let schedule = settings.schedule();
        let mut standing = Standing::new(&schedule, settings.players.len());
        for (_, game) in union.games.range(..schedule.all()) {
            standing.add(game);
        }
        let missing = schedule.numbers().filter(|number| !union.games.contains_key(number));
        let parts = union.head.parts.as_ref();
        Self {
            missing: missing.take(NAMED).collect(),
            sprt: sprt.map(|sprt| sprt.judge(&standing.pairings()[0].tally)),
            identities: parts.map(|parts| parts.engines.clone()).unwrap_or_default(),
            standing,
            settings,
        }
    }

    /// Everything, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let names: Vec<&str> = self.settings.players.iter().map(|p| p.name.as_str()).collect();
        let pairing = |pairing: &crate::statistics::Pairing| {
            json!({
                "player": names[pairing.player], "opponent": names[pairing.opponent],
                "results": Summary::from(pairing.tally),
            })
        };
        let list = ratings(names.len(), self.standing.pairings());
        json!({
            "games": self.standing.games(), "scheduled": self.standing.total(),
            "missing": self.missing, "mean_plies": self.standing.mean_plies(),
            "white": Summary::from(*self.standing.white()),
            "pairings": self.standing.pairings().iter().map(pairing).collect::<Vec<_>>(),
            "ratings": list.ok(), "sprt": self.sprt, "settings": self.settings,
            "players": self.identities,
        })
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.settings.players.iter().map(|p| p.name.as_str()).collect();
        for pairing in self.standing.pairings() {
            writeln!(f, "{} against {}", names[pairing.player], names[pairing.opponent])?;
            f.write_str(&results(&pairing.tally))?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "  {}", verdict(sprt))?;
        }
        if names.len() > 2
            && let Ok(mut list) = ratings(names.len(), self.standing.pairings())
        {
            list.sort_by(|a, b| b.elo.total_cmp(&a.elo));
            f.write_str(&table(&list, &names))?;
        }
        writeln!(f, "players")?;
        for (place, (spec, identity)) in
            self.settings.players.iter().zip(&self.identities).enumerate()
        {
            f.write_str(&phrases::player(spec, identity))?;
            writeln!(f, "    {}", self.standing.conduct()[place])?;
        }
        writeln!(f, "conditions")?;
        let (games, total) = (self.standing.games(), self.standing.total());
        let mean = self.standing.mean_plies().unwrap_or_default();
        writeln!(f, "  games: {games} of {total}, {mean:.0} half-moves on average")?;
        write!(f, "  adjudication: {}", self.settings.adjudication)
    }
}
