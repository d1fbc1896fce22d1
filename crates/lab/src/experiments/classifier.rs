//! Table 7 of the hybrid paper: what kinds of positions there are.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tandem_chess::Position;
use tandem_hybrid::classifier::examples::{Example, TABLE_7};
use tandem_hybrid::classifier::{self, nanoseconds_per_call};
use tandem_hybrid::{Classification, PositionType, Share, StrategyTable};

use super::temperature_wdl;
use crate::picture::{Axis, COLORS, Chart, Curve, Mark};
use crate::report::{Content, Finding, Picture, Table, Verdict, number, percent};
use crate::statistics::share;
use crate::temperature::TAU1;
use crate::{Experiment, LabError, Plan, Session, Setup};

const POSITIONS: &str = include_str!("../../data/hybrid-positions.txt");
const PICTURE: &str = "types.svg";
/// How long calls are measured.
const MEASURED: Duration = Duration::from_millis(300);
/// What a call may take at the most, in nanoseconds: a search asks once for each move that it makes.
const BOUND: f64 = 10_000.0;
/// The last move of the opening.
const OPENING: u16 = 10;
/// The last move that the picture shows.
const SHOWN: u16 = 80;

/// The experiment has no options of its own.
#[derive(Args, Clone, Debug)]
pub struct TypesOfPositions {}

/// Part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    fn of(seen: &Seen) -> Self {
        if seen.found.features.endgame() {
            Self::Endgame
        } else if seen.fullmove <= OPENING {
            Self::Opening
        } else {
            Self::Middlegame
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// A position of a game.
struct Seen {
    fullmove: u16,
    found: Classification,
}

/// How many of each type.
type Counts = [u64; PositionType::ALL.len()];

fn count<'a>(seen: impl Iterator<Item = &'a Seen>) -> Counts {
    let mut counts = Counts::default();
    for seen in seen {
        counts[seen.found.kind.index()] += 1;
    }
    counts
}

/// A benchmark position of the paper, with the sets in which it stands.
struct Benchmark {
    position: Position,
    sets: &'static str,
}

impl Benchmark {
    fn all() -> Vec<Self> {
        let lines = POSITIONS.lines().filter_map(|line| line.split_once(" ; "));
        lines
            .map(|(fen, sets)| Self {
                position: fen.parse().expect("the program's own positions are sound"),
                sets,
            })
            .collect()
    }
}

impl Experiment for TypesOfPositions {
    fn words(&self) -> Vec<String> {
        Vec::new()
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        Ok(vec![temperature_wdl::plan(setup, &TAU1)])
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let points = session.play_all(plans)?;
        let mut positions = Vec::new();
        for point in &points {
            positions.extend(session.positions(point)?);
        }
        let seen: Vec<Seen> = positions
            .iter()
            .map(|position| Seen {
                fullmove: position.fullmove_number(),
                found: Classification::of(position),
            })
            .collect();
        let benchmarks = Benchmark::all();
        let nanoseconds = nanoseconds_per_call(&positions, MEASURED);
        let mut findings: Vec<Finding> = TABLE_7.iter().map(finding).collect();
        findings.push(speed(nanoseconds));
        Ok(Content {
            question: "The hybrid divides its work by the type of a position, from highly tactical to highly strategic. Its \
                paper states types and shares for a few positions (Table 7); how often each type comes up in games it \
                does not say."
                .to_owned(),
            method: vec![
                "Types and strategies are those of `tandem classify --strategy paper`; weights are tactical : strategic.".to_owned(),
                "The paper does not say which position its central tension is: these are benchmark positions of its own.".to_owned(),
                format!("The games are self-play from the start position, {} positions a move, with the temperature tau1; \
                    those of `temperature-wdl` in a folder beside this one are taken over.", session.setup.nodes[0]),
                format!("The opening ends with move {OPENING}; it is an endgame once the pieces of both sides together are worth less than 2600 centipawns."),
                "Positions of one game depend on each other, so the intervals are somewhat too narrow.".to_owned(),
            ],
            findings,
            tables: vec![table_7(), benchmark_table(&benchmarks), by_phase(&seen)],
            pictures: vec![picture(&seen)?],
            results: json!({
                "table_7": TABLE_7.iter().map(example_json).collect::<Vec<_>>(),
                "benchmarks": benchmarks.iter().map(benchmark_json).collect::<Vec<_>>(),
                "games": Phase::ALL.iter().map(|&phase| phase_json(&seen, phase)).collect::<Vec<_>>(),
                "nanoseconds_per_call": nanoseconds,
            }),
        })
    }
}

