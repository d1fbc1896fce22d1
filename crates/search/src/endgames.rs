//! What a user sets about tablebases.

use std::fmt;
use std::sync::Arc;

use tandem_chess::{Game, Position, RankedMoves, Tablebase, Wdl};

/// Which tablebases a search asks, and when.
#[derive(Clone)]
pub struct Endgames {
    /// The tables; none if nothing is loaded.
    pub tables: Option<Arc<dyn Tablebase>>,
    /// With as many pieces as are probed at most, only at this remaining depth or more. The search
    /// meets fewer pieces only after a capture, when the answer saves most, and asks at once.
    pub probe_depth: i32,
    /// The most pieces for which the tables are asked.
    pub probe_limit: u32,
    /// Whether a win that the fifty-move rule spoils is a draw.
    pub fifty_moves: bool,
}

impl Endgames {
    /// The most pieces for which an answer may be had; 0 without tables.
    #[must_use]
    pub fn max_pieces(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.max_pieces().min(self.probe_limit))
    }

    /// Whether the tables may know a position. No table knows castling.
    #[must_use]
    pub fn may_cover(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_pieces() && position.castling_rooks().is_empty()
    }

    /// The result of a position in which the last move was a capture or a pawn's, if it is known.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        let tables = self.tables.as_ref().filter(|_| self.may_cover(position))?;
        let wdl = tables.probe_wdl(position)?;
        Some(if self.fifty_moves { wdl } else { wdl.without_fifty_moves() })
    }

    /// The legal moves of a game's position in the order of the tables, if they cover it.
    #[must_use]
    pub fn rank_moves(&self, game: &Game) -> Option<RankedMoves> {
        let tables = self.tables.as_ref().filter(|_| self.may_cover(game.position()))?;
        tables.rank_moves(game, self.fifty_moves)
    }
}

impl Default for Endgames {
    fn default() -> Self {
        Self { tables: None, probe_depth: 1, probe_limit: 7, fifty_moves: true }
    }
}

/// The same tables, not equal ones, are the same setting.
impl PartialEq for Endgames {
    fn eq(&self, other: &Self) -> bool {
        let same_tables = match (&self.tables, &other.tables) {
            (Some(ours), Some(theirs)) => Arc::ptr_eq(ours, theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        same_tables
            && (self.probe_depth, self.probe_limit, self.fifty_moves)
                == (other.probe_depth, other.probe_limit, other.fifty_moves)
    }
}

impl Eq for Endgames {}

impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endgames")
            .field("max_pieces", &self.max_pieces())
            .field("probe_depth", &self.probe_depth)
            .field("probe_limit", &self.probe_limit)
            .field("fifty_moves", &self.fifty_moves)
            .finish_non_exhaustive()
    }
}
