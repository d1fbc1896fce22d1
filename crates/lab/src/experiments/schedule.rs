//! Figure 5: how the limit of search-contempt has to grow with the number of positions.

use clap::Args;
use serde_json::{Value, json};
use tandem_games::controller::{Controller, Effect, Reason};

use crate::experiment::Usual;
use crate::picture::{Axis, Bar, COLORS, Chart, Curve, Mark, PAPER, bars};
use crate::report::{Content, Finding, Picture, Table, Verdict, estimate, is_telling};
use crate::temperature::{TAU1, options};
use crate::tuning::Tuning;
use crate::{Experiment, LabError, Plan, Session, Setup};

const PICTURE: &str = "schedule.svg";
const BARS: &str = "wdl.svg";
/// What the paper found at 1,000 positions.
const PUBLISHED: (u64, f64) = (1000, 5.0);

/// How near is near enough, and when to give up.
#[derive(Args, Clone, Debug)]
pub struct Aim {
    /// Near enough is what differs from the target by this factor at most
    #[arg(long, default_value_t = 1.25, value_parser = factor)]
    pub tolerance: f64,
    /// Settings that are tried at the most
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub rounds: u16,
}

/// Reads a factor that allows something.
fn factor(text: &str) -> Result<f64, &'static str> {
    let value: Option<f64> = text.parse().ok();
    value.filter(|value| (1.0..=100.0).contains(value)).ok_or("expected a factor from 1 to 100")
}

/// Reads a (w+l)/d.
///
/// # Errors
/// It is none that games could have.
pub fn target(text: &str) -> Result<f64, &'static str> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|value| (0.001..=1000.0).contains(value))
        .ok_or("expected a number from 0.001 to 1000")
}

impl Aim {
    /// As one would type it.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let values =
            [("--tolerance", self.tolerance.to_string()), ("--rounds", self.rounds.to_string())];
        values.into_iter().flat_map(|(option, value)| [option.to_owned(), value]).collect()
    }

    /// A controller of the limit for so many positions a move.
    #[must_use]
    pub fn limits(&self, nodes: u64, target: f64) -> Controller {
        Controller {
            range: (1.0, nodes as f64),
            grid: 1.0,
            effect: Effect::Falling,
            target,
            tolerance: self.tolerance,
            rounds: self.rounds.into(),
            first: None,
        }
    }
}

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct ScheduleOfLimits {
    /// The (w+l)/d that is wanted
    #[arg(long, default_value_t = 1.0, value_parser = target)]
    target: f64,
    #[command(flatten)]
    aim: Aim,
}

impl Experiment for ScheduleOfLimits {
    fn usual(&self) -> Usual {
        Usual { nodes: &[100, 250, 500, 1000, 2000], ..Usual::PAPER }
    }

    fn words(&self) -> Vec<String> {
        let target = ["--target".to_owned(), self.target.to_string()];
        target.into_iter().chain(self.aim.words()).collect()
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        // All other games have the same options but for the limit.
        Ok(setup.nodes.iter().map(|&nodes| plan(setup, nodes, 1.0)).collect())
    }

    fn most_games(&self, setup: &Setup, _: &[Plan]) -> u64 {
        setup.games * u64::from(self.aim.rounds) * setup.nodes.len() as u64
    }

    fn run(&self, session: &mut Session<'_>, _: Vec<Plan>) -> Result<Content, LabError> {
        let setup = session.setup;
        let mut nodes = setup.nodes.clone();
        nodes.sort_unstable();
        let mut tunings = Vec::new();
        for nodes in nodes {
            let controller = self.aim.limits(nodes, self.target);
            tunings.push((
                nodes,
                Tuning::run(session, controller, |limit| plan(setup, nodes, limit))?,
            ));
        }
        let results: Vec<Value> = tunings
            .iter()
            .map(|(nodes, tuning)| json!({ "nodes": nodes, "tuning": tuning.json() }))
            .collect();
        Ok(Content {
            question: "The paper proposes to train with more and more positions a move, and with a limit of \
                search-contempt that grows with them, so that (w+l)/d stays near 1; at 1,000 positions it found a \
                limit of 5. Which limit does it take here?"
                .to_owned(),
            method: vec![
                format!(
                    "With the temperature tau1 (`{}`) a controller bisects the logarithm of the limit between 1 and the \
                     number of positions, {} games of self-play a step, until (w+l)/d differs from {} by a factor of {} at \
                     most, no limit is left between two that were tried, or {} were tried.",
                    TAU1.options, setup.games, self.target, self.aim.tolerance, self.aim.rounds
                ),
                "A step goes where its games point, so chance in them can lead astray; all steps are shown.".to_owned(),
                "A limit as large as the number of positions is as good as none.".to_owned(),
            ],
            findings: findings(&tunings, self.target),
            tables: vec![found(&tunings), steps(&tunings)],
            pictures: vec![picture(&tunings)?, wdl(&tunings)?],
            results: json!({ "target": self.target, "by_nodes": results }),
        })
    }
}

