//! Tablebases in the search: what is known about an endgame need not be searched.

use std::sync::atomic::{AtomicU64, Ordering};

use tandem_chess::{Game, Position, RankedMoves, Wdl};
use tandem_search::{Endgames, Evaluate};

use crate::node::{Known, Node};
use crate::table::{Bound, Entry};
use crate::value::{self, DRAW, MAX_PLY, NONE, Value, tablebase_win};
use crate::worker::{Shared, Worker};

/// The tablebases as one search uses them.
pub struct Tables<'a> {
    settings: &'a Endgames,
    /// The most pieces for which the search asks; 0 if it does not ask at all.
    max_pieces: u32,
    hits: AtomicU64,
}

impl<'a> Tables<'a> {
    /// Tables for a search of that game, and the root's moves in their order if they cover it.
    ///
    /// From a covered root the ranks lead to the result by themselves. The search then only has to
    /// choose among moves that keep it, for which it needs to see mates rather than more wins.
    pub fn new(settings: &'a Endgames, game: &Game) -> (Self, Option<RankedMoves>) {
        let ranked = settings.rank_moves(game);
        let is_settled = ranked.as_ref().is_some_and(|ranked| {
            ranked.makes_progress || ranked.moves.first().is_none_or(|best| best.wdl <= Wdl::Draw)
        });
        let max_pieces = if is_settled { 0 } else { settings.max_pieces() };
        let hits = AtomicU64::new(ranked.as_ref().map_or(0, |ranked| ranked.moves.len() as u64));
        (Self { settings, max_pieces, hits }, ranked)
    }

    /// For a search that asks no tables.
    pub const fn unused(settings: &'a Endgames) -> Self {
        Self { settings, max_pieces: 0, hits: AtomicU64::new(0) }
    }

    /// How many answers were had.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The result of a position, if it is worth asking for at that depth and known. The tables hold
    /// for a half-move clock of zero only.
    #[inline]
    fn probe(&self, position: &Position, depth: i32) -> Option<Wdl> {
        let pieces = position.occupied().count();
        if pieces > self.max_pieces
            || position.halfmove_clock() != 0
            || (pieces == self.settings.probe_limit && depth < self.settings.probe_depth)
        {
            return None;
        }
        let wdl = self.settings.probe(position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(wdl)
    }
}

/// The score of a result that many plies from the root, and how it is meant: a win is at least that
/// good, as there may be a mate to be found.
const fn score(wdl: Wdl, ply: usize) -> (Value, Bound) {
    match wdl {
        Wdl::Win => (tablebase_win(ply), Bound::Lower),
        Wdl::Loss => (-tablebase_win(ply), Bound::Upper),
        // Draws, but not equally promising against an opponent who errs.
        close => (DRAW + 2 * close as Value, Bound::Exact),
    }
}

/// The score that is shown for a root move of that result.
pub const fn root_score(wdl: Wdl) -> Value {
    score(wdl, 0).0
}

impl<E: Evaluate> Worker<E> {
    /// The tables' verdict, where it decides the node. On the principal variation a win or loss that
    /// does not is a bound for what the moves can bring.
    pub fn tablebase_cutoff<N: Node>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        ply: usize,
        known: &mut Known,
    ) -> Option<Value> {
        if N::ROOT || known.excluded.is_some() {
            return None;
        }
        let wdl = shared.tables.probe(position, known.depth)?;
        self.heed_clock(shared);
        let (value, bound) = score(wdl, ply);
        let decides = match bound {
            Bound::Lower => value >= known.beta,
            Bound::Upper => value <= known.alpha,
            _ => true,
        };
        if decides {
            let entry = Entry {
                best: None,
                value: value::to_table(value, ply),
                eval: NONE,
                // Deeper searches of the same position need not ask again.
                depth: (known.depth + 6).min(MAX_PLY as i32 - 1),
                bound,
                pv: known.was_pv,
            };
            shared.table.store(position.key(), entry);
            return Some(value);
        }
        if N::PV && bound == Bound::Lower {
            known.floor = value;
            known.alpha = known.alpha.max(value);
        } else if N::PV {
            known.ceiling = value;
        }
        None
    }
}
