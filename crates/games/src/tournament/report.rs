//! The result of a match, with everything that one must know to believe it.

use std::fmt::{self, Write as _};

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

use super::settings::Settings;
use super::standing::Standing;
use crate::conduct::Conduct;
use crate::hardware;
use crate::phrases::{self, percent};
use crate::player::Identity;
use crate::spec::PlayerSpec;
use crate::statistics::{Estimate, Rating, SprtReport, Summary, Tally, Verdict, ratings};

/// How a match ended and how it was played.
#[derive(Clone, Debug)]
pub struct Report {
    /// The results.
    pub standing: Standing,
    /// The verdict of the test, if there is one.
    pub sprt: Option<SprtReport>,
    /// Who the players turned out to be.
    pub identities: Vec<Identity>,
    /// What was played.
    pub settings: Settings,
    /// The openings, by name and hash.
    pub book: String,
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

/// One player's part.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport<'a> {
    /// Who was asked to play.
    #[serde(flatten)]
    pub spec: &'a PlayerSpec,
    /// Who played.
    #[serde(flatten)]
    pub identity: &'a Identity,
    /// All its games.
    pub results: Summary,
    /// What it did.
    #[serde(flatten)]
    pub conduct: &'a Conduct,
    /// Positions a second.
    pub nps: Option<f64>,
    /// Plies a move.
    pub mean_depth: Option<f64>,
}

impl Report {
    /// Each player's part.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerReport<'_>> {
        let conduct = self.standing.conduct();
        let specs = self.settings.players.iter().zip(&self.identities).zip(conduct);
        specs
            .enumerate()
            .map(|(place, ((spec, identity), conduct))| PlayerReport {
                spec,
                identity,
                results: Summary::from(self.standing.tally_of(place)),
                conduct,
                nps: conduct.effort.nps(),
                mean_depth: conduct.effort.mean_depth(),
            })
            .collect()
    }

    fn ratings(&self) -> Vec<Rating> {
        let mut list = ratings(self.settings.players.len(), self.standing.pairings())
            .expect("pairings name players of the match");
        list.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        list
    }

    /// The total of games that were not finished, and why.
    fn dropped(&self) -> String {
        let missing = self.standing.total() - self.standing.games();
        let decided = self.sprt.is_some_and(|sprt| sprt.verdict != Verdict::Continue);
        let why = match (missing, decided, self.interrupted, &self.trouble) {
            (0, ..) => return format!("dropped: {} games (none missing)", self.unfinished),
            (.., Some(trouble)) => trouble,
            (_, true, ..) => "not needed after the verdict",
            (_, _, true, _) => "the match was interrupted",
            _ => "the match ended before",
        };
        format!(
            "dropped: {} begun and not finished; {missing} of {} not played: {why}",
            self.unfinished,
            self.standing.total()
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.settings.players.iter().map(|p| p.name.as_str()).collect();
        for pairing in self.standing.pairings() {
            writeln!(f, "{} against {}", names[pairing.player], names[pairing.opponent])?;
            f.write_str(&results(&pairing.tally))?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "  {}", verdict(sprt))?;
        }
        if names.len() > 2 {
            f.write_str(&table(&self.ratings(), &names))?;
        }
        writeln!(f, "players")?;
        for player in self.players() {
            f.write_str(&phrases::player(player.spec, player.identity))?;
            writeln!(f, "    {}", player.conduct)?;
        }
        let white = self.standing.white();
        let mean = self.standing.mean_plies().unwrap_or_default();
        writeln!(f, "conditions")?;
        writeln!(
            f,
            "  games: {} of {} ({} of them from an earlier run), {mean:.0} half-moves on average; White {}-{}-{}",
            self.standing.games(),
            self.standing.total(),
            self.resumed,
            white.wins(),
            white.draws(),
            white.losses()
        )?;
        writeln!(f, "  {}", self.dropped())?;
        if self.settings.chess960 {
            writeln!(f, "  rules: Chess960")?;
        }
        writeln!(f, "  openings: {}", self.book)?;
        writeln!(f, "  adjudication: {}", self.settings.adjudication)?;
        writeln!(
            f,
            "  clocks: margin {} ms, patience {} s",
            self.settings.margin.as_millis(),
            self.settings.patience.as_secs_f64()
        )?;
        writeln!(f, "  hardware: {}, {} games at a time", hardware::describe(), self.concurrency)?;
        write!(f, "  {}", phrases::time(self.seconds))
    }
}

