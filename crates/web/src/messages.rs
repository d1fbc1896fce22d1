//! What the page and the server tell each other: JSON, one object a message, the kind of message in `type`.
//!
//! Moves are in UCI's notation, castling as king takes rook. Scores, chances and values are those of the side
//! to move. Every request has a number of the page's choice, and answers carry the number of their request.

use serde::{Deserialize, Serialize};
use tandem_chess::{CastlingNotation, Game, Move, Outcome, Position};
use tandem_engine::{Bound, SearchMode};
use tandem_hybrid::classifier::{self, Toward};
use tandem_hybrid::{Classification, StrategyTable};
use thiserror::Error;

/// The longest message that is read, in bytes: a game of a thousand moves needs a tenth of it.
pub const LONGEST: usize = 64 << 10;
/// The longest game, in half-moves. No game by the fifty-move rule that is not made for it gets there.
const MOST_PLIES: usize = 4000;
/// The most lines of analysis.
pub const MOST_LINES: usize = 8;
/// Milliseconds that a move may be thought about.
const MOST_MILLISECONDS: u64 = 600_000;

/// Why a request is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// It is no request.
    #[error("this is no request: {0}")]
    Json(String),
    /// The position makes no sense.
    #[error("{0}")]
    Position(String),
    /// A move of the game is not possible.
    #[error("move {ply} of the game, '{text}', is not possible: {reason}")]
    Move {
        /// Which half-move, from 1.
        ply: usize,
        /// What was written.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A number is out of its range.
    #[error("{name} is {found}; expected {expected}")]
    Number {
        /// What it is.
        name: &'static str,
        /// What was given.
        found: i64,
        /// What it may be.
        expected: String,
    },
    /// The game is too long.
    #[error("the game has {0} half-moves; expected at most {MOST_PLIES}")]
    TooLong(usize),
    /// An option has refused its value.
    #[error("{0}")]
    Option(String),
}

/// What a page asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Think about a position until told otherwise.
    Analyse {
        /// The number of the request.
        id: u64,
        /// The game, whose last position it is.
        game: GameText,
        /// Think only about these moves, if any.
        #[serde(default)]
        only: Vec<String>,
        /// How many best lines are wanted.
        #[serde(default = "one")]
        lines: usize,
        /// Which search thinks.
        #[serde(default)]
        mode: Mode,
    },
    /// Say of every position of a game what it is worth.
    Review {
        /// The number of the request.
        id: u64,
        /// The game.
        game: GameText,
        /// Milliseconds for each position.
        milliseconds: u64,
        /// Which search thinks.
        #[serde(default)]
        mode: Mode,
    },
    /// Play a move.
    Move {
        /// The number of the request.
        id: u64,
        /// The game so far.
        game: GameText,
        /// The rating to play at; full strength if none.
        #[serde(default)]
        rating: Option<i64>,
        /// Whether to play as one does at odds.
        #[serde(default)]
        odds: bool,
        /// What may be spent.
        pace: Pace,
    },
    /// Tell what the exploring search knows of the moves after a line.
    Tree {
        /// The number of the request.
        id: u64,
        /// Moves from the position that is thought about.
        line: Vec<String>,
    },
    /// Tell a start position of Chess960.
    Start {
        /// The number of the request.
        id: u64,
        /// The number of the position, 0 to 959.
        number: u64,
    },
    /// Stop thinking.
    Stop {
        /// The number of the request.
        id: u64,
    },
}

const fn one() -> usize {
    1
}

impl Request {
    /// Understands a message.
    ///
    /// # Errors
    /// It is no request.
    pub fn parse(text: &str) -> Result<Self, RequestError> {
        serde_json::from_str(text).map_err(|error| RequestError::Json(error.to_string()))
    }

    /// The number of the request.
    #[must_use]
    pub const fn id(&self) -> u64 {
        match *self {
            Self::Analyse { id, .. }
            | Self::Review { id, .. }
            | Self::Move { id, .. }
            | Self::Tree { id, .. }
            | Self::Start { id, .. }
            | Self::Stop { id } => id,
        }
    }
}

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// The position in which it began; the usual one if not said.
    #[serde(default)]
    pub fen: Option<String>,
    /// Its moves.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl GameText {
    /// The game.
    ///
    /// # Errors
    /// It is not possible.
    pub fn read(&self) -> Result<Game, RequestError> {
        if self.moves.len() > MOST_PLIES {
            return Err(RequestError::TooLong(self.moves.len()));
        }
        let start = match &self.fen {
            Some(fen) => Position::from_fen(fen)
                .map_err(|error| RequestError::Position(error.to_string()))?,
            None => Position::startpos(),
        };
        let mut game = Game::new(start);
        for (i, text) in self.moves.iter().enumerate() {
            let refuse = |reason: String| RequestError::Move {
                ply: i + 1,
                text: text.chars().take(10).collect(),
                reason,
            };
            let m = game.position().parse_uci(text).map_err(|error| refuse(error.to_string()))?;
            game.play(m).map_err(|error| refuse(error.to_string()))?;
        }
        Ok(game)
    }
}

