//! Where one worker plays: a board with an engine on either side.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tandem_chess::Color;

use super::record::GameRecord;
use super::settings::{Openings, Settings};
use super::{SelfPlayError, seed};
use crate::adjudication::Adjudication;
use crate::pgn::{self, Headers};
use crate::play::{self, Ending, Rules};
use crate::player::{Inside, Player, StartError};
use crate::visits::VisitedGame;

/// What the games are called.
const EVENT: &str = "tandem selfplay";

/// Nodes limit a move, not time; only an engine that hangs is silent for so long.
const PATIENCE: Duration = Duration::from_hours(1);

/// What all workers share.
pub struct Hall<'a> {
    settings: &'a Settings,
    openings: Mutex<Openings>,
    rules: Rules,
    /// The user wants to leave.
    stop: &'a AtomicBool,
}

impl<'a> Hall<'a> {
    /// For games with those settings.
    pub fn new(
        settings: &'a Settings,
        openings: Openings,
        adjudication: Adjudication,
        stop: &'a AtomicBool,
    ) -> Self {
        let rules = Rules { adjudication, patience: PATIENCE, ..Rules::default() };
        Self { settings, openings: Mutex::new(openings), rules, stop }
    }
}

/// A worker's board.
pub struct Table<'a> {
    hall: &'a Hall<'a>,
    /// White and Black, each with a tree of its own; none before the first game.
    engines: Option<[Inside; 2]>,
}

impl<'a> Table<'a> {
    /// Nobody sits there yet.
    pub const fn new(hall: &'a Hall<'a>) -> Self {
        Self { hall, engines: None }
    }

    /// Plays the game of that number. Nothing comes of it if it is stopped.
    pub fn play(
        &mut self,
        number: u64,
    ) -> Result<Option<(GameRecord, VisitedGame)>, SelfPlayError> {
        let Hall { settings, openings, rules, stop } = self.hall;
        let opening = openings.lock().unwrap_or_else(PoisonError::into_inner).opening(number)?;
        let [white, black] = self.seat(number)?;
        let seats: &mut [&mut dyn Player; 2] = &mut [white, black];
        let paces = settings.players.each_ref().map(|player| player.pace);
        let Some(game) = play::play(&opening, seats, paces, rules, stop) else { return Ok(None) };
        let names = settings.players.each_ref().map(|player| player.name.as_str());
        let round = (number + 1).to_string();
        let headers = Headers { event: EVENT, round, names, paces, chess960: false };
        let record = GameRecord::new(number, &game, &headers);
        match record.zip(VisitedGame::new(number, &game)) {
            Some(kept) => Ok(Some(kept)),
            None => Err(fault(number, &game.ending, names)),
        }
    }

    /// The engines, ready for the game of that number.
    fn seat(&mut self, number: u64) -> Result<&mut [Inside; 2], StartError> {
        let Settings { players: [white, black], seed, .. } = self.hall.settings;
        if self.engines.is_none() {
            self.engines = Some([Inside::start(white, false)?, Inside::start(black, false)?]);
        }
        let engines = self.engines.as_mut().expect("started above");
        for ((engine, player), side) in engines.iter_mut().zip([white, black]).zip(Color::ALL) {
            let set = engine.set_seed(seed::of(*seed, number, side));
            set.map_err(|error| StartError::Value(player.name.clone(), error.to_string()))?;
        }
        Ok(engines)
    }
}

fn fault(number: u64, ending: &Ending, names: [&str; 2]) -> SelfPlayError {
    SelfPlayError::Fault(number + 1, pgn::sentence(ending, names))
}
