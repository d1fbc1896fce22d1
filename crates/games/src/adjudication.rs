//! Ending games whose result is no longer in doubt.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tandem_chess::{Color, Game, Tablebase, Wdl};
use tandem_engine::Score;
use tandem_engine::tablebases::{TablebaseError, Tablebases};
use thiserror::Error;

/// A rule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no rule: expected {1}")]
pub struct RuleError(String, &'static str);

/// A draw once both players have long seen nothing in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The earliest move number.
    pub from_move: u32,
    /// How many moves of each side in a row.
    pub moves: u32,
    /// The most centipawns that count as nothing.
    pub score: i32,
}

/// A loss for a player who has long seen itself lost, if the opponent agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// How many moves of each side in a row.
    pub moves: u32,
    /// The centipawns that count as lost.
    pub score: i32,
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        match numbers(text)[..] {
            [Some(from_move), Some(moves @ 1..), Some(score)] => {
                Ok(Self { from_move, moves, score: score as i32 })
            }
            _ => Err(RuleError(text.to_owned(), "MOVE:COUNT:CENTIPAWNS, such as 40:8:10")),
        }
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        match numbers(text)[..] {
            [Some(moves @ 1..), Some(score @ 1..)] => Ok(Self { moves, score: score as i32 }),
            _ => Err(RuleError(text.to_owned(), "COUNT:CENTIPAWNS, such as 4:600")),
        }
    }
}

fn numbers(text: &str) -> Vec<Option<u32>> {
    text.split(':').map(|word| word.parse().ok().filter(|&number| number <= 1 << 20)).collect()
}

/// The rules by which games are ended early, as the user gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationSpec {
    /// When a game counts as drawn.
    pub draw: Option<DrawRule>,
    /// When a game counts as lost.
    pub resign: Option<ResignRule>,
    /// Folders of tablebases that decide games.
    pub tables: Option<String>,
    /// The most half-moves of a game.
    pub max_plies: Option<u32>,
}

impl AdjudicationSpec {
    /// Gets ready what the rules need.
    ///
    /// # Errors
    /// The tables cannot be read.
    pub fn prepare(&self) -> Result<Adjudication, TablebaseError> {
        let tables = self.tables.as_deref().map(Tablebases::load).transpose()?;
        Ok(Adjudication {
            draw: self.draw,
            resign: self.resign,
            tables: tables.map(Arc::new),
            max_plies: self.max_plies,
        })
    }
}

impl fmt::Display for AdjudicationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = self.draw.map(|rule| {
            let DrawRule { from_move, moves, score } = rule;
            format!("draw from move {from_move} after {moves} moves within {score} cp")
        });
        let resign = self
            .resign
            .map(|rule| format!("resignation after {} moves at {} cp", rule.moves, rule.score));
        let tables = self.tables.as_ref().map(|tables| format!("tablebases in {tables}"));
        let length = self.max_plies.map(|plies| format!("draw after {plies} half-moves"));
        let parts: Vec<String> = [draw, resign, tables, length].into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "none".to_owned() } else { parts.join("; ") })
    }
}

/// The rules by which games are ended early.
#[derive(Clone, Default)]
pub struct Adjudication {
    /// When a game counts as drawn.
    pub draw: Option<DrawRule>,
    /// When a game counts as lost.
    pub resign: Option<ResignRule>,
    /// Who knows the result of endgames.
    pub tables: Option<Arc<Tablebases>>,
    /// The most half-moves of a game, which is then a draw.
    pub max_plies: Option<u32>,
}

/// Why the arbiter ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Both saw nothing in it.
    Draw,
    /// Both saw this side winning.
    Resignation(Color),
    /// The tables know: the winner, if any.
    Tablebase(Option<Color>),
    /// It took too long.
    TooLong,
}

/// Follows one game.
pub struct Arbiter<'a> {
    rules: &'a Adjudication,
    /// For each side, how many of its last moves had a score that says draw, loss, win.
    streaks: [Streaks; 2],
}

#[derive(Clone, Copy, Default)]
struct Streaks {
    level: u32,
    lost: u32,
    won: u32,
}

impl<'a> Arbiter<'a> {
    /// For a game under those rules.
    #[must_use]
    pub fn new(rules: &'a Adjudication) -> Self {
        Self { rules, streaks: Default::default() }
    }

