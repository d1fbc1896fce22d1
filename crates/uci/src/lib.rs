//! The Universal Chess Interface: lines in, lines out, whatever anybody types.

mod command;
mod help;
mod output;
mod session;

pub use command::is_command;
pub use session::Session;
