//! What results say about strength, and how surely.

mod tally;

pub use tally::{GameScore, Tally, TallyError};
