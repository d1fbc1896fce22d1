//! What a user can set: names, kinds, defaults, ranges and what they change.

mod specs;

use std::num::NonZeroI64;

use tandem_hybrid::Params as HybridParams;
use tandem_mcts::{ContemptMode, Noise, Params};
use tandem_search::Settings;
use thiserror::Error;

use crate::odds::OddsMode;

/// What values an option takes.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The value before anyone sets it.
        default: bool,
        /// Puts a value in force.
        set: fn(&mut Options, bool),
    },
    /// A whole number in a range.
    Spin {
        /// The value before anyone sets it.
        default: i64,
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
        /// Puts a value in force.
        set: fn(&mut Options, i64),
    },
    /// A whole number in a range, but not 0.
    Nonzero {
        /// The value before anyone sets it.
        default: i64,
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
        /// Puts a value in force.
        set: fn(&mut Options, NonZeroI64),
    },
    /// A number with a fraction. UCI knows only whole ones, so it is written as a text.
    Number {
        /// The value before anyone sets it.
        default: fn() -> f32,
        /// The smallest allowed value.
        min: f32,
        /// The largest allowed value.
        max: f32,
        /// Puts a value in force.
        set: fn(&mut Options, f32),
    },
    /// One of several words.
    Choice {
        /// The word before anyone chooses.
        default: &'static str,
        /// All words.
        words: &'static [&'static str],
        /// Puts a word in force.
        set: fn(&mut Options, &'static str),
    },
    /// A text, empty at first.
    Text {
        /// Puts a value in force.
        set: fn(&mut Options, String),
    },
    /// Something to do now, without a value.
    Button,
}

/// The declaration of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name, as UCI shows it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
    /// One sentence for people.
    pub about: &'static str,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("there is no option '{0}'; 'uci' lists them")]
    Unknown(String),
    /// The value does not fit.
    #[error("option {name} is '{found}'; expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        found: String,
        /// What it takes.
        expected: String,
    },
    /// The value names something that cannot be used.
    #[error("option {name}: {reason}; nothing has changed")]
    Unusable {
        /// The option.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Options are for between searches.
    #[error("a search is running; stop it before setting options")]
    Searching,
}

/// Which search answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SearchMode {
    /// The one that proves.
    #[default]
    AlphaBeta,
    /// The one that explores.
    Mcts,
    /// Both in tandem.
    Hybrid,
}

/// Where batches of positions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Backend {
    /// On the GPU if it was measured to be faster, on the processor otherwise.
    #[default]
    Auto,
    /// On the processor; no device is ever touched.
    Cpu,
    /// On the GPU whenever there is one.
    Gpu,
}

/// What the exploring search asks at its leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LeafKind {
    /// The evaluation itself.
    #[default]
    Static,
    /// The evaluation once captures are played out.
    Quiescence,
    /// A search of that many plies.
    Depth(u32),
}

/// The values in force.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "switches that users set one by one")]
pub struct Options {
    /// What the searches heed.
    pub search: Settings,
    /// Which search answers.
    pub mode: SearchMode,
    /// What only the tandem heeds.
    pub hybrid: HybridParams,
    /// Whether the tandem tells how it came to its choice.
    pub hybrid_info: bool,
    /// What only the exploring search heeds.
    pub mcts: Params,
    /// What it asks at its leaves.
    pub leaf: LeafKind,
    /// Where it has batches evaluated.
    pub backend: Backend,
    /// When it plays at odds.
    pub odds: OddsMode,
    /// Who the opponent is, as UCI tells it.
    pub opponent: String,
    noise_wanted: bool,
    noise: Noise,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether the GUI analyses instead of playing.
    pub analysing: bool,
    /// Whether win, draw and loss are shown.
    pub show_wdl: bool,
    /// The file of the network; empty for the one in the program.
    pub eval_file: String,
    /// The file of a small network for lop-sided positions; empty for none.
    pub eval_file_small: String,
    /// The file of the policy network; empty for the one in the program.
    pub policy_file: String,
    /// Where the Syzygy tables lie; nowhere if empty.
    pub syzygy_path: String,
    /// Whether moves are played from the book.
    pub own_book: bool,
    /// The file of the opening book; empty for none.
    pub book_file: String,
    /// Whether the book's best move is played instead of one drawn by weight.
    pub best_book_move: bool,
    contempt: i32,
    rating_advantage: i32,
    /// The rating to play at; full strength if none.
    pub rating: Option<i64>,
    /// The rating that counts once strength is limited.
    elo: i64,
    /// Where every choice that is left to chance begins.
    pub seed: u64,
    /// Where the conversation is written down; nowhere if empty.
    pub log_file: String,
}

