//! A game as it is kept for training.

use arrayvec::ArrayVec;
use tandem_chess::{Color, Move, Position};
use tandem_games::statistics::GameScore;
use thiserror::Error;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

impl GameResult {
    /// All three, in the order of their [`index`](Self::index).
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// 0 where Black won, 1 for a draw, 2 where White won: half-points for White.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The result with that [`index`](Self::index).
    #[must_use]
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// Half-points for that side: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self, side: Color) -> u8 {
        match side {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    /// The result as PGN writes it.
    #[must_use]
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        }
    }
}

/// What a game between players brought White.
impl From<GameScore> for GameResult {
    fn from(white: GameScore) -> Self {
        match white {
            GameScore::Win => Self::WhiteWins,
            GameScore::Draw => Self::Draw,
            GameScore::Loss => Self::BlackWins,
        }
    }
}

/// A score in the engine's internal unit (a pawn is worth about 208), kept from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(i16);

/// Stands in files for a position without a score.
const NO_LABEL: i16 = i16::MIN;

impl Label {
    /// A score from that side's view; what 16 bits cannot hold becomes the nearest they can.
    #[must_use]
    pub fn new(side: Color, value: i32) -> Self {
        let value = value.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
        Self(if side == Color::White { value } else { -value })
    }

    /// The score from that side's view.
    #[must_use]
    pub const fn for_side(self, side: Color) -> i16 {
        match side {
            Color::White => self.0,
            Color::Black => -self.0,
        }
    }

    /// The 16 bits for a file; the most negative number stands for none.
    pub(crate) fn to_file(label: Option<Self>) -> i16 {
        label.map_or(NO_LABEL, |label| label.0)
    }

    pub(crate) const fn from_file(bits: i16) -> Option<Self> {
        if bits == NO_LABEL { None } else { Some(Self(bits)) }
    }
}

/// A move of the game, and the score of the position in which it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The score of the position before it, if there is one.
    pub label: Option<Label>,
}

/// A position off the line of the game: some moves lead to it and none is played in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// After how many moves of the game the line is left.
    pub at: usize,
    /// The moves from there.
    pub moves: ArrayVec<Move, { Branch::MAX_MOVES }>,
    /// The score of the position that they lead to.
    pub label: Option<Label>,
}

impl Branch {
    /// A branch has at most this many moves.
    pub const MAX_MOVES: usize = 8;
}

/// A game with the scores of its positions, and positions off its line. All moves are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    start: Position,
    result: GameResult,
    plies: Vec<Ply>,
    branches: Vec<Branch>,
}

/// One position of a record.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that was played in it; none off the line of the game.
    pub m: Option<Move>,
    /// Its score.
    pub label: Option<Label>,
    /// How the game ended.
    pub result: GameResult,
    /// Moves from the start of the record.
    pub ply: usize,
    /// Whether moves that were not played led to it, so that the result of the game is not its own.
    pub is_off_line: bool,
}

impl Sample<'_> {
    /// The score for the side to move.
    #[must_use]
    pub fn score(&self) -> Option<i16> {
        self.label.map(|label| label.for_side(self.position.side_to_move()))
    }

    /// Half-points for the side to move.
    #[must_use]
    pub fn half_points(&self) -> u8 {
        self.result.half_points(self.position.side_to_move())
    }

    /// Half-moves since the start of a normal game, by the position's own counter.
    #[must_use]
    pub fn game_ply(&self) -> u32 {
        let moves = u32::from(self.position.fullmove_number()).saturating_sub(1);
        2 * moves + self.position.side_to_move().index() as u32
    }
}

impl Record {
    /// The position in which the record begins.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// How the game ended.
    #[must_use]
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// The moves with their scores.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The positions off the line, in the order of the moves that they leave it at.
    #[must_use]
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// How many positions the record has: one for each move, and those off the line.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.plies.len() + self.branches.len()
    }

    /// Shows every position, along the game; those off the line come where the line is left.
    pub fn visit(&self, mut visit: impl FnMut(&Sample<'_>)) {
        let mut position = self.start;
        let mut branches = self.branches.iter().peekable();
        for ply in 0..=self.plies.len() {
            while let Some(branch) = branches.next_if(|branch| branch.at == ply) {
                let end = branch.moves.iter().fold(position, |before, &m| before.after(m));
                visit(&Sample {
                    position: &end,
                    m: None,
                    label: branch.label,
                    result: self.result,
                    ply: ply + branch.moves.len(),
                    is_off_line: !branch.moves.is_empty(),
                });
            }
            let Some(&Ply { m, label }) = self.plies.get(ply) else { return };
            visit(&Sample {
                position: &position,
                m: Some(m),
                label,
                result: self.result,
                ply,
                is_off_line: false,
            });
            position = position.after(m);
        }
    }

    /// Gives every position the score that `judge` decides on, in the order of
    /// [`visit`](Self::visit).
    pub fn relabel(&mut self, judge: impl FnMut(&Sample<'_>) -> Option<Label>) {
        let mut labels = Vec::with_capacity(self.positions());
        let mut judge = judge;
        self.visit(|sample| labels.push(judge(sample)));
        let mut labels = labels.into_iter();
        let mut next = || labels.next().expect("one for each position");
        let mut branches = self.branches.iter_mut().peekable();
        for ply in 0..=self.plies.len() {
            while let Some(branch) = branches.next_if(|branch| branch.at == ply) {
                branch.label = next();
            }
            if let Some(ply) = self.plies.get_mut(ply) {
                ply.label = next();
            }
        }
    }
}

/// Why moves make no record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IllegalRecord {
    /// The rules forbid a move.
    #[error("move {ply} ({m}) is not legal in {position}")]
    Move {
        /// Its number from the start of the record, from 1.
        ply: usize,
        /// The move.
        m: Move,
        /// The position, as FEN.
        position: String,
    },
    /// The files count moves with 16 bits.
    #[error("the game has more than {} moves", Recorder::MAX_PLIES)]
    TooLong,
    /// A position off the line is too far off, or there are too many.
    #[error(
        "a position off the line is more than {} moves off, or there are too many",
        Branch::MAX_MOVES
    )]
    Branch,
}

