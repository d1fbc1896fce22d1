//! Training data: games with scores and results, read from and written to several formats.
//!
//! Everything is a [`Record`]: a game with a score for each position. Readers give records, writers
//! take them, and what lies between works on their positions, each a [`Sample`].

mod formats;
mod io;
mod record;
#[cfg(test)]
mod testing;

pub use formats::{
    BinpackReader, BinpackWriter, BulletReader, BulletWriter, Format, FormatError, GamesReader,
    GamesWriter, Reader, ViriReader, ViriWriter, Writer, append, create, open,
};
pub use io::{Damage, DataError, Target};
pub use record::{Branch, GameResult, IllegalRecord, Label, Ply, Record, Recorder, Sample};
