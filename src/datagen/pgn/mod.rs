//! `tandem datagen pgn`: games of PGN collections, with scores.

mod args;
mod report;
mod teacher;

use std::fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde_json::json;
use tandem_fleet::{Counts, Work, Yield};
use tandem_train::data::{BrokenGame, Deduplicator, Import, ImportReport, Mark, PgnReader};

pub use args::Args;
use teacher::Teacher;

use super::progress;
use crate::{Outcome, shard};

/// So many broken games are named on standard error; the rest is counted.
const NAMED: u64 = 20;

/// Imports, as a part of a larger work where a folder of such parts is named.
pub fn run(args: &Args) -> Outcome {
    let teacher = Teacher::new(args)?;
    if !shard::is_folder(&args.out) {
        return import(args, &teacher).map(drop);
    }
    let work = Work {
        job: "datagen pgn".to_owned(),
        shard: args.shard,
        seed: args.seed,
        settings: json!({ "words": args.description(&teacher) }),
    };
    // Nothing is lost with the process, so nobody has to listen for a wish to stop.
    shard::run(&args.out, &work, &AtomicBool::new(false), |folder| {
        let out = folder.join("games.games");
        let args = Args { out, resume: true, append: false, ..args.clone() };
        let report = import(&args, &teacher)?;
        let counts =
            Counts { games: report.written, positions: report.positions, ..Counts::default() };
        let inputs = args.files.iter().filter_map(|file| {
            let digits = tandem_games::digest::of_file(file)?;
            Some((file.display().to_string(), digits))
        });
        Ok(Some(Yield { counts, inputs: inputs.collect(), ..Yield::default() }))
    })
}

/// Imports and says what became of the games.
fn import(args: &Args, teacher: &Teacher) -> Result<ImportReport, Box<dyn std::error::Error>> {
    let maker = teacher.maker();
    let inputs = args.files.iter().map(|file| open(file)).collect::<Result<Vec<_>, _>>()?;
    let mut list = args.broken.as_deref().map(open_list).transpose()?;
    let mut seen = args.dedup.map(|mib| Deduplicator::new(mib as usize));
    let (mut writer, marks) = args.target(teacher, &mut seen)?;
    let settings = args.settings();
    let length = |file: &Path| file.metadata().map_or(0, |metadata| metadata.len());
    let bar = progress::bar(args.files.iter().map(|file| length(file)).sum());
    let mut report = ImportReport::default();
    let (mut named, mut before) = (0, 0);
    let start = Instant::now();
    for (file, input) in args.files.iter().zip(inputs) {
        let name = file.display().to_string();
        let reader = reader(input, &name, &marks)?;
        let mut import = Import {
            settings: &settings,
            seen: seen.take(),
            teacher: maker.as_deref(),
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
        let part = import.run(reader, &mut *writer);
        seen = import.seen.take();
        if part.is_err() {
            bar.finish_and_clear();
            // What is finished is worth keeping, whatever went wrong.
            let _ = writer.finish();
        }
        report.add(&part?);
        before += length(file);
    }
    writer.finish()?;
    bar.finish_and_clear();
    if let Some(list) = &mut list {
        list.flush().map_err(|error| format!("the list of broken games: {error}"))?;
    }
    args.print(&report, &*writer, start.elapsed().as_secs_f64())?;
    Ok(report)
}

/// Reads a collection from where its mark says, if there is one.
fn reader(mut input: File, name: &str, marks: &[Mark]) -> Result<PgnReader<File>, String> {
    let Some(mark) = marks.iter().find(|mark| mark.source == name) else {
        return Ok(PgnReader::new(input, name));
    };
    input
        .seek(SeekFrom::Start(mark.offset))
        .map_err(|error| format!("{name}: cannot be read at byte {}: {error}", mark.offset))?;
    Ok(PgnReader::resume(input, mark))
}

fn open(file: &Path) -> Result<File, String> {
    File::open(file).map_err(|error| format!("{}: cannot be opened: {error}", file.display()))
}

fn open_list(file: &Path) -> Result<BufWriter<File>, String> {
    File::create(file)
        .map(BufWriter::new)
        .map_err(|error| format!("{}: cannot be written: {error}", file.display()))
}
