//! What is said about a position, as programs read it.
//!
//! Scores, chances and values are those of the side to move in the position that was asked about. Chances of
//! [`Wdl`] are in thousandths, every other share goes from 0 to 1, and values, which are the chance to win
//! less the chance to lose, from -1 to 1.

use serde::Serialize;
use serde_json::{Map, Value};
use tandem_engine::Score;

/// An evaluation: hundredths of a pawn, or moves to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ScoreRecord {
    /// Hundredths of a pawn; 100 is an even chance to win.
    Cp(i32),
    /// Moves to mate: negative if the side to move is mated, 0 if it is mate.
    Mate(i32),
}

impl From<Score> for ScoreRecord {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(value) => Self::Cp(value),
            Score::Mate(plies) => Self::Mate(Score::mate_in_moves(plies)),
        }
    }
}

/// Chances to win, draw and lose in thousandths; they add up.
pub type Wdl = [u16; 3];

/// Which search says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchName {
    /// The one that proves.
    AlphaBeta,
    /// The one that explores.
    Mcts,
}

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundRecord {
    /// It is the search's value.
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// One answer, or one partial report, about one position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// What the question was called.
    pub id: String,
    /// How many moves of the question were played before the position.
    pub turn_number: usize,
    /// Whether more is to come.
    pub is_during_search: bool,
    /// What was found.
    #[serde(flatten)]
    pub analysis: Analysis,
}

/// What was found about one position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// The position.
    pub fen: String,
    /// `white` or `black`.
    pub side_to_move: &'static str,
    /// `alphabeta`, `mcts` or `hybrid`.
    pub mode: &'static str,
    /// The move to play, once it is decided; none where the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The answer that it expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ponder: Option<String>,
    /// How the game has ended, where it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_over: Option<String>,
    /// The position as a whole; none before the first report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Root>,
    /// The best lines of each search.
    pub lines: Vec<Line>,
    /// Every move, the best first.
    pub moves: Vec<MoveRecord>,
    /// What kind of position it is.
    #[serde(rename = "type")]
    pub kind: TypeRecord,
    /// How two searches came to their choice, in tandem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictRecord>,
    /// Sentences about the search itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// The position as a whole.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    /// Its score: that of the best line.
    pub score: ScoreRecord,
    /// How the score is meant.
    pub bound: BoundRecord,
    /// Its chances, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// Which search says so.
    pub search: SearchName,
    /// Plies completed.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Visits of the exploring search, where it was at work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// What they brought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The chance of a draw that they brought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<f64>,
    /// Positions visited by both searches.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time_ms: u64,
    /// Positions a second.
    pub nps: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tbhits: u64,
}

/// A line of thought.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// Whose it is.
    pub search: SearchName,
    /// Its rank among the lines of that search, from 1.
    pub rank: usize,
    /// Its score.
    pub score: ScoreRecord,
    /// How the score is meant.
    pub bound: BoundRecord,
    /// Its chances, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// Plies completed.
    pub depth: u32,
    /// The moves as UCI writes them.
    pub pv: Vec<String>,
    /// The moves as people write them.
    pub san: Vec<String>,
}

/// What is known of one move.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveRecord {
    /// The move as UCI writes it.
    #[serde(rename = "move")]
    pub m: String,
    /// The move as people write it.
    pub san: String,
    /// Its rank, from 0.
    pub order: usize,
    /// How often the exploring search tried it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// How likely it seemed before it was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// What the visits brought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The chance of a draw that they brought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<f64>,
    /// Moves to a mate that the exploring search has proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// What the proving search says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alphabeta: Option<Judgement>,
    /// The lines that begin with it, of either search.
    pub pvs: Pvs,
}

/// What the proving search says of a move.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// Its score.
    pub score: ScoreRecord,
    /// How the score is meant; of most moves it is only known that they are no better.
    pub bound: BoundRecord,
    /// Plies looked at.
    pub depth: u32,
    /// The part of the work that went into the move.
    pub effort: f64,
}

/// The lines of both searches that begin with a move, where there are any.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Pvs {
    /// That of the proving search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alphabeta: Option<Vec<String>>,
    /// That of the exploring search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcts: Option<Vec<String>>,
}

/// What kind of position it is, and why.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeRecord {
    /// From `highly tactical` to `highly strategic`.
    pub name: &'static str,
    /// What speaks for calculation.
    pub tactical: f64,
    /// What speaks for planning.
    pub strategic: f64,
    /// How much of all weight is tactical.
    pub tactical_share: f64,
    /// What was seen on the board, by name.
    pub features: Map<String, Value>,
    /// What the weights come from.
    pub reasons: Vec<Reason>,
}

/// One reason for a type.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    /// What was looked at, as words.
    pub term: &'static str,
    /// `tactical` or `strategic`.
    pub toward: &'static str,
    /// What it weighs.
    pub weight: f64,
}

/// How two searches came to their choice, or how it looks while they think.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VerdictRecord {
    /// Whether it is decided.
    pub is_final: bool,
    /// Whose move is played, once it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<SearchName>,
    /// Why.
    pub reason: &'static str,
    /// Whether both would play different moves.
    pub is_disagreement: bool,
    /// How likely it is that the explored move is the better one, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// By how many centipawns the proving search prefers its own move, where it has looked at both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<i32>,
    /// The share of the time that the exploring search had.
    pub share: f64,
    /// What the proving search would play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alphabeta: Option<ContenderRecord>,
    /// What the exploring search would play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcts: Option<ContenderRecord>,
    /// Playouts of the exploring search.
    pub playouts: u64,
    /// Positions visited by the proving search.
    pub nodes: u64,
    /// How often each thing was exchanged, by name.
    pub exchanges: Map<String, Value>,
}

/// A move that one of the searches would play.
#[derive(Clone, Debug, Serialize)]
pub struct ContenderRecord {
    /// The move as UCI writes it.
    #[serde(rename = "move")]
    pub m: String,
    /// The move as people write it.
    pub san: String,
    /// What that search thinks that it is worth.
    pub score: ScoreRecord,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// How often the exploring search tried it.
    pub visits: u64,
    /// What that brought.
    pub value: f64,
    /// The expected continuation as UCI writes it, from the move on.
    pub pv: Vec<String>,
    /// The same as people write it.
    #[serde(rename = "pvSan")]
    pub pv_san: Vec<String>,
}