/// Games of self-play with so many positions a move and that limit.
fn plan(setup: &Setup, nodes: u64, limit: f64) -> Plan {
    let own = options(&format!("option.ScLimit={limit} {}", TAU1.options));
    let name = format!("nodes-{nodes}-sclimit-{limit}");
    Plan::alike(setup, &name, &format!("{nodes} positions, limit {limit}"), nodes, &own)
}

fn found(tunings: &[(u64, Tuning)]) -> Table {
    let mut table = Table::new(
        "The limit that comes nearest, by positions a move.",
        &["positions", "limit", "(w+l)/d", "why it ended there", "paper"],
    );
    for (nodes, tuning) in tunings {
        let (limit, point) = tuning.found();
        let paper = (*nodes == PUBLISHED.0).then(|| PUBLISHED.1.to_string());
        table.rows.push(vec![
            nodes.to_string(),
            format!("{limit:.0}"),
            estimate(point.ratio(), 3),
            tuning.reason.sentence().to_owned(),
            paper.unwrap_or_else(|| "-".to_owned()),
        ]);
    }
    table
}

fn steps(tunings: &[(u64, Tuning)]) -> Table {
    let head = ["positions", "step", "limit", "W-D-L", "(w+l)/d", "chosen because"];
    let mut table = Table::new("All steps.", &head);
    table.rows =
        tunings.iter().flat_map(|(nodes, tuning)| tuning.rows(&nodes.to_string(), 0)).collect();
    table
}

fn findings(tunings: &[(u64, Tuning)], target: f64) -> Vec<Finding> {
    let limits: Vec<f64> = tunings.iter().map(|(_, tuning)| tuning.found().0).collect();
    let list: Vec<String> = tunings
        .iter()
        .zip(&limits)
        .map(|((nodes, _), limit)| format!("{limit:.0} at {nodes}"))
        .collect();
    let mut findings = Vec::new();
    if let [first, .., last] = limits[..] {
        let grows = limits.windows(2).all(|pair| pair[0] <= pair[1]) && first < last;
        let verdict = match () {
            () if grows => Verdict::Agrees,
            () if last < first => Verdict::Differs,
            () => Verdict::Open,
        };
        findings.push(Finding::new(
            "The limit has to grow with the positions",
            list.join(", "),
            verdict,
        ));
    }
    let at_edge = tunings.iter().filter(|(_, tuning)| tuning.reason == Reason::Edge).count();
    let reached: Vec<_> = tunings.iter().map(|(_, tuning)| &tuning.found().1).collect();
    // Where (w+l)/d is the target, this share of games is decisive.
    let share = target / (1.0 + target);
    let holds = |point: &&&crate::Point| {
        point.decisive().is_some_and(|found| (found.lower..=found.upper).contains(&share))
    };
    let count = reached.iter().filter(holds).count();
    let tell = reached.iter().all(|point| point.decisive().is_some_and(is_telling));
    findings.push(Finding::new(
        format!("With tau1 the limit alone brings (w+l)/d to {target} (within the interval)"),
        format!(
            "for {count} of {} numbers of positions; {at_edge} ended at the edge",
            tunings.len()
        ),
        match count == tunings.len() {
            false => Verdict::Differs,
            true if tell => Verdict::Agrees,
            true => Verdict::Open,
        },
    ));
    findings
}

fn picture(tunings: &[(u64, Tuning)]) -> Result<Picture, LabError> {
    let tried = tunings.iter().flat_map(|(nodes, tuning)| {
        tuning.steps.iter().map(|(limit, _)| (*nodes as f64, *limit, *limit, *limit))
    });
    let found = tunings.iter().map(|(nodes, tuning)| {
        let limit = tuning.found().0;
        (*nodes as f64, limit, limit, limit)
    });
    let paper = (PUBLISHED.0 as f64, PUBLISHED.1, PUBLISHED.1, PUBLISHED.1);
    let curve =
        |name: &str, color, mark, points| Curve { name: name.to_owned(), color, mark, points };
    let chart = Chart {
        x: Axis { title: "positions a move", is_log: true },
        y: Axis { title: "ScLimit", is_log: true },
        curves: vec![
            curve("tried", COLORS[6], Mark::Dots, tried.collect()),
            curve("found", COLORS[0], Mark::Line, found.collect()),
            curve("paper", PAPER, Mark::Dots, vec![paper]),
        ],
    };
    let caption = "The limit that gives the wanted (w+l)/d, by positions a move".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: chart.svg(PICTURE)? })
}

fn wdl(tunings: &[(u64, Tuning)]) -> Result<Picture, LabError> {
    let steps = tunings.iter().flat_map(|(_, tuning)| &tuning.steps);
    let list: Vec<Bar> = steps
        .map(|(_, point)| {
            let results = point.results();
            let parts = [results.wins, results.draws, results.losses];
            Bar { label: point.plan.title.clone(), parts, is_paper: false }
        })
        .collect();
    let caption = "Wins, draws and losses at each step".to_owned();
    Ok(Picture {
        file: BARS,
        caption,
        svg: bars(BARS, ["White won", "drawn", "Black won"], &list)?,
    })
}
