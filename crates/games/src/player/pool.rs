//! The players of one worker.

use std::collections::HashMap;
use std::time::Duration;

use super::{Fault, Identity, Player, StartError, start};
use crate::spec::PlayerSpec;

/// How often a player that does not start is tried again, and how long to wait in between.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(200);

/// Players that are started when they are first needed and wait here in between.
pub struct Pool<'a> {
    specs: &'a [PlayerSpec],
    chess960: bool,
    waiting: HashMap<usize, Box<dyn Player>>,
}

impl<'a> Pool<'a> {
    /// Nobody has been started yet.
    #[must_use]
    pub fn new(specs: &'a [PlayerSpec], chess960: bool) -> Self {
        Self { specs, chess960, waiting: HashMap::new() }
    }

    /// The player at that place, started if need be.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn take(&mut self, place: usize) -> Result<Box<dyn Player>, Fault> {
        if let Some(player) = self.waiting.remove(&place) {
            return Ok(player);
        }
        let mut tries = 1;
        loop {
            match start(&self.specs[place], self.chess960) {
                Ok(player) => return Ok(player),
                Err(error) if tries == TRIES => return Err(Fault::Absent(error.to_string())),
                Err(_) => std::thread::sleep(PAUSE),
            }
            tries += 1;
        }
    }

    /// Has a player wait until it is needed again. Who wishes to be started anew each time leaves, and
    /// so does every player that is not given back.
    pub fn give_back(&mut self, place: usize, player: Box<dyn Player>) {
        if !self.specs[place].restart {
            self.waiting.insert(place, player);
        }
    }
}

/// Starts every player once, so that what cannot work is known before the first question.
///
/// # Errors
/// One of them cannot be started.
pub fn introduce(specs: &[PlayerSpec], chess960: bool) -> Result<Vec<Identity>, StartError> {
    let identity = |spec| start(spec, chess960).map(|player| player.identity().clone());
    specs.iter().map(identity).collect()
}
