//! The file formats, each with a reader and a writer.

mod binpack;
pub(crate) mod board;
mod bullet;
mod games;
mod moves;
mod open;
mod viri;

pub use binpack::{BinpackReader, BinpackWriter};
pub use bullet::{BulletReader, BulletWriter};
pub use games::{GamesReader, GamesWriter, Mark};
pub use open::{Format, FormatError, Resumed, append, create, open, resume};
pub use viri::{ViriReader, ViriWriter};

use super::{DataError, Record};

/// Gives the games of a file, one after another.
pub trait Reader: Send {
    /// The next game; none at the end.
    ///
    /// # Errors
    /// After [`DataError::Damage`] that says where sound data begin again the next call goes on
    /// there; after any other error it answers that there are no more.
    fn next_game(&mut self) -> Result<Option<Record>, DataError>;

    /// How many bytes have been read.
    fn offset(&self) -> u64;

    /// What the file says about itself, as far as it has been read.
    fn notes(&self) -> &[String] {
        &[]
    }
}

/// Takes games into a file.
pub trait Writer: Send {
    /// Adds a game.
    ///
    /// # Errors
    /// The format cannot carry the game, which is then not in the file; or the system cannot write,
    /// and the file ends with a whole game.
    fn write(&mut self, record: &Record) -> Result<(), DataError>;

    /// Adds a sentence about the file, if the format has a place for it.
    ///
    /// # Errors
    /// The system cannot write.
    fn note(&mut self, _text: &str) -> Result<(), DataError> {
        Ok(())
    }

    /// Notes how far a source has been worked through, if the format has a place for it.
    ///
    /// # Errors
    /// The system cannot write.
    fn mark(&mut self, _mark: &Mark) -> Result<(), DataError> {
        Ok(())
    }

    /// Hands what was gathered to the system, so that the end of this process loses nothing; a
    /// format of chunks keeps the one that is not full. Called where games take long to make: small
    /// pieces cost time.
    ///
    /// # Errors
    /// The system cannot write, and the file ends with a whole game.
    fn hand_over(&mut self) -> Result<(), DataError>;

    /// Puts everything in the file for good.
    ///
    /// # Errors
    /// The system cannot write.
    fn finish(&mut self) -> Result<(), DataError>;

    /// How many bytes there are so far.
    fn bytes(&self) -> u64;

    /// What was left out because the format has no place for it, a sentence each.
    fn losses(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A sentence about positions that were left out, if any were.
fn lost(count: u64, why: &str) -> Vec<String> {
    if count == 0 { Vec::new() } else { vec![format!("{count} positions left out: {why}")] }
}
