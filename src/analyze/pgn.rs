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

use super::{Args, graph};
use crate::Outcome;
use crate::output::{out, outln};

/// Games of several files; what cannot be read is named and left out.
fn read(files: &[PathBuf]) -> Result<Vec<PgnGame>, String> {
    let mut games = Vec::new();
    for file in files {
        let name = file.display();
        let bytes = fs::read(file).map_err(|error| format!("cannot read '{name}': {error}"))?;
        for game in pgn::read(&pgn::decode(bytes)) {
            match game {
                Ok(game) => games.push(game),
                Err(broken) => eprintln!("'{name}', {broken}; skipped"),
            }
        }
    }
    if games.is_empty() {
        return Err("there is no game to analyse".to_owned());
    }
    Ok(games)
}

/// Analyses the games of all files.
pub fn run(args: &Args, stop: &AtomicBool) -> Outcome {
    let games = read(&args.files)?;
    let settings = args.pool(args.threads());
    let study = Study {
        limits: args.limits(Duration::from_millis(100)),
        mode: args.mode.into(),
        workers: settings.workers,
    };
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
    let done: Vec<(&PgnGame, &Review)> = games
        .iter()
        .zip(&reviews)
        .filter_map(|(game, review)| Some((game, review.as_ref()?)))
        .collect();
    write(args, &done)?;
    if stop.load(Ordering::Relaxed) {
        return Err(format!(
            "interrupted: {} of {} games were begun, and the last of them are not whole",
            done.len(),
            games.len()
        )
        .into());
    }
    Ok(())
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

/// Writes everything that was asked for.
fn write(args: &Args, done: &[(&PgnGame, &Review)]) -> Outcome {
    let annotator = concat!("Tandem ", env!("CARGO_PKG_VERSION"));
    let annotated: String =
        done.iter().map(|(game, review)| pgn::write(game, &review.notes(), annotator)).collect();
    if let Some(file) = &args.out {
        save(file, &annotated)?;
    } else if !args.json {
        out!("{annotated}");
    }
    if args.json {
        for (game, review) in done {
            let [white, black] = game.names();
            outln!(
                "{}",
                json!({ "game": game.number, "white": white, "black": black, "result": game.result, "review": review })
            );
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