/// Which search thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The one that proves.
    AlphaBeta,
    /// The one that explores.
    Mcts,
    /// Both in tandem.
    #[default]
    Hybrid,
}

impl Mode {
    /// The word of the engine's option.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::AlphaBeta => "AlphaBeta",
            Self::Mcts => "MCTS",
            Self::Hybrid => "Hybrid",
        }
    }
}

impl From<SearchMode> for Mode {
    fn from(mode: SearchMode) -> Self {
        match mode {
            SearchMode::AlphaBeta => Self::AlphaBeta,
            SearchMode::Mcts => Self::Mcts,
            SearchMode::Hybrid => Self::Hybrid,
        }
    }
}

/// What a move may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Pace {
    /// So many milliseconds.
    Fixed {
        /// So many.
        milliseconds: u64,
    },
    /// What the clocks allow, in milliseconds: of White and of Black.
    Clock {
        /// What is left.
        left: [u64; 2],
        /// What each move adds.
        increment: [u64; 2],
    },
}

/// Checks that a number of milliseconds makes sense.
///
/// # Errors
/// It is 0, or too many.
pub fn checked_milliseconds(given: u64) -> Result<u64, RequestError> {
    if (1..=MOST_MILLISECONDS).contains(&given) {
        return Ok(given);
    }
    let expected = format!("1 to {MOST_MILLISECONDS}");
    Err(RequestError::Number { name: "milliseconds", found: given as i64, expected })
}

/// What the server tells.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// The session begins.
    Hello {
        /// The version of the program.
        version: &'static str,
        /// The networks with which positions are evaluated.
        evaluation: String,
        /// Threads of a search.
        threads: usize,
        /// MiB of a search.
        hash: usize,
        /// The lowest and the highest rating to play at.
        ratings: [i64; 2],
        /// The most lines of analysis.
        most_lines: usize,
    },
    /// A position that is going to be thought about.
    Position(Box<PositionReply>),
    /// What is known of a position of a game.
    Reviewed {
        /// The number of the request.
        id: u64,
        /// Half-moves before the position.
        ply: usize,
        /// How many there are altogether.
        plies: usize,
        /// What it is worth.
        score: Score,
        /// The chances in thousandths, if known.
        wdl: Option<[u16; 3]>,
        /// How deep the search looked.
        depth: u32,
        /// What is best there, and what follows.
        pv: Vec<String>,
    },
    /// The engine has played.
    Played {
        /// The number of the request.
        id: u64,
        /// Its move; none if the game was over.
        #[serde(rename = "move")]
        m: Option<String>,
        /// What it thinks of the position before.
        score: Option<Score>,
        /// The chances in thousandths, if known.
        wdl: Option<[u16; 3]>,
        /// How deep it looked.
        depth: u32,
        /// How the game has ended, if it has.
        outcome: Option<OutcomeReply>,
    },
    /// What the exploring search knows of the moves after a line.
    Branches {
        /// The number of the request.
        id: u64,
        /// The line.
        line: Vec<String>,
        /// The moves, the most visited first.
        branches: Vec<BranchReply>,
    },
    /// A start position.
    Start {
        /// The number of the request.
        id: u64,
        /// The position.
        fen: String,
    },
    /// Something was wrong, and nothing else has changed.
    Error {
        /// The number of the request, if it had one.
        id: Option<u64>,
        /// What was wrong.
        message: String,
    },
    /// Something that the user should know.
    Notice {
        /// What it is.
        message: String,
    },
}

/// How a game has ended.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeReply {
    /// As PGN writes it.
    pub result: &'static str,
    /// For people.
    pub reason: String,
}

impl From<Outcome> for OutcomeReply {
    fn from(outcome: Outcome) -> Self {
        let result = match outcome.winner() {
            Some(tandem_chess::Color::White) => "1-0",
            Some(tandem_chess::Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        Self { result, reason: outcome.to_string() }
    }
}

/// A position that is going to be thought about: what a look at the board says.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReply {
    /// The number of the request.
    pub id: u64,
    /// The position.
    pub fen: String,
    /// How the game has ended, if it has.
    pub outcome: Option<OutcomeReply>,
    /// What kind of position it is.
    pub kind: &'static str,
    /// What speaks for calculation.
    pub tactical: f64,
    /// What speaks for planning.
    pub strategic: f64,
    /// What weighs for one or the other.
    pub reasons: Vec<ReasonReply>,
    /// What was seen on the board.
    pub features: Vec<FeatureReply>,
    /// The part of the work that the exploring search is to get, 0 to 1.
    pub explorer_share: f64,
}

/// Something that makes a position tactical or strategic.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonReply {
    /// What it is.
    pub name: &'static str,
    /// Where to.
    pub toward: &'static str,
    /// How much.
    pub weight: f64,
}