impl Options {
    /// Finds an option by its name, in any mixture of upper and lower case.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn find(name: &str) -> Result<&'static OptionSpec, OptionError> {
        Self::SPECS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shorten(name)))
    }

    /// Contempt is for games: an analysis wants the truth.
    fn hold_in_contempt(&mut self) {
        let wanted = self.contempt + self.rating_advantage / 10;
        self.search.contempt = if self.analysing { 0 } else { wanted.clamp(-200, 200) };
        let is_for_play = self.mcts.contempt_mode == ContemptMode::Play;
        let advantage = self.rating_advantage + 10 * self.contempt;
        self.mcts.rating_advantage =
            if self.analysing && is_for_play { 0.0 } else { advantage as f32 };
    }

    /// Noise is for self-play, and only if it is asked for.
    fn make_noise(&mut self) {
        self.mcts.noise = self.noise_wanted.then_some(self.noise);
    }

    /// The rating to play at and the seed of its errors; none at full strength.
    pub(crate) fn strength(&self) -> Option<(i64, u64)> {
        self.rating.filter(|_| !self.analysing).map(|rating| (rating, self.seed))
    }

    /// Whether another search is needed than with those options, not just other settings of it.
    pub(crate) fn asks_for_another_search(&self, before: &Self) -> bool {
        let own = |options: &Self| {
            let Settings { hash, threads, .. } = options.search;
            // A batch evaluator is made for so many threads.
            let has_batches = match options.backend {
                Backend::Cpu => options.mcts.batch > 1,
                Backend::Auto | Backend::Gpu => options.mcts.batch != 1,
            };
            let threads = has_batches.then_some(threads);
            let own = (options.mcts, options.leaf, options.backend, hash, threads);
            (options.mode != SearchMode::AlphaBeta).then_some(own)
        };
        let tandem =
            |options: &Self| (options.mode == SearchMode::Hybrid).then(|| options.hybrid.clone());
        self.strength() != before.strength()
            || self.mode != before.mode
            || own(self) != own(before)
            || tandem(self) != tandem(before)
    }

    /// Sets a value from its text.
    ///
    /// # Errors
    /// The value does not fit; nothing has changed.
    pub fn set(&mut self, spec: &'static OptionSpec, value: &str) -> Result<(), OptionError> {
        match spec.kind {
            OptionKind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(self, true),
                "false" => set(self, false),
                _ => return refuse(spec, value, "true or false"),
            },
            OptionKind::Spin { min, max, set, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => set(self, number),
                _ => {
                    return refuse(spec, value, &format!("a whole number from {min} to {max}"));
                }
            },
            OptionKind::Nonzero { min, max, set, .. } => match value.parse::<NonZeroI64>() {
                Ok(number) if (min..=max).contains(&number.get()) => set(self, number),
                _ => {
                    let expected = format!("a whole number from {min} to {max}, but not 0");
                    return refuse(spec, value, &expected);
                }
            },
            OptionKind::Number { min, max, set, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => set(self, number),
                _ => return refuse(spec, value, &format!("a number from {min} to {max}")),
            },
            OptionKind::Choice { words, set, .. } => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                match word {
                    Some(word) => set(self, word),
                    None => return refuse(spec, value, &format!("one of {}", words.join(", "))),
                }
            }
            OptionKind::Text { set } => {
                set(self, if value == "<empty>" { String::new() } else { value.to_owned() });
            }
            OptionKind::Button => {}
        }
        Ok(())
    }
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            search: Settings::default(),
            mode: SearchMode::default(),
            hybrid: HybridParams::default(),
            hybrid_info: false,
            mcts: Params::default(),
            leaf: LeafKind::default(),
            backend: Backend::default(),
            odds: OddsMode::default(),
            opponent: String::new(),
            noise_wanted: false,
            noise: Noise::SELF_PLAY,
            chess960: false,
            analysing: false,
            show_wdl: false,
            eval_file: String::new(),
            eval_file_small: String::new(),
            policy_file: String::new(),
            syzygy_path: String::new(),
            own_book: false,
            book_file: String::new(),
            best_book_move: false,
            contempt: 0,
            rating_advantage: 0,
            rating: None,
            elo: 0,
            seed: 0,
            log_file: String::new(),
        };
        for spec in Self::SPECS {
            match spec.kind {
                OptionKind::Check { default, set } => set(&mut options, default),
                OptionKind::Spin { default, set, .. } => set(&mut options, default),
                OptionKind::Choice { default, set, .. } => set(&mut options, default),
                OptionKind::Text { set } => set(&mut options, String::new()),
                // Numbers begin as the search declares them, so that tuning can change that.
                OptionKind::Nonzero { .. } | OptionKind::Number { .. } | OptionKind::Button => {}
            }
        }
        options
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}

fn refuse<T>(spec: &OptionSpec, found: &str, expected: &str) -> Result<T, OptionError> {
    let (found, expected) = (shorten(found), expected.to_owned());
    Err(OptionError::Value { name: spec.name, found, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_out_of_range_changes_nothing() {
        let mut options = Options::default();
        let hash = Options::find("hash").unwrap();
        for value in ["0", "-1", "many", "", "99999999999999999999"] {
            let error = options.set(hash, value).unwrap_err().to_string();
            assert!(error.contains("a whole number from 1 to"), "{error}");
        }
        let limit = Options::find("sclimit").unwrap();
        let error = options.set(limit, "0").unwrap_err().to_string();
        assert!(error.contains("but not 0"), "{error}");
        let chess960 = Options::find("uci_chess960").unwrap();
        assert!(options.set(chess960, "maybe").is_err());
        assert_eq!(options, Options::default());
        assert!(Options::find("Nonsense").unwrap_err().to_string().contains("'Nonsense'"));
    }

    #[test]
    fn every_option_has_a_name_of_its_own_and_a_sentence() {
        for (i, spec) in Options::SPECS.iter().enumerate() {
            assert!(!spec.about.is_empty());
            assert!(Options::SPECS[..i].iter().all(|other| other.name != spec.name));
        }
    }
}
