//! `tandem datagen winrate`: which score means which chances, fitted to games.

use serde_json::json;
use tandem_nnue::WinRateModel;
use tandem_train::data::WinRateCounts;

use super::{Source, progress, tell_damage};
use crate::Outcome;
use crate::output::outln;

/// The words after `tandem datagen winrate`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Points of material for which the fit is shown.
const SHOWN: [u32; 5] = [20, 34, 46, 58, 74];

/// Fits and prints.
pub fn run(args: &Args) -> Outcome {
    let mut counts = WinRateCounts::default();
    let bar = progress::bar(args.source.size());
    let mut on_damage = |damage: &_| bar.suspend(|| tell_damage(damage));
    let mut games = args.source.open(&mut on_damage)?;
    while let Some(record) = games.next_game()? {
        counts.add(&record);
        bar.set_position(games.offset());
    }
    bar.finish_and_clear();
    let before = WinRateModel::CURRENT;
    let Some(fit) = counts.fit(&before) else {
        let file = args.source.file.display();
        return Err(format!("{file}: no position has a score that can be fitted to").into());
    };
    if args.json {
        outln!(
            "{}",
            json!({
                "file": args.source.file, "positions": fit.positions,
                "even": fit.model.even, "spread": fit.model.spread,
                "loss": fit.loss, "loss_before": fit.loss_before,
            })
        );
        return Ok(());
    }
    outln!("positions  {}", fit.positions);
    outln!("even       {:.4?}", fit.model.even);
    outln!("spread     {:.4?}", fit.model.spread);
    outln!("loss       {:.6} nats, {:.6} with the program's model", fit.loss, fit.loss_before);
    outln!("material   even chance at   spread   program's");
    for points in SHOWN {
        let (new, old) = (fit.model.at(points), before.at(points));
        outln!(
            "{points:8}   {:14.1}   {:6.1}   {:.1} and {:.1}",
            new.even(),
            new.spread(),
            old.even(),
            old.spread()
        );
    }
    Ok(())
}
