//! Training data: games with scores and results, read from and written to several formats, filtered,
//! counted, looked at, and made from PGN collections.
//!
//! Everything is a [`Record`]: a game with a score for each position. Readers give records, writers
//! take them, and what lies between works on their positions, each a [`Sample`].

mod castling;
mod convert;
mod dedup;
mod filter;
mod formats;
mod io;
mod label;
mod pgn;
mod record;
mod sound;
mod stats;
#[cfg(test)]
pub(crate) mod testing;
mod view;
mod winrate;

pub use convert::{Conversion, Summary, convert};
pub use dedup::{Deduplicator, KeySet};
pub use filter::{Filter, FilterError, Reason, Reasons, Tally};
pub(crate) use formats::board;
pub use formats::{
    BinpackReader, BinpackWriter, BulletReader, BulletWriter, Format, FormatError, GamesReader,
    GamesWriter, Mark, Reader, Resumed, ViriReader, ViriWriter, Writer, append, create, open,
    resume,
};
pub use io::{Damage, DataError, Target};
pub use label::{
    LabelError, Labeller, NetworkLabeller, SearchLabeller, UciLabeller, UciTeacher, internal,
};
pub use pgn::{
    BrokenGame, Excursions, Import, ImportError, ImportReport, ImportSettings, PgnGame, PgnReader,
};
pub use record::{Branch, GameResult, IllegalRecord, Label, Ply, Record, Recorder, Sample};
pub use sound::SoundGames;
pub use stats::{Histogram, Statistics, plot};
pub use view::{Range, RangeError, view};
pub use winrate::{WinRateCounts, WinRateFit};
