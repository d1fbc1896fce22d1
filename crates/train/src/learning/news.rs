//! What is told while the loop goes on.

use crate::Progress;

/// What is told while the loop goes on.
#[derive(Debug)]
pub enum News<'a> {
    /// Something begins, in a few words.
    Begin(&'a str),
    /// Games are being played.
    Games {
        /// Games that are finished.
        games: u64,
        /// All games, or the most of a test.
        total: u64,
        /// Whether this is what an earlier run did.
        is_first: bool,
        /// How they stand.
        line: String,
    },
    /// A step of a training was taken.
    Learning(&'a Progress),
    /// What came of it.
    Done(&'a str),
}

/// Who hears of it.
pub type Listener<'a> = &'a mut dyn FnMut(News<'_>);
