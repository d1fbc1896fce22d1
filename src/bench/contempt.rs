//! `tandem bench contempt`: what search-contempt costs beside plain PUCT.
//!
//! A frozen tree is another tree: it is deeper and shares fewer evaluations, so its playouts a second say
//! little about what freezing costs. Two things do. A limit that is never reached gives the same tree as
//! none, position for position, so the ratio of their playouts is the cost of looking. And in frozen
//! positions both ways of choosing can be timed.

use std::num::NonZeroI64;
use std::time::Duration;

use serde_json::{Value, json};
use tandem_chess::{Game, Position};
use tandem_engine::{Choices, Control, LeafKind, Params, Profile, Settings};

use crate::Outcome;
use crate::output::outln;

/// A limit that no search reaches.
const UNREACHABLE: i64 = 1 << 40;
/// How often all frozen positions choose.
const ROUNDS: usize = 20;

/// The words after `tandem bench contempt`.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds for each search
    #[arg(long, default_value_t = 1.0, value_parser = super::seconds)]
    time: f64,
    /// How often plain PUCT and a limit that is never reached search in turns
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The limits that are reached
    #[arg(long, default_value = "5,28,200", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..))]
    limits: Vec<i64>,
    /// The position, instead of the start position
    #[arg(long)]
    fen: Option<Position>,
    /// MiB for tree and table
    #[arg(long, default_value = "256", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// The network to evaluate with, instead of the one in the program
    #[arg(long, value_name = "FILE", default_value = "")]
    net: String,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// A search with a limit that is reached, and what its choices cost.
struct Row {
    limit: i64,
    profile: Profile,
    choices: Choices,
}

impl Row {
    /// The share of a playout's time by which freezing makes it longer, or shorter if it is negative: half of
    /// the positions of a way are the opponent's, and at most those are drawn.
    fn cost(&self) -> f64 {
        let [drawn, puct] = self.choices.nanoseconds();
        let playout = 1e9 / self.profile.rate();
        0.5 * self.profile.counts.average_depth() * (drawn - puct) / playout
    }
}

/// Measures and prints.
pub fn run(args: &Args) -> Outcome {
    let networks = tandem_engine::networks::load(&args.net, "")?;
    let settings = Settings { hash: args.hash as usize, threads: 1, ..Settings::default() };
    let search = |limit| {
        let params = Params { sc_limit: NonZeroI64::new(limit), batch: 1, ..Params::default() };
        tandem_engine::mcts(&settings, &params, LeafKind::Static, networks.as_ref(), None)
    };
    let game = Game::new(args.fen.unwrap_or_else(Position::startpos));
    let time = Duration::from_secs_f64(args.time);
    let control = Control::default();
    let (mut plain, mut watching) = (search(0), search(UNREACHABLE));
    // What the first search has to build is not part of it.
    for search in [&mut plain, &mut watching] {
        Profile::of(search, &game, Duration::from_millis(50), &control);
    }
    let mut all = Profile::default();
    let mut ratios: Vec<f64> = (0..args.rounds)
        .map(|round| {
            // Each goes first in half of the rounds.
            let mut rates = [0.0; 2];
            for i in [round as usize % 2, 1 - round as usize % 2] {
                let search = if i == 0 { &mut plain } else { &mut watching };
                let profile = Profile::of(search, &game, time, &control);
                rates[i] = profile.rate();
                if i == 0 {
                    all += profile;
                }
            }
            rates[1] / rates[0]
        })
        .collect();
    drop((plain, watching));
    ratios.sort_by(f64::total_cmp);
    let rows: Vec<Row> = args
        .limits
        .iter()
        .map(|&limit| {
            let mut search = search(limit);
            Profile::of(&mut search, &game, Duration::from_millis(50), &control);
            let profile = Profile::of(&mut search, &game, time, &control);
            Row { limit, profile, choices: search.time_choices(ROUNDS) }
        })
        .collect();
    let network = tandem_engine::networks::names(&args.net, "");
    if args.json {
        print_json(args, &network, &all, &ratios, &rows);
    } else {
        print(&network, &all, &ratios, &rows);
    }
    Ok(())
}

fn print(network: &str, plain: &Profile, ratios: &[f64], rows: &[Row]) {
    outln!("1 thread, {network}");
    outln!(
        "plain PUCT: {:.0} playouts a second, {} network evaluations, {:.1} plies deep",
        plain.rate(),
        plain.counts.evaluations(),
        plain.counts.average_depth()
    );
    outln!(
        "a limit that is never reached, the same tree: {:.3} of its playouts a second (median of {}, {:.3} to {:.3})",
        ratios[ratios.len() / 2],
        ratios.len(),
        ratios[0],
        ratios[ratios.len() - 1]
    );
    outln!(
        "{:>8} {:>12} {:>8} {:>10} {:>12} {:>10} {:>10} {:>10} {:>12}",
        "limit",
        "playouts/s",
        "plies",
        "new values",
        "evaluations",
        "frozen",
        "draw ns",
        "PUCT ns",
        "a playout"
    );
    for row in rows {
        let counts = &row.profile.counts;
        let [drawn, puct] = row.choices.nanoseconds();
        outln!(
            "{:>8} {:>12.0} {:>8.1} {:>8.1} % {:>12} {:>10} {drawn:>10.1} {puct:>10.1} {:>+10.2} %",
            row.limit,
            row.profile.rate(),
            counts.average_depth(),
            100.0 * counts.evaluated as f64 / counts.playouts.max(1) as f64,
            counts.evaluations(),
            row.choices.positions,
            100.0 * row.cost()
        );
    }
    outln!(
        "frozen: positions whose choices were timed, both ways; a playout: by how much drawing instead of PUCT \
         makes it longer"
    );
}

fn print_json(args: &Args, network: &str, plain: &Profile, ratios: &[f64], rows: &[Row]) {
    let as_json = |row: &Row| {
        let counts = &row.profile.counts;
        let [drawn, puct] = row.choices.nanoseconds();
        json!({
            "limit": row.limit, "playouts_per_second": row.profile.rate(),
            "average_depth": counts.average_depth(), "playouts": counts.playouts,
            "new_values": counts.evaluated, "network_evaluations": counts.evaluations(),
            "frozen_positions": row.choices.positions, "choices": row.choices.choices,
            "draw_ns": drawn, "puct_ns": puct, "cost_of_a_playout": row.cost(),
        })
    };
    let rows: Vec<Value> = rows.iter().map(as_json).collect();
    outln!(
        "{}",
        json!({
            "network": network, "threads": 1, "seconds": args.time,
            "plain_playouts_per_second": plain.rate(),
            "plain_network_evaluations": plain.counts.evaluations(),
            "plain_average_depth": plain.counts.average_depth(),
            "unreached_limit_ratios": ratios, "limits": rows,
        })
    );
}
