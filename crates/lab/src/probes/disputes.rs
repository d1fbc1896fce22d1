//! Positions in which both searches of the tandem are asked, and a much deeper look where they do not agree.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_chess::Move;
use tandem_engine::{
    Control, Deliberation, Engine, Evaluation, Hybrid, Leaf, Limits, Options, Search,
};
use tandem_games::PlayerSpec;
use tandem_games::journal::Entry;
use tandem_games::player::StartError;

use super::{Look, Place, ProbeError, Seen};

/// How disagreements are found and decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disputes {
    /// The tandem that is asked.
    pub player: PlayerSpec,
    /// Milliseconds that it thinks.
    pub milliseconds: u64,
    /// Positions that alpha-beta visits for each of the moves that are compared then.
    pub deep: u64,
    /// Half-moves after which positions are no longer looked at.
    pub plies: usize,
    /// Where the choice of positions begins.
    pub seed: u64,
}

/// A position and what was seen of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The number of the game.
    pub game: u64,
    /// The half-moves before the position.
    pub ply: usize,
    /// What kind of position it is.
    pub kind: String,
    /// What alpha-beta would have played.
    pub proven: Option<String>,
    /// What Monte Carlo tree search would have played.
    pub explored: Option<String>,
    /// What is known of a disagreement, in numbers; nothing where they agree, or where nothing is open.
    pub features: Option<Vec<f64>>,
    /// The expected scores of both moves after the deep look, alpha-beta's first.
    pub deep: Option<[f64; 2]>,
}

impl Entry for Dispute {}

impl Seen for Dispute {
    fn place(&self) -> (u64, usize) {
        (self.game, self.ply)
    }
}

impl Dispute {
    /// By how much the explored move is better, where that was looked at.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        self.deep.map(|[proven, explored]| explored - proven)
    }

    /// Whether the searches would have played different moves.
    #[must_use]
    pub fn is_disagreement(&self) -> bool {
        self.explored.is_some() && self.proven != self.explored
    }
}

/// The tandem, and alpha-beta alone for the deep look.
pub struct Eye {
    tandem: Hybrid<Evaluation, Leaf>,
    judge: Box<dyn Search>,
}

impl Look for Disputes {
    type Seen = Dispute;
    type Eye = Eye;
    const SUFFIX: &'static str = "-disputes";

    fn player(&self) -> &PlayerSpec {
        &self.player
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn wants(&self, ply: usize) -> bool {
        ply <= self.plies
    }

    fn open(&self) -> Result<Eye, ProbeError> {
        let name = &self.player.name;
        let mut engine = Engine::new();
        for (option, value) in &self.player.options {
            let spec = Options::find(option)
                .map_err(|_| StartError::Option(name.clone(), option.clone()))?;
            engine
                .set_option(spec, value)
                .map_err(|error| StartError::Value(name.clone(), error.to_string()))?;
        }
        let settings = engine.options().search.clone();
        let judge = tandem_engine::search(&settings, engine.networks());
        Ok(Eye { tandem: engine.new_hybrid(), judge })
    }

    fn look(
        &self,
        eye: &mut Eye,
        place: &Place,
        stop: &AtomicBool,
    ) -> Result<Option<Dispute>, ProbeError> {
        let (game, ply, _) = place;
        let told = deliberation(eye, place, self.milliseconds);
        let m =
            |contender: Option<&tandem_engine::Contender>| contender.map(|contender| contender.m);
        let (proven, explored) = told
            .as_ref()
            .map_or((None, None), |told| (m(told.proven.as_ref()), m(told.explored.as_ref())));
        let features = told.as_ref().and_then(|told| told.features.clone());
        let mut deep = None;
        if let (Some(proven), Some(explored), true) = (proven, explored, features.is_some()) {
            let mut worth = |m| self.worth(&mut *eye.judge, place, m, stop);
            let (Some(proven), Some(explored)) = (worth(proven), worth(explored)) else {
                return Ok(None);
            };
            deep = Some([proven, explored]);
        }
        let text = |m: Option<Move>| m.map(|m| m.to_string());
        let kind = told.map_or("", |told| told.kind).to_owned();
        let (proven, explored) = (text(proven), text(explored));
        Ok(Some(Dispute { game: *game, ply: *ply, kind, proven, explored, features, deep }))
    }
}

/// How the tandem comes to its choice in a position of which it remembers nothing.
fn deliberation(eye: &mut Eye, (_, _, game): &Place, milliseconds: u64) -> Option<Deliberation> {
    let limits = Limits::movetime(Duration::from_millis(milliseconds));
    let mut told = None;
    eye.tandem.new_game();
    eye.tandem.search(game, &limits, &Control::default(), &mut |progress| {
        if let Some(deliberation) = &progress.deliberation {
            told = Some((**deliberation).clone());
        }
    });
    told
}

impl Disputes {
    /// The expected score (0 to 1) of a move, by alpha-beta alone; nothing if it was stopped.
    fn worth(
        &self,
        judge: &mut dyn Search,
        (_, _, game): &Place,
        m: Move,
        stop: &AtomicBool,
    ) -> Option<f64> {
        let limits = Limits { nodes: Some(self.deep), search_moves: vec![m], ..Limits::default() };
        let control = Control::default();
        let mut score = None;
        judge.new_game();
        judge.search(game, &limits, &control, &mut |progress| {
            if stop.load(Ordering::Relaxed) {
                control.stop();
            }
            score = progress
                .wdl
                .map(|[win, draw, _]| f64::from(win) / 1000.0 + f64::from(draw) / 2000.0);
        });
        score.filter(|_| !control.is_stopped())
    }
}
