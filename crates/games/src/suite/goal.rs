//! What a position of a suite asks for.

use std::fmt;

use tandem_chess::{Move, Position};
use tandem_engine::Score;
use thiserror::Error;

use super::points::Points;
use super::texts::{self, is_no_more_than_marks};
use crate::epd::Epd;

/// Why a line of a suite cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    /// There is no legal position.
    #[error("{0}")]
    Position(String),
    /// Nothing can be played.
    #[error("the game is over in this position")]
    GameOver,
    /// Nothing is asked for.
    #[error("nothing to solve: no bm, am or dm")]
    NoGoal,
    /// A move cannot be understood.
    #[error("{0}: {1}")]
    Move(&'static str, String),
    /// A mate cannot be understood.
    #[error("{0}: '{1}' is no number of moves to mate")]
    Mate(&'static str, String),
}

impl Defect {
    /// The kind of defect, for counting: so many positions ...
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Position(_) => "no legal position",
            Self::GameOver => "game over",
            Self::NoGoal => "nothing to solve",
            Self::Move(..) => "bad move text",
            Self::Mate(..) => "bad mate text",
        }
    }
}

/// What must hold for a position to be solved: everything that its line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// One of these is to be played, if there are any.
    pub best: Vec<Move>,
    /// None of these is to be played.
    pub avoid: Vec<Move>,
    /// The score must be a mate in at most so many moves: given if positive, received if negative.
    pub mate: Option<i32>,
    /// What each move is worth, where the line says so.
    pub points: Points,
}

impl Goal {
    /// Reads `bm`, `am`, `dm` and points. Where only points are given, the moves with most of them
    /// are the best ones.
    ///
    /// # Errors
    /// Something cannot be understood, or nothing is asked for.
    pub fn read(epd: &Epd) -> Result<Self, Defect> {
        let position = &epd.position;
        if !position.has_legal_move() {
            return Err(Defect::GameOver);
        }
        let mut goal = Self { points: Points::read(epd)?, ..Self::default() };
        if let Some(text) = epd.operation("bm") {
            goal.read_best(position, text)?;
        }
        if let Some(text) = epd.operation("am") {
            goal.avoid = moves(position, "am", text)?;
        }
        if let Some(text) = epd.operation("dm") {
            goal.mate = Some(mate("dm", text)?);
        }
        if goal.best.is_empty() && goal.avoid.is_empty() && goal.mate.is_none() {
            goal.best = goal.points.best();
        }
        let is_empty = goal.best.is_empty() && goal.avoid.is_empty() && goal.mate.is_none();
        if is_empty { Err(Defect::NoGoal) } else { Ok(goal) }
    }

    /// Collections of mates write `bm #3` for a mate in three.
    fn read_best(&mut self, position: &Position, text: &str) -> Result<(), Defect> {
        match text.strip_prefix('#') {
            Some(number) => self.mate = Some(mate("bm", number)?),
            None => self.best = moves(position, "bm", text)?,
        }
        Ok(())
    }

    /// Whether a move with that score is a solution.
    #[must_use]
    pub fn is_met(&self, m: Move, score: Option<Score>) -> bool {
        let is_mate = self.mate.is_none_or(|wanted| match score {
            Some(Score::Mate(plies)) if plies != 0 => {
                let found = Score::mate_in_moves(plies);
                found.signum() == wanted.signum() && found.abs() <= wanted.abs()
            }
            _ => false,
        });
        is_mate && (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m)
    }

