//! `tandem analyze` from outside: a position, questions in JSON against their schema, and whole games.

#[path = "../support/mod.rs"]
mod support;

mod conversation;
mod hostile;
mod json;
mod pgn;
mod position;
mod schema;
