//! Hearing a player think.

use std::time::Duration;

use tandem_chess::Move;

use super::Thought;

/// How often a listener is asked whether it has heard enough while the player is silent.
pub const ATTENTION: Duration = Duration::from_millis(50);

/// A best move that a player announces while it thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The move.
    pub m: Move,
    /// What the player has said so far. Scores that are only bounds are left out.
    pub thought: Thought,
    /// Since the question.
    pub time: Duration,
}

/// Whoever wants to follow a player's thoughts.
pub trait Listener {
    /// Hears an announcement.
    fn hear(&mut self, announcement: &Announcement);

    /// Whether the player may stop and answer at once. Asked several times a second.
    fn has_enough(&mut self) -> bool;
}
