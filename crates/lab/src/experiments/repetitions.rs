//! Figure 4: how alike games of self-play are.

use clap::Args;
use serde_json::json;

use super::{contempt_wdl, temperature_wdl};
use crate::paper;
use crate::picture::{Axis, COLORS, Chart, Curve, Mark};
use crate::report::{Content, Picture, Table, percent};
use crate::setup::{list, no_repeats};
use crate::temperature::{TAU1, TAU2};
use crate::wdl;
use crate::{Experiment, LabError, Plan, Point, Session, Setup};

const PICTURE: &str = "repetitions.svg";
/// The moves of the curves, and those of the table.
const MOVES: std::ops::RangeInclusive<usize> = 1..=30;
const SHOWN: [usize; 7] = [1, 2, 3, 5, 10, 15, 20];

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct Repetitions {
    /// The limits of search-contempt whose games are compared
    #[arg(long, value_delimiter = ',', default_values_t = [5, 10, 32, 1_000_000], value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    limits: Vec<u64>,
}

impl Experiment for Repetitions {
    fn words(&self) -> Vec<String> {
        vec!["--limits".to_owned(), list(&self.limits)]
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        no_repeats("--limits", &self.limits)?;
        let limits = self.limits.iter().map(|&limit| contempt_wdl::plan(setup, limit));
        let taus = [TAU1, TAU2];
        Ok(limits.chain(taus.iter().map(|tau| temperature_wdl::plan(setup, tau))).collect())
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let points = session.play_all(plans)?;
        let (limited, courses) = points.split_at(self.limits.len());
        let published: Vec<Option<f64>> = self
            .limits
            .iter()
            .map(|&limit| paper::with_limit(limit))
            .chain([Some(paper::TAU1), Some(paper::TAU2)])
            .map(|row| row.map(|row| row.repeats))
            .collect();
        let mut findings: Vec<_> = limited
            .iter()
            .map(|point| {
                let claim =
                    format!("{} does not repeat more games than PUCT with tau1", point.plan.title);
                wdl::repeats_no_more(&claim, point, &courses[0])
            })
            .collect();
        findings.push(wdl::repeats_no_more(
            "tau2 does not repeat more games than tau1",
            &courses[1],
            &courses[0],
        ));
        let curves: Vec<_> = points
            .iter()
            .map(|point| {
                let shares: Vec<_> = MOVES.map(|at| point.repeats(at)).collect();
                json!({ "name": point.plan.name, "shares": shares })
            })
            .collect();
        Ok(Content {
            question: "A game that equals an earlier one teaches nothing. The paper says that search-contempt \
                does not make more of them than temperature alone leaves."
                .to_owned(),
            method: vec![
                format!("Self-play from the start position, {} positions a move, no game ended early; limits with the temperature tau1.", session.setup.nodes[0]),
                "A game is repeated up to a move if an earlier one has the same moves of both sides until then. The share \
                 grows with the number of games, so only shares of equally many games compare.".to_owned(),
                "Games of `contempt-wdl` and `temperature-wdl` with the same settings in folders beside this one are \
                 taken over, not played again.".to_owned(),
                format!("tau1 is `{}`.", TAU1.options),
                format!("tau2 is `{}`.", TAU2.options),
            ],
            findings,
            tables: vec![table(&points, &published)],
            pictures: vec![picture(&points)?],
            results: json!({ "moves": MOVES.collect::<Vec<_>>(), "curves": curves }),
        })
    }
}

fn table(points: &[Point], published: &[Option<f64>]) -> Table {
    let moves = SHOWN.map(|at| format!("move {at}"));
    let head: Vec<&str> = ["setting", "games"]
        .into_iter()
        .chain(moves.iter().map(String::as_str))
        .chain(["paper, move 10"])
        .collect();
    let mut table = Table::new(
        "The share of games that equal an earlier one up to a move. The intervals hold as if games did not depend \
         on each other.",
        &head,
    );
    for (point, published) in points.iter().zip(published) {
        let mut row = vec![point.plan.title.clone(), point.results().games().to_string()];
        row.extend(SHOWN.map(|at| percent(point.repeats(at))));
        row.push(published.map_or("-".to_owned(), |share| format!("{:.0} %", 100.0 * share)));
        table.rows.push(row);
    }
    table
}

fn picture(points: &[Point]) -> Result<Picture, LabError> {
    let curve = |(point, &color): (&Point, _)| {
        let at = |moves: usize| {
            let share = point.repeats(moves)?.value;
            Some((moves as f64, share, share, share))
        };
        let points = MOVES.filter_map(at).collect();
        Curve { name: point.plan.title.clone(), color, mark: Mark::Line, points }
    };
    let chart = Chart {
        x: Axis { title: "move", is_log: false },
        y: Axis { title: "share of repeated games", is_log: false },
        curves: points.iter().zip(COLORS.iter().cycle()).map(curve).collect(),
    };
    let caption = "The share of games that equal an earlier one, by move".to_owned();
    Ok(Picture { file: PICTURE, caption, svg: chart.svg(PICTURE)? })
}