fn classify(example: &Example) -> (Classification, Share) {
    let position: Position = example.fen.parse().expect("the program's own positions are sound");
    let found = Classification::of(&position);
    (found, StrategyTable::Paper.strategy(&found).mcts)
}

fn agrees(example: &Example) -> bool {
    let (found, mcts) = classify(example);
    found.kind == example.kind && mcts == Share::percent(example.mcts_percent)
}

fn finding(example: &Example) -> Finding {
    let (found, mcts) = classify(example);
    let verdict = if agrees(example) { Verdict::Agrees } else { Verdict::Differs };
    Finding::new(
        format!("{} is {}, {} % MCTS", example.name, example.kind, example.mcts_percent),
        format!("`{}`: {}, {mcts} MCTS", example.fen, found.kind),
        verdict,
    )
}

fn speed(nanoseconds: Option<f64>) -> Finding {
    let verdict = match nanoseconds {
        Some(nanoseconds) if nanoseconds < BOUND => Verdict::Agrees,
        Some(_) => Verdict::Differs,
        None => Verdict::Open,
    };
    let measured = format!(
        "{} microseconds a call over the positions of the games",
        number(nanoseconds.map(|nanoseconds| nanoseconds / 1000.0), 2)
    );
    Finding::new("The classifier costs nothing that a search would notice", measured, verdict)
}

fn weights(found: &Classification) -> String {
    let fraction = |hundredths: u32| f64::from(hundredths) / 100.0;
    format!("{:.2} : {:.2}", fraction(found.tactical), fraction(found.strategic))
}

/// The features of which there is something.
fn features(found: &Classification) -> String {
    let telling = |value: &classifier::Value| {
        use classifier::Value::{Flag, Number, Sides};
        !matches!(value, Flag(false) | Number(0) | Sides([0, 0]))
    };
    let words = found.features.list().into_iter().filter(|(_, value)| telling(value));
    let words = words.map(|(name, value)| format!("{}: {value}", name.replace('_', " ")));
    words.collect::<Vec<_>>().join("; ")
}

fn table_7() -> Table {
    let mut table = Table::new(
        "The examples of Table 7.",
        &["position", "FEN", "type", "paper", "weights", "MCTS", "paper", "alpha-beta"],
    );
    for example in &TABLE_7 {
        let (found, mcts) = classify(example);
        table.rows.push(vec![
            example.name.to_owned(),
            format!("`{}`", example.fen),
            found.kind.to_string(),
            example.kind.to_string(),
            weights(&found),
            mcts.to_string(),
            format!("{} %", example.mcts_percent),
            mcts.rest().to_string(),
        ]);
    }
    table
}

fn benchmark_table(benchmarks: &[Benchmark]) -> Table {
    let mut table = Table::new(
        "The paper's benchmark positions, and what there is in them.",
        &["FEN", "in its sets", "type", "weights", "MCTS", "features"],
    );
    for Benchmark { position, sets } in benchmarks {
        let found = Classification::of(position);
        table.rows.push(vec![
            format!("`{position}`"),
            (*sets).to_owned(),
            found.kind.to_string(),
            weights(&found),
            StrategyTable::Paper.strategy(&found).mcts.to_string(),
            features(&found),
        ]);
    }
    table
}

fn by_phase(seen: &[Seen]) -> Table {
    let mut head = vec!["part", "positions"];
    head.extend(PositionType::ALL.map(PositionType::name));
    let mut table = Table::new("Types in the games of self-play.", &head);
    let mut row = |name: &str, counts: Counts| {
        let all: u64 = counts.iter().sum();
        let mut cells = vec![name.to_owned(), all.to_string()];
        cells.extend(counts.map(|count| percent(share(count, all))));
        table.rows.push(cells);
    };
    for phase in Phase::ALL {
        row(phase.name(), count(seen.iter().filter(|seen| Phase::of(seen) == phase)));
    }
    row("all", count(seen.iter()));
    table
}

