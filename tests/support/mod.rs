//! What the test programs share.
#![allow(dead_code, reason = "each test program uses its own part")]

pub mod files;
pub mod info;

pub mod program;
pub mod random;
pub mod referee;
pub mod shell;

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A middlegame with every kind of move in it.
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// How many times as long the random tests run: `TANDEM_SOAK=100 cargo nextest run` looks for what
/// the short ones did not meet.
pub fn soak() -> u64 {
    std::env::var("TANDEM_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