/// Writes a game down, move by move.
#[derive(Clone, Debug)]
pub struct Recorder {
    position: Position,
    record: Record,
}

impl Recorder {
    /// The longest game, in half-moves.
    pub const MAX_PLIES: usize = 20_000;
    /// The most positions off the line.
    pub const MAX_BRANCHES: usize = 40_000;

    /// A game that begins with that position.
    #[must_use]
    pub fn new(start: Position) -> Self {
        let (plies, branches) = (Vec::new(), Vec::new());
        Self {
            position: start,
            record: Record { start, result: GameResult::Draw, plies, branches },
        }
    }

    /// The position now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How many moves there are so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.record.plies.len()
    }

    /// Whether there is no move yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.record.plies.is_empty()
    }

    /// Plays a move; the score is that of the position before it.
    ///
    /// # Errors
    /// The move is not legal or the game too long; nothing has changed.
    pub fn play(&mut self, m: Move, label: Option<Label>) -> Result<(), IllegalRecord> {
        if self.len() >= Self::MAX_PLIES {
            return Err(IllegalRecord::TooLong);
        }
        if !self.position.is_legal(m) {
            return Err(self.illegal(m, 0, &self.position));
        }
        self.position = self.position.after(m);
        self.record.plies.push(Ply { m, label });
        Ok(())
    }

    /// Adds the position that these moves lead to from here, without leaving the line.
    ///
    /// # Errors
    /// A move is not legal or there are too many; nothing has changed.
    pub fn branch(&mut self, moves: &[Move], label: Option<Label>) -> Result<(), IllegalRecord> {
        let too_many = self.record.branches.len() >= Self::MAX_BRANCHES;
        if too_many || moves.len() > Branch::MAX_MOVES {
            return Err(IllegalRecord::Branch);
        }
        let mut position = self.position;
        for (i, &m) in moves.iter().enumerate() {
            if !position.is_legal(m) {
                return Err(self.illegal(m, i, &position));
            }
            position = position.after(m);
        }
        let moves = moves.iter().copied().collect();
        self.record.branches.push(Branch { at: self.len(), moves, label });
        Ok(())
    }

    fn illegal(&self, m: Move, off_line: usize, position: &Position) -> IllegalRecord {
        let ply = self.len() + off_line + 1;
        IllegalRecord::Move { ply, m, position: position.to_string() }
    }

    /// The game is over.
    #[must_use]
    pub fn finish(self, result: GameResult) -> Record {
        Record { result, ..self.record }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::record;

    #[test]
    fn positions_off_the_line_come_where_it_is_left() {
        let record = record("e2e4 (d7d5 d2d4) e7e5", GameResult::WhiteWins);
        let mut seen = Vec::new();
        record.visit(|s| seen.push((s.ply, s.m.is_some(), s.position.to_string())));
        let fens: Vec<_> = seen.iter().map(|(_, _, fen)| fen.as_str()).collect();
        assert_eq!(
            seen.iter().map(|s| (s.0, s.1)).collect::<Vec<_>>(),
            [(0, true), (3, false), (1, true)]
        );
        assert!(
            fens[1].starts_with("rnbqkbnr/ppp1pppp/8/3p4/3PP3/8/PPP2PPP/RNBQKBNR b"),
            "{fens:?}"
        );
    }

    #[test]
    fn scores_and_results_are_seen_from_the_side_to_move() {
        let mut record = record("e2e4 e7e5", GameResult::WhiteWins);
        record.relabel(|_| Some(Label::new(Color::White, 30)));
        let mut seen = Vec::new();
        record.visit(|s| seen.push((s.score(), s.half_points())));
        assert_eq!(seen, [(Some(30), 2), (Some(-30), 0)]);
    }

    #[test]
    fn new_scores_land_where_they_were_decided() {
        let mut record = record("e2e4 (d7d5 d2d4) e7e5 g1f3 ()", GameResult::Draw);
        record.relabel(|s| Some(Label::new(Color::White, s.position.key() as i32 % 1000)));
        record.visit(|s| {
            assert_eq!(s.label, Some(Label::new(Color::White, s.position.key() as i32 % 1000)));
        });
        assert_eq!(record.branches()[1].at, 3);
    }

    #[test]
    fn illegal_moves_are_named_and_change_nothing() {
        let mut recorder = Recorder::new(Position::startpos());
        let m = Move::normal("e2".parse().unwrap(), "e5".parse().unwrap());
        let error = recorder.play(m, None).unwrap_err().to_string();
        assert!(error.starts_with("move 1 (e2e5) is not legal in rnbq"), "{error}");
        assert!(recorder.branch(&[m], None).is_err());
        assert!(recorder.is_empty());
    }

    #[test]
    fn a_label_survives_a_file_and_its_absence_too() {
        for value in [-40_000, -32_767, -1, 0, 208, 40_000] {
            let label = Some(Label::new(Color::Black, value));
            assert_eq!(Label::from_file(Label::to_file(label)), label);
        }
        assert_eq!(Label::from_file(Label::to_file(None)), None);
    }
}
