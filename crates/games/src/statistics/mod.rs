//! What results say about strength, and how surely.
//!
//! A [`Tally`] counts the games of one player against another. It knows its Elo, normalised Elo and
//! likelihood of superiority ([`Summary`] gathers them for a report); an [`Sprt`] decides from it
//! whether a match may stop; [`ratings`] places several players on one scale.
//!
//! Two games from the same opening with colours exchanged depend on each other, so where there are
//! such pairs, every figure comes from the scores of pairs rather than of games.

mod elo;
mod likelihood;
mod ratings;
mod sprt;
mod tally;

#[cfg(test)]
mod published;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod simulation;

pub use elo::{Estimate, Summary, elo_of_score, score_of_elo};
pub use ratings::{Pairing, Rating, RatingError, ratings};
pub use sprt::{EloModel, Sprt, SprtError, SprtReport, Verdict};
pub use tally::{GameScore, Tally, TallyError};
