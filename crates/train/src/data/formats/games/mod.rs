//! Tandem's own format: games in frames with a checksum.
//!
//! A file is a sequence of frames and nothing else, so files can be joined by `cat`. A frame is the
//! marker `TDG1`, the length of its payload and the payload's CRC-32 (both 32 bits), and the payload.
//! All integers are little-endian. The first byte of a payload says what it is: a game, a note or a mark.
//! `docs/training-data.md` describes every byte.

mod payload;
mod reader;
mod writer;

pub use payload::Mark;
pub use reader::GamesReader;
pub(crate) use reader::sound_length;
pub use writer::GamesWriter;

/// Begins every frame.
const MARKER: tandem_games::frame::Marker = *b"TDG1";