/// Something that was seen on the board.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureReply {
    /// What it is.
    pub name: String,
    /// What was found, as words.
    pub value: String,
}

impl PositionReply {
    /// What a look at the last position of a game says, with that table of strategies.
    #[must_use]
    pub fn new(id: u64, game: &Game, table: StrategyTable) -> Self {
        let position = game.position();
        let found = Classification::of(position);
        let reasons = found.reasons().map(|(term, weight)| ReasonReply {
            name: term.name,
            toward: match term.toward {
                Toward::Tactical => "tactical",
                Toward::Strategic => "strategic",
            },
            weight: f64::from(weight) / 100.0,
        });
        let feature = |(name, value): (&str, classifier::Value)| FeatureReply {
            name: name.replace('_', " "),
            value: value.to_string(),
        };
        Self {
            id,
            fen: position.to_string(),
            outcome: game.outcome().map(OutcomeReply::from),
            kind: found.kind.name(),
            tactical: f64::from(found.tactical) / 100.0,
            strategic: f64::from(found.strategic) / 100.0,
            reasons: reasons.collect(),
            features: found.features.list().into_iter().map(feature).collect(),
            explorer_share: table.strategy(&found).mcts.fraction(),
        }
    }
}

/// A score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate, negative for who is mated.
    Mate(i32),
}

impl Score {
    /// A number by which scores can be put in order: mates beyond all else, the sooner the farther.
    #[must_use]
    pub const fn worth(self) -> i32 {
        match self {
            Self::Cp(value) => value,
            Self::Mate(moves @ 1..) => 1_000_000 - moves,
            Self::Mate(moves) => -1_000_000 - moves,
        }
    }
}

impl From<tandem_engine::Score> for Score {
    fn from(score: tandem_engine::Score) -> Self {
        match score {
            tandem_engine::Score::Centipawns(value) => Self::Cp(value),
            tandem_engine::Score::Mate(plies) => {
                Self::Mate(tandem_engine::Score::mate_in_moves(plies))
            }
        }
    }
}

/// How a score is meant; nothing if it is the search's value.
#[must_use]
pub const fn bound(bound: Bound) -> Option<&'static str> {
    match bound {
        Bound::Exact => None,
        Bound::Lower => Some("lower"),
        Bound::Upper => Some("upper"),
    }
}

/// A move in the page's notation.
#[must_use]
pub fn move_text(position: &Position, m: Move) -> String {
    position.uci(m, CastlingNotation::Chess960)
}

/// A line in the page's notation, as far as it is possible.
#[must_use]
pub fn line_text(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::with_capacity(line.len());
    for &m in line {
        if !position.is_legal(m) {
            break;
        }
        texts.push(move_text(&position, m));
        position = position.after(m);
    }
    texts
}

/// What the exploring search knows of a move somewhere in its tree.
#[derive(Clone, Debug, Serialize)]
pub struct BranchReply {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// How often it was tried.
    pub visits: u64,
    /// How likely it seemed before it was tried.
    pub prior: f32,
    /// The chance to win less the chance to lose, for whoever has the choice.
    pub value: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// Whether the search has been further.
    pub leads_on: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_with_castling_in_either_notation() {
        for castling in ["e1g1", "e1h1"] {
            let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", castling];
            let text = GameText { fen: None, moves: moves.map(str::to_owned).to_vec() };
            let game = text.read().unwrap();
            assert_eq!(game.moves().len(), 7);
            assert_eq!(line_text(game.start(), game.moves())[6], "e1h1");
        }
    }

    #[test]
    fn an_impossible_game_is_refused_with_the_place() {
        let refuse = |text: GameText| text.read().unwrap_err().to_string();
        let moves = ["e2e4", "e2e4"].map(str::to_owned).to_vec();
        let error = refuse(GameText { fen: None, moves });
        assert!(error.starts_with("move 2 of the game, 'e2e4', is not possible"), "{error}");
        let error =
            refuse(GameText { fen: Some("8/8/8/8/8/8/8/8 w - - 0 1".to_owned()), moves: vec![] });
        assert!(!error.is_empty());
        let moves = vec!["e2e4".to_owned(); MOST_PLIES + 1];
        assert!(refuse(GameText { fen: None, moves }).contains("4001 half-moves"));
    }

    #[test]
    fn better_scores_are_worth_more() {
        let scores = [-1, -9].map(Score::Mate).into_iter().chain([-300, 0, 20_000].map(Score::Cp));
        let worths: Vec<i32> = scores.chain([9, 1].map(Score::Mate)).map(Score::worth).collect();
        assert!(worths.is_sorted_by(|a, b| a < b), "{worths:?}");
    }
}