    /// The goal in words that fit a table.
    #[must_use]
    pub fn describe(&self, position: &Position) -> String {
        let list =
            |moves: &[Move]| moves.iter().map(|&m| position.san(m)).collect::<Vec<_>>().join(" ");
        let parts = [
            (!self.best.is_empty()).then(|| list(&self.best)),
            (!self.avoid.is_empty()).then(|| format!("not {}", list(&self.avoid))),
            self.mate.map(|mate| format!("#{mate}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The moves of an operation, at least one.
fn moves(position: &Position, operation: &'static str, text: &str) -> Result<Vec<Move>, Defect> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let words = words.filter(|word| !is_no_more_than_marks(word));
    let read = |word| {
        texts::read_move(position, word).map_err(|error| Defect::Move(operation, error.to_string()))
    };
    let moves: Vec<Move> = words.map(read).collect::<Result<_, _>>()?;
    if moves.is_empty() {
        return Err(Defect::Move(operation, "no move follows".to_owned()));
    }
    Ok(moves)
}

/// The number of moves to mate, not 0.
fn mate(operation: &'static str, text: &str) -> Result<i32, Defect> {
    let text = text.trim();
    let number: Option<i32> = text.parse().ok();
    // What is further away than any game lasts is a slip.
    number
        .filter(|number| (1..=1000).contains(&number.abs()))
        .ok_or_else(|| Defect::Mate(operation, text.to_owned()))
}

/// A score as tables show it.
pub struct Shown(pub Option<Score>);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("?"),
            Some(Score::Centipawns(value)) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Some(Score::Mate(plies)) => write!(f, "#{}", Score::mate_in_moves(plies)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(line: &str) -> Result<Goal, Defect> {
        Goal::read(&Epd::parse(line).unwrap())
    }

    /// Whether the move, with that score, solves the line.
    fn solves(line: &str, text: &str, score: Option<Score>) -> bool {
        let epd = Epd::parse(line).unwrap();
        Goal::read(&epd).unwrap().is_met(epd.position.parse_san(text).unwrap(), score)
    }

    const FORTRESS: &str = "2k5/2p5/1q1p4/pPpPp1p1/N1P1Pp1p/P4PbP/KQ4P1/8 w - -;";
    const ENDING: &str = "7k/8/5K2/8/8/8/8/6Q1 w - -";

    #[test]
    fn best_and_avoided_moves_decide() {
        let line = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - bm Nd5 a4;";
        assert!(solves(line, "Nd5", None) && solves(line, "a4", None));
        assert!(!solves(line, "a3", None));
        let line = format!("{FORTRESS} am Nxb6 + ? ; c1 diff=10");
        assert!(!solves(&line, "Nxb6", None) && solves(&line, "Qc2", None));
    }

    #[test]
    fn a_mate_must_be_near_enough_and_for_the_right_side() {
        for line in [format!("{ENDING} dm 2;"), format!("{ENDING} bm #2;")] {
            assert!(solves(&line, "Qg7", Some(Score::Mate(1))));
            assert!(solves(&line, "Qg7", Some(Score::Mate(3))));
            assert!(!solves(&line, "Qg7", Some(Score::Mate(5))));
            assert!(!solves(&line, "Qg7", Some(Score::Mate(-2))));
            assert!(!solves(&line, "Qg7", Some(Score::Centipawns(9000))));
            assert!(!solves(&line, "Qg7", None));
        }
        let line = "7k/8/5K2/8/8/8/8/6Q1 b - - bm #-2;";
        assert!(solves(line, "Kh7", Some(Score::Mate(-4))));
        assert!(!solves(line, "Kh7", Some(Score::Mate(-6))));
        assert!(!solves(line, "Kh7", Some(Score::Mate(3))));
    }

    #[test]
    fn all_that_a_line_says_must_hold() {
        let line = format!("{ENDING} bm Qg7#; dm 1;");
        assert!(solves(&line, "Qg7", Some(Score::Mate(1))));
        assert!(!solves(&line, "Qg7", Some(Score::Mate(3))));
        assert!(!solves(&line, "Qg2", Some(Score::Mate(1))));
    }

    #[test]
    fn points_alone_make_a_goal() {
        let goal = goal(&format!("{ENDING} c0 \"Qg7=10, Qg2=3\";")).unwrap();
        assert_eq!(goal.best.len(), 1);
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let table = [
            (format!("{ENDING} bm Nf3;"), "bad move text"),
            (format!("{ENDING} bm Qg7 Qz9;"), "bad move text"),
            (format!("{ENDING} bm ;"), "bad move text"),
            (format!("{ENDING} am + ?;"), "bad move text"),
            (format!("{ENDING} dm two;"), "bad mate text"),
            (format!("{ENDING} bm #0;"), "bad mate text"),
            (format!("{ENDING} draw"), "nothing to solve"),
            ("7k/6Q1/5K2/8/8/8/8/8 b - - bm #-1;".to_owned(), "game over"),
        ];
        for (line, kind) in table {
            assert_eq!(goal(&line).unwrap_err().kind(), kind, "{line}");
        }
        let error = goal(&format!("{ENDING} bm Nf3;")).unwrap_err().to_string();
        assert!(error.starts_with("bm: 'Nf3' is not legal here"), "{error}");
    }
}
