//! `tandem datagen convert`: from one format to another.

use std::path::PathBuf;

use tandem_train::data::{Conversion, Deduplicator, Filter, Format, convert, create};

use super::{Source, progress, tell_damage};
use crate::Outcome;
use crate::output::outln;

/// The words after `tandem datagen convert`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The file to write, which must not exist
    target: PathBuf,
    /// Its format (games, viri, bullet, binpack), where its name does not tell
    #[arg(long)]
    to: Option<Format>,
    /// Drop positions by rules such as check,capture,promotion,score=3000 (see docs/training-data.md)
    #[arg(long, default_value = "none")]
    filter: Filter,
    /// Drop repeated games and positions, noticed with that many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    dedup: Option<u32>,
    /// Multiply scores, where the teacher counted in another unit
    #[arg(long, default_value = "1", value_parser = scale)]
    scale: f64,
    /// Leave out games that the target cannot carry, instead of ending there
    #[arg(long)]
    skip_unfit: bool,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

fn scale(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if number.is_finite() && number != 0.0 {
        Ok(number)
    } else {
        Err("it must be a number other than 0".to_owned())
    }
}

/// Converts and says what was left out.
pub fn run(args: &Args) -> Outcome {
    let (from, to) = (args.source.format()?, args.to.map_or_else(|| Format::of(&args.target), Ok)?);
    let bar = progress::bar(args.source.size());
    let mut on_damage = |damage: &_| bar.suspend(|| tell_damage(damage));
    let mut games = args.source.open(&mut on_damage)?;
    let how = Conversion {
        from,
        to,
        filter: args.filter.clone(),
        seen: args.dedup.map(|mib| Deduplicator::new(mib as usize)),
        scale: args.scale,
        skip_unfit: args.skip_unfit,
        on_progress: &mut |bytes| bar.set_position(bytes),
    };
    how.check()?;
    let mut writer = create(&args.target, to)?;
    let summary = convert(how, &mut games, &mut *writer)?;
    bar.finish_and_clear();
    if args.json {
        let mut object = serde_json::to_value(&summary)?;
        object["bytes"] = writer.bytes().into();
        outln!("{object}");
        return Ok(());
    }
    outln!(
        "{}: {} of {} games, {} bytes",
        args.target.display(),
        summary.written,
        summary.games,
        writer.bytes()
    );
    if args.filter != Filter::NONE {
        outln!("filter {}", args.filter);
        for line in summary.filter.lines() {
            outln!("    {line}");
        }
    }
    if args.dedup.is_some() {
        let exact =
            if summary.forgotten == 0 { "" } else { ", not all noticed for want of memory" };
        outln!(
            "repeated: {} games, {} positions{exact}",
            summary.repeated_games,
            summary.repeated_positions
        );
    }
    if summary.damaged > 0 {
        outln!("damaged: {} parts passed over", summary.damaged);
    }
    if let Some(reason) = &summary.first_unfit {
        outln!("left out: {} games, the first because {reason}", summary.unfit);
    }
    for loss in &summary.losses {
        outln!("{loss}");
    }
    Ok(())
}
