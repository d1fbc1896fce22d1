//! Positions looked at twice: for a moment, and for long.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_engine::Limits;
use tandem_games::PlayerSpec;
use tandem_games::journal::Entry;
use tandem_games::player::{Inside, Player as _};

use super::{Look, Place, ProbeError, Seen};

/// Nodes limit a search, not time; only an engine that hangs is silent for so long.
const PATIENCE: Duration = Duration::from_hours(1);

/// How positions are looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Who looks.
    pub player: PlayerSpec,
    /// Playouts of a short look.
    pub shallow: u64,
    /// Playouts of a long one.
    pub deep: u64,
    /// Where the choice of positions begins.
    pub seed: u64,
}

/// A position and what was seen of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// The number of the game.
    pub game: u64,
    /// The half-moves before the position.
    pub ply: usize,
    /// The expected score of the side to move after a short look.
    pub shallow: f64,
    /// And after a long one.
    pub deep: f64,
}

impl Entry for Probe {}

impl Probe {
    /// By how much the long look sees another score than the short one.
    #[must_use]
    pub fn surprise(&self) -> f64 {
        (self.deep - self.shallow).abs()
    }
}

impl Seen for Probe {
    fn place(&self) -> (u64, usize) {
        (self.game, self.ply)
    }
}

impl Look for Gauge {
    type Seen = Probe;
    type Eye = Inside;
    const SUFFIX: &'static str = "-probes";

    fn player(&self) -> &PlayerSpec {
        &self.player
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn open(&self) -> Result<Inside, ProbeError> {
        Ok(Inside::start(&self.player, false)?)
    }

    /// Looks twice, each time with an empty tree.
    fn look(
        &self,
        engine: &mut Inside,
        (game, ply, position): &Place,
        _: &AtomicBool,
    ) -> Result<Option<Probe>, ProbeError> {
        let mut score = |nodes| {
            engine.new_game().map_err(ProbeError::Fault)?;
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let reply = engine.choose(position, &limits, PATIENCE).map_err(ProbeError::Fault)?;
            let value = reply.insight.value.map_or(0.0, |value| f64::from(value.q));
            Ok::<f64, ProbeError>(f64::midpoint(1.0, value))
        };
        let (shallow, deep) = (score(self.shallow)?, score(self.deep)?);
        Ok(Some(Probe { game: *game, ply: *ply, shallow, deep }))
    }
}
