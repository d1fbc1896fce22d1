//! The scores of any UCI engine.

use std::time::Duration;

use tandem_chess::{Move, Position};
use tandem_engine::{Limits, Score};
use tandem_games::PlayerSpec;
use tandem_games::player::{Player, start};
use tandem_nnue::{WinRateModel, material};

use super::line::Line;
use super::{LabelError, Labeller, MATE, internal};
use crate::data::castling::has_standard_castling;

/// After so many positions in a row without a score the engine is given up.
const FAILURES: u32 = 5;

/// A UCI engine as a teacher.
#[derive(Clone, Debug)]
pub struct UciTeacher {
    /// The engine, and how much it may think about a position: by nodes, depth or time.
    pub engine: PlayerSpec,
    /// How long an answer may take beyond the engine's time.
    pub patience: Duration,
    /// What 100 of its centipawns are in the internal unit; none if they mean an even chance to win in games
    /// of Stockfish.
    pub pawn: Option<f64>,
}

impl UciTeacher {
    fn limits(&self) -> Limits {
        let pace = self.engine.pace;
        Limits {
            movetime: pace.movetime,
            nodes: pace.nodes,
            depth: pace.depth,
            ..Limits::default()
        }
    }

    /// What the engine says, in the internal unit.
    fn value(&self, score: Score, position: &Position) -> i32 {
        let Score::Centipawns(shown) = score else { return internal(score, position) };
        let stockfish = || WinRateModel::STOCKFISH.at(material(position)).even();
        // A score is never taken for a mate.
        let most = f64::from(MATE / 2);
        (f64::from(shown) * self.pawn.unwrap_or_else(stockfish) / 100.0).round().clamp(-most, most)
            as i32
    }
}

/// Scores by an engine in a process of its own. An engine that crashes, hangs or breaks the rules is
/// started anew for the next position, and the position gets no score.
pub struct UciLabeller {
    teacher: UciTeacher,
    player: Option<Box<dyn Player>>,
    /// Whether the castling of the game at hand needs the rules of Chess960.
    is_chess960: bool,
    line: Line,
    /// Positions without a score since the last one with a score.
    failures: u32,
}

impl UciLabeller {
    /// The engine is started when it is first asked.
    #[must_use]
    pub fn new(teacher: UciTeacher) -> Self {
        Self { teacher, player: None, is_chess960: false, line: Line::default(), failures: 0 }
    }

    /// The engine's score, or why there is none.
    fn ask(&mut self) -> Result<Score, String> {
        let UciTeacher { engine, patience, .. } = &self.teacher;
        let game = self.line.game().map_err(|error| error.to_string())?;
        let mut player = match self.player.take() {
            Some(player) => player,
            None => start(engine, self.is_chess960).map_err(|error| error.to_string())?,
        };
        let patience = engine.pace.movetime.unwrap_or_default() + *patience;
        let reply = player
            .choose(game, &self.teacher.limits(), patience)
            .map_err(|fault| format!("{} {fault}", engine.name))?;
        self.player = Some(player);
        reply.thought.score.ok_or_else(|| format!("{} named no score", engine.name))
    }
}

impl Labeller for UciLabeller {
    fn begin(&mut self, start: &Position) -> Result<(), LabelError> {
        self.line.begin(start);
        let is_chess960 = !has_standard_castling(start);
        let is_new = self.teacher.engine.restart || is_chess960 != self.is_chess960;
        self.is_chess960 = is_chess960;
        self.player = self.player.take().filter(|_| !is_new);
        if self.player.as_mut().is_some_and(|player| player.new_game().is_err()) {
            self.player = None;
        }
        Ok(())
    }

    fn push(&mut self, m: Move) {
        self.line.push(m);
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn score(&mut self) -> Result<Option<i32>, LabelError> {
        let position = *self.line.game()?.position();
        if !position.has_legal_move() {
            return Ok(Some(if position.in_check() { -MATE } else { 0 }));
        }
        match self.ask() {
            Ok(score) => {
                self.failures = 0;
                Ok(Some(self.teacher.value(score, &position)))
            }
            Err(trouble) => {
                self.failures += 1;
                if self.failures < FAILURES {
                    return Ok(None);
                }
                Err(LabelError(format!("{FAILURES} positions in a row have none; {trouble}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_mean_what_the_teacher_was_said_to_mean() {
        let engine: PlayerSpec = "cmd=x nodes=1".parse().unwrap();
        let patience = Duration::from_secs(1);
        let mut teacher = UciTeacher { engine, patience, pawn: Some(361.0) };
        let start = Position::startpos();
        assert_eq!(teacher.value(Score::Centipawns(-50), &start), -181);
        assert_eq!(teacher.value(Score::Centipawns(1_000_000), &start), MATE / 2);
        assert_eq!(teacher.value(Score::Mate(3), &start), MATE - 3);
        assert_eq!(teacher.value(Score::Mate(-2), &start), -MATE + 2);
        teacher.pawn = None;
        let even = teacher.value(Score::Centipawns(100), &start);
        let chance = WinRateModel::STOCKFISH.at(material(&start)).wdl(even).win;
        assert!((490..=510).contains(&chance), "{even} wins {chance}");
    }
}
