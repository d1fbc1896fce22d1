//! `tandem classify`: what kind of position it is, and what follows for the hybrid search.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use serde_json::{Value, json};
use tandem_chess::Position;
use tandem_hybrid::classifier::{self, Toward, nanoseconds_per_call};
use tandem_hybrid::{Classification, StrategyTable};

use crate::output::outln;
use crate::{Code, Outcome, fens};

/// How long `--time` measures.
const MEASURED: Duration = Duration::from_millis(500);

const LINES: &str = "FENs on standard input, one a line, give one line each, with tabs between: type, tactical \
    and strategic weight, shares of MCTS and of alpha-beta, depth of verification, pawns to override, FEN.";

/// The words after `tandem classify`.
#[derive(clap::Args)]
#[command(after_help = LINES)]
pub struct Args {
    /// The position, instead of the start position
    #[arg(long)]
    fen: Option<Position>,
    /// Read FENs from standard input, one a line, also from a terminal
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true, conflicts_with = "fen")]
    input: Option<String>,
    /// The table that gives the strategy
    #[arg(long, value_enum, ignore_case = true, default_value_t)]
    strategy: Table,
    /// Print JSON instead: one object a position
    #[arg(long)]
    json: bool,
    /// Measure how long a classification takes instead
    #[arg(long)]
    time: bool,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Table {
    #[default]
    Paper,
    Tuned,
}

impl From<Table> for StrategyTable {
    fn from(table: Table) -> Self {
        match table {
            Table::Paper => Self::Paper,
            Table::Tuned => Self::Tuned,
        }
    }
}

/// Classifies one position, or all on standard input.
pub fn run(args: &Args) -> Outcome {
    let table = StrategyTable::from(args.strategy);
    let one = match (&args.fen, &args.input) {
        (Some(position), _) => Some(*position),
        (None, None) if io::stdin().is_terminal() => Some(Position::startpos()),
        _ => None,
    };
    if args.time {
        return time(args, one);
    }
    if let Some(position) = one {
        show(args, table, &position);
        return Ok(());
    }
    let seen = read(|position| {
        if args.json {
            outln!("{}", as_json(&position, table));
        } else {
            outln!("{}", as_line(&position, table));
        }
    })?;
    if seen == Seen::Nothing && args.input.is_none() {
        show(args, table, &Position::startpos());
    }
    seen.outcome()
}

/// What was on standard input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Positions,
    /// Lines that are no position, perhaps among others; they have been named.
    Mistakes,
}

impl Seen {
    fn outcome(self) -> Outcome {
        if self == Self::Mistakes { Err(Code(1).into()) } else { Ok(()) }
    }
}

/// Calls `visit` for each position on standard input; a line that is none is named, and the rest goes on.
fn read(mut visit: impl FnMut(Position)) -> Result<Seen, String> {
    let mut seen = Seen::Nothing;
    for line in fens::lines() {
        let line = line?;
        if line.is_blank() {
            continue;
        }
        match line.position() {
            Ok(position) => {
                visit(position);
                if seen == Seen::Nothing {
                    seen = Seen::Positions;
                }
            }
            Err(mistake) => {
                eprintln!("tandem: {mistake}");
                seen = Seen::Mistakes;
            }
        }
    }
    Ok(seen)
}

fn show(args: &Args, table: StrategyTable, position: &Position) {
    if args.json {
        outln!("{}", as_json(position, table));
    } else {
        explain(position, table);
    }
}

/// Prints a position's type, the reasons, the strategy, and every feature.
fn explain(position: &Position, table: StrategyTable) {
    let found = Classification::of(position);
    let strategy = table.strategy(&found);
    outln!("Position   {position}");
    outln!(
        "Type       {}: {} tactical, {} strategic",
        found.kind,
        hundredths(found.tactical),
        hundredths(found.strategic)
    );
    outln!(
        "Strategy   {} MCTS, {} alpha-beta, verified to depth {}; overridden by more than {} pawns ({table})",
        strategy.mcts,
        strategy.alphabeta(),
        strategy.verification_depth,
        pawns(strategy.override_centipawns),
    );
    outln!();
    outln!("Reasons");
    if found.features.in_check {
        outln!("  in check: highly tactical, whatever else there is");
    }
    for (term, weight) in found.reasons() {
        let side = side(term.toward);
        let stage = if term.is_adjustment() { " (beyond 1)" } else { "" };
        outln!("  {} {side:9}  {}{stage}", hundredths(weight), term.name);
    }
    outln!();
    outln!("Features");
    for (name, value) in found.features.list() {
        outln!("  {:16} {value}", name.replace('_', " "));
    }
}

fn as_line(position: &Position, table: StrategyTable) -> String {
    let found = Classification::of(position);
    let strategy = table.strategy(&found);
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{position}",
        found.kind,
        hundredths(found.tactical),
        hundredths(found.strategic),
        strategy.mcts,
        strategy.alphabeta(),
        strategy.verification_depth,
        pawns(strategy.override_centipawns),
    )
}

fn as_json(position: &Position, table: StrategyTable) -> Value {
    let found = Classification::of(position);
    let strategy = table.strategy(&found);
    let features: serde_json::Map<_, _> = found
        .features
        .list()
        .into_iter()
        .map(|(name, value)| {
            let value = match value {
                classifier::Value::Flag(flag) => flag.into(),
                classifier::Value::Number(number) => number.into(),
                classifier::Value::Sides([white, black]) => {
                    json!({ "white": white, "black": black })
                }
            };
            (name.to_owned(), value)
        })
        .collect();
    let reasons: Vec<_> = found
        .reasons()
        .map(|(term, weight)| {
            json!({
                "term": term.name, "toward": side(term.toward), "weight": fraction(weight),
                "adjustment": term.is_adjustment(),
            })
        })
        .collect();
    json!({
        "fen": position.to_string(),
        "type": found.kind.name(),
        "tactical": fraction(found.tactical),
        "strategic": fraction(found.strategic),
        "tactical_share": found.tactical_share(),
        "features": features,
        "reasons": reasons,
        "strategy": {
            "table": table.name(),
            "mcts": strategy.mcts.fraction(),
            "alphabeta": strategy.alphabeta().fraction(),
            "verification_depth": strategy.verification_depth,
            "override_pawns": f64::from(strategy.override_centipawns) / 100.0,
        },
    })
}

/// Measures over one position, or over all on standard input.
fn time(args: &Args, one: Option<Position>) -> Outcome {
    let mut positions: Vec<Position> = one.into_iter().collect();
    let mut seen = Seen::Positions;
    if one.is_none() {
        seen = read(|position| positions.push(position))?;
    }
    if seen == Seen::Nothing && args.input.is_none() {
        positions.push(Position::startpos());
    }
    let Some(nanoseconds) = nanoseconds_per_call(&positions, MEASURED) else {
        return Err("there is no position to measure with".into());
    };
    if args.json {
        outln!("{}", json!({ "positions": positions.len(), "nanoseconds_per_call": nanoseconds }));
    } else {
        outln!("positions {} nanoseconds_per_call {nanoseconds:.0}", positions.len());
    }
    seen.outcome()
}

const fn side(toward: Toward) -> &'static str {
    match toward {
        Toward::Tactical => "tactical",
        Toward::Strategic => "strategic",
    }
}

fn fraction(hundredths: u32) -> f64 {
    f64::from(hundredths) / 100.0
}

fn hundredths(hundredths: u32) -> String {
    format!("{:.2}", fraction(hundredths))
}

fn pawns(centipawns: i32) -> String {
    format!("{:.2}", f64::from(centipawns) / 100.0)
}
