//! Positions of self-play, each looked at twice: for a moment, and for long.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_chess::{Game, Position, Random};
use tandem_engine::Limits;
use tandem_games::PlayerSpec;
use tandem_games::crew::{self, Close};
use tandem_games::journal::{
    self, Entry, Journal, JournalError, Memory, Obstacle, Parts, with_suffix,
};
use tandem_games::player::{self, Fault, Inside, Player as _, StartError};
use tandem_games::visits::{VisitedGame, VisitsError, VisitsReader};
use thiserror::Error;

/// Nodes limit a search, not time; only an engine that hangs is silent for so long.
const PATIENCE: Duration = Duration::from_hours(1);

/// Why positions cannot be looked at.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The games cannot be read.
    #[error(transparent)]
    Visits(#[from] VisitsError),
    /// A game in the file cannot be played.
    #[error("{0}: game {1} holds an impossible move")]
    Impossible(PathBuf, u64),
    /// What was seen cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The engine does not take its options.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The engine failed.
    #[error("the engine {0}")]
    Fault(Fault),
}

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

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    tandem_probes: Gauge,
    parts: Parts,
}

impl journal::Head for Head {
    const KIND: &'static str = "look at positions";
    const BEGINNING: &'static [u8] = b"{\"tandem_probes\":";
    const COMPANIONS: &'static [&'static str] = &[];

    fn obstacle(&self, now: &Self) -> Option<Obstacle> {
        if self.tandem_probes != now.tandem_probes {
            return Some(Obstacle::Settings("options or numbers of playouts"));
        }
        let name = now.tandem_probes.player.name.as_str();
        self.parts.change(&now.parts, [name]).map(Obstacle::Parts)
    }
}

/// Looks at so many positions of those games, by chance; at all if there are fewer. What was seen is kept
/// beside the games. Gives fewer if it is stopped; the observer hears how many there are, and of how many.
///
/// # Errors
/// The games cannot be read, or what was seen cannot be kept.
pub fn probe(
    games: &Path,
    gauge: &Gauge,
    count: usize,
    most_games: u64,
    concurrency: usize,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(usize, usize),
) -> Result<(Vec<Probe>, bool), ProbeError> {
    let positions = sample(&with_suffix(games, ".visits"), count, most_games, gauge.seed)?;
    let engines = player::introduce(std::slice::from_ref(&gauge.player), false)?;
    let parts = Parts { engines, book: None };
    let head = Head { tandem_probes: gauge.clone(), parts };
    let (mut kept, Memory { games: known, .. }) =
        Journal::<Probe>::open(&with_suffix(games, "-probes"), &head)?;
    let place = |probe: &Probe| {
        positions.iter().position(|position| (position.0, position.1) == (probe.game, probe.ply))
    };
    let mut seen: Vec<Option<Probe>> = vec![None; positions.len()];
    for probe in known {
        if let Some(place) = place(&probe) {
            seen[place] = Some(probe);
        }
    }
    let mut done = seen.iter().flatten().count();
    observer(done, positions.len());
    let open =
        (0..positions.len() as u64).filter(|&place| seen[place as usize].is_none()).collect();
    let close = crew::play(
        open,
        concurrency,
        stop,
        || {
            let mut engine = None;
            let positions = &positions;
            move |place| look(&mut engine, gauge, &positions[place as usize]).map(Some)
        },
        |probe: Probe| -> Result<bool, ProbeError> {
            kept.keep(&probe)?;
            let place = place(&probe).expect("only these positions were looked at");
            seen[place] = Some(probe);
            done += 1;
            observer(done, positions.len());
            Ok(true)
        },
    );
    let Close { trouble, .. } = close;
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    let is_whole = seen.iter().all(Option::is_some);
    Ok((seen.into_iter().flatten().collect(), is_whole))
}

/// A position: game, half-moves before it, and how it came about.
type Place = (u64, usize, Game);

/// All games in a file of that number of games at the most, in the order of their numbers: that of the
/// file is the one in which they ended, which is another one each time.
fn games(file: &Path, most: u64) -> Result<Vec<VisitedGame>, ProbeError> {
    let mut reader = VisitsReader::open(file)?;
    let mut games = Vec::new();
    while let Some(game) = reader.next_game()? {
        if game.number < most {
            games.push(game);
        }
    }
    games.sort_by_key(|game| game.number);
    Ok(games)
}

/// The positions of all games in which a move was made.
///
/// # Errors
/// The games cannot be read.
pub fn positions(path: &Path, most_games: u64) -> Result<Vec<Position>, ProbeError> {
    let file = with_suffix(path, ".visits");
    let mut positions = Vec::new();
    for game in games(&file, most_games)? {
        let mut position = game.start;
        for step in &game.steps {
            positions.push(position);
            if !position.is_legal(step.m) {
                return Err(ProbeError::Impossible(file, game.number));
            }
            position = position.after(step.m);
        }
    }
    Ok(positions)
}

/// Positions by chance, each at most once.
fn sample(file: &Path, count: usize, most: u64, seed: u64) -> Result<Vec<Place>, ProbeError> {
    let games = games(file, most)?;
    let of_game = |(place, game): (usize, &VisitedGame)| {
        let thought = game.steps.iter().enumerate().filter(|(_, step)| step.value.is_some());
        thought.map(|(ply, _)| (place, ply)).collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, usize)> = games.iter().enumerate().flat_map(of_game).collect();
    let mut random = Random::new(seed);
    let count = count.min(all.len());
    for place in 0..count {
        let other = place + random.below(all.len() - place);
        all.swap(place, other);
    }
    let walk = |&(place, ply): &(usize, usize)| {
        let game = &games[place];
        let mut position = Game::new(game.start);
        for step in &game.steps[..ply] {
            let played = position.play(step.m);
            played.map_err(|_| ProbeError::Impossible(file.to_owned(), game.number))?;
        }
        Ok((game.number, ply, position))
    };
    all[..count].iter().map(walk).collect()
}

/// Looks at a position twice, each time with an empty tree.
fn look(engine: &mut Option<Inside>, gauge: &Gauge, place: &Place) -> Result<Probe, ProbeError> {
    if engine.is_none() {
        *engine = Some(Inside::start(&gauge.player, false)?);
    }
    let engine = engine.as_mut().expect("started above");
    let (game, ply, position) = place;
    let mut score = |nodes| {
        engine.new_game().map_err(ProbeError::Fault)?;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let reply = engine.choose(position, &limits, PATIENCE).map_err(ProbeError::Fault)?;
        let value = reply.insight.value.map_or(0.0, |value| f64::from(value.q));
        Ok::<f64, ProbeError>(f64::midpoint(1.0, value))
    };
    Ok(Probe { game: *game, ply: *ply, shallow: score(gauge.shallow)?, deep: score(gauge.deep)? })
}
