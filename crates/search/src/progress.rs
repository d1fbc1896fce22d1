//! What a search reports.

use std::sync::Arc;
use std::time::Duration;

use tandem_chess::Move;

use crate::{Deliberation, Side};

/// An evaluation as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn for the side to move.
    Centipawns(i32),
    /// Plies to mate: positive if the side to move mates, negative if it is mated, 0 if it is mate.
    Mate(i32),
}

impl Score {
    /// Moves to mate as UCI counts them; 0 for a side that is mated already.
    #[must_use]
    pub const fn mate_in_moves(plies: i32) -> i32 {
        if plies > 0 { (plies + 1) / 2 } else { plies / 2 }
    }
}

/// How a reported score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    /// The search's value.
    #[default]
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// What a search that counts visits knows of one move, for the side that has the choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveReport {
    /// The move; none for the position itself.
    pub m: Option<Move>,
    /// How often it was tried.
    pub visits: u64,
    /// How likely it seemed before it was tried.
    pub prior: f32,
    /// The chance to win less the chance to lose.
    pub value: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// Plies until the game ends, as far as one can tell.
    pub plies: f32,
    /// What exploration adds to the value when the next move to try is chosen.
    pub exploration: f32,
    /// What the evaluation said before anything was tried, if it is still known.
    pub evaluation: Option<f32>,
    /// Plies to a proven mate, as in [`Score::Mate`].
    pub mate: Option<i32>,
}

/// What a search that proves says of one move, for the side that has the choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedMove {
    /// The move.
    pub m: Move,
    /// Its score.
    pub score: Score,
    /// How that relates to the true one: of most moves it is only known that they are no better.
    pub bound: Bound,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// The part of its work that went into the move, from 0 to 1.
    pub effort: f32,
}

/// One line of thought of a running search.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Which kind of search says so. Of two in tandem both report if [`Settings::live`](crate::Settings) asks
    /// for it; otherwise the proving one does, and whose move is played has the last word.
    pub side: Side,
    /// Completed depth in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Which line this is, from 1, if several are asked for.
    pub line: usize,
    /// The evaluation for the side to move.
    pub score: Score,
    /// How the score is meant.
    pub bound: Bound,
    /// Win, draw and loss in thousandths for the side to move, if known.
    pub wdl: Option<[u16; 3]>,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tbhits: u64,
    /// The expected continuation.
    pub pv: Vec<Move>,
    /// How every move stands, the least visited first and the position itself last; empty unless asked
    /// for.
    pub moves: Vec<MoveReport>,
    /// What the proving search says of the moves that it has looked at; empty unless asked for.
    pub judged: Vec<JudgedMove>,
    /// Sentences for the user about the search itself: that a device was lost, say. Each is told once.
    pub notices: Vec<String>,
    /// How two searches came to their choice: with the last word of such a search, and before it where that
    /// was asked for.
    pub deliberation: Option<Arc<Deliberation>>,
}

impl Progress {
    /// The only report about a game that is over.
    #[must_use]
    pub fn end(score: Score) -> Self {
        Self {
            side: Side::Prover,
            depth: 0,
            seldepth: 0,
            line: 1,
            score,
            bound: Bound::Exact,
            wdl: Some(if score == Score::Mate(0) { [0, 0, 1000] } else { [0, 1000, 0] }),
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: Vec::new(),
            moves: Vec::new(),
            judged: Vec::new(),
            notices: Vec::new(),
            deliberation: None,
        }
    }
}

impl Progress {
    /// The only report about a move that was not searched for but taken from a book.
    #[must_use]
    pub fn book(m: Move) -> Self {
        Self { depth: 1, seldepth: 1, pv: vec![m], ..Self::end(Score::Centipawns(0)) }
    }
}

/// What a search decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer it expects, which may be pondered on.
    pub ponder: Option<Move>,
}
