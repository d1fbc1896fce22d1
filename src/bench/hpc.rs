//! `tandem bench hpc`: the plain search of the HPC paper beside its Table 1, then the steps that
//! the paper leaves open, and what each of them saves.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::{Value as Json, json};
use tandem_chess::Position;
use tandem_classic::{Evaluation, Measurement, Published, Step};

use crate::Outcome;
use crate::output::{out, outln};

/// The words after `tandem bench hpc`.
#[derive(clap::Args)]
pub struct Args {
    /// The last depth; the first is 6
    #[arg(long, value_name = "N", default_value = "9",
          value_parser = clap::value_parser!(u32).range(6..=12))]
    depth_max: u32,
    /// MiB for the transposition table of the later steps
    #[arg(long, value_name = "MIB", default_value = "64")]
    hash: NonZeroUsize,
    /// The evaluation: the pieces alone, or the paper's choice, also where pawns and knights stand
    #[arg(long, value_enum, default_value = "positional")]
    eval: Eval,
    /// How often at most each search runs; long ones run once, and the best counts
    #[arg(long, default_value = "7")]
    rounds: NonZeroUsize,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Eval {
    Material,
    Positional,
}

/// Searches of one step at one depth, all alike but for the time.
struct Run {
    step: Step,
    depth: u32,
    fastest: Measurement,
}

/// How many times less one run needs than another.
struct Saving {
    nodes: f64,
    time: f64,
}

/// Measures all steps at all depths and prints them.
pub fn run(args: &Args) -> Outcome {
    if !args.json {
        print_head(args);
    }
    let mut runs: Vec<Run> = Vec::new();
    for depth in 6..=args.depth_max {
        let run = measure(args, Step::Paper, depth);
        if !args.json {
            print_beside_paper(&run, published(args, depth));
        }
        runs.push(run);
    }
    if !args.json {
        print_steps_head();
    }
    for depth in 6..=args.depth_max {
        for step in Step::ALL {
            if step != Step::Paper {
                runs.push(measure(args, step, depth));
            }
            if !args.json {
                print_step(&runs, step, depth);
            }
        }
    }
    if args.json {
        outln!("{}", report(args, &runs));
    }
    check(args, &runs)
}

/// Repeats a search while that takes no more than a few seconds.
fn measure(args: &Args, step: Step, depth: u32) -> Run {
    let evaluation = match args.eval {
        Eval::Material => Evaluation::Material,
        Eval::Positional => Evaluation::Positional,
    };
    let search = || step.measure(&Position::startpos(), evaluation, depth, args.hash.get());
    let mut fastest = search();
    let mut spent = fastest.time;
    for _ in 1..args.rounds.get() {
        if spent + fastest.time > Duration::from_secs(5) {
            break;
        }
        let again = search();
        spent += again.time;
        if again.time < fastest.time {
            fastest = again;
        }
    }
    Run { step, depth, fastest }
}

impl Run {
    fn seconds(&self) -> f64 {
        self.fastest.time.as_secs_f64()
    }

    fn interior_nps(&self) -> f64 {
        self.fastest.counts.interior as f64 / self.seconds()
    }

    fn best(&self) -> String {
        self.fastest.best.map_or_else(|| "none".into(), |m| m.to_string())
    }

    fn saving(&self, other: &Self) -> Saving {
        Saving {
            nodes: other.fastest.counts.nodes() as f64 / self.fastest.counts.nodes() as f64,
            time: other.seconds() / self.seconds(),
        }
    }
}

/// The run of a step at a depth; all earlier steps have one.
fn find(runs: &[Run], step: Step, depth: u32) -> Option<&Run> {
    runs.iter().find(|run| run.step == step && run.depth == depth)
}

/// What the paper says of a depth; it evaluates by position.
fn published(args: &Args, depth: u32) -> Option<&'static Published> {
    let rows = Published::TABLE_1.iter();
    rows.filter(|_| args.eval == Eval::Positional).find(|row| row.depth == depth)
}

