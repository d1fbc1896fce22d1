//! One game of the engine against itself.

use std::sync::atomic::{AtomicBool, Ordering};

use tandem_chess::{Color, Game};
use tandem_engine::{Control, Limits, Score, Search, Settings};
use tandem_games::adjudication::{Adjudication, Arbiter};
use tandem_games::play::Ending;

use super::SelfPlay;
use crate::data::{GameResult, Label, Record, Recorder, internal};

/// MiB for the search: more than a few thousand nodes can fill.
const HASH: usize = 4;

/// Both players of a game: the same engine.
pub struct SelfPlayer {
    search: Box<dyn Search>,
    limits: Limits,
    adjudication: Adjudication,
}

impl SelfPlayer {
    /// With those settings.
    pub fn new(settings: &SelfPlay) -> Self {
        let search = Settings { hash: HASH, ..Settings::default() };
        Self {
            search: tandem_engine::search(&search, settings.networks.as_ref()),
            limits: Limits { nodes: Some(settings.nodes.max(1)), ..Limits::default() },
            adjudication: settings.adjudication.clone(),
        }
    }

    /// Plays a game from an opening. Nothing comes of it if it is stopped.
    pub fn play(&mut self, opening: &Game, stop: &AtomicBool) -> Option<Record> {
        self.search.new_game();
        let mut game = opening.clone();
        let mut recorder = Recorder::new(*opening.position());
        let adjudication = self.adjudication.clone();
        let mut arbiter = Arbiter::new(&adjudication);
        loop {
            if let Some(outcome) = game.outcome() {
                return Some(recorder.finish(result(&Ending::Rules(outcome))));
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut score = Score::Centipawns(0);
            let choice = self.search.search(&game, &self.limits, &Control::default(), &mut |p| {
                score = p.score;
            });
            let m = choice.best?;
            let position = game.position();
            let label = Label::new(position.side_to_move(), internal(score, position));
            recorder.play(m, Some(label)).ok()?;
            game.play(m).ok()?;
            if game.outcome().is_none()
                && let Some(ruling) = arbiter.judge(&game, Some(score))
            {
                return Some(recorder.finish(result(&Ending::Ruling(ruling))));
            }
        }
    }
}

fn result(ending: &Ending) -> GameResult {
    match ending.winner() {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    }
}