fn picture(seen: &[Seen]) -> Result<Picture, LabError> {
    let mut moves = vec![Counts::default(); usize::from(SHOWN)];
    for seen in seen {
        let place = usize::from(seen.fullmove).saturating_sub(1);
        if let Some(counts) = moves.get_mut(place) {
            counts[seen.found.kind.index()] += 1;
        }
    }
    let curve = |kind: PositionType, color| {
        let points = moves.iter().enumerate().filter_map(|(place, counts)| {
            let share = share(counts[kind.index()], counts.iter().sum())?;
            let value = 100.0 * share.value;
            Some((place as f64 + 1.0, value, value, value))
        });
        Curve { name: kind.to_string(), color, mark: Mark::Line, points: points.collect() }
    };
    let colors = [COLORS[1], COLORS[4], COLORS[5], COLORS[0], COLORS[3]];
    let chart = Chart {
        x: Axis { title: "move", is_log: false },
        y: Axis { title: "positions, per cent", is_log: false },
        curves: PositionType::ALL
            .into_iter()
            .zip(colors)
            .map(|(k, color)| curve(k, color))
            .collect(),
    };
    let caption = "How often each type comes up, by move".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: chart.svg(PICTURE)? })
}

fn example_json(example: &Example) -> Value {
    let (found, mcts) = classify(example);
    json!({
        "name": example.name, "fen": example.fen, "type": found.kind.name(),
        "paper_type": example.kind.name(), "mcts_percent": 100.0 * mcts.fraction(),
        "paper_mcts_percent": example.mcts_percent, "agrees": agrees(example),
    })
}

fn benchmark_json(benchmark: &Benchmark) -> Value {
    let found = Classification::of(&benchmark.position);
    json!({
        "fen": benchmark.position.to_string(), "sets": benchmark.sets, "type": found.kind.name(),
        "tactical": f64::from(found.tactical) / 100.0, "strategic": f64::from(found.strategic) / 100.0,
    })
}

fn phase_json(seen: &[Seen], phase: Phase) -> Value {
    let counts = count(seen.iter().filter(|seen| Phase::of(seen) == phase));
    let types: serde_json::Map<_, _> = PositionType::ALL
        .into_iter()
        .map(|kind| (kind.name().to_owned(), counts[kind.index()].into()))
        .collect();
    json!({ "part": phase.name(), "positions": counts.iter().sum::<u64>(), "types": types })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_sets_of_the_paper_are_there_as_legal_positions() {
        let benchmarks = Benchmark::all();
        for (set, positions) in [("paper", 8), ("hybrid", 15), ("gpu", 32)] {
            let of_set = benchmarks.iter().filter(|b| b.sets.split(' ').any(|word| word == set));
            assert_eq!(of_set.count(), positions, "{set}");
        }
    }

    #[test]
    fn each_position_counts_in_one_phase_and_one_type() {
        let seen: Vec<Seen> = Benchmark::all()
            .iter()
            .map(|b| Seen { fullmove: 12, found: Classification::of(&b.position) })
            .collect();
        let all: u64 = count(seen.iter()).iter().sum();
        let table = by_phase(&seen);
        let numbers: Vec<u64> = table.rows.iter().map(|row| row[1].parse().unwrap()).collect();
        assert_eq!(numbers[0], 0, "after move 10");
        assert_eq!((numbers[1] + numbers[2], numbers[3]), (all, all));
        assert!(numbers[1] > 0 && numbers[2] > 0);
    }

    #[test]
    fn a_finding_says_whether_type_and_share_are_the_papers() {
        let right = TABLE_7[0];
        assert_eq!(finding(&right).verdict, Verdict::Agrees);
        let other = Example { mcts_percent: 41, ..right };
        assert_eq!(finding(&other).verdict, Verdict::Differs);
        let verdicts = [Some(500.0), Some(20_000.0), None].map(|time| speed(time).verdict);
        assert_eq!(verdicts, [Verdict::Agrees, Verdict::Differs, Verdict::Open]);
    }
}