fn print_head(args: &Args) {
    outln!("The start position by the plain search and the rules of the HPC paper, one thread.");
    outln!("Nodes are interior nodes below the root, as the paper counts them; a leaf is a");
    outln!("position at depth 0 that was evaluated. Seconds are processor seconds, as C's clock");
    outln!("gives them; best of up to {} runs.\n", args.rounds);
    outln!(
        "{:>5} {:>11} {:>12} {:>9} {:>10} {:>5}   {:>11} {:>9} {:>10} {:>6}",
        "depth",
        "nodes",
        "leaves",
        "seconds",
        "nodes/s",
        "best",
        "paper",
        "seconds",
        "nodes/s",
        "match"
    );
}

fn print_beside_paper(run: &Run, published: Option<&Published>) {
    let counts = run.fastest.counts;
    out!(
        "{:>5} {:>11} {:>12} {:>9.4} {:>10.0} {:>5}   ",
        run.depth,
        counts.interior,
        counts.leaves,
        run.seconds(),
        run.interior_nps(),
        run.best()
    );
    match published {
        Some(row) => outln!(
            "{:>11} {:>9.4} {:>10} {:>6}",
            row.nodes,
            row.seconds,
            row.nps,
            if row.nodes == counts.interior { "yes" } else { "no" }
        ),
        None => outln!("not in the paper"),
    }
}

fn print_steps_head() {
    outln!("\nWhat the paper leaves open, step by step; each step keeps those before it:");
    for step in Step::ALL {
        outln!("  {:11} {}", step.name(), step.description());
    }
    outln!("A saving is how many times fewer nodes of all kinds, or seconds, are needed.\n");
    outln!(
        "{:>5} {:11} {:>10} {:>12} {:>11} {:>9} {:>6} {:>5}  {:>17}  {:>17}",
        "depth",
        "step",
        "interior",
        "leaves",
        "quiescence",
        "seconds",
        "cp",
        "best",
        "saves nodes, time",
        "in all"
    );
}

fn print_step(runs: &[Run], step: Step, depth: u32) {
    let Some(run) = find(runs, step, depth) else { return };
    let counts = run.fastest.counts;
    out!(
        "{:>5} {:11} {:>10} {:>12} {:>11} {:>9.4} {:>6} {:>5}",
        depth,
        step.name(),
        counts.interior,
        counts.leaves,
        counts.quiescence,
        run.seconds(),
        run.fastest.value.0,
        run.best(),
    );
    for earlier in [step.before(), step.before().map(|_| Step::Paper)] {
        if let Some(other) = earlier.and_then(|earlier| find(runs, earlier, depth)) {
            let Saving { nodes, time } = run.saving(other);
            out!("  {nodes:>7.2}x {time:>7.2}x");
        }
    }
    outln!();
}

fn report(args: &Args, runs: &[Run]) -> Json {
    let rows: Vec<Json> = runs
        .iter()
        .map(|run| {
            let counts = run.fastest.counts;
            let saving = |earlier: Option<Step>| {
                let other = find(runs, earlier?, run.depth)?;
                let Saving { nodes, time } = run.saving(other);
                Some(json!({ "nodes": nodes, "time": time }))
            };
            let paper = published(args, run.depth).filter(|_| run.step == Step::Paper);
            json!({
                "step": run.step.name(), "depth": run.depth,
                "interior": counts.interior, "leaves": counts.leaves,
                "quiescence": counts.quiescence, "table_hits": counts.table_hits,
                "seconds": run.seconds(), "interior_nps": run.interior_nps(),
                "value": run.fastest.value.0, "best": run.best(),
                "saves": saving(run.step.before()),
                "saves_in_all": saving(run.step.before().map(|_| Step::Paper)),
                "paper": paper.map(|row| json!({
                    "nodes": row.nodes, "seconds": row.seconds, "nps": row.nps,
                    "match": row.nodes == counts.interior,
                })),
            })
        })
        .collect();
    let eval = if args.eval == Eval::Material { "material" } else { "positional" };
    json!({ "evaluation": eval, "hash_mib": args.hash, "runs": rows })
}

/// A count that differs from the paper's is an error of the program.
fn check(args: &Args, runs: &[Run]) -> Outcome {
    for run in runs.iter().filter(|run| run.step == Step::Paper) {
        if let Some(row) = published(args, run.depth)
            && row.nodes != run.fastest.counts.interior
        {
            let counted = run.fastest.counts.interior;
            return Err(format!(
                "depth {}: counted {counted} nodes, the paper has {}",
                row.depth, row.nodes
            )
            .into());
        }
    }
    Ok(())
}
