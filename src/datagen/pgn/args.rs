//! The words after `tandem datagen pgn`, and what they ask for.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tandem_nnue::Networks;
use tandem_train::data::{
    Deduplicator, Excursions, Filter, Format, ImportSettings, Labeller, Mark, NetworkLabeller,
    Resumed, SearchLabeller, Writer, append, create, resume,
};

/// The words after `tandem datagen pgn`.
#[derive(clap::Args)]
pub struct Args {
    /// The PGN collections
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The file to write, which must not exist; its name tells the format
    #[arg(long, short)]
    pub(super) out: PathBuf,
    /// Go on behind the games of an existing .games file
    #[arg(long, conflicts_with = "resume")]
    pub(super) append: bool,
    /// Go on with an interrupted import: the same command again, and nothing is done twice
    #[arg(long)]
    pub(super) resume: bool,
    /// Who gives the scores
    #[arg(long, value_enum, default_value_t = Teacher::None)]
    pub(super) label: Teacher,
    /// The network of the teacher, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    pub(super) net: String,
    /// A small network for lop-sided material
    #[arg(long, value_name = "FILE", default_value = "")]
    pub(super) small_net: String,
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
pub enum Teacher {
    /// Nobody: moves and results only
    None,
    /// The static evaluation of a network
    Static,
    /// Our own search with a fixed number of nodes
    Search,
}

fn rate(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it is not from 0 to 1".to_owned()) }
}

/// A file to write, and how far each collection has been worked through.
type Begun = (Box<dyn Writer>, Vec<Mark>);

impl Args {
    /// The networks of the teacher, if there is one.
    pub fn networks(&self) -> Result<Option<Networks>, Box<dyn std::error::Error>> {
        if self.label == Teacher::None {
            return Ok(None);
        }
        let networks = tandem_engine::networks::load(&self.net, &self.small_net)?;
        let missing = "there is no network in this program: name one with --net FILE";
        networks.map(Some).ok_or_else(|| missing.into())
    }

    /// Makes a teacher for each thread.
    pub fn teacher<'a>(
        &self,
        networks: Option<&'a Networks>,
    ) -> Option<Box<dyn Fn() -> Box<dyn Labeller> + Sync + 'a>> {
        let (networks, nodes) = (networks?, self.nodes);
        match self.label {
            Teacher::None => None,
            Teacher::Static => Some(Box::new(|| Box::new(NetworkLabeller::new(networks)))),
            Teacher::Search => {
                Some(Box::new(move || Box::new(SearchLabeller::new(networks, nodes))))
            }
        }
    }

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
        }
    }

    /// The file to write, and how far each collection has been worked through. What was written before
    /// an interruption is made known to `seen`.
    pub fn target(
        &self,
        seen: &mut Option<Deduplicator>,
    ) -> Result<Begun, Box<dyn std::error::Error>> {
        let format = Format::of(&self.out)?;
        if (self.append || self.resume) && format != Format::Games {
            return Err("only .games files can be appended to or resumed".into());
        }
        let name = self.out.display();
        let note = self.description();
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
    fn description(&self) -> String {
        let teacher = match self.label {
            Teacher::None => "no scores".to_owned(),
            Teacher::Static => format!("static scores of {}", self.network_name()),
            Teacher::Search => {
                format!("scores of {} nodes with {}", self.nodes, self.network_name())
            }
        };
        let names: Vec<_> = self.files.iter().filter_map(|file| file.file_name()).collect();
        let names: Vec<_> = names.into_iter().map(|name| name.to_string_lossy()).collect();
        format!(
            "tandem {} datagen pgn of {}: {teacher}; filter {}; {} positions up to {} moves off the \
             line for each; seed {}; {}",
            env!("CARGO_PKG_VERSION"),
            names.join(", "),
            self.filter.without_scores(),
            self.off_line,
            self.off_line_moves,
            self.seed,
            if self.dedup.is_some() { "repetitions dropped" } else { "with repetitions" }
        )
    }

    fn network_name(&self) -> String {
        let name = Path::new(&self.net).file_name();
        name.map_or("the program's own network".into(), |name| name.to_string_lossy().into_owned())
    }
}
