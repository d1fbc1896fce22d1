//! `tandem datagen selfplay`: games of the engine against itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tandem_engine::networks;
use tandem_engine::tablebases::Tablebases;
use tandem_fleet::{Counts, Work};
use tandem_games::adjudication::{Adjudication, DrawRule, ResignRule};
use tandem_train::selfplay::{SelfPlay, Shard, Yield};

use crate::output::outln;
use crate::{Outcome, interrupt, shard};

/// Long before that nothing happens any more.
const MAX_PLIES: u32 = 400;

/// The words after `tandem datagen selfplay`.
#[derive(clap::Args)]
pub struct Args {
    /// The file of games (.games); one that was interrupted is gone on with
    #[arg(required_unless_present = "out")]
    file: Option<PathBuf>,
    /// A folder instead of a file: this part of the work gets a folder of its own in it
    #[arg(long, value_name = "FOLDER", conflicts_with = "file")]
    out: Option<PathBuf>,
    /// How many games the file is to hold
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Positions for each move
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which part of the work this file holds, such as 2/8
    #[arg(long, default_value = "1/1")]
    shard: Shard,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The network; without this the one in the program, or the plain evaluation
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// The most centipawns that the random opening moves may bring a side
    #[arg(long, default_value_t = 400)]
    balance: i32,
    /// End games as draws: MOVE:COUNT:CENTIPAWNS
    #[arg(long, value_name = "RULE", default_value = "40:6:8")]
    draw: DrawRule,
    /// End games as lost: COUNT:CENTIPAWNS
    #[arg(long, value_name = "RULE", default_value = "4:1200")]
    resign: ResignRule,
    /// End games that these Syzygy tables know
    #[arg(long, value_name = "FOLDERS")]
    tablebases: Option<String>,
    /// Print one JSON object instead of a sentence
    #[arg(long)]
    json: bool,
}

/// Plays and says what was played.
pub fn run(args: &Args) -> Outcome {
    let tables = args.tablebases.as_deref().map(Tablebases::load).transpose()?;
    let settings = SelfPlay {
        nodes: args.nodes,
        games: args.games,
        seed: args.seed,
        shard: args.shard,
        balance: args.balance,
        adjudication: Adjudication {
            draw: Some(args.draw),
            resign: Some(args.resign),
            tables: tables.map(Arc::new),
            max_plies: Some(MAX_PLIES),
        },
        threads: args.threads.into(),
        networks: networks::load(&args.net, "")?,
    };
    let stop = interrupt::signal()?;
    let Some(out) = &args.out else {
        let file = args.file.as_deref().expect("clap asks for it where there is no folder");
        return play(args, &settings, file, &stop).map(drop);
    };
    let words = json!({
        "games": args.games, "nodes": args.nodes, "balance": args.balance,
        "network": networks::names(&args.net, ""), "draw": args.draw,
        "resign": args.resign, "tablebases": args.tablebases,
    });
    let job = "datagen selfplay".to_owned();
    let work = Work { job, shard: args.shard, seed: args.seed, settings: words };
    shard::run(out, &work, &stop, |folder| {
        let done = play(args, &settings, &folder.join("games.games"), &stop)?;
        let Yield { games, positions, results, .. } = done;
        let counts = Counts { games, positions, results };
        let network = ("network".to_owned(), networks::names(&args.net, ""));
        let inputs = [network].into_iter().collect();
        Ok((games >= args.games).then_some(tandem_fleet::Yield {
            counts,
            inputs,
            ..Default::default()
        }))
    })
}

/// Plays into a file and says what was played.
fn play(
    args: &Args,
    settings: &SelfPlay,
    file: &Path,
    stop: &AtomicBool,
) -> Result<Yield, Box<dyn std::error::Error>> {
    let style = "{bar:20} {pos}/{len} games, {elapsed} gone, {eta} left: {msg}";
    let bar = ProgressBar::new(args.games)
        .with_style(ProgressStyle::with_template(style).expect("the template is sound"));
    let start = Instant::now();
    let done = settings.run(file, stop, &mut |done| {
        if done.games == done.resumed {
            bar.set_position(done.games);
            bar.reset_eta();
        }
        bar.set_position(done.games);
        bar.set_message(format!("{:.0} positions/s", rate(done, start.elapsed())));
    });
    bar.finish_and_clear();
    let done = done?;
    report(args, file, &done, start.elapsed(), stop.load(Ordering::Relaxed));
    Ok(done)
}

/// New positions a second.
fn rate(done: &Yield, time: Duration) -> f64 {
    (done.positions - done.resumed_positions) as f64 / time.as_secs_f64().max(1e-9)
}

fn report(args: &Args, file: &Path, done: &Yield, time: Duration, interrupted: bool) {
    let network = networks::names(&args.net, "");
    if args.json {
        outln!(
            "{}",
            json!({
                "file": file, "games": done.games, "positions": done.positions,
                "resumed": done.resumed, "white_draw_black": done.results, "nodes": args.nodes,
                "seed": args.seed, "shard": args.shard.to_string(), "network": network,
                "cut_off_bytes": done.cut_off, "interrupted": interrupted,
                "seconds": time.as_secs_f64(), "positions_per_second": rate(done, time),
            })
        );
        return;
    }
    let [white, draws, black] = done.results;
    outln!(
        "{}: {} games ({} of them from before), {} positions; White {white}, draws {draws}, Black {black}",
        file.display(),
        done.games,
        done.resumed,
        done.positions
    );
    outln!(
        "{} nodes a move, seed {}, part {}, network {network}; {:.0} positions/s in {:.0} s{}",
        args.nodes,
        args.seed,
        args.shard,
        rate(done, time),
        time.as_secs_f64(),
        if interrupted { ", interrupted: the same command goes on" } else { "" }
    );
}
