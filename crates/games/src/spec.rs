//! Who plays: a player as the user describes it in a line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_chess::Square;
use thiserror::Error;

use crate::pace::{Pace, TimeControlError, above_zero};
use crate::words::{self, WordsError};

const KEYS: &str =
    "cmd, arg, dir, name, option.NAME, tc, movetime, nodes, depth, odds, side, restart, ready";

/// How long an engine may take to introduce itself and to get ready unless something else is said: it
/// may load a network or clear a large table on a busy machine.
const READY: Duration = Duration::from_mins(1);

/// Why a description of a player cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// The line is not made of settings.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A key that means nothing.
    #[error("a player has no setting '{0}'; known are {KEYS}")]
    UnknownKey(String),
    /// A value that does not fit its key.
    #[error("{key}={value}: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// What was given.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
    /// The time control makes no sense.
    #[error("tc: {0}")]
    TimeControl(#[from] TimeControlError),
    /// Arguments for a program that is not named.
    #[error("{0} needs cmd: without it the engine of this program plays")]
    NoProgram(&'static str),
}

/// Which side of each opening a player takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Each in turn.
    #[default]
    Both,
    /// White.
    White,
    /// Black.
    Black,
    /// The one with less material: the giver of the odds.
    Weaker,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Both => "both",
            Self::White => "white",
            Self::Black => "black",
            Self::Weaker => "weaker",
        })
    }
}

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The program's name or path.
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The folder in which it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
        self.folder.as_ref().map_or(Ok(()), |folder| write!(f, " (in {folder})"))
    }
}

/// A player as it was described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSpec {
    /// What it is called in tables and games.
    pub name: String,
    /// The UCI engine that plays; none for the engine of this program, in this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// UCI options, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// How much it may think.
    pub pace: Pace,
    /// Squares of the start position, as White sees them, whose pieces it does without.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "squares")]
    pub odds: Vec<Square>,
    /// Which side it takes.
    #[serde(default)]
    pub side: Side,
    /// Whether it is started anew for each game.
    #[serde(default)]
    pub restart: bool,
    /// How long it may take to get ready.
    #[serde(default = "usual_ready", skip_serializing_if = "is_usual_ready")]
    pub ready: Duration,
}

const fn usual_ready() -> Duration {
    READY
}

fn is_usual_ready(time: &Duration) -> bool {
    *time == READY
}

impl PlayerSpec {
    /// The value of an option, in any mixture of upper and lower case.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(line: &str) -> Result<Self, SpecError> {
        let (mut name, mut command, mut folder) = (None, None, None);
        let mut arguments = Vec::new();
        let mut player = Self {
            name: String::new(),
            program: None,
            options: Vec::new(),
            pace: Pace::default(),
            odds: Vec::new(),
            side: Side::Both,
            restart: false,
            ready: READY,
        };
        for (key, value) in words::settings(line)? {
            let refuse =
                |expected| SpecError::Value { key: key.clone(), value: value.clone(), expected };
            let not_positive = || refuse("a number above 0");
            if let Some(option) = key.strip_prefix("option.") {
                player.options.push((option.to_owned(), value));
                continue;
            }
            match key.as_str() {
                "name" if value.is_empty() => return Err(refuse("a name")),
                "cmd" if value.is_empty() => return Err(refuse("a program")),
                "name" => name = Some(value),
                "cmd" => command = Some(value),
                "arg" => arguments.push(value),
                "dir" => folder = Some(value),
                "tc" => player.pace.tc = Some(value.parse()?),
                "movetime" => {
                    player.pace.movetime = Some(above_zero(&value).map_err(|_| refuse("seconds"))?);
                }
                "nodes" => player.pace.nodes = Some(number(&value).ok_or_else(not_positive)?),
                "depth" => player.pace.depth = Some(number(&value).ok_or_else(not_positive)?),
                "odds" => {
                    player.odds =
                        squares::read(&value).ok_or_else(|| refuse("squares such as b1,d1"))?;
                }
                "side" => {
                    player.side = match value.as_str() {
                        "both" => Side::Both,
                        "white" => Side::White,
                        "black" => Side::Black,
                        "weaker" => Side::Weaker,
                        _ => return Err(refuse("both, white, black or weaker")),
                    }
                }
                "restart" => {
                    player.restart = value.parse().map_err(|_| refuse("true or false"))?;
                }
                "ready" => {
                    player.ready = above_zero(&value).map_err(|_| refuse("seconds"))?;
                }
                _ => return Err(SpecError::UnknownKey(key)),
            }
        }
        player.program = match command {
            Some(command) => Some(Program { command, arguments, folder }),
            None if !arguments.is_empty() => return Err(SpecError::NoProgram("arg")),
            None if folder.is_some() => return Err(SpecError::NoProgram("dir")),
            None => None,
        };
        player.name = name.unwrap_or_else(|| match &player.program {
            Some(program) => file_name(&program.command),
            None => "tandem".to_owned(),
        });
        Ok(player)
    }
}

