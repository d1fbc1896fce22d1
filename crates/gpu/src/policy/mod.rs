//! The policy network on the device: judging the legal moves of a batch beside its values.
//!
//! The host lists what it alone knows: the rows that a position has, and the slots of its legal moves, for which
//! it looks at exchanges ([`Questions`]). The device adds up the rows and computes the outputs of those slots.

mod model;
mod questions;
mod slot;

pub use self::model::PolicyModel;
pub(crate) use self::questions::{Asked, INPUT_WORDS, MOST_MOVES, Questions, SLOT_BITS};
pub(crate) use self::slot::PolicySlot;
