//! The numbering of threats in the `FullThreats` feature set.
//!
//! Rows are grouped by attacker, then victim, then the attacker's square, then the target among the
//! squares it would attack on an empty board.

use std::sync::LazyLock;

use tandem_chess::attacks::attacks;
use tandem_chess::{Bitboard, Color, Piece, PieceType, Square};

use super::threats::{Orientation, Threat};
use crate::architecture::THREAT_ROWS;

/// How many groups of victims an attacker of each kind has, both colours together.
const VICTIMS: [u32; 6] = [6, 12, 10, 10, 12, 8];

/// Stands in [`GROUPS`] where the network does not see the threat.
const UNSEEN: u32 = u32::MAX;

/// The group of a victim of each kind, for an attacker of each kind.
const GROUPS: [[u32; 6]; 6] = [
    [0, 1, UNSEEN, 2, UNSEEN, UNSEEN],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, UNSEEN, 4],
    [0, 1, 2, 3, UNSEEN, 4],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, UNSEEN, UNSEEN],
];

/// The first row of a pair of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatPair {
    /// The network does not see the threat.
    Unseen,
    /// The threat is mutual: only the one from the higher square counts.
    Mutual(u32),
    /// The threat counts by itself.
    Single(u32),
}

/// The part of the row number that depends on the attacker and its square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreatPlace {
    /// The squares that it attacks on an empty board.
    pub attacks: u64,
    /// The number of the first of them, counted over all squares.
    pub offset: u32,
}

/// How the threats of a network are numbered, for devices that list them by themselves. Pieces are
/// numbered by their [`slot`](Piece::slot), with the looking side's as White's.
#[derive(Clone, Debug)]
pub struct ThreatNumbering {
    /// By attacker, then victim.
    pub pairs: [[ThreatPair; Piece::SLOTS]; Piece::SLOTS],
    /// By attacker, then its square.
    pub places: [[ThreatPlace; 64]; Piece::SLOTS],
}

static TABLES: LazyLock<Box<ThreatNumbering>> = LazyLock::new(|| Box::new(ThreatNumbering::new()));

/// The row of a threat as a side sees it, if its network does.
#[inline]
pub(super) fn row(threat: Threat, orientation: Orientation) -> Option<u32> {
    let tables = &**TABLES;
    let flip = usize::from(orientation.flip & 63);
    let (from, to) = (threat.from.index() ^ flip, threat.to.index() ^ flip);
    let side = orientation.side.index();
    let (attacker, victim) = (threat.attacker.slot() ^ side, threat.victim.slot() ^ side);
    let base = match tables.pairs[attacker][victim] {
        ThreatPair::Unseen => return None,
        ThreatPair::Mutual(_) if from < to => return None,
        ThreatPair::Mutual(base) | ThreatPair::Single(base) => base,
    };
    let place = tables.places[attacker][from];
    Some(base + place.offset + (place.attacks & ((1 << to) - 1)).count_ones())
}

impl ThreatNumbering {
    /// The numbering of the `FullThreats` feature set.
    #[must_use]
    pub fn get() -> &'static Self {
        &TABLES
    }

    fn new() -> Self {
        let mut tables = Self {
            pairs: [[ThreatPair::Unseen; Piece::SLOTS]; Piece::SLOTS],
            places: [[ThreatPlace::default(); 64]; Piece::SLOTS],
        };
        let mut first = 0;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let attacker = Piece::new(color, kind);
                let count = tables.number_places(attacker);
                tables.number_pairs(attacker, first, count);
                first += VICTIMS[kind.index()] * count;
            }
        }
        assert_eq!(first as usize, THREAT_ROWS, "the numbering fills the network's table");
        tables
    }

    /// Numbers the attacks of a piece on an empty board, and counts them.
    fn number_places(&mut self, piece: Piece) -> u32 {
        let mut count = 0;
        for from in Square::all() {
            let is_pawn = piece.kind() == PieceType::Pawn;
            if is_pawn && matches!(from.rank(), 0 | 7) {
                continue;
            }
            let attacks = attacks(piece.kind(), piece.color(), from, Bitboard::EMPTY);
            self.places[piece.slot()][from.index()] =
                ThreatPlace { attacks: attacks.0, offset: count };
            count += attacks.count();
        }
        count
    }

    /// Numbers the victims of a piece whose rows begin at `first`, `count` for each.
    fn number_pairs(&mut self, attacker: Piece, first: u32, count: u32) {
        let kind = attacker.kind();
        for color in Color::ALL {
            for victim in PieceType::ALL {
                let group = GROUPS[kind.index()][victim.index()];
                if group == UNSEEN {
                    continue;
                }
                let group = color.index() as u32 * (VICTIMS[kind.index()] / 2) + group;
                let base = first + group * count;
                let is_mutual =
                    kind == victim && (color != attacker.color() || kind != PieceType::Pawn);
                self.pairs[attacker.slot()][Piece::new(color, victim).slot()] =
                    if is_mutual { ThreatPair::Mutual(base) } else { ThreatPair::Single(base) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_inside_the_table_and_has_one_meaning() {
        let orientation = Orientation { side: Color::White, flip: 0 };
        let mut seen = std::collections::HashSet::new();
        let pieces =
            || Color::ALL.into_iter().flat_map(|c| PieceType::ALL.map(|kind| Piece::new(c, kind)));
        for attacker in pieces() {
            for from in Square::all() {
                if attacker.kind() == PieceType::Pawn && matches!(from.rank(), 0 | 7) {
                    continue;
                }
                for to in attacks(attacker.kind(), attacker.color(), from, Bitboard::EMPTY) {
                    for victim in pieces() {
                        let threat = Threat { attacker, from, victim, to };
                        if let Some(row) = row(threat, orientation) {
                            assert!((row as usize) < THREAT_ROWS);
                            assert!(seen.insert(row), "row {row} has two meanings");
                        }
                    }
                }
            }
        }
    }
}
