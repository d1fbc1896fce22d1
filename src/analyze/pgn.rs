//! Whole games: annotated, and as pictures.

use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tandem_analysis::Pool;
use tandem_analysis::pgn::{self, PgnGame};
use tandem_analysis::review::{Mark, Review};
use tandem_analysis::study::{News, Study};
use tandem_fleet::{Counts, Work, Yield};
use tandem_games::Shard;

use super::{Args, graph};
use crate::output::{out, outln};
use crate::{Outcome, shard};

/// What a position of a game may take if nothing else is said.
pub const USUAL: Duration = Duration::from_millis(100);

/// A game, and what is thought of its moves.
type Reviewed = (PgnGame, Review);

/// The games of several files that belong to the part; what cannot be read is named and left out, though it
/// counts.
fn read(files: &[PathBuf], shard: Shard) -> Result<Vec<PgnGame>, String> {
    let (mut games, mut found) = (Vec::new(), 0);
    for file in files {
        let name = file.display();
        let bytes = fs::read(file).map_err(|error| format!("cannot read '{name}': {error}"))?;
        for game in pgn::read(&pgn::decode(bytes)) {
            found += 1;
            match game {
                _ if !shard.holds(found - 1) => {}
                Ok(game) => games.push(game),
                Err(broken) => eprintln!("'{name}', {broken}; skipped"),
            }
        }
    }
    if found == 0 || games.is_empty() && shard.is_whole() {
        return Err("there is no game to analyse".to_owned());
    }
    Ok(games)
}

/// Analyses the games of all files, as a part of a larger work where a folder of such parts is named.
pub fn run(args: &Args, stop: &AtomicBool) -> Outcome {
    let Some(out) = args.out.as_deref().filter(|out| shard::is_folder(out)) else {
        let (done, games) = analyse(args, stop)?;
        write(args, &done)?;
        if stop.load(Ordering::Relaxed) {
            let begun = done.len();
            return Err(format!(
                "interrupted: {begun} of {games} games were begun, and the last of them are not whole"
            )
            .into());
        }
        return Ok(());
    };
    if args.graph.is_some() {
        return Err("--graph is not for parts; draw the games of the whole".into());
    }
    let job = "analyze".to_owned();
    let work = Work { job, shard: args.shard, seed: 0, settings: args.said() };
    shard::run(out, &work, stop, |folder| {
        let (done, _) = analyse(args, stop)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        save(&folder.join("annotated.pgn"), &annotated(&done))?;
        let records: String = done.iter().map(|reviewed| record(reviewed) + "\n").collect();
        save(&folder.join("analysis.jsonl"), &records)?;
        let positions = done.iter().map(|(game, _)| game.plies.len() as u64 + 1).sum();
        let counts = Counts { games: done.len() as u64, positions, ..Counts::default() };
        let inputs = args.files.iter().filter_map(|file| {
            Some((file.display().to_string(), tandem_games::digest::of_file(file)?))
        });
        Ok(Some(Yield { counts, inputs: inputs.collect(), ..Yield::default() }))
    })
}

/// What was found of the games that were begun, and how many there are.
fn analyse(
    args: &Args,
    stop: &AtomicBool,
) -> Result<(Vec<Reviewed>, usize), Box<dyn std::error::Error>> {
    let games = read(&args.files, args.shard)?;
    let settings = args.pool(args.threads());
    let study =
        Study { limits: args.limits(USUAL), mode: args.mode.into(), workers: settings.workers };
    let pool = Pool::new(&settings)?;
    let bar = bar(games.iter().map(|game| game.plies.len() + 1).sum());
    let mut reviews: Vec<Option<Review>> = games.iter().map(|_| None).collect();
    let outcome = study.run(&pool, &games, stop, &mut |news| match news {
        News::Positions(done, _) => {
            if let Some(bar) = &bar {
                bar.set_position(done as u64);
            }
        }
        News::Game(place, review) => {
            reviews[place] = Some(review.clone());
            let said = || say(&games[place], review);
            match &bar {
                Some(bar) => bar.suspend(said),
                None => said(),
            }
        }
    });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    outcome?;
    let count = games.len();
    let done =
        games.into_iter().zip(reviews).filter_map(|(game, review)| Some((game, review?))).collect();
    Ok((done, count))
}

fn bar(positions: usize) -> Option<ProgressBar> {
    let style = "{bar:20} {pos}/{len} positions, {elapsed} gone, {eta} left";
    std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template(style).expect("the template is sound");
        ProgressBar::new(positions as u64).with_style(style)
    })
}

/// A line about a game on standard error.
fn say(game: &PgnGame, review: &Review) {
    let [white, black] = game.names();
    let counts = ["white", "black"].map(|side| {
        let counts = review.count(side);
        let words = Mark::ALL
            .iter()
            .zip(counts)
            .map(|((mark, _), count)| format!("{count}{}", mark.sign()));
        words.collect::<Vec<_>>().join(" ")
    });
    eprintln!("game {}: {white} {}, {black} {}", game.number, counts[0], counts[1]);
}

/// The games with what was found.
fn annotated(done: &[Reviewed]) -> String {
    let annotator = concat!("Tandem ", env!("CARGO_PKG_VERSION"));
    done.iter().map(|(game, review)| pgn::write(game, &review.notes(), annotator)).collect()
}

/// A game for programs, in a line.
fn record((game, review): &Reviewed) -> String {
    let [white, black] = game.names();
    let result = &game.result;
    json!({ "game": game.number, "white": white, "black": black, "result": result, "review": review })
        .to_string()
}

/// Writes everything that was asked for.
fn write(args: &Args, done: &[Reviewed]) -> Outcome {
    if let Some(file) = &args.out {
        save(file, &annotated(done))?;
    } else if !args.json {
        out!("{}", annotated(done));
    }
    if args.json {
        for reviewed in done {
            outln!("{}", record(reviewed));
        }
    }
    if let Some(file) = &args.graph {
        for (place, (game, review)) in done.iter().enumerate() {
            let [white, black] = game.names();
            let picture = graph::svg(&format!("{white} - {black}  {}", game.result), review)?;
            save(&numbered(file, place, done.len()), &picture)?;
        }
    }
    Ok(())
}

fn save(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("cannot write '{}': {error}", file.display()))
}

/// The name of one file of several: with a number before its ending.
fn numbered(file: &Path, place: usize, count: usize) -> PathBuf {
    if count < 2 {
        return file.to_owned();
    }
    let part =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(file.file_stem()), part(file.extension()));
    let ending = if ending.is_empty() { "svg".to_owned() } else { ending };
    file.with_file_name(format!("{stem}-{}.{ending}", place + 1))
}
