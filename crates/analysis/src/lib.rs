//! Analysing positions and games.
//!
//! A [`Snapshot`] gathers what a search reports about a position, and says it as a [`record`] that programs
//! read. A [`Pool`] of engines looks at several positions at once. A [`Session`](session::Session) answers
//! questions as JSON lines, a [`review`] finds the mistakes of a game, and [`pgn`] reads games and writes them
//! with what was found.

pub mod defaults;
pub mod pgn;
pub mod pool;
pub mod record;
pub mod request;
pub mod review;
pub mod session;
pub mod snapshot;
pub mod study;

pub use defaults::Defaults;
pub use pool::{Job, Pool, PoolSettings, Ticket, Update};
pub use snapshot::Snapshot;
