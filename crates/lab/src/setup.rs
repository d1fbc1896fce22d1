//! What all experiments have in common: how much, from which seed, where.

use std::path::PathBuf;

use clap::Args;
use tandem_games::selfplay::{MOST_GAMES, SideOptions};
use tandem_games::words;

use crate::{Experiment, LabError, Name};

/// The options that every experiment takes.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// The folder of the report, and of the games in it; lab/NAME if not said
    #[arg(long, global = true, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Games for each point; as many as in the paper if not said
    #[arg(long, global = true, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: Option<u64>,
    /// Positions for each move; several, with commas between them, where the experiment compares them
    #[arg(long, global = true, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,
    /// Games side by side
    #[arg(long, global = true, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub concurrency: u16,
    /// Where chance begins
    #[arg(long, global = true, default_value_t = 1)]
    pub seed: u64,
    /// UCI options of all sides: option.NAME=VALUE words; what the experiment sets counts more
    #[arg(
        long,
        global = true,
        value_name = "OPTIONS",
        default_value = "",
        hide_default_value = true
    )]
    pub both: SideOptions,
}

/// How much is played, from which seed and with what.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The experiment.
    pub name: Name,
    /// Games for each point.
    pub games: u64,
    /// Positions for each move, one number or several.
    pub nodes: Vec<u64>,
    /// Games side by side.
    pub concurrency: usize,
    /// Where chance begins.
    pub seed: u64,
    /// UCI options of all sides.
    pub both: SideOptions,
}

impl Setup {
    /// What was asked for, and the experiment's usual settings where nothing was.
    ///
    /// # Errors
    /// The experiment takes one number of positions, and several were given, or one twice.
    pub fn new(name: &Name, common: &Common) -> Result<Self, LabError> {
        let usual = name.usual();
        let nodes =
            if common.nodes.is_empty() { usual.nodes.to_vec() } else { common.nodes.clone() };
        if usual.nodes.len() == 1 && nodes.len() > 1 {
            let sentence = format!("--nodes: {} takes one number, not several", name.name());
            return Err(LabError::Settings(sentence));
        }
        no_repeats("--nodes", &nodes)?;
        Ok(Self {
            name: name.clone(),
            games: common.games.unwrap_or(usual.games),
            nodes,
            concurrency: common.concurrency.into(),
            seed: common.seed,
            both: common.both.clone(),
        })
    }

    /// The command that gives these games, wherever they are kept.
    #[must_use]
    pub fn command(&self) -> String {
        let mut words = vec!["tandem".to_owned(), "lab".to_owned(), self.name.name().to_owned()];
        words.extend(self.name.words());
        words.extend(["--games".to_owned(), self.games.to_string()]);
        words.extend(["--nodes".to_owned(), list(&self.nodes)]);
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        let both = self.both.to_string();
        if !both.is_empty() {
            words.extend(["--both".to_owned(), both]);
        }
        let words: Vec<String> = words.iter().map(|word| words::quoted(word)).collect();
        words.join(" ")
    }
}

/// Values with commas between them, as an option takes them.
pub fn list<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Each value makes a point of its own, so none may be there twice.
pub fn no_repeats<T: PartialEq + ToString>(option: &str, values: &[T]) -> Result<(), LabError> {
    let twice = values.iter().enumerate().find(|(place, value)| values[..*place].contains(value));
    match twice {
        Some((_, value)) => {
            Err(LabError::Settings(format!("{option}: {} is given twice", value.to_string())))
        }
        None => Ok(()),
    }
}
