//! `tandem bench hybrid`: the hybrid paper's Tables 4 and 6 with real evaluations.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tandem_chess::{Game, Position};
use tandem_engine::{Control, Engine, Exchange, Limits, Options, Search};

use super::STOPS;
use crate::Outcome;
use crate::output::outln;

/// The paper's Table 4: its positions by type, with playouts a second and milliseconds.
const TABLE_4: [(&str, &str, u32, u32); 4] = [
    ("highly strategic", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 277_000, 1600),
    (
        "strategic",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        244_000,
        731,
    ),
    (
        "balanced",
        "r1bq1rk1/ppp1bppp/2n2n2/3pp3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
        219_000,
        750,
    ),
    ("endgame", "8/8/8/3k4/8/3K4/8/3R4 w - - 0 1", 283_000, 450),
];

/// What is compared: a name, the options that make it, and the paper's playouts.
type Configuration = (&'static str, &'static [(&'static str, &'static str)], Option<u32>);

/// The paper's Table 6 and the search that it lacks.
const TABLE_6: [Configuration; 5] = [
    ("full hybrid", &[("SearchMode", "Hybrid")], Some(41_255)),
    ("no classifier", &[("SearchMode", "Hybrid"), ("Classifier", "false")], Some(153_181)),
    ("no verifier", &[("SearchMode", "Hybrid"), ("Verifier", "false")], Some(40_804)),
    ("pure MCTS", &[("SearchMode", "MCTS")], Some(153_870)),
    ("pure alpha-beta", &[("SearchMode", "AlphaBeta")], None),
];

/// The positions on which our own means are taken.
const POSITIONS: &str = include_str!("../../crates/engine/data/paper32.fens");

/// The words after `tandem bench hybrid`.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds for each search
    #[arg(long, default_value_t = 1.0, value_parser = super::seconds)]
    time: f64,
    /// How many threads search
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// MiB for table and tree together
    #[arg(long, default_value = "64", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// One search after the other, or both side by side
    #[arg(long, default_value = "Concurrent", value_parser = ["Phased", "Concurrent"])]
    schedule: String,
    /// The paper's Table 2, or our own numbers
    #[arg(long, default_value = "Tuned", value_parser = ["Paper", "Tuned"])]
    strategy: String,
    /// All 32 positions of the paper's benchmark instead of the four of its tables
    #[arg(long)]
    all: bool,
    /// The network to evaluate with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// What was counted in some searches of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    searches: u64,
    seconds: f64,
    playouts: u64,
    evaluations: u64,
    nodes: u64,
    /// The shares of all threads' time that went into the tree, added up.
    share: f64,
    disagreements: u64,
    /// How often the explored move was played against alpha-beta's.
    explored_played: u64,
    exchanges: [u64; Exchange::ALL.len()],
}

impl std::ops::AddAssign for Row {
    fn add_assign(&mut self, other: Self) {
        self.searches += other.searches;
        self.seconds += other.seconds;
        self.playouts += other.playouts;
        self.evaluations += other.evaluations;
        self.nodes += other.nodes;
        self.share += other.share;
        self.disagreements += other.disagreements;
        self.explored_played += other.explored_played;
        for (sum, count) in self.exchanges.iter_mut().zip(other.exchanges) {
            *sum += count;
        }
    }
}

impl Row {
    fn mean_share(&self) -> f64 {
        self.share / self.searches.max(1) as f64
    }

    /// Playouts in a second of all threads together, as far as they explored.
    fn rate(&self, threads: u32) -> f64 {
        let seconds = self.seconds * f64::from(threads) * self.mean_share();
        if seconds > 0.0 { self.playouts as f64 / seconds } else { 0.0 }
    }

    fn as_json(&self, name: &str, threads: u32) -> Value {
        let exchanges = Exchange::ALL.iter().zip(self.exchanges);
        let exchanges: serde_json::Map<String, Value> =
            exchanges.map(|(exchange, count)| (exchange.name().to_owned(), json!(count))).collect();
        json!({
            "name": name, "searches": self.searches, "seconds": self.seconds,
            "playouts": self.playouts, "network_evaluations": self.evaluations,
            "playouts_per_thread_second": self.rate(threads), "alphabeta_nodes": self.nodes,
            "share_of_thread_time": self.mean_share(), "disagreements": self.disagreements,
            "explored_moves_played": self.explored_played, "exchanges": exchanges,
        })
    }
}

/// Measures modes and ablation.
pub fn run(args: &Args) -> Outcome {
    let positions: Vec<Position> = if args.all {
        POSITIONS.lines().map(str::parse).collect::<Result<_, _>>()?
    } else {
        TABLE_4.iter().map(|(_, fen, ..)| fen.parse()).collect::<Result<_, _>>()?
    };
    let mut modes = Vec::new();
    let mut full = measured(args, TABLE_6[0].1)?;
    for (name, fen, ..) in TABLE_4 {
        modes.push((name, full(fen.parse()?)));
    }
    let mut ablation = Vec::new();
    for (name, options, _) in TABLE_6 {
        let mut measure = measured(args, options)?;
        let mut sum = Row::default();
        for &position in &positions {
            sum += measure(position);
        }
        ablation.push((name, sum));
    }
    let stops = super::time_stops(&mut tandem(args, TABLE_6[0].1)?.new_hybrid());
    let network = tandem_engine::networks::names(&args.net, "");
    if args.json {
        let rows = |rows: &[(&str, Row)]| -> Vec<Value> {
            rows.iter().map(|(name, row)| row.as_json(name, args.threads)).collect()
        };
        outln!(
            "{}",
            json!({
                "threads": args.threads, "hash_mib": args.hash, "seconds": args.time,
                "schedule": args.schedule, "strategy": args.strategy, "network": network,
                "modes": rows(&modes), "ablation": rows(&ablation),
                "stop_median_ms": stops[STOPS / 2], "stop_worst_ms": stops[STOPS - 1],
            })
        );
    } else {
        outln!(
            "{} threads, {} MiB, {} s a position, {}, {}, {network}",
            args.threads,
            args.hash,
            args.time,
            args.schedule,
            args.strategy
        );
        print_modes(&modes, args.threads);
        print_ablation(&ablation, args.threads);
        outln!(
            "stopped within {:.2} ms in half of {STOPS} searches, {:.2} ms at the most",
            stops[STOPS / 2],
            stops[STOPS - 1]
        );
    }
    Ok(())
}

