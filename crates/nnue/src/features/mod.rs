//! What a network sees of a position, as numbers of rows of its feature transformer.
//!
//! Features are never listed move by move: they are the difference between two positions, whatever
//! led from one to the other. So one function serves a single move, several plies caught up at
//! once, and the refresh from a position seen long ago.

mod halfka;
mod threat_rows;
mod threats;

pub(crate) use halfka::View;
pub use threat_rows::{ThreatNumbering, ThreatPair, ThreatPlace};

use arrayvec::ArrayVec;
use tandem_chess::{Bitboard, Color, PieceType, Position};

use self::threat_rows::row;
use self::threats::Threat;
use crate::Architecture;
use crate::simd::Change;

/// A board has 64 squares, so no difference has more pieces.
const MAX_PIECES: usize = 64;
/// Each of 64 pieces attacks at most eight others.
const MAX_THREATS: usize = 64 * 8;

type Threats = ArrayVec<Threat, MAX_THREATS>;

/// What leads from one position to another, before it is looked at from a side.
#[derive(Default)]
pub(crate) struct Difference {
    /// The squares whose piece is not the same.
    squares: Bitboard,
    threats_removed: Threats,
    threats_added: Threats,
}

impl Difference {
    /// Finds what leads from `before`, or from an empty board, to `after`; threats only if the
    /// network sees them.
    pub fn find(&mut self, before: Option<&Position>, after: &Position, with_threats: bool) {
        self.squares = before.map_or(after.occupied(), |before| changed_squares(before, after));
        self.threats_removed.clear();
        self.threats_added.clear();
        match before {
            _ if !with_threats => {}
            None => threats::all(after, &mut self.threats_added),
            Some(before) => threats::difference(
                before,
                after,
                self.squares,
                &mut self.threats_removed,
                &mut self.threats_added,
            ),
        }
    }
}

/// The features of a position as a side sees it: for devices that add up rows by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Rows of the pieces' weights.
    pub pieces: Vec<u32>,
    /// Rows of the threats' weights; none where the network does not see them.
    pub threats: Vec<u32>,
}

impl Features {
    /// What a network of that shape sees of the position from that side.
    #[must_use]
    pub fn of(position: &Position, side: Color, architecture: Architecture) -> Self {
        let (mut difference, mut rows) = (Difference::default(), Rows::default());
        difference.find(None, position, architecture.threat_rows() > 0);
        rows.fill(&difference, None, position, View::of(position, side));
        Self { pieces: rows.added.to_vec(), threats: rows.threats_added.to_vec() }
    }
}

/// The squares on which two positions have different pieces.
#[inline]
fn changed_squares(before: &Position, after: &Position) -> Bitboard {
    let colors = Color::ALL.map(|color| before.color(color) ^ after.color(color));
    let kinds = PieceType::ALL.map(|kind| before.kind(kind) ^ after.kind(kind));
    kinds.into_iter().fold(colors[0] | colors[1], |all, kind| all | kind)
}

/// How many rows of pieces lead from one position to another.
#[inline]
pub(crate) fn distance(before: &Position, after: &Position) -> u32 {
    let changed = changed_squares(before, after);
    (changed & before.occupied()).count() + (changed & after.occupied()).count()
}

/// The rows that lead from one accumulator to another.
#[derive(Default)]
pub(crate) struct Rows {
    added: ArrayVec<u32, MAX_PIECES>,
    removed: ArrayVec<u32, MAX_PIECES>,
    threats_added: ArrayVec<u32, MAX_THREATS>,
    threats_removed: ArrayVec<u32, MAX_THREATS>,
}

impl Rows {
    /// The rows of the difference that leads from `before`, or from an empty board, to `after`, as
    /// a side sees it.
    pub fn fill(
        &mut self,
        difference: &Difference,
        before: Option<&Position>,
        after: &Position,
        view: View,
    ) {
        self.added.clear();
        self.removed.clear();
        self.threats_added.clear();
        self.threats_removed.clear();
        for square in difference.squares {
            if let Some(piece) = before.and_then(|position| position.piece_on(square)) {
                self.removed.push(view.row(piece, square));
            }
            if let Some(piece) = after.piece_on(square) {
                self.added.push(view.row(piece, square));
            }
        }
        let orientation = view.threat_orientation();
        for &threat in &difference.threats_removed {
            self.threats_removed.extend(row(threat, orientation));
        }
        for &threat in &difference.threats_added {
            self.threats_added.extend(row(threat, orientation));
        }
    }

    /// The rows as kernels take them.
    pub fn change(&self) -> Change<'_> {
        Change {
            added: &self.added,
            removed: &self.removed,
            threats_added: &self.threats_added,
            threats_removed: &self.threats_removed,
        }
    }

    /// How many rows of pieces and of threats there are.
    pub fn counts(&self) -> (usize, usize) {
        let pieces = self.added.len() + self.removed.len();
        (pieces, self.threats_added.len() + self.threats_removed.len())
    }
}
