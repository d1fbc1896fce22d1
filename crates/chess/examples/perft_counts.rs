//! Fills perft data files with counts taken from `shakmaty`, so that the suite never judges our
//! move generator by itself:
//!
//! ```text
//! cargo run --release -p tandem-chess --example perft_counts -- NODES FILE...
//! ```
//!
//! Each line of a file is a comment (`#`), empty, or a position in X-FEN or Shredder-FEN followed
//! by ` ;D1 count ;D2 count …`. The counts are written anew in place, to the last depth that is
//! expected to stay below `NODES`: 40 million for most files, 800 million for the standard positions.

use std::error::Error;
use std::fmt::Write as _;
use std::{env, fs};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, perft};

/// Beyond this depth small endgames repeat what shallower ones have shown.
const MAX_DEPTH: u32 = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let nodes = arguments.next().ok_or("usage: perft_counts NODES FILE...")?.parse()?;
    for path in arguments {
        let mut filled = String::new();
        for (number, line) in fs::read_to_string(&path)?.lines().enumerate() {
            filled += &fill(line, nodes)
                .map_err(|error| format!("{path}, line {}: {error}", number + 1))?;
            filled.push('\n');
        }
        fs::write(&path, filled)?;
    }
    Ok(())
}

/// The line with its counts replaced by fresh ones.
fn fill(line: &str, nodes: u64) -> Result<String, Box<dyn Error>> {
    let fen = line.split(';').next().unwrap_or_default().trim();
    if fen.is_empty() || fen.starts_with('#') {
        return Ok(line.to_owned());
    }
    let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Chess960)?;
    let mut filled = fen.to_owned();
    let mut previous = 1;
    for depth in 1..=MAX_DEPTH {
        let count = perft(&position, depth);
        write!(filled, " ;D{depth} {count}")?;
        // The next depth grows at least as much as this one did, as a rule.
        let expected = count.saturating_mul(count.div_ceil(previous).max(2));
        if count == 0 || expected > nodes {
            break;
        }
        previous = count;
    }
    Ok(filled)
}
