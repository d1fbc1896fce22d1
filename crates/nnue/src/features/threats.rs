//! Attacks of pieces on pieces, and how a change of the board changes them.

use tandem_chess::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks,
};
use tandem_chess::{Bitboard, Color, Piece, PieceType, Position, Square};

use super::Threats;

/// A piece attacks another, of either colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Threat {
    pub attacker: Piece,
    pub from: Square,
    pub victim: Piece,
    pub to: Square,
}

/// How a side sees attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation {
    /// The side that looks: its pieces count as the first colour.
    pub side: Color,
    /// What turns a square into the side's own.
    pub flip: u8,
}

/// What can be seen from a square along lines.
#[derive(Clone, Copy)]
struct Lines {
    straight: Bitboard,
    diagonal: Bitboard,
}

impl Lines {
    #[inline]
    fn from(square: Square, occupied: Bitboard) -> Self {
        Self {
            straight: rook_attacks(square, occupied),
            diagonal: bishop_attacks(square, occupied),
        }
    }

    /// What a piece attacks from there.
    #[inline]
    fn attacks(self, piece: Piece, from: Square) -> Bitboard {
        match piece.kind() {
            PieceType::Pawn => pawn_attacks(piece.color(), from),
            PieceType::Knight => knight_attacks(from),
            PieceType::Bishop => self.diagonal,
            PieceType::Rook => self.straight,
            PieceType::Queen => self.straight | self.diagonal,
            PieceType::King => king_attacks(from),
        }
    }

    /// The rooks, bishops and queens that see the square.
    #[inline]
    fn sliders(self, position: &Position) -> Bitboard {
        let queens = position.kind(PieceType::Queen);
        (self.straight & (position.kind(PieceType::Rook) | queens))
            | (self.diagonal & (position.kind(PieceType::Bishop) | queens))
    }

    /// Everything that attacks the square.
    #[inline]
    fn attackers(self, position: &Position, square: Square) -> Bitboard {
        let pawns =
            |color: Color| pawn_attacks(!color, square) & position.pieces(color, PieceType::Pawn);
        self.sliders(position)
            | pawns(Color::White)
            | pawns(Color::Black)
            | (knight_attacks(square) & position.kind(PieceType::Knight))
            | (king_attacks(square) & position.kind(PieceType::King))
    }
}

/// Lists every threat of a position.
pub(super) fn all(position: &Position, found: &mut Threats) {
    for from in position.occupied() {
        if let Some(attacker) = position.piece_on(from) {
            let lines = Lines::from(from, position.occupied());
            let targets = lines.attacks(attacker, from) & position.occupied();
            found.extend(targets.into_iter().filter_map(|to| threat(position, from, to)));
        }
    }
}

/// Lists the threats that only `before` has and those that only `after` has, where the two differ
/// on the squares of `changed`.
pub(super) fn difference(
    before: &Position,
    after: &Position,
    changed: Bitboard,
    removed: &mut Threats,
    added: &mut Threats,
) {
    let vacated = before.occupied() - after.occupied();
    let filled = after.occupied() - before.occupied();
    for square in changed {
        let lines = Lines::from(square, before.occupied());
        if let Some(piece) = before.piece_on(square) {
            contacts(before, piece, square, lines, changed, removed);
        }
        if filled.contains(square) {
            through(before, square, lines, changed, filled, removed);
        }
        let lines = Lines::from(square, after.occupied());
        if let Some(piece) = after.piece_on(square) {
            contacts(after, piece, square, lines, changed, added);
        }
        if vacated.contains(square) {
            through(after, square, lines, changed, vacated, added);
        }
    }
}

/// Lists the threats from and to a piece on a changed square. Those between two changed squares
/// are found once, from the attacker's.
#[inline]
fn contacts(
    position: &Position,
    piece: Piece,
    square: Square,
    lines: Lines,
    changed: Bitboard,
    found: &mut Threats,
) {
    for to in lines.attacks(piece, square) & position.occupied() {
        found.extend(threat(position, square, to));
    }
    for from in lines.attackers(position, square) - changed {
        found.extend(threat(position, from, square));
    }
}

/// Lists the threats between unchanged pieces that pass over a square which is empty in this
/// position and occupied in the other. Where several such squares lie on the way, the one nearest
/// to the attacker counts.
#[inline]
fn through(
    position: &Position,
    square: Square,
    lines: Lines,
    changed: Bitboard,
    openings: Bitboard,
    found: &mut Threats,
) {
    let seen = (lines.straight | lines.diagonal) & (position.occupied() - changed);
    for from in lines.sliders(position) & seen {
        let to = (seen & line(from, square)) - from.into();
        if to.any() && (between(from, square) & openings).is_empty() {
            found.extend(threat(position, from, to.first()));
        }
    }
}

/// The attack from one occupied square to another.
#[inline]
fn threat(position: &Position, from: Square, to: Square) -> Option<Threat> {
    let (attacker, victim) = (position.piece_on(from)?, position.piece_on(to)?);
    Some(Threat { attacker, from, victim, to })
}
