//! The mistakes of a game, by what a move loses of the expected score.
//!
//! The expected score of a side is its chance to win and half its chance to draw. A move loses what it was
//! before, with the best move, less what it is after.

use serde::Serialize;
use tandem_chess::{Color, Game, Move, Outcome};
use tandem_engine::Score;

use crate::pgn::Note;
use crate::record::{ScoreRecord, Wdl};
use crate::snapshot::Snapshot;

/// How many half-moves of a better line are shown.
const SHOWN: usize = 8;

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All of them, the worst first, with the least loss of expected score that makes a move one.
    pub const ALL: [(Self, f64); 3] =
        [(Self::Blunder, 0.20), (Self::Mistake, 0.10), (Self::Inaccuracy, 0.05)];

    /// The mark of a move that loses so much.
    #[must_use]
    pub fn of_loss(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, least)| loss >= *least).map(|(mark, _)| mark)
    }

    /// What is written behind the move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// One such mistake as a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// What a position is worth for its side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The score.
    pub score: Score,
    /// Chances to win, draw and lose.
    pub wdl: Wdl,
    /// The best line.
    pub pv: Vec<Move>,
    /// Plies looked at.
    pub depth: u32,
}

impl Worth {
    /// What a search has found.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        let (score, wdl) = snapshot.worth()?;
        let wdl = match (score, wdl) {
            (Score::Mate(plies), _) if plies > 0 => [1000, 0, 0],
            (Score::Mate(_), _) => [0, 0, 1000],
            (Score::Centipawns(_), wdl) => wdl?,
        };
        Some(Self { score, wdl, pv: snapshot.pv().to_vec(), depth: snapshot.depth() })
    }

    /// What the rules say of a position in which nobody can move or mate.
    #[must_use]
    pub fn by_rules(game: &Game) -> Option<Self> {
        let (score, wdl) = match game.outcome()? {
            Outcome::Checkmate(_) => (Score::Mate(0), [0, 0, 1000]),
            Outcome::Stalemate | Outcome::InsufficientMaterial => {
                (Score::Centipawns(0), [0, 1000, 0])
            }
            // The players went on, or may have wanted to.
            Outcome::FiftyMoves | Outcome::ThreefoldRepetition => return None,
        };
        Some(Self { score, wdl, pv: Vec::new(), depth: 0 })
    }

    /// The expected score of the side to move.
    fn expected(&self) -> f64 {
        let [win, draw, _] = self.wdl.map(f64::from);
        (win + draw / 2.0) / 1000.0
    }

    /// The score for White.
    fn white_score(&self, side: Color) -> ScoreRecord {
        let record = ScoreRecord::from(self.score);
        match (side, record) {
            (Color::White, record) => record,
            (Color::Black, ScoreRecord::Cp(value)) => ScoreRecord::Cp(-value),
            (Color::Black, ScoreRecord::Mate(moves)) => ScoreRecord::Mate(-moves),
        }
    }

    /// The chances of White to win, draw and lose.
    const fn white_wdl(&self, side: Color) -> Wdl {
        let [win, draw, loss] = self.wdl;
        match side {
            Color::White => [win, draw, loss],
            Color::Black => [loss, draw, win],
        }
    }
}

/// What is said about one move of a game. Scores and chances are White's.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlyReview {
    /// The number of the move.
    pub number: u32,
    /// `white` or `black`.
    pub side: &'static str,
    /// The move as people write it.
    pub san: String,
    /// The score after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreRecord>,
    /// The chances after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// What it loses of its side's expected score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// What kind of mistake it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// The best move of its position, as people write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The best line of its position, where the move is a mistake.
    #[serde(skip)]
    pub better: Vec<Move>,
}

/// What is said about a game.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// White's chances before the first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Wdl>,
    /// Every move.
    pub plies: Vec<PlyReview>,
}

