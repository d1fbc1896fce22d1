//! The report for people.

use std::fmt::Write as _;

use tandem_games::hardware;

use super::{Content, Context};
use crate::catalogue;

/// The report as Markdown.
#[must_use]
pub fn markdown(context: &Context<'_>, content: &Content) -> String {
    let name = context.setup.name.name();
    let about = catalogue::list().into_iter().find(|(known, _)| known == name);
    let mut text = format!("# {name}\n\n");
    if let Some((_, about)) = about {
        let _ = writeln!(text, "{about}.\n");
    }
    let _ = writeln!(text, "{}\n", content.question);
    text.push_str("## What came of it\n\n");
    for table in &content.tables {
        let _ = writeln!(text, "{}", table.markdown());
    }
    text.push_str("Behind every value stands its interval of 95 %.\n\n");
    for picture in &content.pictures {
        let _ = writeln!(text, "![{}]({})\n", picture.caption, picture.file);
    }
    text.push_str("## Beside the paper\n\n| the paper says | measured | |\n|---|---|---|\n");
    for finding in &content.findings {
        let word = finding.verdict.word();
        let _ = writeln!(text, "| {} | {} | {word} |", finding.claim, finding.measured);
    }
    text.push_str("\n## How it was done\n\n");
    let _ = writeln!(text, "```sh\n{}\n```\n", context.setup.command());
    let parts = context.parts();
    let (games, moves, nodes, seconds) = context.cost();
    for line in content.method.iter().cloned().chain([
        format!("Seed {}.", context.setup.seed),
        format!("Evaluation by network: {}.", parts.networks.join(", ")),
        format!("Priors of moves: {}.", parts.priors.join(", ")),
        format!("{}; program {}.", parts.engines.join(", "), parts.programs.join(", ")),
        format!("{}, {} games at a time.", hardware::describe(), context.setup.concurrency),
        format!(
            "{games} games, {moves} moves, {nodes} positions, {seconds:.0} seconds of thinking altogether; \
             finished {}.",
            now()
        ),
    ]) {
        let _ = writeln!(text, "- {line}");
    }
    text.push_str("\nEach point can be played alone:\n\n```sh\n");
    for point in context.points {
        let _ = writeln!(text, "# {}\n{}", point.plan.title, point.plan.command());
    }
    text.push_str("```\n");
    text
}

fn now() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}
