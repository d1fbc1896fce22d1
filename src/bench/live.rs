//! `tandem bench live`: what it costs that a search tells of every move while it thinks.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::json;
use tandem_chess::{Game, Position};
use tandem_engine::{Engine, Event, Limits, Options};

use crate::Outcome;
use crate::output::outln;

/// The words after `tandem bench live`.
#[derive(clap::Args)]
pub struct Args {
    /// Milliseconds for each search
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(10..=600_000))]
    movetime: u64,
    /// How often both ways search in turns
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// How often a second the search tells of every move
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rate: u32,
    /// How many threads search
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// The position, instead of the start position
    #[arg(long)]
    fen: Option<Position>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// What one search did.
#[derive(Clone, Copy, Default)]
struct Run {
    nodes: u64,
    /// What the processors worked, in seconds: other programs that take their time from this one count for
    /// nothing.
    seconds: f64,
    /// How many reports told of moves.
    told: u32,
    /// When the first of them came, in seconds.
    first: Option<f64>,
}

/// Measures and prints.
pub fn run(args: &Args) -> Outcome {
    let game = Game::new(args.fen.unwrap_or_else(Position::startpos));
    let limits = Limits::movetime(Duration::from_millis(args.movetime));
    let live = Duration::from_secs_f64(1.0 / f64::from(args.rate));
    let mut rows = Vec::new();
    for mode in ["AlphaBeta", "MCTS", "Hybrid"] {
        let mut engine = Engine::new();
        for (name, value) in
            [("SearchMode", mode), ("Threads", &args.threads.to_string()), ("Hash", "256")]
        {
            engine.set_option(Options::find(name)?, value)?;
        }
        engine.get_ready();
        let mut search = |live| {
            engine.new_game();
            engine.set_game(game.clone());
            engine.set_live(live);
            measure(&mut engine, limits.clone())
        };
        // What the first search has to build is not part of it.
        search(None);
        let mut ratios = Vec::new();
        let mut last = None;
        for round in 0..args.rounds {
            // Each goes first in half of the rounds.
            let (quiet, telling) = if round % 2 == 0 {
                let quiet = search(None);
                (quiet, search(Some(live)))
            } else {
                let telling = search(Some(live));
                (search(None), telling)
            };
            ratios.push(telling.speed() / quiet.speed());
            last = Some(telling);
        }
        ratios.sort_by(f64::total_cmp);
        let last = last.ok_or("there was no round")?;
        rows.push((mode, ratios, last));
    }
    for (mode, ratios, last) in &rows {
        let (median, first) = (ratios[ratios.len() / 2], last.first.map(|seconds| 1e3 * seconds));
        if args.json {
            let told = last.told;
            outln!(
                "{}",
                json!({ "mode": mode, "ratios": ratios, "median": median, "told": told, "first_ms": first })
            );
        } else {
            outln!(
                "{mode:>9}: {median:.4} of the speed without (median of {}, {:.4} to {:.4}), told {} times, first after {:.0} ms",
                ratios.len(),
                ratios[0],
                ratios[ratios.len() - 1],
                last.told,
                first.unwrap_or(f64::NAN)
            );
        }
    }
    Ok(())
}

impl Run {
    /// Nodes a second of work.
    fn speed(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }
}

fn measure(engine: &mut Engine, limits: Limits) -> Run {
    let (sender, answer) = mpsc::channel();
    let mut run = Run::default();
    let (start, worked) = (Instant::now(), worked());
    engine.go(limits, move |event| match event {
        Event::Progress(progress) => {
            run.nodes = run.nodes.max(progress.nodes);
            if !progress.moves.is_empty() || !progress.judged.is_empty() {
                run.told += 1;
                run.first.get_or_insert(progress.time.as_secs_f64());
            }
            true
        }
        Event::Finished(_) => sender.send(run).is_ok(),
    });
    let run = answer.recv().unwrap_or_default();
    let seconds = worked.and_then(|before| Some(self::worked()? - before));
    Run { seconds: seconds.unwrap_or_else(|| start.elapsed().as_secs_f64()), ..run }
}

/// Seconds for which processors have worked for this program, where the system tells.
fn worked() -> Option<f64> {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in brackets, may hold spaces.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}