/// An estimate with its interval.
#[must_use]
pub fn interval(estimate: Option<Estimate>) -> String {
    estimate.map_or("unknown".to_owned(), |e| {
        format!("{:+.1} [{:+.1}, {:+.1}]", e.value, e.lower, e.upper)
    })
}

/// The results of a pairing in three lines.
pub fn results(tally: &Tally) -> String {
    let mut text = String::new();
    let (wins, draws, losses) = (tally.wins(), tally.draws(), tally.losses());
    let _ = writeln!(
        text,
        "  {} games: {wins} wins, {draws} draws, {losses} losses; score {}, draws {}",
        tally.games(),
        percent(tally.score_rate()),
        percent(tally.draw_rate())
    );
    let _ = writeln!(text, "  pairs (0 ½ 1 1½ 2): {:?}", tally.pairs());
    let _ = writeln!(
        text,
        "  Elo {}, normalised {}, superiority {}",
        interval(tally.elo()),
        interval(tally.normalised_elo()),
        percent(tally.superiority())
    );
    text
}

/// The state of a test in one line.
#[must_use]
pub fn verdict(report: &SprtReport) -> String {
    let sprt = &report.sprt;
    let verdict = match report.verdict {
        Verdict::Continue => "undecided",
        Verdict::AcceptH0 => "H0 accepted: no gain",
        Verdict::AcceptH1 => "H1 accepted: a gain",
    };
    format!(
        "SPRT [{}, {}]: LLR {:.2} ({:.2}, {:.2}), {verdict}",
        sprt.elo0(),
        sprt.elo1(),
        report.llr,
        report.lower,
        report.upper
    )
}

/// All players, in the order of those ratings.
pub fn table(ratings: &[Rating], names: &[&str]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text =
        format!("  {:width$}  {:>7} {:>7} {:>6} {:>8}\n", "player", "Elo", "+-", "games", "score");
    for rating in ratings {
        let margin = rating.margin.map_or("-".to_owned(), |margin| format!("{margin:.1}"));
        let _ = writeln!(
            text,
            "  {:width$}  {:>+7.1} {margin:>7} {:>6} {:>8}",
            names[rating.player],
            rating.elo,
            rating.games,
            percent(rating.score_rate)
        );
    }
    text
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairings: Vec<_> = self
            .standing
            .pairings()
            .iter()
            .map(|pairing| {
                serde_json::json!({
                    "player": self.settings.players[pairing.player].name,
                    "opponent": self.settings.players[pairing.opponent].name,
                    "results": Summary::from(pairing.tally),
                })
            })
            .collect();
        let mut out = serializer.serialize_struct("Report", 23)?;
        out.serialize_field("event", &self.settings.event)?;
        out.serialize_field("games", &self.standing.games())?;
        out.serialize_field("scheduled", &self.standing.total())?;
        out.serialize_field("resumed", &self.resumed)?;
        out.serialize_field("dropped", &self.unfinished)?;
        out.serialize_field("dropped_why", &self.dropped())?;
        out.serialize_field("trouble", &self.trouble)?;
        out.serialize_field("mean_plies", &self.standing.mean_plies())?;
        out.serialize_field("white", &Summary::from(*self.standing.white()))?;
        out.serialize_field("pairings", &pairings)?;
        out.serialize_field("players", &self.players())?;
        out.serialize_field("ratings", &self.ratings())?;
        out.serialize_field("sprt", &self.sprt)?;
        out.serialize_field("openings", &self.book)?;
        out.serialize_field("adjudication", &self.settings.adjudication.to_string())?;
        out.serialize_field("chess960", &self.settings.chess960)?;
        out.serialize_field("margin", &self.settings.margin.as_secs_f64())?;
        out.serialize_field("patience", &self.settings.patience.as_secs_f64())?;
        out.serialize_field("interrupted", &self.interrupted)?;
        out.serialize_field("hardware", &hardware::describe())?;
        out.serialize_field("concurrency", &self.concurrency)?;
        out.serialize_field("seconds", &self.seconds)?;
        let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
        out.serialize_field("date", &now.to_string())?;
        out.end()
    }
}
