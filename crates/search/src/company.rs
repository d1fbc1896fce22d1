//! What a search has to do with another one that looks at the same position.

use crate::{Recall, Slate, Turns};

/// The company that a search is in. Alone by default.
#[derive(Clone, Copy, Default)]
pub struct Company<'a> {
    /// Where both write what they think of the root's moves.
    pub slate: Option<&'a Slate>,
    /// What the other one remembers.
    pub recall: Option<&'a dyn Recall>,
    /// With whom the last of its threads takes turns.
    pub turns: Option<&'a Turns>,
    /// How many of its threads take part, if not all.
    pub threads: Option<usize>,
    /// The plies that it looks at before time alone ends it.
    pub least_depth: i32,
}

impl Company<'_> {
    /// How many of so many threads take part: one at the least.
    #[must_use]
    pub fn crew(&self, threads: usize) -> usize {
        self.threads.unwrap_or(threads).clamp(1, threads.max(1))
    }
}
