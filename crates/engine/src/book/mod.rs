//! Polyglot opening books: moves that somebody has already thought about.
//!
//! A book is a file of 16-byte entries, sorted by the key of their position: key (8 bytes), move
//! (2), weight (2), and something for learning programs (4), each with its highest byte first.

mod key;

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use tandem_chess::{Game, Move, PieceType, Random, Square};
use thiserror::Error;

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("the book '{0}' cannot be read ({1})")]
    Unreadable(String, io::Error),
    /// The file is not made of entries.
    #[error("'{0}' is no Polyglot book: its {1} bytes are not a number of 16-byte entries")]
    Size(String, u64),
    /// The file is not sorted.
    #[error("'{0}' is no Polyglot book: its entries are not in the order of their keys")]
    Order(String),
}

/// A book that lies open.
#[derive(Debug)]
pub struct Book {
    file: File,
    entries: u64,
}

/// A move that a book proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal where it is proposed.
    pub m: Move,
    /// How good or frequent it is, compared to the others.
    pub weight: u16,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    code: u16,
    weight: u16,
}

const ENTRY_SIZE: u64 = 16;
/// How many places of a book are looked at before it is trusted to be sorted.
const SAMPLES: u64 = 256;

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// The file cannot be read or is none.
    pub fn open(path: &str) -> Result<Self, BookError> {
        let unreadable = |error| BookError::Unreadable(path.to_owned(), error);
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        if size == 0 || !size.is_multiple_of(ENTRY_SIZE) {
            return Err(BookError::Size(path.to_owned(), size));
        }
        let book = Self { file, entries: size / ENTRY_SIZE };
        if book.looks_sorted().map_err(unreadable)? {
            Ok(book)
        } else {
            Err(BookError::Order(path.to_owned()))
        }
    }

    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// Never: a file without entries is no book.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// What the book proposes in a game's position, best first. Entries that are not legal moves
    /// belong to another position with the same key, or to another kind of chess: they are skipped,
    /// as are those of weight 0, which the book keeps but does not want played.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn moves(&self, game: &Game) -> io::Result<Vec<BookMove>> {
        let key = key::of(game);
        let mut moves: Vec<BookMove> = Vec::new();
        for place in self.first_at_least(key)?..self.entries {
            let entry = self.entry(place)?;
            if entry.key != key {
                break;
            }
            match decode(game, entry.code).filter(|_| entry.weight > 0) {
                Some(m) if moves.iter().all(|known| known.m != m) => {
                    moves.push(BookMove { m, weight: entry.weight });
                }
                _ => {}
            }
        }
        moves.sort_by_key(|proposed| std::cmp::Reverse(proposed.weight));
        Ok(moves)
    }

    /// A move from the book: each with the chance that its weight gives it, or the one with the most
    /// weight where no generator is given.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn choose(&self, game: &Game, random: Option<&mut Random>) -> io::Result<Option<Move>> {
        let moves = self.moves(game)?;
        let Some(random) = random else {
            return Ok(moves.first().map(|best| best.m));
        };
        let weights: Vec<f64> = moves.iter().map(|proposed| proposed.weight.into()).collect();
        Ok(random.weighted(&weights).map(|chosen| moves[chosen].m))
    }

    /// The place of the first entry whose key is not smaller.
    fn first_at_least(&self, key: u64) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = u64::midpoint(low, high);
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn looks_sorted(&self) -> io::Result<bool> {
        let last = self.entries - 1;
        let mut before = 0;
        for sample in 0..SAMPLES {
            let place = (u128::from(last) * u128::from(sample) / u128::from(SAMPLES - 1)) as u64;
            let key = self.entry(place)?.key;
            if key < before {
                return Ok(false);
            }
            before = key;
        }
        Ok(true)
    }

    fn entry(&self, place: u64) -> io::Result<Entry> {
        let mut bytes = [0; ENTRY_SIZE as usize];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(place * ENTRY_SIZE))?;
        file.read_exact(&mut bytes)?;
        let number = u128::from_be_bytes(bytes);
        Ok(Entry {
            key: (number >> 64) as u64,
            code: (number >> 48) as u16,
            weight: (number >> 32) as u16,
        })
    }
}

/// The legal move that a code stands for: three bits each for the file and rank it goes to, those it
/// comes from, and what a pawn becomes. Castling is written as king takes rook, like our own; the
/// king's two steps, which some books have, are understood as well.
fn decode(game: &Game, code: u16) -> Option<Move> {
    let square = |shift: u16| Square::from_index((code >> shift & 63) as u8);
    let (to, from) = (square(0), square(6));
    let becomes = match code >> 12 & 7 {
        0 => None,
        1 => Some(PieceType::Knight),
        2 => Some(PieceType::Bishop),
        3 => Some(PieceType::Rook),
        4 => Some(PieceType::Queen),
        _ => return None,
    };
    let legal = game.position().legal_moves();
    let exact = legal.iter().find(|m| (m.from(), m.to(), m.becomes()) == (from, to, becomes));
    let two_steps = || {
        legal.iter().find(|m| {
            let is_far = from.file().abs_diff(to.file()) == 2;
            is_far && m.is_castling() && (m.from(), m.castled_king()) == (from, to)
        })
    };
    exact.or_else(two_steps).copied()
}

#[cfg(test)]
mod tests;
