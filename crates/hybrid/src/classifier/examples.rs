//! The examples of the hybrid paper's Table 7.

use super::PositionType;

/// A position whose type the paper states.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What the paper calls it.
    pub name: &'static str,
    /// The position.
    pub fen: &'static str,
    /// The type that the paper gives it.
    pub kind: PositionType,
    /// What Monte Carlo tree search gets, in hundredths.
    pub mcts_percent: u16,
}

/// Table 7. The paper does not say which position its central tension is: these six, of its benchmark
/// positions, have pawns in the centre that can take each other.
pub const TABLE_7: [Example; 9] = {
    use PositionType::{Balanced, HighlyStrategic, Strategic};
    [
        Example {
            name: "Starting position",
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            kind: HighlyStrategic,
            mcts_percent: 40,
        },
        Example {
            name: "Italian Game (move 4)",
            fen: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            kind: Strategic,
            mcts_percent: 32,
        },
        tension("r1bq1rk1/ppp1bppp/2n2n2/3pp3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7"),
        tension("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2NBPN2/PPP2PPP/R1BQ1RK1 w - - 0 8"),
        tension("r2qkb1r/pp1bpppp/2n2n2/2pp4/3P1B2/2N1PN2/PPP2PPP/R2QKB1R w KQkq - 0 6"),
        tension("rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4"),
        tension("rnbqkb1r/pp2pppp/2p2n2/3p4/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - 0 4"),
        tension("r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/2N1BN2/PPB1QPPP/R3R1K1 w - - 0 1"),
        Example {
            name: "KRK endgame",
            fen: "8/8/8/3k4/8/3K4/8/3R4 w - - 0 1",
            kind: Balanced,
            mcts_percent: 20,
        },
    ]
};

const fn tension(fen: &'static str) -> Example {
    Example { name: "Central tension", fen, kind: PositionType::Balanced, mcts_percent: 25 }
}
