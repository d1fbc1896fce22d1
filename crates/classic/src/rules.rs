//! The two sets of rules that the search can play by.

use crate::Value;

/// What a search has to know about the rules beyond the legal moves.
pub trait Rules {
    /// Whether pawns take en passant.
    const EN_PASSANT: bool;
    /// Whether repetition, fifty quiet moves or bare kings end the game.
    const DRAWS: bool;

    /// What it is worth to be mated in a node, `ply` plies after the root with `depth` to go.
    fn mated(ply: usize, depth: u32) -> Value;

    /// The same value told from a position that many plies later: if mates are counted from the
    /// root, a table that is to serve every way to a position must count them from there.
    fn seen_later(value: Value, plies: i32) -> Value;

    /// Whether a value found with one depth to go may stand for another.
    fn may_replace(found: u32, wanted: u32) -> bool;
}

/// The rules of the HPC paper's program: no en passant, no draws but stalemate, and a mate is worth
/// more the more depth is left. A value depends on nothing but the position and the depth.
#[derive(Clone, Copy, Debug)]
pub struct PaperRules;

impl Rules for PaperRules {
    const EN_PASSANT: bool = false;
    const DRAWS: bool = false;

    #[inline]
    fn mated(_ply: usize, depth: u32) -> Value {
        Value(4 - depth as i32) - Value::INFINITE
    }

    #[inline]
    fn seen_later(value: Value, _plies: i32) -> Value {
        value
    }

    /// Only the same depth will do, so that a table never changes the result of a search.
    #[inline]
    fn may_replace(found: u32, wanted: u32) -> bool {
        found == wanted
    }
}

/// The laws of chess.
#[derive(Clone, Copy, Debug)]
pub struct ChessRules;

impl Rules for ChessRules {
    const EN_PASSANT: bool = true;
    const DRAWS: bool = true;

    #[inline]
    fn mated(ply: usize, _depth: u32) -> Value {
        Value::mated_after(ply)
    }

    #[inline]
    fn seen_later(value: Value, plies: i32) -> Value {
        if value >= Value::MATE_FROM {
            value + Value(plies)
        } else if value <= -Value::MATE_FROM {
            value - Value(plies)
        } else {
            value
        }
    }

    #[inline]
    fn may_replace(found: u32, wanted: u32) -> bool {
        found >= wanted
    }
}
