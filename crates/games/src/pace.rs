//! How much a player may think: clocks and fixed limits.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_engine::Clock;
use thiserror::Error;

/// Waiting for a move that no time limits goes on for so many times the patience.
const UNTIMED: u32 = 30;

/// By how much a fixed time for a move may be exceeded: engines take it as a goal, and the answer
/// still has to come through.
pub const MOVETIME_SLACK: Duration = Duration::from_millis(100);

/// How long to wait for a player that has that time, if any limits it.
#[must_use]
pub fn longest_wait(time: Option<Duration>, patience: Duration) -> Duration {
    time.map_or(patience * UNTIMED, |time| time + patience)
}

/// A time control that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no time control: expected seconds, seconds+increment or moves/seconds+increment")]
pub struct TimeControlError(String);

/// Time for a number of moves or for the whole game, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves until the time is granted again; none for the whole game.
    pub moves: Option<u32>,
    /// The time for them.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || TimeControlError(text.to_owned());
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().map_err(|_| error())?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let control = Self {
            moves,
            base: seconds(base).ok_or_else(error)?,
            increment: seconds(increment).ok_or_else(error)?,
        };
        let nothing = control.moves == Some(0) || control.base.is_zero();
        if nothing { Err(error()) } else { Ok(control) }
    }
}

impl fmt::Display for TimeControl {
    /// As the PGN standard writes it, which is also how it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

/// Reads seconds with fractions, at most a year.
#[must_use]
pub fn seconds(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    (0.0..=366.0 * 86400.0).contains(&value).then(|| Duration::from_secs_f64(value))
}

/// Reads seconds that are to limit something.
///
/// # Errors
/// The text is no number, or limits nothing.
pub fn above_zero(text: &str) -> Result<Duration, &'static str> {
    seconds(text).filter(|time| !time.is_zero()).ok_or("expected seconds above 0")
}

/// Everything that limits a player's thinking; whatever is reached first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// A clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// The same time for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<Duration>,
    /// Positions for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Pace {
    /// Whether nothing limits the player.
    #[must_use]
    pub fn is_open_ended(&self) -> bool {
        *self == Self::default()
    }

    /// These limits, or where there are none at all, those of `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_open_ended() { other } else { self }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.map(|tc| format!("tc {tc}")),
            self.movetime.map(|time| format!("{} s a move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "no limit".to_owned() } else { parts.join(", ") })
    }
}

/// A clock that runs down during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningClock {
    control: TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

impl RunningClock {
    /// A full clock.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self { control, remaining: control.base, moves_to_go: control.moves }
    }

    /// What it shows.
    #[must_use]
    pub const fn reading(&self) -> Clock {
        Clock { remaining: self.remaining, increment: self.control.increment }
    }

    /// Moves until more time is granted.
    #[must_use]
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes off the time of a move and grants what it earns. Answers whether the flag stands.
    #[must_use]
    pub fn press(&mut self, elapsed: Duration, margin: Duration) -> bool {
        if elapsed > self.remaining + margin {
            return false;
        }
        self.remaining = self.remaining.saturating_sub(elapsed) + self.control.increment;
        if let Some(left) = &mut self.moves_to_go {
            *left -= 1;
            if *left == 0 {
                self.remaining += self.control.base;
                self.moves_to_go = self.control.moves;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["8+0.08", "40/60+0.5", "300", "40/9000"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in ["", "0", "8+", "0/8", "/8", "-1+1", "eight", "1e99", "nan", "8+inf"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_gains_its_increment_and_falls_on_overstepping() {
        let mut clock = RunningClock::new("1+0.1".parse().unwrap());
        assert!(clock.press(600 * MS, Duration::ZERO));
        assert_eq!(clock.reading().remaining, 500 * MS);
        assert!(!clock.press(501 * MS, Duration::ZERO));
        assert!(clock.press(501 * MS, MS));
        assert_eq!(clock.reading().remaining, 100 * MS);
    }

    #[test]
    fn time_is_granted_again_after_the_moves_of_a_control() {
        let mut clock = RunningClock::new("2/1".parse().unwrap());
        assert!(clock.press(300 * MS, Duration::ZERO));
        assert_eq!(clock.moves_to_go(), Some(1));
        assert!(clock.press(300 * MS, Duration::ZERO));
        assert_eq!(clock.moves_to_go(), Some(2));
        assert_eq!(clock.reading().remaining, 1400 * MS);
    }
}
