//! Positions of self-play, chosen by chance and looked at in some way.

mod disputes;
mod gauge;

pub use disputes::{Dispute, Disputes};
pub use gauge::{Gauge, Probe};

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tandem_chess::{Game, Position, Random};
use tandem_games::PlayerSpec;
use tandem_games::crew::{self, Close};
use tandem_games::journal::{
    self, Entry, Journal, JournalError, Memory, Obstacle, Parts, with_suffix,
};
use tandem_games::player::{self, Fault, StartError};
use tandem_games::visits::{VisitedGame, VisitsError, VisitsReader};
use thiserror::Error;

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

/// A way of looking at positions.
pub trait Look: Clone + PartialEq + Serialize + DeserializeOwned + Sync {
    /// What is seen.
    type Seen: Seen;
    /// What a worker looks with.
    type Eye;
    /// The ending of the file beside the games.
    const SUFFIX: &'static str;

    /// Who looks.
    fn player(&self) -> &PlayerSpec;

    /// Where the choice of positions begins.
    fn seed(&self) -> u64;

    /// Whether positions after so many half-moves are looked at.
    fn wants(&self, ply: usize) -> bool {
        let _ = ply;
        true
    }

    /// What another worker looks with.
    ///
    /// # Errors
    /// The engine does not take its options.
    fn open(&self) -> Result<Self::Eye, ProbeError>;

    /// Looks at a position. Gives nothing if it was stopped.
    ///
    /// # Errors
    /// The engine failed.
    fn look(
        &self,
        eye: &mut Self::Eye,
        place: &Place,
        stop: &AtomicBool,
    ) -> Result<Option<Self::Seen>, ProbeError>;
}

/// What was seen of a position.
pub trait Seen: Entry + Clone + Send {
    /// The number of the game, and the half-moves before the position.
    fn place(&self) -> (u64, usize);
}

/// A position: game, half-moves before it, and how it came about.
pub type Place = (u64, usize, Game);

/// The first line of the file.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Head<L: Look> {
    tandem_probes: L,
    parts: Parts,
}

impl<L: Look> journal::Head for Head<L> {
    const KIND: &'static str = "look at positions";
    const BEGINNING: &'static [u8] = b"{\"tandem_probes\":";
    const COMPANIONS: &'static [&'static str] = &[];

    fn obstacle(&self, now: &Self) -> Option<Obstacle> {
        if self.tandem_probes != now.tandem_probes {
            return Some(Obstacle::Settings("options or numbers of playouts"));
        }
        let name = now.tandem_probes.player().name.as_str();
        self.parts.change(&now.parts, [name]).map(Obstacle::Parts)
    }
}

/// Looks at so many positions of those games, by chance; at all if there are fewer. What was seen is kept
/// beside the games. Gives fewer if it is stopped; the observer hears how many there are, and of how many.
///
/// # Errors
/// The games cannot be read, or what was seen cannot be kept.
pub fn probe<L: Look>(
    games: &Path,
    gauge: &L,
    count: usize,
    most_games: u64,
    concurrency: usize,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(usize, usize),
) -> Result<(Vec<L::Seen>, bool), ProbeError> {
    let positions = sample(&with_suffix(games, ".visits"), count, most_games, gauge)?;
    let engines = player::introduce(std::slice::from_ref(gauge.player()), false)?;
    let parts = Parts { engines, book: None };
    let head = Head { tandem_probes: gauge.clone(), parts };
    let (mut kept, Memory { games: known, .. }) =
        Journal::<L::Seen>::open(&with_suffix(games, L::SUFFIX), &head)?;
    let place = |seen: &L::Seen| {
        positions.iter().position(|position| (position.0, position.1) == seen.place())
    };
    let mut seen: Vec<Option<L::Seen>> = vec![None; positions.len()];
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
            let mut eye = None;
            let positions = &positions;
            move |place| {
                if eye.is_none() {
                    eye = Some(gauge.open()?);
                }
                let eye = eye.as_mut().expect("opened above");
                gauge.look(eye, &positions[place as usize], stop)
            }
        },
        |probe: L::Seen| -> Result<bool, ProbeError> {
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
fn sample<L: Look>(
    file: &Path,
    count: usize,
    most: u64,
    gauge: &L,
) -> Result<Vec<Place>, ProbeError> {
    let games = games(file, most)?;
    let of_game = |(place, game): (usize, &VisitedGame)| {
        let thought = game.steps.iter().enumerate().filter(|(_, step)| step.value.is_some());
        let wanted = thought.filter(|(ply, _)| gauge.wants(*ply));
        wanted.map(|(ply, _)| (place, ply)).collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, usize)> = games.iter().enumerate().flat_map(of_game).collect();
    let mut random = Random::new(gauge.seed());
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
