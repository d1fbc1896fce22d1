//! `tandem datagen stats`: what a file holds.

use std::path::PathBuf;

use serde_json::json;
use tandem_train::data::{Deduplicator, Filter, Statistics, plot};

use super::{Source, progress, tell_damage};
use crate::Outcome;
use crate::output::outln;

/// The words after `tandem datagen stats`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The filter whose effect is counted; the file is not changed
    #[arg(long, default_value_t)]
    filter: Filter,
    /// MiB to notice repeated positions with; with too few the count is a lower bound
    #[arg(long, default_value = "256", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    dedup: u32,
    /// Draw pieces, scores, lengths and results as SVG into that file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Counts and prints.
pub fn run(args: &Args) -> Outcome {
    let mut statistics = Statistics::new(args.filter.clone());
    let mut seen = Deduplicator::new(args.dedup as usize);
    let bar = progress::bar(args.source.size());
    let mut on_damage = |damage: &_| bar.suspend(|| tell_damage(damage));
    let mut games = args.source.open(&mut on_damage)?;
    while let Some(record) = games.next_game()? {
        statistics.add(&record, &mut seen);
        bar.set_position(games.offset());
    }
    let (notes, damaged) = (games.notes().to_vec(), games.damaged());
    bar.finish_and_clear();
    if let Some(file) = &args.plot {
        let svg = plot(&statistics).map_err(|error| format!("cannot draw: {error}"))?;
        std::fs::write(file, svg)
            .map_err(|error| format!("{}: cannot be written ({error})", file.display()))?;
    }
    let (file, bytes) = (&args.source.file, args.source.size());
    let size = bytes as f64 / statistics.positions.max(1) as f64;
    if args.json {
        let calibration: Vec<_> = statistics.calibration();
        outln!(
            "{}",
            json!({
                "file": file, "format": args.source.format()?.name(), "bytes": bytes,
                "bytes_a_position": size, "damaged": damaged, "notes": notes,
                "statistics": statistics, "calibration": calibration,
            })
        );
        return Ok(());
    }
    outln!("file             {}, {bytes} bytes, {size:.2} a position", file.display());
    for note in notes {
        outln!("note             {note}");
    }
    if damaged > 0 {
        outln!("damaged          {damaged} parts passed over");
    }
    for line in statistics.lines() {
        outln!("{line}");
    }
    Ok(())
}