    /// Judges the game after a move, which its player judged so.
    pub fn judge(&mut self, game: &Game, score: Option<Score>) -> Option<Ruling> {
        let mover = !game.position().side_to_move();
        self.count(mover, score);
        let (own, other) = (self.streaks[mover.index()], self.streaks[(!mover).index()]);
        if let Some(rule) = self.rules.resign {
            let agree = |loser: Streaks, winner: Streaks| {
                loser.lost >= rule.moves && winner.won >= rule.moves
            };
            if agree(own, other) {
                return Some(Ruling::Resignation(!mover));
            } else if agree(other, own) {
                return Some(Ruling::Resignation(mover));
            }
        }
        if let Some(rule) = self.rules.draw {
            let late = u32::from(game.position().fullmove_number()) >= rule.from_move;
            if late && own.level >= rule.moves && other.level >= rule.moves {
                return Some(Ruling::Draw);
            }
        }
        self.look_up(game).or_else(|| {
            let too_long =
                self.rules.max_plies.is_some_and(|most| game.moves().len() >= most as usize);
            too_long.then_some(Ruling::TooLong)
        })
    }

    fn count(&mut self, mover: Color, score: Option<Score>) {
        let value = match score {
            Some(Score::Centipawns(value)) => Some(value),
            Some(Score::Mate(plies)) if plies > 0 => Some(i32::MAX),
            Some(Score::Mate(_)) => Some(-i32::MAX),
            None => None,
        };
        let longer = |streak: u32, holds: bool| if holds { streak + 1 } else { 0 };
        let level = self.rules.draw.map_or(0, |rule| rule.score);
        let lost = self.rules.resign.map_or(i32::MAX, |rule| rule.score);
        let streaks = &mut self.streaks[mover.index()];
        *streaks = Streaks {
            level: longer(streaks.level, value.is_some_and(|value| value.abs() <= level)),
            lost: longer(streaks.lost, value.is_some_and(|value| value <= -lost)),
            won: longer(streaks.won, value.is_some_and(|value| value >= lost)),
        };
    }

    /// The tables are exact where the fifty-move count has just begun.
    fn look_up(&self, game: &Game) -> Option<Ruling> {
        let (tables, position) = (self.rules.tables.as_ref()?, game.position());
        if position.halfmove_clock() != 0 || position.occupied().count() > tables.max_pieces() {
            return None;
        }
        let winner = match Tablebase::probe_wdl(&**tables, position)? {
            Wdl::Win => Some(position.side_to_move()),
            Wdl::Loss => Some(!position.side_to_move()),
            _ => None,
        };
        Some(Ruling::Tablebase(winner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays knights back and forth with those scores, each for the side that moves.
    fn rule(rules: &Adjudication, scores: &[i32]) -> Option<(usize, Ruling)> {
        let mut game = Game::default();
        let mut arbiter = Arbiter::new(rules);
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
        for (i, (&score, text)) in scores.iter().zip(moves).enumerate() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
            if let Some(ruling) = arbiter.judge(&game, Some(Score::Centipawns(score))) {
                return Some((i + 1, ruling));
            }
        }
        None
    }

    #[test]
    fn a_player_resigns_when_the_opponent_agrees() {
        let rules = Adjudication { resign: "2:500".parse().ok(), ..Adjudication::default() };
        let scores = [-600, 600, -600, 600];
        assert_eq!(rule(&rules, &scores), Some((4, Ruling::Resignation(Color::Black))));
        let scores = [700, -600, 700, -600];
        assert_eq!(rule(&rules, &scores), Some((4, Ruling::Resignation(Color::White))));
        assert_eq!(rule(&rules, &[-600, 100, -600, 100, -600, 100]), None);
        assert_eq!(rule(&rules, &[-600, 600, -400, 600, -600, 600]), None);
    }

    #[test]
    fn a_draw_needs_its_moves_and_its_time() {
        let rules = Adjudication { draw: "3:2:10".parse().ok(), ..Adjudication::default() };
        assert_eq!(rule(&rules, &[0, 0, 0, 0, 0, 0]), Some((4, Ruling::Draw)));
        assert_eq!(rule(&rules, &[0, 0, 11, 0, 0, -10, 9]), Some((7, Ruling::Draw)));
        let late = Adjudication { draw: "9:2:10".parse().ok(), ..Adjudication::default() };
        assert_eq!(rule(&late, &[0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn a_game_that_takes_too_long_is_a_draw() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(rule(&rules, &[900; 5]), Some((3, Ruling::TooLong)));
    }

    #[test]
    fn rules_that_say_nothing_are_refused() {
        for text in ["", "1", "0:500", "2:0", "2:x", "1:2:3"] {
            assert!(text.parse::<ResignRule>().is_err(), "{text}");
        }
        for text in ["40:0:10", "40:8", "40:8:10:1", "-1:8:10"] {
            assert!(text.parse::<DrawRule>().is_err(), "{text}");
        }
    }
}
