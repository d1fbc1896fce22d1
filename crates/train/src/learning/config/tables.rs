//! The loop's own settings, table by table.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The networks in the program.
pub const PROGRAM: &str = "program";
/// Networks of random numbers.
pub const RANDOM: &str = "random";
/// Games begin in the start position.
pub const START: &str = "start";
/// Games begin with random balanced openings.
pub const CHANCE: &str = "chance";

/// Whether that stands for something else than a file.
pub fn is_word(file: &Path) -> bool {
    [PROGRAM, RANDOM, START, CHANCE].iter().any(|word| file == Path::new(word))
}

/// How long the loop goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Course {
    /// How many generations there are.
    pub generations: u32,
    /// Games side by side; 0 for as many as the machine has cores.
    pub concurrency: usize,
    /// Where chance begins.
    pub seed: u64,
    /// Whether the games of a generation are played by the best pair of the generation before the last one, so
    /// that they can be played while the last one is learnt from.
    pub ahead: bool,
}

impl Default for Course {
    fn default() -> Self {
        Self { generations: 3, concurrency: 0, seed: 1, ahead: false }
    }
}

/// The networks that play first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Begin {
    /// The network of values: a file, `program` or `random`.
    pub value: PathBuf,
    /// The network of policies, as well.
    pub policy: PathBuf,
    /// Neurons in the first layer of a random one.
    pub l1: usize,
    /// Neurons in the hidden layer of a random one.
    pub hidden: usize,
}

impl Default for Begin {
    fn default() -> Self {
        Self { value: PROGRAM.into(), policy: PROGRAM.into(), l1: 256, hidden: 128 }
    }
}

/// How games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlaySettings {
    /// Games of a generation to learn from.
    pub games: u64,
    /// In so many portions they are played.
    pub portions: u64,
    /// Games of a generation to measure with.
    pub validation_games: u64,
    /// Positions a move.
    pub nodes: u64,
    /// The first limit of search-contempt; 0 for none.
    pub limit: u64,
    /// The (w+l)/d that is wanted; 0 if the limit stays as it is.
    pub target: f64,
    /// Near enough is what differs by this factor at most.
    pub tolerance: f64,
    /// UCI options of both sides.
    pub options: String,
    /// Where games begin: a file, `start` or `chance`.
    pub openings: PathBuf,
    /// The most half-moves taken from an opening.
    pub book_plies: usize,
    /// Games that go on for longer are draws.
    pub max_plies: u32,
    /// When games count as drawn; empty for never.
    pub draw: String,
    /// When games count as lost; empty for never.
    pub resign: String,
}

impl Default for SelfPlaySettings {
    fn default() -> Self {
        Self {
            games: 2000,
            portions: 4,
            validation_games: 100,
            nodes: 400,
            limit: 20,
            target: 1.0,
            tolerance: 1.25,
            options: "option.Temperature=0.7 option.TempEndgame=0.1 option.TempDecayMoves=5 \
                      option.Hash=16"
                .into(),
            openings: START.into(),
            book_plies: 16,
            max_plies: 400,
            draw: String::new(),
            resign: String::new(),
        }
    }
}

/// Which games are learnt from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Window {
    /// Those of the last so many generations.
    pub generations: u32,
    /// The share of older ones in all games.
    pub older: f64,
    /// Files of others with scores.
    pub other_value: Vec<PathBuf>,
    /// Files of others with moves.
    pub other_policy: Vec<PathBuf>,
    /// The share of others in all samples.
    pub other: f64,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            generations: 3,
            older: 0.0,
            other_value: Vec::new(),
            other_policy: Vec::new(),
            other: 0.0,
        }
    }
}

/// How often each position is learnt from, on average.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Passes {
    /// Its value.
    pub value: f64,
    /// Its moves.
    pub policy: f64,
}

impl Default for Passes {
    fn default() -> Self {
        Self { value: 2.0, policy: 2.0 }
    }
}

/// How each generation is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Measure {
    /// Games against each opponent.
    pub games: u64,
    /// Positions a move.
    pub nodes: u64,
}

impl Default for Measure {
    fn default() -> Self {
        Self { games: 200, nodes: 400 }
    }
}
