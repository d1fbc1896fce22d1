//! `tandem datagen pgn`: games of PGN collections, with scores.

use std::fs::File;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use serde_json::json;
use tandem_nnue::Networks;
use tandem_train::data::{
    BrokenGame, Deduplicator, Excursions, Filter, Format, Import, ImportReport, ImportSettings,
    Labeller, NetworkLabeller, SearchLabeller, Writer, append, create,
};

use super::progress;
use crate::Outcome;
use crate::output::outln;

/// So many broken games are named on standard error; the rest is counted.
const NAMED: u64 = 20;

/// The words after `tandem datagen pgn`.
#[derive(clap::Args)]
pub struct Args {
    /// The PGN collections
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write, which must not exist; its name tells the format
    #[arg(long, short)]
    out: PathBuf,
    /// Go on behind the games of an existing .games file
    #[arg(long)]
    append: bool,
    /// Who gives the scores
    #[arg(long, value_enum, default_value_t = Teacher::None)]
    label: Teacher,
    /// The network of the teacher, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// A small network for lop-sided material
    #[arg(long, value_name = "FILE", default_value = "")]
    small_net: String,
    /// Nodes that a search may visit for each position
    #[arg(long, default_value = "5000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Which positions get a score; rules about scores do not count here
    #[arg(long, default_value_t)]
    filter: Filter,
    /// How many positions off the line each position of a game gets on average, from 0 to 1
    #[arg(long, value_name = "RATE", default_value = "0", value_parser = rate)]
    off_line: f64,
    /// How many random moves lead off the line at most
    #[arg(long, value_name = "MOVES", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=8))]
    off_line_moves: u8,
    /// Where every choice that is left to chance begins
    #[arg(long, default_value = "0")]
    seed: u64,
    /// Drop repeated games and give repeated positions no score, noticed with that many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    dedup: Option<u32>,
    /// How many threads work
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Write the name of every broken game into that file
    #[arg(long, value_name = "FILE")]
    broken: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Teacher {
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

/// Imports and says what became of the games.
pub fn run(args: &Args) -> Outcome {
    let networks = args.networks()?;
    let teacher = args.teacher(networks.as_ref());
    let mut list = args.broken.as_deref().map(open_list).transpose()?;
    let mut named = 0;
    let total = args.files.iter().filter_map(|file| file.metadata().ok()).map(|m| m.len()).sum();
    let inputs = args.files.iter().map(|file| open(file)).collect::<Result<Vec<_>, _>>()?;
    let mut writer = args.writer()?;
    writer.note(&args.description())?;
    let settings = ImportSettings {
        filter: args.filter.clone(),
        excursions: (args.off_line > 0.0).then_some(Excursions {
            rate: args.off_line,
            longest: args.off_line_moves.into(),
            seed: args.seed,
        }),
        threads: args.threads.get(),
    };
    let bar = progress::bar(total);
    let mut report = ImportReport::default();
    let mut seen = args.dedup.map(|mib| Deduplicator::new(mib as usize));
    let start = Instant::now();
    let mut before = 0;
    for (file, input) in args.files.iter().zip(inputs) {
        let name = file.display().to_string();
        let mut import = Import {
            settings: &settings,
            seen: seen.take(),
            teacher: teacher.as_deref(),
            on_broken: &mut |game: &BrokenGame| {
                named += 1;
                if named <= NAMED {
                    bar.suspend(|| eprintln!("tandem: {name}: {game}"));
                }
                if let Some(list) = &mut list {
                    // A list that cannot be written is noticed when it is closed.
                    let _ = writeln!(list, "{name}: {game}");
                }
            },
            on_progress: &mut |report: &ImportReport, bytes| {
                bar.set_position(before + bytes);
                bar.set_message(format!("{} games", report.written));
            },
        };
        let part = import.run(input, &name, &mut *writer);
        seen = import.seen.take();
        match part {
            Ok(part) => report.add(&part),
            Err(error) => {
                bar.finish_and_clear();
                // What is finished is worth keeping, whatever went wrong.
                writer.finish()?;
                return Err(error.into());
            }
        }
        before += file.metadata().map_or(0, |metadata| metadata.len());
    }
    writer.finish()?;
    bar.finish_and_clear();
    if let Some(list) = &mut list {
        list.flush().map_err(|error| format!("the list of broken games: {error}"))?;
    }
    args.print(&report, &*writer, start.elapsed().as_secs_f64())
}

fn open(file: &Path) -> Result<File, String> {
    File::open(file).map_err(|error| format!("{}: cannot be opened: {error}", file.display()))
}

fn open_list(file: &Path) -> Result<std::io::BufWriter<File>, String> {
    File::create(file)
        .map(std::io::BufWriter::new)
        .map_err(|error| format!("{}: cannot be written: {error}", file.display()))
}

impl Args {
    fn networks(&self) -> Result<Option<Networks>, Box<dyn std::error::Error>> {
        if self.label == Teacher::None {
            return Ok(None);
        }
        let networks = tandem_engine::networks::load(&self.net, &self.small_net)?;
        let missing = "there is no network in this program: name one with --net FILE";
        networks.map(Some).ok_or_else(|| missing.into())
    }

    fn teacher<'a>(
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

    fn writer(&self) -> Result<Box<dyn Writer>, Box<dyn std::error::Error>> {
        if !self.append {
            return Ok(create(&self.out, Format::of(&self.out)?)?);
        }
        if Format::of(&self.out)? != Format::Games {
            return Err("only .games files can be appended to".into());
        }
        let (writer, cut) = append(&self.out)?;
        if cut > 0 {
            eprintln!(
                "tandem: {}: {cut} bytes of an unfinished game were cut off",
                self.out.display()
            );
        }
        Ok(writer)
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
            "tandem {} datagen pgn of {}: {teacher}; filter {}; {} positions off the line for each; \
             seed {}",
            env!("CARGO_PKG_VERSION"),
            names.join(", "),
            self.filter.without_scores(),
            self.off_line,
            self.seed
        )
    }

    fn network_name(&self) -> String {
        let name = Path::new(&self.net).file_name();
        name.map_or("the program's own network".into(), |name| name.to_string_lossy().into_owned())
    }

    fn print(&self, report: &ImportReport, writer: &dyn Writer, seconds: f64) -> Outcome {
        let speed = report.labelled as f64 / seconds.max(1e-9);
        if self.json {
            let mut object = json!({
                "file": self.out, "bytes": writer.bytes(), "seconds": seconds,
                "labels_per_second": speed, "losses": writer.losses(),
            });
            object["report"] = serde_json::to_value(report)?;
            outln!("{object}");
            return Ok(());
        }
        let named = if report.broken > NAMED && self.broken.is_none() {
            format!(", {NAMED} of them named")
        } else {
            String::new()
        };
        outln!(
            "games      {} read, {} broken{named}, {} without a result, {} repeated, {} written",
            report.games,
            report.broken,
            report.unfinished,
            report.repeated_games,
            report.written
        );
        outln!("positions  {}, {} of them off the line", report.positions, report.off_line);
        outln!("filter     {}", self.filter.without_scores());
        for line in report.filter.lines() {
            outln!("    {line}");
        }
        if self.dedup.is_some() {
            let exact =
                if report.forgotten == 0 { "" } else { ", not all noticed for want of memory" };
            outln!("repeated   {} positions{exact}", report.repeated_positions);
        }
        outln!("scores     {} in {seconds:.1} s, {speed:.0} a second", report.labelled);
        for loss in writer.losses() {
            outln!("left out   {loss}");
        }
        outln!("file       {}, {} bytes", self.out.display(), writer.bytes());
        Ok(())
    }
}
