//! Openings: where the games of a match begin.

mod chess960;
mod pgn;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tandem_chess::{Bitboard, Builder, Color, Game, Position, Random, Square};
use tandem_engine::Openings;
use tandem_engine::book::{Book as Polyglot, BookError};
use thiserror::Error;

use crate::digest;
use crate::epd::{Epd, EpdError};

/// The largest gain of a random opening, in centipawns.
const BALANCE: i32 = 80;

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The positions cannot be read.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// The games cannot be read.
    #[error("{0}: {1}")]
    Pgn(String, String),
    /// The book cannot be read.
    #[error(transparent)]
    Polyglot(#[from] BookError),
    /// The file's name does not say what it is.
    #[error("{0}: openings come from .epd, .fen, .txt, .pgn or .bin (Polyglot) files")]
    Kind(String),
    /// A piece that a player is to do without is not there.
    #[error("odds: there is no piece on {0} to do without in {1}")]
    NoPiece(Square, String),
    /// Without the piece the position or the opening's moves are not legal.
    #[error("odds: the opening {0} is not possible without the pieces on {1} ({2})")]
    Odds(u64, String, String),
    /// The book knows nothing about the start position.
    #[error("{0}: the book has no move in the start position")]
    Silent(String),
}

/// In which order a file's openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSpec {
    /// The file; none for openings made by chance.
    pub file: Option<PathBuf>,
    /// The most half-moves that are taken from a game or a Polyglot book.
    pub plies: usize,
    /// The order.
    pub order: Order,
    /// Where chance begins.
    pub seed: u64,
}

/// Openings by their number. The same number always means the same opening.
pub struct Book {
    spec: BookSpec,
    source: Source,
    /// Whether openings made by chance begin from any start position of Chess960.
    chess960: bool,
}

#[allow(clippy::large_enum_variant, reason = "there is one for a match")]
enum Source {
    Games(Vec<Game>),
    Polyglot(Polyglot),
    /// Made when they are needed; with the start position for which they are made.
    Chance(Option<(Position, Openings)>),
}

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(spec: &BookSpec) -> Result<Self, OpeningError> {
        let source = match &spec.file {
            None => Source::Chance(None),
            Some(file) => read(file, spec.plies)?,
        };
        let mut book = Self { spec: spec.clone(), source, chess960: false };
        if let Source::Games(games) = &mut book.source
            && spec.order == Order::Random
        {
            shuffle(games, &mut Random::new(spec.seed));
        }
        Ok(book)
    }

    /// Has openings made by chance begin from any start position of Chess960.
    pub const fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    /// How many different openings there are, if that is known.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match &self.source {
            Source::Games(games) => Some(games.len()),
            Source::Polyglot(_) | Source::Chance(_) => None,
        }
    }

    /// Never: a book without openings is not opened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The opening of that number, without the pieces on those squares.
    ///
    /// # Errors
    /// The opening cannot be played without those pieces.
    pub fn opening(&mut self, number: u64, missing: &[Square]) -> Result<Game, OpeningError> {
        // Neighbouring seeds would give neighbouring streams.
        let seed = Random::new(self.spec.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).bits();
        match &mut self.source {
            Source::Games(games) => {
                let game = &games[(number % games.len() as u64) as usize];
                without(game, missing, number)
            }
            Source::Polyglot(book) => {
                let game = walk(book, self.spec.plies, &mut Random::new(seed));
                without(&game, missing, number)
            }
            Source::Chance(made) => {
                let start = if self.chess960 {
                    chess960::start(Random::new(seed).below(chess960::COUNT))
                } else {
                    Position::startpos()
                };
                let start = remove(&start, missing)?;
                let fits = made.as_ref().is_some_and(|(known, _)| *known == start);
                if !fits {
                    let openings = Openings::new(seed, vec![start], BALANCE, None);
                    *made = Some((start, openings));
                }
                let (_, openings) = made.as_mut().expect("made above");
                openings.reseed(seed);
                Ok(openings.next().expect("there is always another"))
            }
        }
    }

    /// The book as a summary names it: with its hash.
    #[must_use]
    pub fn describe(&self) -> String {
        let Some(file) = &self.spec.file else {
            let from = if self.chess960 { " from starts of Chess960" } else { "" };
            return format!(
                "random openings of 8 or 9 half-moves{from}, balanced within {BALANCE} centipawns by the plain evaluation, seed {}",
                self.spec.seed
            );
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let hash = digest::of_file(file).unwrap_or_else(|| "unknown".to_owned());
        let order = match self.spec.order {
            Order::Sequential => "in order".to_owned(),
            Order::Random => format!("shuffled with seed {}", self.spec.seed),
        };
        match self.len() {
            Some(count) => format!("{name} (SHA-256 {hash}), {count} openings {order}"),
            None => format!(
                "{name} (SHA-256 {hash}), {} half-moves drawn with seed {}",
                self.spec.plies, self.spec.seed
            ),
        }
    }
}

fn read(file: &Path, plies: usize) -> Result<Source, OpeningError> {
    let extension = file.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str().unwrap_or_default() {
        "epd" | "fen" | "txt" => {
            let entries = Epd::read(file)?;
            Ok(Source::Games(entries.into_iter().map(|entry| Game::new(entry.position)).collect()))
        }
        "pgn" => Ok(Source::Games(pgn::read(file, plies)?)),
        "bin" => {
            let name = file.display().to_string();
            let book = Polyglot::open(&name)?;
            if walk(&book, 1, &mut Random::new(0)).moves().is_empty() {
                return Err(OpeningError::Silent(name));
            }
            Ok(Source::Polyglot(book))
        }
        _ => Err(OpeningError::Kind(file.display().to_string())),
    }
}

/// Plays moves from the book while it has any.
fn walk(book: &Polyglot, plies: usize, random: &mut Random) -> Game {
    let mut game = Game::default();
    while game.moves().len() < plies {
        // A book that has become unreadable is as good as one that knows nothing.
        let Ok(Some(m)) = book.choose(&game, Some(random)) else { break };
        if game.play(m).is_err() || game.outcome().is_some() {
            break;
        }
    }
    game
}

/// The same opening without some pieces.
fn without(game: &Game, missing: &[Square], number: u64) -> Result<Game, OpeningError> {
    if missing.is_empty() {
        return Ok(game.clone());
    }
    let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let refuse = |reason: String| OpeningError::Odds(number, names.join(","), reason);
    let mut reduced = Game::new(remove(game.start(), missing)?);
    for &m in game.moves() {
        reduced.play(m).map_err(|error| refuse(error.to_string()))?;
    }
    Ok(reduced)
}

fn remove(position: &Position, missing: &[Square]) -> Result<Position, OpeningError> {
    let mut builder = Builder::of(position);
    for &square in missing {
        if builder.board[square.index()].take().is_none() {
            return Err(OpeningError::NoPiece(square, position.to_string()));
        }
        builder.castling &= !Bitboard::from(square);
    }
    builder.build().map_err(|error| {
        let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
        OpeningError::Odds(0, names.join(","), error.to_string())
    })
}

/// The squares whose pieces a player of that colour does without: given as White sees them.
#[must_use]
pub fn odds_of(squares: &[Square], color: Color) -> Vec<Square> {
    let view = |square: &Square| if color == Color::White { *square } else { square.flip_rank() };
    squares.iter().map(view).collect()
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}
