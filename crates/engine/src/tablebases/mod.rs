//! Syzygy tablebases: which files there are, and what they say.

pub(crate) mod convert;
mod load;
mod rank;

use std::fmt;

use shakmaty::Chess;
use shakmaty_syzygy::{Dtz, MaybeRounded};
use tandem_chess::{Game, Position, RankedMoves, Tablebase, Wdl};

pub use load::TablebaseError;

/// A set of Syzygy tables.
pub struct Tablebases {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    wdl_files: usize,
    dtz_files: usize,
    damaged: Vec<String>,
}

impl Tablebases {
    /// The result of a position, the fifty-move rule considered, as if the last move had been a
    /// capture or a pawn's.
    #[must_use]
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let position = convert::position(position)?;
        self.tables.probe_wdl_after_zeroing(&position).ok().map(convert::wdl)
    }

    /// How many plies until a capture or pawn move that keeps the result: positive for a win,
    /// negative for a loss, beyond 100 where the fifty-move rule spoils it, 0 for a draw. It may be
    /// too small by one, as some tables hold full moves.
    #[must_use]
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        self.exact_dtz(position).map(|dtz| dtz.ignore_rounding().0)
    }

    /// What the tables say of a position, in words, if they cover it.
    #[must_use]
    pub fn describe(&self, position: &Position) -> Option<String> {
        let wdl = match self.probe_wdl(position)? {
            Wdl::Loss => "loss",
            Wdl::BlessedLoss => "loss, but for the fifty-move rule",
            Wdl::Draw => "draw",
            Wdl::CursedWin => "win, but for the fifty-move rule",
            Wdl::Win => "win",
        };
        let dtz = self.probe_dtz(position).filter(|&dtz| dtz != 0);
        let distance = dtz.map_or_else(String::new, |dtz| format!(" (DTZ {dtz})"));
        Some(format!("{wdl}{distance}"))
    }

    fn exact_dtz(&self, position: &Position) -> Option<MaybeRounded<Dtz>> {
        self.tables.probe_dtz(&convert::position(position)?).ok()
    }
}

impl Tablebase for Tablebases {
    fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        self.probe_wdl(position)
    }

    fn rank_moves(&self, game: &Game, fifty_moves: bool) -> Option<RankedMoves> {
        if game.position().castling_rooks().any() {
            return None;
        }
        rank::by_distance(self, game, fifty_moves)
            .or_else(|| rank::by_result(self, game, fifty_moves))
    }
}

/// A sentence on what there is.
impl fmt::Display for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wdl_files, dtz_files, .. } = self;
        let pieces = self.tables.max_pieces();
        write!(f, "found {wdl_files} WDL and {dtz_files} DTZ tables of up to {pieces} pieces")?;
        if *dtz_files == 0 {
            f.write_str("; without DTZ tables (.rtbz) a won endgame may take longer")?;
        }
        for file in &self.damaged {
            write!(f, "; {file} is damaged and left out")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases({self})")
    }
}

#[cfg(test)]
mod solver;
#[cfg(test)]
mod tests;
