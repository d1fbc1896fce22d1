//! What people read of a run.

use std::fmt::{self, Write as _};

use super::Suite;
use super::attempt::Attempt;
use super::goal::Shown;
use super::report::{Comparison, PlayerReport, Report};
use crate::hardware;
use crate::phrases::{self, percent};

/// The most names that a comparison lists.
const NAMES: usize = 30;

impl Suite {
    /// What became of an attempt, in a line.
    #[must_use]
    pub fn describe(&self, attempt: &Attempt) -> String {
        let problem = &self.collection.problems[attempt.problem];
        let name = &self.players[attempt.player].name;
        let verdict = match (attempt.solution(), &attempt.outcome) {
            (Some(moment), _) => format!(
                "solved after {:.3} s, {} nodes, depth {}",
                moment.time.as_secs_f64(),
                moment.nodes,
                moment.depth
            ),
            (None, Ok(_)) => {
                format!("not solved, wanted {}", problem.goal.describe(&problem.position))
            }
            (None, Err(_)) => "not solved".to_owned(),
        };
        let points = attempt.points(&problem.goal);
        let points = points.map_or(String::new(), |points| format!("; {points} points"));
        format!("{}: {name} {}: {verdict}{points}", problem.name, self.answer(attempt))
    }

    /// The move and its score, or the fault.
    fn answer(&self, attempt: &Attempt) -> String {
        match &attempt.outcome {
            Ok(answer) => {
                let position = &self.collection.problems[attempt.problem].position;
                let late = if answer.is_late { ", late" } else { "" };
                format!("{} ({}{late})", position.san(answer.m), Shown(answer.thought.score))
            }
            Err(fault) => fault.to_string(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.unsolved())?;
        for comparison in self.comparisons() {
            f.write_str(&compare(&comparison))?;
        }
        writeln!(f, "players")?;
        for player in self.players() {
            f.write_str(&phrases::player(player.spec, player.identity))?;
            f.write_str(&results(&player))?;
            writeln!(f, "    {}", player.conduct)?;
        }
        let collection = &self.suite.collection;
        writeln!(f, "conditions")?;
        for source in &collection.sources {
            let hash = source.sha256.as_deref().unwrap_or("unknown");
            writeln!(f, "  positions: {} from {} (sha256 {hash})", source.positions, source.file)?;
        }
        let why: Vec<String> =
            collection.defects().iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join(", ")) };
        writeln!(f, "  unusable: {}{why}", collection.unusable.len())?;
        writeln!(f, "  {}", self.dropped())?;
        writeln!(
            f,
            "  hardware: {}, {} positions at a time, patience {} s",
            hardware::describe(),
            self.suite.concurrency.max(1),
            self.suite.patience.as_secs_f64()
        )?;
        write!(f, "  {}", phrases::time(self.seconds))
    }
}

impl Report {
    /// A table of the positions that not all players solved.
    fn unsolved(&self) -> String {
        let mut rows = Vec::new();
        for attempts in self.by_problem().filter(|all| !all.iter().all(Attempt::is_solved)) {
            let problem = &self.suite.collection.problems[attempts[0].problem];
            let mut row = vec![problem.name.clone(), problem.goal.describe(&problem.position)];
            for place in 0..self.suite.players.len() {
                let attempt = attempts.iter().find(|attempt| attempt.player == place);
                row.push(match attempt {
                    None => "-".to_owned(),
                    Some(attempt) if attempt.is_solved() => "solved".to_owned(),
                    Some(attempt) => self.suite.answer(attempt),
                });
            }
            rows.push(row);
        }
        if rows.is_empty() {
            return "unsolved: none\n".to_owned();
        }
        let names = self.suite.players.iter().map(|player| player.name.clone());
        let head: Vec<String> =
            ["position", "wanted"].map(str::to_owned).into_iter().chain(names).collect();
        format!("unsolved\n{}", table(&head, &rows))
    }

    /// What was not done, and why.
    fn dropped(&self) -> String {
        let total = self.suite.collection.problems.len() * self.suite.players.len();
        let done = self.attempts.len();
        if done == total {
            return format!("attempts: all {total} made");
        }
        let why = if self.interrupted { "the run was interrupted" } else { "not made" };
        format!("attempts: {done} of {total} made; {} begun and dropped; {why}", self.unfinished)
    }
}

/// Rows under a head, in columns.
fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(head[column].chars().count())
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in [head].into_iter().chain(rows.iter().map(Vec::as_slice)) {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
    }
    text
}

fn results(player: &PlayerReport<'_>) -> String {
    let mut text = format!(
        "    solved {}/{} ({})",
        player.solved,
        player.attempted,
        percent(player.solved_rate)
    );
    if let (Some(seconds), Some(nodes), Some(depth)) = (
        player.mean_seconds_to_solution,
        player.mean_nodes_to_solution,
        player.mean_depth_at_solution,
    ) {
        let _ = write!(
            text,
            "; to the solution on average {seconds:.3} s, {nodes:.0} nodes, depth {depth:.1}"
        );
    }
    text.push('\n');
    if let (Some(points), Some(possible)) = (player.points, player.points_possible) {
        let rate = (possible > 0).then(|| points as f64 / possible as f64);
        let _ = writeln!(text, "    points {points}/{possible} ({})", percent(rate));
    }
    text
}

fn compare(comparison: &Comparison<'_>) -> String {
    let Comparison { first, second, both, only_first, only_second, neither } = comparison;
    let mut text = format!("{first} and {second}\n  both solved: {}\n", both.len());
    for (what, names) in [
        (format!("only {first}"), only_first),
        (format!("only {second}"), only_second),
        ("neither".to_owned(), neither),
    ] {
        let _ = write!(text, "  {what}: {}", names.len());
        if !names.is_empty() {
            let rest = names.len().saturating_sub(NAMES);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let _ = write!(text, " ({}{more})", names[..names.len() - rest].join(", "));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_heads() {
        let head = ["position", "x"].map(str::to_owned);
        let rows =
            [["a", "Nf3"], ["a longer name", "e4"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            table(&head, &rows),
            "  position       x\n  a              Nf3\n  a longer name  e4\n"
        );
    }

    #[test]
    fn long_lists_of_names_end() {
        let names = vec!["x"; NAMES + 2];
        let text = compare(&Comparison {
            first: "one",
            second: "two",
            both: vec!["a"],
            only_first: vec!["b", "c"],
            only_second: Vec::new(),
            neither: names,
        });
        assert!(
            text.starts_with("one and two\n  both solved: 1\n  only one: 2 (b, c)\n"),
            "{text}"
        );
        assert!(text.contains("  only two: 0\n") && text.ends_with("x and 2 more)\n"), "{text}");
    }
}
