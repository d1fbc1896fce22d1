//! `tandem selfplay`: the engine against itself, counted and kept.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tandem_chess::Position;
use tandem_fleet::{Counts, Work, Yield};
use tandem_games::Shard;
use tandem_games::book::BookSpec;
use tandem_games::selfplay::{
    Report, SelfPlay, Settings, SideOptions, Standing, Start, merge, player,
};

use crate::ends::EndArgs;
use crate::matches::Sequence;
use crate::output::outln;
use crate::progress::GamesBar;
use crate::{Outcome, interrupt, shard};

/// The words after `tandem selfplay`.
#[derive(clap::Args)]
pub struct Args {
    /// Games, those of all parts together
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Positions for each move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions for each move of White, if they are not as many as Black's
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    white_nodes: Option<u64>,
    /// Positions for each move of Black
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    black_nodes: Option<u64>,
    /// Games side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// UCI options of White: option.NAME=VALUE words
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    white: SideOptions,
    /// UCI options of Black
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    black: SideOptions,
    /// UCI options of both sides; their own count more
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    both: SideOptions,

    /// The position in which every game begins, instead of the start position
    #[arg(long, conflicts_with = "book")]
    fen: Option<Position>,
    /// Openings, one for each game: .epd or .fen positions, .pgn games, a Polyglot .bin
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The order of a file's openings
    #[arg(long, value_enum, default_value_t = Sequence::Sequential, requires = "book")]
    order: Sequence,
    /// The most half-moves taken from a game or a Polyglot book
    #[arg(long, default_value_t = 16, requires = "book")]
    book_plies: usize,

    #[command(flatten)]
    ends: EndArgs,

    /// Keep the games as NAME.jsonl, NAME.pgn and NAME.visits; the same command later goes on with them. With /
    /// at its end it is a folder, in which this part of the games gets one of its own
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,
    /// Play only part i of n: every n-th game, parts counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Play nothing: count the games of several parts, the .jsonl files of all of them, together
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["games", "nodes", "out", "shard"])]
    merge: Vec<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Plays the games and prints what they are like.
pub fn run(args: &Args) -> Outcome {
    if !args.merge.is_empty() {
        return print(args, &merge(&args.merge)?);
    }
    let stop = interrupt::signal()?;
    let Some(out) = args.out.as_deref().filter(|out| shard::is_folder(out)) else {
        return play(args, args.out.clone(), &stop).map(drop);
    };
    let words = Settings { shard: Shard::default(), ..settings(args) };
    let (job, words) = ("selfplay".to_owned(), serde_json::to_value(words)?);
    let work = Work { job, shard: args.shard, seed: args.seed, settings: words };
    shard::run(out, &work, &stop, |folder| {
        let report = play(args, Some(folder.join("games")), &stop)?;
        let results = report.counts.white;
        let counts = Counts {
            games: results.games(),
            positions: report.games.iter().map(|game| game.plies as u64).sum(),
            results: [results.wins, results.draws, results.losses],
        };
        let is_over = counts.games == report.total;
        Ok(is_over.then(|| Yield { counts, engines: report.identities, ..Yield::default() }))
    })
}

fn play(
    args: &Args,
    out: Option<PathBuf>,
    stop: &AtomicBool,
) -> Result<Report, Box<dyn std::error::Error>> {
    let work = SelfPlay { settings: settings(args), concurrency: args.concurrency.into(), out };
    let bar = GamesBar::new();
    let report = work.run(stop, &mut |standing, game| {
        bar.show(standing.results().games(), standing.total(), game.is_none(), || line(standing));
    });
    bar.finish();
    let report = report?;
    print(args, &report)?;
    match report.trouble {
        Some(trouble) => Err(trouble.into()),
        None => Ok(report),
    }
}

fn print(args: &Args, report: &(impl Serialize + Display)) -> Outcome {
    if args.json {
        outln!("{}", serde_json::to_string_pretty(report)?);
    } else {
        outln!("{report}");
    }
    Ok(())
}

fn line(standing: &Standing) -> String {
    let results = standing.results();
    format!("White +{} ={} -{}", results.wins, results.draws, results.losses)
}

fn settings(args: &Args) -> Settings {
    let side =
        |name, nodes: Option<u64>, own| player(name, nodes.unwrap_or(args.nodes), &args.both, own);
    Settings {
        players: [
            side("white", args.white_nodes, &args.white),
            side("black", args.black_nodes, &args.black),
        ],
        games: args.games,
        shard: args.shard,
        seed: args.seed,
        start: start(args),
        adjudication: args.ends.spec(),
    }
}

fn start(args: &Args) -> Start {
    match (&args.book, &args.fen) {
        (Some(file), _) => Start::Book(BookSpec {
            file: Some(file.clone()),
            plies: args.book_plies,
            order: args.order.into(),
            seed: args.seed,
            chess960: false,
        }),
        (None, Some(position)) => Start::Fen(position.to_string()),
        (None, None) => Start::usual(),
    }
}
