//! The engine of one side: its options.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::pace::Pace;
use crate::spec::PlayerSpec;
use crate::words::{self, WordsError};

/// What a side has unless the user says otherwise: the search that counts visits, tells them, tries what it
/// would not at the root, and gives the same games on every machine.
const USUAL: [(&str, &str); 4] = [
    ("SearchMode", "MCTS"),
    ("Backend", "cpu"),
    ("VerboseMoveStats", "true"),
    ("RootNoise", "true"),
];

/// Why the options of a side cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SideError {
    /// The line is not made of settings.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// Something else than an option.
    #[error("'{0}' is no option: expected option.NAME=VALUE, such as option.ScLimit=100")]
    NoOption(String),
    /// Each game has seeds of its own.
    #[error("option.Seed is another one in each game; say --seed where chance begins")]
    Seed,
}

/// Options as the user gives them: `option.ScLimit=100 option.Temperature=1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideOptions(Vec<(String, String)>);

impl FromStr for SideOptions {
    type Err = SideError;

    fn from_str(line: &str) -> Result<Self, SideError> {
        let option = |(key, value): (String, String)| match key.strip_prefix("option.") {
            Some(name) if name.eq_ignore_ascii_case("Seed") => Err(SideError::Seed),
            Some(name) if !name.is_empty() => Ok((name.to_owned(), value)),
            _ => Err(SideError::NoOption(key)),
        };
        words::settings(line)?.into_iter().map(option).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for SideOptions {
    /// As it is read: a word with spaces or quotes in it stands in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, value)) in self.0.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            write!(f, "{space}{}", words::quoted(&format!("option.{name}={value}")))?;
        }
        Ok(())
    }
}

impl SideOptions {
    /// Whether an option of that name is among them.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// These options and others, which count more.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        Self([self.0.as_slice(), &others.0].concat())
    }
}

/// The player of a side with that name, so many positions for each move, the options of both sides, and
/// its own, which count more.
#[must_use]
pub fn player(name: &str, nodes: u64, both: &SideOptions, own: &SideOptions) -> PlayerSpec {
    let mut player: PlayerSpec = "".parse().expect("nothing is asked of it");
    name.clone_into(&mut player.name);
    player.pace = Pace { nodes: Some(nodes), ..Pace::default() };
    let usual = USUAL.map(|(name, value)| (name.to_owned(), value.to_owned()));
    for (name, value) in usual.iter().chain(&both.0).chain(&own.0) {
        let known = player.options.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name));
        match known {
            Some((_, old)) => old.clone_from(value),
            None => player.options.push((name.clone(), value.clone())),
        }
    }
    player
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_options_count_more_than_those_of_both_and_these_more_than_the_usual() {
        let both = "option.ScLimit=50 option.backend=auto".parse().unwrap();
        let own = "option.sclimit=9 option.SearchMode=AlphaBeta".parse().unwrap();
        let player = player("white", 7, &both, &own);
        assert_eq!((player.option("ScLimit"), player.option("Backend")), (Some("9"), Some("auto")));
        assert_eq!(player.option("SearchMode"), Some("AlphaBeta"));
        assert_eq!((player.options.len(), player.pace.nodes), (5, Some(7)));
    }

    #[test]
    fn options_are_written_as_they_are_read() {
        for line in ["", "option.A=1 'option.Move Overhead=20'", r#"'option.B="x"' option.C="#] {
            let options: SideOptions = line.parse().unwrap();
            assert_eq!(options.to_string(), line);
            assert_eq!(options.to_string().parse::<SideOptions>().unwrap(), options);
        }
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for (line, said) in [
            ("nodes=5", "'nodes' is no option"),
            ("option.=5", "no option"),
            ("stray", "expected key=value"),
            ("option.seed=3", "--seed"),
            ("cmd=stockfish", "'cmd' is no option"),
        ] {
            let error = line.parse::<SideOptions>().unwrap_err().to_string();
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
