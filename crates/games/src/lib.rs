//! Games between players, and what can be learnt from their results.
//!
//! A [`Tournament`](tournament::Tournament) plays [`PlayerSpec`]s against each other: our engine in
//! this process, or any UCI engine. Results go through [`statistics`] to a verdict. A
//! [`Suite`](suite::Suite) has the same players solve test positions. [`SelfPlay`](selfplay::SelfPlay) has
//! our engine play itself and keeps what it thought.

pub mod adjudication;
pub mod book;
pub mod conduct;
pub mod controller;
pub mod crew;
pub mod digest;
pub mod end;
pub mod epd;
pub mod frame;
pub mod hardware;
pub mod journal;
pub mod pace;
pub mod pgn;
mod phrases;
pub mod play;
pub mod player;
pub mod selfplay;
mod shard;
mod spec;
pub mod statistics;
pub mod suite;
pub mod tournament;
pub mod union;
pub mod visits;
pub mod words;

pub use shard::{Shard, ShardError};
pub use spec::{PlayerSpec, Program, Side, SpecError, tell_apart};
