//! How a gate is played.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_games::PlayerSpec;
use tandem_games::adjudication::{AdjudicationSpec, DrawRule, ResignRule};
use tandem_games::book::{BookSpec, Order};
use tandem_games::pace::{Pace, TimeControl};
use tandem_games::statistics::{EloModel, Sprt, SprtError};
use tandem_games::tournament::{Format, Settings};

/// How long an engine may be silent after its time is over.
const PATIENCE: Duration = Duration::from_secs(10);
/// Games that go on for longer are draws.
const MAX_PLIES: u32 = 400;

/// How a new network is tested against the old one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateSettings {
    /// The file whose place the network takes if it wins.
    pub promote_to: Option<PathBuf>,
    /// The old network, or `none` for the evaluation without a network. Without this, it is the file
    /// of `promote_to`, or no network if that does not exist.
    pub against: Option<PathBuf>,
    /// Positions a move.
    pub nodes: u64,
    /// A clock, instead of `nodes`.
    pub tc: Option<TimeControl>,
    /// MiB of memory for each player.
    pub hash: u64,
    /// Games side by side; 0 for as many as the machine has cores.
    pub concurrency: usize,
    /// At most so many games are played.
    pub games: u64,
    /// The Elo of the hypothesis that there is no gain.
    pub elo0: f64,
    /// The Elo of the hypothesis that there is one.
    pub elo1: f64,
    /// The chance to promote a network that gains `elo0` or less.
    pub alpha: f64,
    /// The chance to miss a network that gains `elo1` or more.
    pub beta: f64,
    /// Openings; without a file they are made by chance.
    pub book: Option<PathBuf>,
    /// The most half-moves taken from a game or a Polyglot book.
    pub book_plies: usize,
    /// Where chance begins.
    pub seed: u64,
    /// When games count as drawn, as `tandem match --draw` has it; empty for never.
    pub draw: String,
    /// When games count as lost, as `tandem match --resign` has it; empty for never.
    pub resign: String,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self {
            promote_to: None,
            against: None,
            nodes: 5000,
            tc: None,
            hash: 16,
            concurrency: 0,
            games: 40_000,
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            book: None,
            book_plies: 16,
            seed: 1,
            draw: "40:8:10".into(),
            resign: "4:600".into(),
        }
    }
}

impl GateSettings {
    /// Whom `against` names; none if it names nobody.
    pub(super) fn opponent(&self) -> Option<Opponent<'_>> {
        let file = self.against.as_deref()?;
        let is_none = file == Path::new(tandem_engine::networks::NONE);
        Some(if is_none { Opponent::Plain } else { Opponent::File(file) })
    }

    /// Every file that the settings name and that is not the word `none`.
    pub(crate) fn files(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let is_file = |file: &&mut PathBuf| **file != Path::new(tandem_engine::networks::NONE);
        let against = self.against.as_mut().filter(is_file);
        self.promote_to.iter_mut().chain(against).chain(&mut self.book)
    }

    /// Games side by side.
    pub(super) fn concurrency(&self) -> usize {
        match self.concurrency {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            games => games,
        }
    }

    /// The test that decides.
    ///
    /// # Errors
    /// The numbers make no test.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, EloModel::Logistic)
    }

    /// The rules that end games early; a sentence says what is wrong with one.
    pub(crate) fn rules(&self) -> Result<(Option<DrawRule>, Option<ResignRule>), String> {
        let draw = (!self.draw.is_empty()).then(|| self.draw.parse()).transpose();
        let resign = (!self.resign.is_empty()).then(|| self.resign.parse()).transpose();
        let told = |error: tandem_games::adjudication::RuleError| error.to_string();
        Ok((draw.map_err(told)?, resign.map_err(told)?))
    }

    pub(crate) fn openings(&self) -> BookSpec {
        BookSpec {
            file: self.book.clone(),
            plies: self.book_plies,
            order: Order::Random,
            seed: self.seed,
            chess960: false,
        }
    }

    /// How much a player may think.
    pub(super) fn pace(&self) -> Pace {
        match self.tc {
            Some(tc) => Pace { tc: Some(tc), ..Pace::default() },
            None => Pace { nodes: Some(self.nodes), ..Pace::default() },
        }
    }

    /// The match between players of those names with those options.
    pub(crate) fn games(&self, players: [(&str, PlayerOptions); 2]) -> Result<Settings, String> {
        let (draw, resign) = self.rules()?;
        let player = |(name, options): (&str, PlayerOptions)| -> Result<PlayerSpec, String> {
            let mut player: PlayerSpec =
                "".parse().map_err(|error: tandem_games::SpecError| error.to_string())?;
            name.clone_into(&mut player.name);
            player.pace = self.pace();
            player.options = options;
            player.options.push(("Hash".to_owned(), self.hash.to_string()));
            Ok(player)
        };
        Ok(Settings {
            event: "tandem gate".to_owned(),
            players: players.into_iter().map(player).collect::<Result<_, _>>()?,
            format: Format::RoundRobin,
            games: self.games,
            shard: tandem_games::Shard::default(),
            book: self.openings(),
            adjudication: AdjudicationSpec {
                draw,
                resign,
                tables: None,
                max_plies: Some(MAX_PLIES),
            },
            margin: Duration::ZERO,
            patience: PATIENCE,
            chess960: false,
            sprt: Some(self.sprt().map_err(|error| error.to_string())?),
        })
    }
}

/// UCI options of a player.
pub(crate) type PlayerOptions = Vec<(String, String)>;

/// Whom a new network must beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponent<'a> {
    /// The evaluation without a network.
    Plain,
    /// The network in that file.
    File(&'a Path),
}
