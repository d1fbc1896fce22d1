//! A controller at work: games with one setting after another.

use serde_json::{Value, json};
use tandem_games::controller::{Advice, Controller, Measurement, Reason};

use crate::report::estimate;
use crate::{LabError, Plan, Point, Session};

/// A search for a setting, from the first games to the last.
pub struct Tuning {
    /// How it was looked for.
    pub controller: Controller,
    /// Settings and their games, in order.
    pub steps: Vec<(f64, Point)>,
    /// What was found: its place among the steps.
    pub chosen: usize,
    /// Why it ended.
    pub reason: Reason,
}

impl Tuning {
    /// Plays what the controller asks for.
    ///
    /// # Errors
    /// The games cannot be played, or were interrupted.
    pub fn run(
        session: &mut Session<'_>,
        controller: Controller,
        plan: impl Fn(f64) -> Plan,
    ) -> Result<Self, LabError> {
        let mut steps: Vec<(f64, Point)> = Vec::new();
        loop {
            let measured: Vec<Measurement> = steps
                .iter()
                .map(|(setting, point)| Measurement { setting: *setting, results: point.results() })
                .collect();
            match controller.advise(&measured) {
                Advice::Try(setting) => steps.push((setting, session.play(plan(setting))?)),
                Advice::Done(setting, reason) => {
                    let is_it = |step: &(f64, Point)| step.0.total_cmp(&setting).is_eq();
                    let chosen =
                        steps.iter().position(is_it).expect("only what was tried is chosen");
                    return Ok(Self { controller, steps, chosen, reason });
                }
            }
        }
    }

    /// The setting that was found, and its games.
    #[must_use]
    pub fn found(&self) -> &(f64, Point) {
        &self.steps[self.chosen]
    }

    /// A row for each step: what is tuned, setting, results, (w+l)/d, and what was chosen.
    #[must_use]
    pub fn rows(&self, what: &str, digits: usize) -> Vec<Vec<String>> {
        let row = |(place, (setting, point)): (usize, &(f64, Point))| {
            let results = point.results();
            vec![
                what.to_owned(),
                (place + 1).to_string(),
                format!("{setting:.digits$}"),
                format!("{}-{}-{}", results.wins, results.draws, results.losses),
                estimate(point.ratio(), 3),
                if place == self.chosen {
                    self.reason.sentence().to_owned()
                } else {
                    String::new()
                },
            ]
        };
        self.steps.iter().enumerate().map(row).collect()
    }

    /// All numbers, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let step = |(setting, point): &(f64, Point)| json!({ "setting": setting, "name": point.plan.name, "results": point.results(), "ratio": point.ratio() });
        json!({
            "controller": self.controller, "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "found": self.found().0, "ratio": self.found().1.ratio(), "reason": self.reason,
        })
    }
}
