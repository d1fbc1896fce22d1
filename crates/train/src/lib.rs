//! Training: data from games, and what is learnt from them.

pub mod data;
pub mod selfplay;
mod turnstile;