/// A number above 0.
fn number<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number| *number > T::from(0))
}

fn file_name(path: &str) -> String {
    let name = std::path::Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Gives players of the same name numbers, so that tables can be read.
pub fn tell_apart(players: &mut [PlayerSpec]) {
    for i in 1..players.len() {
        let plain = players[i].name.clone();
        let mut number = 1;
        while players[..i].iter().any(|other| other.name == players[i].name) {
            number += 1;
            players[i].name = format!("{plain} {number}");
        }
    }
}

/// Squares as text, separated by commas.
mod squares {
    use serde::{Deserialize as _, Deserializer, Serializer, de};
    use tandem_chess::Square;

    pub fn read(text: &str) -> Option<Vec<Square>> {
        text.split(',').map(|square| square.trim().parse().ok()).collect()
    }

    pub fn serialize<S: Serializer>(squares: &[Square], out: S) -> Result<S::Ok, S::Error> {
        let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
        out.serialize_str(&names.join(","))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Square>, D::Error> {
        let text = String::deserialize(from)?;
        read(&text).ok_or_else(|| de::Error::custom(format!("'{text}' are no squares")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_read_from_a_line() {
        let line = "cmd=/usr/games/stockfish name=SF option.Hash=16 tc=8+0.08 nodes=5000 arg=-x";
        let player: PlayerSpec = line.parse().unwrap();
        assert_eq!(player.name, "SF");
        assert_eq!(player.program.as_ref().unwrap().arguments, ["-x"]);
        assert_eq!(player.option("hash"), Some("16"));
        assert_eq!(player.pace.to_string(), "tc 8+0.08, 5000 nodes a move");
        let saved = serde_json::to_string(&player).unwrap();
        assert_eq!(serde_json::from_str::<PlayerSpec>(&saved).unwrap(), player);
    }

    #[test]
    fn odds_are_squares_and_survive_saving() {
        let player: PlayerSpec = "odds=b1,g1 side=weaker ready=2.5".parse().unwrap();
        assert_eq!(player.odds.len(), 2);
        let saved = serde_json::to_string(&player).unwrap();
        assert_eq!(serde_json::from_str::<PlayerSpec>(&saved).unwrap(), player);
    }

    #[test]
    fn every_slip_is_named() {
        for (line, said) in [
            ("nam=x", "no setting 'nam'"),
            ("nodes=0", "nodes=0: expected a number above 0"),
            ("depth=ten", "depth=ten"),
            ("tc=8+x", "'8+x' is no time control"),
            ("movetime=0", "movetime=0: expected seconds"),
            ("odds=z9", "odds=z9: expected squares"),
            ("side=left", "side=left"),
            ("ready=0", "ready=0: expected seconds"),
            ("arg=x", "arg needs cmd"),
            ("cmd=", "cmd=: expected a program"),
            ("name='x", "not closed"),
        ] {
            let error = line.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(said), "{line}: {error}");
        }
    }

    #[test]
    fn players_of_one_name_get_numbers() {
        let mut players: Vec<PlayerSpec> =
            ["", "", "name='tandem 2'"].iter().map(|line| line.parse().unwrap()).collect();
        tell_apart(&mut players);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["tandem", "tandem 2", "tandem 2 2"]);
    }
}
