//! What a user can set, declared once: names, kinds, defaults, ranges and what they change.

use std::time::Duration;

use tandem_search::Settings;
use thiserror::Error;

use crate::strength::RATINGS;

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

/// The largest table that is offered, in MiB.
const MAX_HASH: i64 = 1 << 20;
const MAX_THREADS: i64 = 1024;

/// The values in force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "switches that users set one by one")]
pub struct Options {
    /// What the searches heed.
    pub search: Settings,
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
    /// Every option, in the order in which UCI lists them.
    pub const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "Hash",
            kind: OptionKind::Spin {
                default: 16,
                min: 1,
                max: MAX_HASH,
                set: |options, value| options.search.hash = value as usize,
            },
            about: "MiB of memory for what the search remembers",
        },
        OptionSpec {
            name: "Clear Hash",
            kind: OptionKind::Button,
            about: "forget what the search remembers",
        },
        OptionSpec {
            name: "Threads",
            kind: OptionKind::Spin {
                default: 1,
                min: 1,
                max: MAX_THREADS,
                set: |options, value| options.search.threads = value as usize,
            },
            about: "how many threads search",
        },
        OptionSpec {
            name: "MultiPV",
            kind: OptionKind::Spin {
                default: 1,
                min: 1,
                max: 256,
                set: |options, value| options.search.multi_pv = value as usize,
            },
            about: "how many best lines are shown",
        },
        OptionSpec {
            name: "Ponder",
            kind: OptionKind::Check { default: false, set: |_, _| {} },
            about: "tells that the GUI may let the engine think on the opponent's time",
        },
        OptionSpec {
            name: "Move Overhead",
            kind: OptionKind::Spin {
                default: 10,
                min: 0,
                max: 5000,
                set: |options, value| {
                    options.search.move_overhead = Duration::from_millis(value as u64);
                },
            },
            about: "milliseconds a move kept back for the way to the GUI",
        },
        OptionSpec {
            name: "EvalFile",
            kind: OptionKind::Text { set: |options, value| options.eval_file = value },
            about: "a network (.nnue) to evaluate with; empty for the one in the program, none for no network",
        },
        OptionSpec {
            name: "EvalFileSmall",
            kind: OptionKind::Text { set: |options, value| options.eval_file_small = value },
            about: "a small network for positions in which one side is far ahead",
        },
        OptionSpec {
            name: "SyzygyPath",
            kind: OptionKind::Text { set: |options, value| options.syzygy_path = value },
            about: "folders with Syzygy tablebases, separated by ':' (on Windows ';')",
        },
        OptionSpec {
            name: "SyzygyProbeDepth",
            kind: OptionKind::Spin {
                default: 1,
                min: 1,
                max: 100,
                set: |options, value| options.search.endgames.probe_depth = value as i32,
            },
            about: "ask the largest tables only with that much depth left; more suits slow disks",
        },
        OptionSpec {
            name: "SyzygyProbeLimit",
            kind: OptionKind::Spin {
                default: 7,
                min: 0,
                max: 7,
                set: |options, value| options.search.endgames.probe_limit = value as u32,
            },
            about: "the most pieces, kings included, for which the tables are asked",
        },
        OptionSpec {
            name: "Syzygy50MoveRule",
            kind: OptionKind::Check {
                default: true,
                set: |options, value| options.search.endgames.fifty_moves = value,
            },
            about: "whether a win that the fifty-move rule spoils counts as a draw",
        },
        OptionSpec {
            name: "OwnBook",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.own_book = value,
            },
            about: "play from the book of BookFile while it lasts",
        },
        OptionSpec {
            name: "BookFile",
            kind: OptionKind::Text { set: |options, value| options.book_file = value },
            about: "an opening book in Polyglot's form (.bin)",
        },
        OptionSpec {
            name: "BestBookMove",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.best_book_move = value,
            },
            about: "play the book's heaviest move instead of drawing one by weight",
        },
        OptionSpec {
            name: "UCI_Chess960",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.chess960 = value,
            },
            about: "write castling as king takes rook, as Fischer random chess needs it",
        },
        OptionSpec {
            name: "UCI_ShowWDL",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.show_wdl = value,
            },
            about: "show the chances to win, draw and lose in thousandths",
        },
        OptionSpec {
            name: "Contempt",
            kind: OptionKind::Spin {
                default: 0,
                min: -200,
                max: 200,
                set: |options, value| {
                    options.contempt = value as i32;
                    options.hold_in_contempt();
                },
            },
            about: "centipawns by which a draw is worse than nothing to the side that thinks",
        },
        OptionSpec {
            name: "UCI_RatingAdv",
            kind: OptionKind::Spin {
                default: 0,
                min: -4000,
                max: 4000,
                set: |options, value| {
                    options.rating_advantage = value as i32;
                    options.hold_in_contempt();
                },
            },
            about: "how much stronger than the opponent we are, in Elo: a tenth of it adds to Contempt",
        },
        OptionSpec {
            name: "UCI_LimitStrength",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| options.rating = value.then_some(options.elo),
            },
            about: "play at the rating of UCI_Elo",
        },
        OptionSpec {
            name: "UCI_Elo",
            kind: OptionKind::Spin {
                default: 1500,
                min: *RATINGS.start(),
                max: *RATINGS.end(),
                set: |options, value| {
                    options.elo = value;
                    options.rating = options.rating.map(|_| value);
                },
            },
            about: "the rating to play at, if UCI_LimitStrength is on",
        },
        OptionSpec {
            name: "UCI_AnalyseMode",
            kind: OptionKind::Check {
                default: false,
                set: |options, value| {
                    options.analysing = value;
                    options.hold_in_contempt();
                },
            },
            about: "the GUI analyses: always at full strength, and from no book",
        },
        OptionSpec {
            name: "UCI_Opponent",
            kind: OptionKind::Text { set: |_, _| {} },
            about: "who the opponent is; noted in the log",
        },
        OptionSpec {
            name: "Seed",
            kind: OptionKind::Spin {
                default: 0,
                min: 0,
                max: (1 << 31) - 1,
                set: |options, value| options.seed = value as u64,
            },
            about: "where every choice that is left to chance begins",
        },
        OptionSpec {
            name: "Debug Log File",
            kind: OptionKind::Text { set: |options, value| options.log_file = value },
            about: "write the conversation to that file",
        },
    ];

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
    }

    /// The rating to play at and the seed of its errors; none at full strength.
    pub(crate) fn strength(&self) -> Option<(i64, u64)> {
        self.rating.filter(|_| !self.analysing).map(|rating| (rating, self.seed))
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
            chess960: false,
            analysing: false,
            show_wdl: false,
            eval_file: String::new(),
            eval_file_small: String::new(),
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
                OptionKind::Text { set } => set(&mut options, String::new()),
                OptionKind::Button => {}
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
