//! The local page: analyse and play in a browser.
//!
//! A [`Server`] listens on the loopback interface alone and serves one page, which lies in the program, and one
//! websocket. Each websocket is a session with an engine of its own: requests come as JSON, one a message, and
//! so do the answers ([`messages`]). What comes from outside is believed only after it was looked at: who asks
//! ([`guard`]), how much, how often, and whether it makes sense.

mod assets;
pub mod guard;
mod listener;
mod live;
pub mod messages;
mod outbox;
mod rate;
mod server;
mod session;
mod socket;
mod token;

pub use server::{ServeError, Server, Settings};
pub use token::{Token, TokenError};
