//! The report for programs.

use serde_json::{Value, json};
use tandem_games::hardware;

use super::{Content, Context};
use crate::Point;

/// The report as JSON: what it takes to do it again, and all numbers. What is infinite is `null`.
#[must_use]
pub fn json(context: &Context<'_>, content: &Content) -> Value {
    let Context { setup, settings, points } = context;
    let parts = context.parts();
    let (games, moves, nodes, seconds) = context.cost();
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now());
    json!({
        "experiment": setup.name.name(),
        "command": setup.command(),
        "settings": settings,
        "games": setup.games,
        "seed": setup.seed,
        "networks": parts.networks,
        "priors": parts.priors,
        "engines": parts.engines,
        "programs_sha256": parts.programs,
        "hardware": hardware::describe(),
        "concurrency": setup.concurrency,
        "played": { "games": games, "moves": moves, "positions": nodes, "thinking_seconds": seconds },
        "date": now.to_string(),
        "findings": content.findings,
        "results": content.results,
        "points": points.iter().map(Point::json).collect::<Vec<_>>(),
        "pictures": content.pictures.iter().map(|picture| picture.file).collect::<Vec<_>>(),
    })
}
