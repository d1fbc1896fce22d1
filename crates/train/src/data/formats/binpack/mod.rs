//! Stockfish's binpack: chains of positions, each a position and the moves that follow it.
//!
//! A file is a sequence of chunks: `BINP`, the length of the chunk, and its chains. A chain is a stem
//! of 32 bytes (position, move, score, ply and result, fifty-move counter; big-endian), the number of
//! moves that follow, and a bit stream with a move and a change of score for each. A move is stored as
//! the number of the piece among those of its side and the number of the target among those that it
//! can reach.

mod bits;
mod chain;
mod reader;
mod stem;
mod targets;
mod writer;

pub use reader::BinpackReader;
pub use writer::BinpackWriter;

/// Begins every chunk.
const MAGIC: [u8; 4] = *b"BINP";
/// Magic and length.
const HEADER: usize = 8;
/// What the format's own tools accept.
const MAX_CHUNK: usize = 100 << 20;
/// The score that Stockfish's tools give to positions without one.
const NO_SCORE: i16 = 32_002;

/// Signed numbers as unsigned ones, small ones small: 0, -1, 1, -2, …
const fn zigzag(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

const fn unzigzag(bits: u16) -> i16 {
    (bits >> 1) as i16 ^ -((bits & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_numbers_come_back() {
        for value in i16::MIN..=i16::MAX {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }
}
