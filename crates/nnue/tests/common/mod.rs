//! What the tests of this crate share.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::PathBuf;

use tandem_chess::Position;

/// The threat network of Stockfish 18.
pub const THREATS: &str = "nn-c288c895ea92";
/// The small network of Stockfish 18.
pub const SMALL: &str = "nn-37f18f62d772";
/// The network of Stockfish 15.1.
pub const L1_1024: &str = "nn-ad9b42354671";
/// The network of Stockfish 16.
pub const L1_1536: &str = "nn-5af11540bbfe";
/// All four.
pub const NAMES: [&str; 4] = [SMALL, L1_1024, L1_1536, THREATS];

/// Where a real network lies. The tests cannot do without: a missing one is a failure.
pub fn path(name: &str) -> PathBuf {
    let path = folder().join(format!("{name}.nnue"));
    assert!(path.exists(), "{} is missing: run scripts/networks", path.display());
    path
}

fn folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || {
        variable("XDG_CACHE_HOME")
            .or_else(|| Some(variable("HOME")?.join(".cache")))
            .expect("HOME is set")
            .join("tandem/nets")
    };
    variable("TANDEM_NETS").unwrap_or_else(cache)
}

/// A small generator of test values.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of the 960 start positions.
    pub fn chess960_position(&mut self) -> Position {
        let mut rank = ['.'; 8];
        rank[2 * self.below(4)] = 'b';
        rank[2 * self.below(4) + 1] = 'b';
        for piece in ['q', 'n', 'n'] {
            let free: Vec<_> = (0..8).filter(|&file| rank[file] == '.').collect();
            rank[free[self.below(free.len())]] = piece;
        }
        let free: Vec<_> = (0..8).filter(|&file| rank[file] == '.').collect();
        for (file, piece) in free.into_iter().zip(['r', 'k', 'r']) {
            rank[file] = piece;
        }
        let black: String = rank.iter().collect();
        let white = black.to_uppercase();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
        fen.parse().expect("a start position is legal")
    }
}
