//! Figure 2: search-contempt as a lever for how many games are won.

use clap::Args;
use serde_json::json;
use tandem_games::selfplay::SideOptions;

use crate::paper;
use crate::picture::{Axis, COLORS, Chart, Curve, Mark, PAPER};
use crate::report::{Content, Finding, Picture, Verdict, estimate, is_telling};
use crate::setup::{list, no_repeats};
use crate::temperature::{TAU1, options};
use crate::wdl::{self, Row};
use crate::{Experiment, LabError, Plan, Point, Session, Setup};

const PICTURE: &str = "ratio.svg";

/// The experiment's own options.
#[derive(Args, Clone, Debug)]
pub struct ContemptWdl {
    /// The limits of search-contempt that are compared; a million stands for none
    #[arg(long, value_delimiter = ',', default_values_t = [1, 5, 10, 20, 32, 1_000_000], value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    limits: Vec<u64>,
}

/// Games of self-play with that limit and little temperature. Experiments that ask for the same games find
/// them in each other's folders.
#[must_use]
pub fn plan(setup: &Setup, limit: u64) -> Plan {
    let own: SideOptions = options(&format!("option.ScLimit={limit} {}", TAU1.options));
    let (name, title) = (format!("sclimit-{limit}"), format!("limit {limit}"));
    Plan::alike(setup, &name, &title, setup.nodes[0], &own)
        .also_in(&["contempt-wdl", "repetitions"])
}

impl Experiment for ContemptWdl {
    fn words(&self) -> Vec<String> {
        vec!["--limits".to_owned(), list(&self.limits)]
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        no_repeats("--limits", &self.limits)?;
        Ok(self.limits.iter().map(|&limit| plan(setup, limit)).collect())
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let points = session.play_all(plans)?;
        let rows: Vec<Row> = points
            .iter()
            .zip(&self.limits)
            .map(|(point, &limit)| Row {
                point: point.clone(),
                published: paper::with_limit(limit),
            })
            .collect();
        let mut findings = wdl::beside_the_paper(&rows);
        findings.extend(self.trend(&points));
        Ok(Content {
            question: "Search-contempt lets the opponent look at each position for ScLimit visits only. The \
                paper says that this alone decides how many games of self-play are won: with 1,000 positions a \
                move hardly any without a limit, more than half with a limit of 5, where (w+l)/d, the games that \
                somebody won for each draw, is near 1."
                .to_owned(),
            method: vec![
                format!("Self-play from the start position, {} positions a move for every limit, no game ended early.", session.setup.nodes[0]),
                format!("Temperature of the move that is played: the paper's tau1 (`{}`).", TAU1.options),
                "The interval of (w+l)/d is Wilson's for the share of decisive games p, put through p/(1-p).".to_owned(),
            ],
            findings,
            tables: vec![wdl::table("ScLimit", &rows)],
            pictures: vec![wdl::picture(&rows)?, self.picture(&rows)?],
            results: json!({ "limits": self.limits }),
        })
    }
}

impl ContemptWdl {
    /// What the paper says about the limits among each other.
    fn trend(&self, points: &[Point]) -> Vec<Finding> {
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|&place| self.limits[place]);
        let (Some(&least), Some(&most)) = (order.first(), order.last()) else { return Vec::new() };
        let (low, high) = (self.limits[least], self.limits[most]);
        if low == high {
            return Vec::new();
        }
        let near = |point: &&Point| {
            point.decisive().is_some_and(|share| (share.lower..=share.upper).contains(&0.5))
        };
        let near: Vec<String> =
            points.iter().filter(near).map(|point| point.plan.title.clone()).collect();
        let (found, verdict) = if near.is_empty() {
            let best = points.iter().filter_map(Point::ratio);
            let best = best.min_by(|a, b| a.value.ln().abs().total_cmp(&b.value.ln().abs()));
            (format!("none of the limits; nearest is {}", estimate(best, 3)), Verdict::Differs)
        } else {
            let tell = points.iter().all(|point| point.decisive().is_some_and(is_telling));
            (near.join(", "), if tell { Verdict::Agrees } else { Verdict::Open })
        };
        vec![
            wdl::is_more_decisive(
                &format!("More games are decisive with limit {low} than with {high}"),
                &points[least],
                &points[most],
            ),
            Finding::new(
                "There is a limit with (w+l)/d near 1 (within the interval)",
                found,
                verdict,
            ),
            wdl::repeats_no_more(
                &format!("Limit {low} does not repeat more games than {high}"),
                &points[least],
                &points[most],
            ),
        ]
    }

    fn picture(&self, rows: &[Row]) -> Result<Picture, LabError> {
        let mut ours: Vec<_> = rows
            .iter()
            .zip(&self.limits)
            .filter_map(|(row, &limit)| {
                let ratio = row.point.ratio()?;
                Some((limit as f64, ratio.value, ratio.lower, ratio.upper))
            })
            .collect();
        ours.sort_by(|a, b| a.0.total_cmp(&b.0));
        let theirs = rows.iter().zip(&self.limits).filter_map(|(row, &limit)| {
            let ratio = row.published?.ratio();
            Some((limit as f64, ratio, ratio, ratio))
        });
        let mut theirs: Vec<_> = theirs.collect();
        theirs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let curve =
            |name: &str, color, mark, points| Curve { name: name.to_owned(), color, mark, points };
        let chart = Chart {
            x: Axis { title: "ScLimit", is_log: true },
            y: Axis { title: "(w+l)/d", is_log: true },
            curves: vec![
                curve("measured", COLORS[0], Mark::Line, ours),
                curve("paper", PAPER, Mark::Dots, theirs),
            ],
        };
        let caption = "Games that somebody won for each draw, by ScLimit".to_owned();
        Ok(Picture { file: PICTURE, caption, svg: chart.svg(PICTURE)? })
    }
}
