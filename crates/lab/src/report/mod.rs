//! What an experiment shows, written down: for people, and for programs.

mod data;
mod finding;
mod markdown;
mod table;

use serde_json::Value;

pub use data::json;
pub use finding::{Finding, Verdict, is_telling};
pub use markdown::markdown;
pub use table::{Table, estimate, number, percent, range};

use crate::Point;
use crate::folder::Head;
use crate::setup::Setup;

/// What came of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// What is asked, and what the paper says about it.
    pub question: String,
    /// How it was tried, beyond the options: a sentence each.
    pub method: Vec<String>,
    /// What agrees with the paper and what does not.
    pub findings: Vec<Finding>,
    /// The figures.
    pub tables: Vec<Table>,
    /// The same to look at.
    pub pictures: Vec<Picture>,
    /// The experiment's own numbers for programs, beside those of its points.
    pub results: Value,
}

/// A picture of the report.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of its file.
    pub file: &'static str,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// What the report says about how its numbers came to be.
pub struct Context<'a> {
    /// How much was played, from which seed and with what.
    pub setup: &'a Setup,
    /// The same as it is compared with other runs.
    pub settings: &'a Head,
    /// The games.
    pub points: &'a [Point],
}

impl Context<'_> {
    /// What the sides called themselves, evaluated with, and took their priors from, each once.
    fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        for point in self.points {
            for identity in &point.report.identities {
                note(&mut parts.engines, &identity.engine);
                note(&mut parts.networks, identity.network.as_deref().unwrap_or("unknown"));
                note(&mut parts.programs, identity.program.as_deref().unwrap_or("unknown"));
                if let Some(priors) = &identity.priors {
                    note(&mut parts.priors, priors);
                }
            }
        }
        parts
    }

    /// Games, moves, positions and seconds of thinking.
    fn cost(&self) -> (u64, u64, u64, f64) {
        let games = self.points.iter().map(|point| point.results().games()).sum();
        let efforts = self.points.iter().flat_map(|point| point.report.efforts);
        let (mut moves, mut nodes, mut seconds) = (0, 0, 0.0);
        for effort in efforts {
            moves += effort.moves;
            nodes += effort.nodes;
            seconds += effort.time.as_secs_f64();
        }
        (games, moves, nodes, seconds)
    }
}

/// What was used, each once.
#[derive(Default)]
struct Parts {
    engines: Vec<String>,
    networks: Vec<String>,
    programs: Vec<String>,
    priors: Vec<String>,
}

fn note(list: &mut Vec<String>, item: &str) {
    if !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}
