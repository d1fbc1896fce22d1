//! The words after `tandem datagen pgn`, and what they ask for.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tandem_games::{PlayerSpec, Shard};
use tandem_train::data::{
    Deduplicator, Excursions, Filter, Format, ImportSettings, Mark, Resumed, Writer, append,
    create, resume,
};

use super::teacher::Teacher;

/// The words after `tandem datagen pgn`.
#[derive(Clone, clap::Args)]
pub struct Args {
    /// The PGN collections
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The file to write, which must not exist; its name tells the format. With / at its end it is a folder,
    /// in which this part of the work gets one of its own
    #[arg(long, short)]
    pub(super) out: PathBuf,
    /// Use only part i of n: every n-th game, parts counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub(super) shard: Shard,
    /// Go on behind the games of an existing .games file
    #[arg(long, conflicts_with = "resume")]
    pub(super) append: bool,
    /// Go on with an interrupted import: the same command again, and nothing is done twice
    #[arg(long)]
    pub(super) resume: bool,
    /// Who gives the scores
    #[arg(long, value_enum, default_value_t = Label::None)]
    pub(super) label: Label,
    /// The network of the teacher, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    pub(super) net: String,
    /// A small network for lop-sided material
    #[arg(long, value_name = "FILE", default_value = "")]
    pub(super) small_net: String,
    /// The UCI engine that gives the scores, as key=value words: cmd, arg, dir, option.NAME, nodes,
    /// depth, movetime, ready
    #[arg(long, value_name = "SETTINGS")]
    pub(super) engine: Option<PlayerSpec>,
    /// What 100 centipawns of the UCI engine are in the internal unit; without this they mean an even
    /// chance to win
    #[arg(long, value_name = "VALUE", value_parser = positive)]
    pub(super) pawn: Option<f64>,
    /// Seconds that an answer of the UCI engine may take beyond its time
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = positive)]
    pub(super) patience: f64,
    /// Nodes that a search may visit for each position
    #[arg(long, default_value = "5000", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Which positions get a score; rules about scores do not count here
    #[arg(long, default_value_t)]
    pub(super) filter: Filter,
    /// How many positions off the line each position of a game gets on average, from 0 to 1
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = rate)]
    pub(super) off_line: f64,
    /// How many random moves lead off the line at most
    #[arg(long, value_name = "MOVES", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(super) off_line_moves: u8,
    /// Where every choice that is left to chance begins
    #[arg(long, default_value = "0")]
    pub(super) seed: u64,
    /// Drop repeated games and give repeated positions no score, noticed with that many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) dedup: Option<u32>,
    /// How many threads work
    #[arg(long, default_value = "1")]
    pub(super) threads: NonZeroUsize,
    /// Write the name of every broken game into that file
    #[arg(long, value_name = "FILE")]
    pub(super) broken: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Label {
    /// Nobody: moves and results only
    None,
    /// The static evaluation of a network
    Static,
    /// Our own search with a fixed number of nodes
    Search,
    /// The UCI engine that --engine names
    Uci,
}

fn rate(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it is not from 0 to 1".to_owned()) }
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    let is_possible = number > 0.0 && number <= 10_000.0;
    is_possible.then_some(number).ok_or_else(|| "it is not above 0 and at most 10000".to_owned())
}

/// A file to write, and how far each collection has been worked through.
type Begun = (Box<dyn Writer>, Vec<Mark>);

impl Args {
    /// How games become records.
    pub fn settings(&self) -> ImportSettings {
        ImportSettings {
            filter: self.filter.clone(),
            excursions: (self.off_line > 0.0).then_some(Excursions {
                rate: self.off_line,
                longest: self.off_line_moves.into(),
                seed: self.seed,
            }),
            threads: self.threads.get(),
            shard: self.shard,
        }
    }

    /// The file to write, and how far each collection has been worked through. What was written before
    /// an interruption is made known to `seen`.
    pub fn target(
        &self,
        teacher: &Teacher,
        seen: &mut Option<Deduplicator>,
    ) -> Result<Begun, Box<dyn std::error::Error>> {
        let format = Format::of(&self.out)?;
        if (self.append || self.resume) && format != Format::Games {
            return Err("only .games files can be appended to or resumed".into());
        }
        let name = self.out.display();
        let note = self.description(teacher);
        let (mut writer, marks) = if self.append {
            let (writer, cut) = append(&self.out)?;
            if cut > 0 {
                eprintln!("tandem: {name}: {cut} bytes of an unfinished game were cut off");
            }
            (writer, Vec::new())
        } else if self.resume && self.out.exists() {
            let settings = self.settings();
            let Resumed { writer, marks, notes, cut } = resume(&self.out, &mut |record| {
                if let Some(seen) = seen {
                    settings.remember(record, seen);
                }
            })?;
            if let Some(other) = notes.first().filter(|&other| *other != note) {
                return Err(format!("{name} was begun with other words: {other}").into());
            }
            if cut > 0 {
                eprintln!("tandem: {name}: {cut} bytes of unfinished work were cut off");
            }
            (writer, marks)
        } else {
            (create(&self.out, format)?, Vec::new())
        };
        if marks.is_empty() {
            writer.note(&note)?;
        }
        Ok((writer, marks))
    }

    /// What the file says about itself.
    pub(super) fn description(&self, teacher: &Teacher) -> String {
        let teacher = teacher.describe(&self.network_name());
        let names: Vec<_> = self.files.iter().filter_map(|file| file.file_name()).collect();
        let names: Vec<_> = names.into_iter().map(|name| name.to_string_lossy()).collect();
        format!(
            "tandem {} datagen pgn of {}: {teacher}; filter {}; {} positions up to {} moves off the \
             line for each; seed {}; {}{}",
            env!("CARGO_PKG_VERSION"),
            names.join(", "),
            self.filter.without_scores(),
            self.off_line,
            self.off_line_moves,
            self.seed,
            if self.dedup.is_some() { "repetitions dropped" } else { "with repetitions" },
            if self.shard.is_whole() { String::new() } else { format!("; part {}", self.shard) }
        )
    }

    fn network_name(&self) -> String {
        let name = Path::new(&self.net).file_name();
        name.map_or("the program's own network".into(), |name| name.to_string_lossy().into_owned())
    }
}
