//! A point of an experiment: games of self-play, planned and played.

use serde_json::{Value, json};
use tandem_games::adjudication::AdjudicationSpec;
use tandem_games::selfplay::{self, Report, Results, Settings, SideOptions, Start};
use tandem_games::statistics::Estimate;
use tandem_games::{Shard, words};

use crate::Setup;
use crate::statistics::{mean, ratio, share};

/// What every side has unless the user says otherwise: the papers' games know no noise.
const USUAL: &str = "option.RootNoise=false";

/// The options of all sides where the user asks for those.
#[must_use]
pub fn base(both: &SideOptions) -> SideOptions {
    let usual: SideOptions = USUAL.parse().expect("options of the program's own are sound");
    usual.with(both)
}

/// Games that are to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What its files are called.
    pub name: String,
    /// What tables call it.
    pub title: String,
    /// What is played.
    pub settings: Settings,
    /// Experiments of other names that may have played the same games in a folder beside this one.
    pub siblings: &'static [&'static str],
}

impl Plan {
    /// Games from the start position by two sides with the same options.
    #[must_use]
    pub fn alike(setup: &Setup, name: &str, title: &str, nodes: u64, own: &SideOptions) -> Self {
        let sides = [(nodes, own), (nodes, own)];
        Self::of_sides(setup, name, title, sides, Start::usual(), setup.games)
    }

    /// Games of two sides, each with so many positions a move and options of its own.
    #[must_use]
    pub fn of_sides(
        setup: &Setup,
        name: &str,
        title: &str,
        [white, black]: [(u64, &SideOptions); 2],
        start: Start,
        games: u64,
    ) -> Self {
        let both = base(&setup.both);
        let side =
            |name, (nodes, own): (u64, &SideOptions)| selfplay::player(name, nodes, &both, own);
        let settings = Settings {
            players: [side("white", white), side("black", black)],
            games,
            shard: Shard::default(),
            seed: setup.seed,
            start,
            adjudication: AdjudicationSpec::default(),
        };
        Self { name: name.to_owned(), title: title.to_owned(), settings, siblings: &[] }
    }

    /// The same games may stand beside this experiment, in the folders of those.
    #[must_use]
    pub const fn also_in(mut self, siblings: &'static [&'static str]) -> Self {
        self.siblings = siblings;
        self
    }

    /// The command that plays these games alone.
    #[must_use]
    pub fn command(&self) -> String {
        let Settings { players: [white, black], games, seed, start, .. } = &self.settings;
        let mut words = vec!["tandem".to_owned(), "selfplay".to_owned()];
        words.extend([
            "--games".to_owned(),
            games.to_string(),
            "--seed".to_owned(),
            seed.to_string(),
        ]);
        let options = |player: &tandem_games::PlayerSpec| {
            let word =
                |(name, value): &(String, String)| words::quoted(&format!("option.{name}={value}"));
            player.options.iter().map(word).collect::<Vec<_>>().join(" ")
        };
        if white.pace == black.pace {
            words.extend(["--nodes".to_owned(), white.pace.nodes.unwrap_or_default().to_string()]);
        } else {
            let nodes = [white, black].map(|player| player.pace.nodes.unwrap_or_default());
            words.extend(["--white-nodes".to_owned(), nodes[0].to_string()]);
            words.extend(["--black-nodes".to_owned(), nodes[1].to_string()]);
        }
        if white.options == black.options {
            words.extend(["--both".to_owned(), options(white)]);
        } else {
            words.extend(["--white".to_owned(), options(white)]);
            words.extend(["--black".to_owned(), options(black)]);
        }
        if let Start::Fen(fen) = start
            && *start != Start::usual()
        {
            words.extend(["--fen".to_owned(), fen.clone()]);
        }
        words.iter().map(|word| words::quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// Games that were played.
#[derive(Clone, Debug)]
pub struct Point {
    /// As they were planned.
    pub plan: Plan,
    /// As they ended.
    pub report: Report,
}

impl Point {
    /// Results for White.
    #[must_use]
    pub const fn results(&self) -> Results {
        self.report.counts.white
    }

    /// Half-moves of all games.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.report.games.iter().map(|game| game.plies as u64).sum()
    }

    /// The share of games that somebody won.
    #[must_use]
    pub fn decisive(&self) -> Option<Estimate> {
        share(self.results().decisive(), self.results().games())
    }

    /// Games that somebody won for each draw.
    #[must_use]
    pub fn ratio(&self) -> Option<Estimate> {
        ratio(self.results().decisive(), self.results().draws)
    }

    /// Half-moves of a game.
    #[must_use]
    pub fn plies(&self) -> Option<Estimate> {
        let plies: Vec<f64> = self.report.games.iter().map(|game| game.plies as f64).collect();
        mean(&plies)
    }

    /// The share of games that repeat an earlier one up to that move.
    #[must_use]
    pub fn repeats(&self, moves: usize) -> Option<Estimate> {
        let all = self.report.games.len() as u64;
        let distinct = selfplay::Repeats::up_to(&self.report.games, moves).distinct;
        share(all - distinct, all)
    }

    /// All numbers, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let Self { plan, report } = self;
        json!({
            "name": plan.name, "title": plan.title, "command": plan.command(),
            "settings": report.settings, "sides": report.identities, "openings": report.openings,
            "counts": report.counts, "decisive": self.decisive(), "ratio": self.ratio(),
            "plies": self.plies(), "repeats_at_move_10": self.repeats(10),
            "efforts": report.efforts,
        })
    }
}