/// An engine with those options.
fn tandem(args: &Args, options: &[(&str, &str)]) -> Result<Engine, Box<dyn std::error::Error>> {
    let mut engine = Engine::new();
    let (hash, threads) = (args.hash.to_string(), args.threads.to_string());
    let common = [
        ("EvalFile", args.net.as_str()),
        ("Hash", &hash),
        ("Threads", &threads),
        ("Move Overhead", "0"),
        ("Backend", "cpu"),
        ("HybridSchedule", &args.schedule),
        ("HybridStrategy", &args.strategy),
    ];
    for (name, value) in common.iter().chain(options) {
        engine.set_option(Options::find(name)?, value)?;
    }
    Ok(engine)
}

/// How a search with those options is measured in a position, with nothing remembered.
fn measured(
    args: &Args,
    options: &[(&str, &str)],
) -> Result<impl FnMut(Position) -> Row, Box<dyn std::error::Error>> {
    let engine = tandem(args, options)?;
    let time = Duration::from_secs_f64(args.time);
    let mode = options[0].1.to_owned();
    let mut mcts = engine.new_mcts();
    let mut other: Box<dyn Search> = if mode == "Hybrid" {
        Box::new(engine.new_hybrid())
    } else {
        tandem_engine::search(&engine.options().search, engine.networks())
    };
    let control = Control::default();
    let mut search = move |position: Position, time: Duration| {
        let mut row = Row { searches: 1, ..Row::default() };
        let (game, limits) = (Game::new(position), Limits::movetime(time));
        let start = Instant::now();
        if mode == "MCTS" {
            mcts.new_game();
            mcts.search(&game, &limits, &control, &mut |_| {});
            row.playouts = mcts.counts().playouts;
            row.evaluations = mcts.counts().evaluations();
            row.share = 1.0;
        } else {
            other.new_game();
            other.search(&game, &limits, &control, &mut |progress| {
                row.nodes = progress.nodes;
                let Some(told) = &progress.deliberation else { return };
                (row.nodes, row.playouts) = (told.nodes, told.playouts);
                (row.evaluations, row.share) = (told.evaluations, told.share);
                row.disagreements = u64::from(told.is_disagreement());
                row.explored_played = u64::from(told.is_disagreement() && told.follows_explorer);
                row.exchanges = told.exchanges;
            });
        }
        row.seconds = start.elapsed().as_secs_f64();
        row
    };
    // What the first search has to build is not part of it.
    search(Position::startpos(), Duration::from_millis(50));
    Ok(move |position| search(position, time))
}

const HEAD: &str =
    "playouts  playouts/s  evaluations   alpha-beta  tree's time  disagree  explored";

fn print_row(name: &str, row: &Row, threads: u32) {
    let each = row.searches.max(1);
    outln!(
        "{name:<18} {:>8}  {:>10.0}  {:>11}  {:>11}  {:>9.1} %  {:>8}  {:>8}",
        row.playouts / each,
        row.rate(threads),
        row.evaluations / each,
        row.nodes / each,
        100.0 * row.mean_share(),
        row.disagreements,
        row.explored_played,
    );
}

fn print_modes(rows: &[(&str, Row)], threads: u32) {
    outln!("\nmodes: the paper's Table 4\n{:<18} {HEAD}", "position");
    for ((name, row), (_, _, rate, milliseconds)) in rows.iter().zip(TABLE_4) {
        print_row(name, row, threads);
        outln!("{:<18} {:>8}  {rate:>10}  {:>11}  in {milliseconds} ms", "  the paper", "", 0);
    }
    let sum = |i: usize| rows.iter().map(|(_, row)| row.exchanges[i]).sum::<u64>();
    for (title, is_to_prover) in [("to alpha-beta", true), ("to the tree", false)] {
        let counts = Exchange::ALL.iter().enumerate();
        let counts: Vec<String> = counts
            .filter(|(_, exchange)| exchange.is_to_prover() == is_to_prover)
            .map(|(i, exchange)| format!("{} {}", exchange.name(), sum(i)))
            .collect();
        outln!("exchanged {title}: {}", counts.join(", "));
    }
}

fn print_ablation(rows: &[(&str, Row)], threads: u32) {
    let positions = rows.first().map_or(0, |(_, row)| row.searches);
    outln!("\nablation: the paper's Table 6, means of {positions} positions");
    outln!("{:<18} {HEAD}", "configuration");
    for (name, row) in rows {
        print_row(name, row, threads);
    }
    let paper: Vec<String> = TABLE_6
        .iter()
        .filter_map(|(name, _, playouts)| Some(format!("{name} {}", (*playouts)?)))
        .collect();
    outln!("the paper's playouts, none of which evaluated a position: {}", paper.join(", "));
    outln!(
        "playouts/s: in a second of a thread that explores; evaluations: computed for the tree; disagree: the \
         searches would play different moves; explored: the tree's move was played then"
    );
}