impl Review {
    /// Judges the moves that lead from each position to the next, of which as many are known as could be
    /// looked at.
    #[must_use]
    pub fn of(turns: &[Game], worth: &[Option<Worth>]) -> Self {
        let known = |turn: usize| worth.get(turn).and_then(Option::as_ref);
        let side = |turn: usize| turns[turn].position().side_to_move();
        let last = turns.last().map_or(&[][..], Game::moves);
        let ply = |(turn, &m): (usize, &Move)| {
            let position = turns[turn].position();
            let (before, after) = (known(turn), known(turn + 1));
            let loss = before
                .zip(after)
                .map(|(before, after)| (before.expected() - (1.0 - after.expected())).max(0.0));
            let best = before.and_then(|before| before.pv.first().copied());
            let mark = loss.filter(|_| best.is_some_and(|best| best != m)).and_then(Mark::of_loss);
            let line = before.filter(|_| mark.is_some()).map(|before| &before.pv);
            PlyReview {
                number: position.fullmove_number().into(),
                side: if side(turn) == Color::White { "white" } else { "black" },
                san: position.san(m),
                score: after.map(|after| after.white_score(side(turn + 1))),
                wdl: after.map(|after| after.white_wdl(side(turn + 1))),
                loss: loss.map(|loss| (1000.0 * loss).round() / 1000.0),
                mark,
                best: best.map(|best| position.san(best)),
                better: line
                    .map_or_else(Vec::new, |line| line.iter().copied().take(SHOWN).collect()),
            }
        };
        Self {
            start: known(0).map(|worth| worth.white_wdl(side(0))),
            plies: last.iter().enumerate().map(ply).collect(),
        }
    }

    /// What is written beside the moves.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let note =
            |ply: &PlyReview| Note { score: ply.score, mark: ply.mark, better: ply.better.clone() };
        self.plies.iter().map(note).collect()
    }

    /// How many of each kind of mistake a side made, the worst first.
    #[must_use]
    pub fn count(&self, side: &str) -> [usize; 3] {
        Mark::ALL.map(|(mark, _)| {
            self.plies.iter().filter(|ply| ply.side == side && ply.mark == Some(mark)).count()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    fn worth(expected: u16, line: &[Move]) -> Worth {
        let score = Score::Centipawns(i32::from(expected) - 500);
        Worth { score, wdl: [expected, 0, 1000 - expected], pv: line.to_vec(), depth: 9 }
    }

    #[test]
    fn a_mark_follows_from_what_a_move_loses() {
        let game = pgn::read("1. f3 e5 2. g4 Qh4#").remove(0).expect("a game");
        let turns = game.turns();
        let best = |turn: usize, san| turns[turn].position().parse_san(san).expect("legal");
        let mate = Worth { score: Score::Mate(1), ..worth(1000, &[best(3, "Qh4")]) };
        let worth = [
            Some(worth(500, &[best(0, "e4")])),
            Some(worth(560, &[best(1, "e5")])),
            Some(worth(400, &[best(2, "Kf2")])),
            Some(mate),
            Worth::by_rules(&turns[4]),
        ];
        let review = Review::of(&turns, &worth);
        let marks: Vec<_> = review.plies.iter().map(|ply| ply.mark).collect();
        assert_eq!(marks, [Some(Mark::Inaccuracy), None, Some(Mark::Blunder), None]);
        assert_eq!(review.plies[1].loss, Some(0.0), "the best move loses nothing");
        assert_eq!(review.plies[2].score, Some(ScoreRecord::Mate(-1)), "scores are White's");
        assert_eq!(review.plies[3].score, Some(ScoreRecord::Mate(0)));
        assert_eq!((review.count("white"), review.count("black")), ([1, 0, 1], [0; 3]));
        let text = pgn::write(&game, &review.notes(), "somebody").replace('\n', " ");
        assert!(text.contains("2. g4?? {[%eval #-1]} (2. Kf2) 2... Qh4#"), "{text}");
    }

    #[test]
    fn thresholds_belong_to_the_worse_mark() {
        let marks = [0.049, 0.05, 0.099, 0.1, 0.199, 0.2].map(Mark::of_loss);
        let signs = marks.map(|mark| mark.map_or("", Mark::sign));
        assert_eq!(signs, ["", "?!", "?!", "?", "?", "??"]);
    }
}
