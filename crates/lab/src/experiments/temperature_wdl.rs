//! Figure 3: temperature as a lever for how many games are won.

use clap::Args;
use serde_json::json;

use crate::paper::{self, Published};
use crate::report::Content;
use crate::temperature::{TAU1, TAU2, Tau, options};
use crate::wdl::{self, Row};
use crate::{Experiment, LabError, Plan, Session, Setup};

/// The experiment has no options of its own.
#[derive(Args, Clone, Debug)]
pub struct TemperatureWdl {}

const COURSES: [(Tau, Published); 2] = [(TAU1, paper::TAU1), (TAU2, paper::TAU2)];

/// Games of self-play without search-contempt and with that temperature. Experiments that ask for the same
/// games find them in each other's folders.
#[must_use]
pub fn plan(setup: &Setup, tau: &Tau) -> Plan {
    let (name, title) = (format!("puct-{}", tau.name), format!("PUCT, {}", tau.name));
    Plan::alike(setup, &name, &title, setup.nodes[0], &options(tau.options))
        .also_in(&["temperature-wdl", "repetitions"])
}

impl Experiment for TemperatureWdl {
    fn words(&self) -> Vec<String> {
        Vec::new()
    }

    fn plans(&self, setup: &Setup) -> Result<Vec<Plan>, LabError> {
        Ok(COURSES.iter().map(|(tau, _)| plan(setup, tau)).collect())
    }

    fn run(&self, session: &mut Session<'_>, plans: Vec<Plan>) -> Result<Content, LabError> {
        let points = session.play_all(plans)?;
        let rows: Vec<Row> = points
            .iter()
            .zip(COURSES)
            .map(|(point, (_, published))| Row { point: point.clone(), published: Some(published) })
            .collect();
        let mut findings = wdl::beside_the_paper(&rows);
        findings.extend([
            wdl::is_more_decisive(
                "More games are decisive with tau2 than with tau1",
                &points[1],
                &points[0],
            ),
            wdl::repeats_no_more(
                "tau2 does not repeat more games than tau1",
                &points[1],
                &points[0],
            ),
        ]);
        let course = |tau: &Tau| format!("{} is `{}`.", tau.name, tau.options);
        Ok(Content {
            question: "Without search-contempt, variety comes from temperature: moves are drawn by their visits to \
                the power of 1 over it. The paper compares little of it (tau1), which plays well and draws nearly \
                always, with much (tau2), which decides games by making mistakes."
                .to_owned(),
            method: vec![
                format!("Self-play from the start position, {} positions a move, plain PUCT, no game ended early.", session.setup.nodes[0]),
                course(&TAU1),
                course(&TAU2),
            ],
            findings,
            tables: vec![wdl::table("temperature", &rows)],
            pictures: vec![wdl::picture(&rows)?],
            results: json!({ "temperatures": COURSES.map(|(tau, _)| json!({ "name": tau.name, "options": tau.options })) }),
        })
    }
}
