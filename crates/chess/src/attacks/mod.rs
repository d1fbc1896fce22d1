//! Which squares a piece attacks.
//!
//! Leapers and lines come from small tables, sliding pieces from large ones that are indexed by
//! PEXT or by a magic multiplication. All tables are computed by the compiler from [`raycast`], so
//! that nothing has to be set up when the program starts.

mod leapers;
mod lines;
mod magics;
mod pext;
pub mod raycast;
mod sliders;

pub use leapers::{king_attacks, knight_attacks, pawn_attacks, pawns_attack};
pub use lines::{between, bishop_rays, line, rook_rays};
pub use sliders::{
    Indexing, bishop_attacks, force_indexing, indexing, queen_attacks, rook_attacks,
};

use crate::{Bitboard, Color, PieceType, Square};

/// The squares that a piece of that kind and colour on `from` attacks, given what is occupied.
#[inline]
#[must_use]
pub fn attacks(kind: PieceType, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn_attacks(color, from),
        PieceType::Knight => knight_attacks(from),
        PieceType::Bishop => bishop_attacks(from, occupied),
        PieceType::Rook => rook_attacks(from, occupied),
        PieceType::Queen => queen_attacks(from, occupied),
        PieceType::King => king_attacks(from),
    }
}
