//! Positions for the tests of this crate.

use tandem_chess::{Game, Position};

/// Games of up to 80 random moves from the start, always the same ones for a seed. None is over.
pub fn random_games(count: usize, seed: u64) -> Vec<Game> {
    let mut random = SplitMix(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let mut game = Game::default();
        for _ in 0..random.below(80) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            game.play(m).expect("generated moves are legal");
        }
        if game.outcome().is_none() {
            games.push(game);
        }
    }
    games
}

/// The last positions of [`random_games`].
pub fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let games = random_games(count, seed);
    games.iter().map(|game| *game.position()).collect()
}

/// Positions full of promotions, castling, en passant, checks and pins.
pub fn busy_positions() -> Vec<Position> {
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    ]
    .into_iter()
    .map(|fen| fen.parse().expect("a legal position"))
    .collect()
}

struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
